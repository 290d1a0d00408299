import type { TestProject } from 'vitest/node'
import printTable from '../../faults/globalSetup.ts'
import { EXCEPTIONS } from './exceptions.ts'

const COMMANDS = ['KILL_WORKER', 'START_WORKER', 'KILL_COORDINATOR', 'START_COORDINATOR']

/** Prints which tests are not run, and the table of faults at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = COMMANDS.map((name) => `FLORIN_CITUS_${name}`).filter(
    (name) => !process.env[name],
  )
  if (missing.length > 0) console.log(`Kills are skipped without ${missing.join(', ')}.`)
  for (const { test, reason } of EXCEPTIONS) console.log(`Not run: ${test}: ${reason}`)
  return printTable(project)
}
