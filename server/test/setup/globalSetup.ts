import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string
    templateDatabase: string
  }
}

const templateDatabase = 'florin_template'

/** One PostgreSQL for all test files, with a migrated database in it that each of them clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-test-'))
  const database = await startEmbedded({ folder, log: console.log })
  const teardown = async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const adminUrl = urlTo(database.url, 'postgres')
    await makeTemplate(adminUrl)
    project.provide('adminUrl', adminUrl)
    project.provide('templateDatabase', templateDatabase)
    return teardown
  } catch (error) {
    await teardown()
    throw error
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`create database ${templateDatabase}`)
    await migrate(urlTo(adminUrl, templateDatabase))
    // A database cannot be cloned while somebody is connected to it, so nobody may.
    await client.query(`alter database ${templateDatabase} with allow_connections false`)
  } finally {
    await client.end()
  }
}

function urlTo(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
