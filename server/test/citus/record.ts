import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject, vi } from 'vitest'
import type { Database, Queryable } from '../../src/database/database.ts'

// Run before each test file: notes every statement that the service sends, and who sends it.

// Of the whole process: where several files share one, they also share the modules that were loaded by the first.
const shared = globalThis as {
  florinStatements?: Map<string, string | null>
  florinServiceOpened?: boolean
}
shared.florinStatements ??= new Map()
const seen = shared.florinStatements

/** The function that sent it, such as `payments.ts findPayments`; null where a test did so itself. */
function sender(): string | null {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const frame = frames.find((line) => !line.includes('citus/record'))
  const [, name, file] =
    /at (?:async )?(?:Object\.)?(\S+).*\/server\/src\/\w+\/(\w+\.ts)/.exec(frame ?? '') ?? []
  return name && file ? `${file} ${name}` : null
}

function note(text: string): void {
  // A test may send the same before the service does.
  if ((seen.get(text) ?? null) === null) seen.set(text, sender())
}

function noting<On extends Queryable>(on: On): On {
  return {
    ...on,
    query: (text: string, values?: readonly unknown[]) => {
      note(text)
      return on.query(text, values)
    },
    ...('execute' in on && {
      execute: (text: string, values?: readonly unknown[]) => {
        note(text)
        return (on.execute as (text: string, values?: readonly unknown[]) => Promise<number>)(
          text,
          values,
        )
      },
    }),
  }
}

vi.mock(import('../../src/database/database.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    openDatabase: (options): Database => {
      const database = real.openDatabase(options)
      return {
        ...noting(database),
        transaction: (work, limits) => database.transaction((tx) => work(noting(tx)), limits),
      }
    },
  }
})

afterAll(async () => {
  const ours = [...seen].filter(([, by]) => by !== null)
  const path = join(inject('statementsFolder'), `${randomUUID()}.json`)
  if (ours.length > 0 || shared.florinServiceOpened) await writeFile(path, JSON.stringify(ours))
})
