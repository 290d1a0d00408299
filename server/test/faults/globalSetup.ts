import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { printRows, readRows, recordRows } from './report.ts'

const DOCUMENT = fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url))

/** Prints the seed at the start and a table at the end, and saves the table if requested. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-rows-'))
  const file = join(folder, 'rows')
  process.env.FLORIN_ROWS = file
  console.log(`FLORIN_SEED=${process.env.FLORIN_SEED} repeats this run.`)
  return async () => {
    const rows = await readRows(file)
    await rm(folder, { recursive: true })
    if (rows.length === 0) return
    printRows(rows)
    if (process.env.FLORIN_RECORD !== '1') return
    // Don't record figures of a failed run.
    if (project.vitest.state.getCountOfFailedTests() > 0)
      console.log('Not recorded: a test failed.')
    else await recordRows(DOCUMENT, rows)
  }
}
