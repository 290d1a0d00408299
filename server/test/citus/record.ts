import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject, vi } from 'vitest'
import type { Database, Queryable } from '../../src/database/database.ts'

// Runs before each test file. Records every statement that the service sends, and the function that sends it.

// One recorder per process: test files that share a process also share the modules that the first one loaded.
const shared = globalThis as {
  florinStatements?: Map<string, string | null>
}
shared.florinStatements ??= new Map()
const seen = shared.florinStatements

/** The function that sent the statement, such as `payments.ts findPayments`. Null if a test or `database/citus` sent it. */
function findSender(): string | null {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const frame = frames.find((line) => !line.includes('citus/record'))
  const [, name, file] =
    /at (?:async )?(?:Object\.)?(\S+).*\/server\/src\/\w+\/(\w+\.ts)/.exec(frame ?? '') ?? []
  return name && file ? `${file} ${name}` : null
}

function record(text: string): void {
  // A test may send the same statement before the service does.
  if ((seen.get(text) ?? null) === null) seen.set(text, findSender())
}

function withRecording<On extends Queryable>(on: On): On {
  return {
    ...on,
    query: (text: string, values?: readonly unknown[]) => {
      record(text)
      return on.query(text, values)
    },
    ...('execute' in on && {
      execute: (text: string, values?: readonly unknown[]) => {
        record(text)
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
        ...withRecording(database),
        transaction: (work, limits) =>
          database.transaction((tx) => work(withRecording(tx)), limits),
      }
    },
  }
})

afterAll(async () => {
  const ownStatements = [...seen].filter(([, by]) => by !== null)
  const path = join(inject('statementsFolder'), `${randomUUID()}.json`)
  if (ownStatements.length > 0) await writeFile(path, JSON.stringify(ownStatements))
})
