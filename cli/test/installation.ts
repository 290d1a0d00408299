import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../server/test/setup/testDatabase.ts'
import { runHere, runSql } from './run.ts'

/** Gives the tests of a file a database and a data folder, and returns functions that run commands with them. */
export function setUpInstallation() {
  let test: TestDatabase
  let folder: string
  beforeAll(async () => {
    test = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'florin-cli-'))
  })
  afterAll(async () => {
    await test.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const settings = () => ({ DATABASE_URL: test.url, FLORIN_DATA: folder })
  const florin = (...args: string[]) => runHere(settings(), ...args)
  return {
    settings,
    florin,
    json: async (...args: string[]) => JSON.parse((await florin(...args, '--json')).stdout),
    sql: (text: string) => runSql(test.url, text),
  }
}
