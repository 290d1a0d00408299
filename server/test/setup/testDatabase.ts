import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { CITUS_URL, createClusterDatabase } from '../citus/cluster/clusterDatabase.ts'

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** A separate database with all migrations applied. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (CITUS_URL !== undefined) return createClusterDatabase()
  return createDatabase(` template ${inject('templateDatabase')}`)
}

/** A separate database without tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('')
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}${template}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return {
    url: url.href,
    // A failed test may have left connections open.
    drop: () => administer(`drop database if exists ${name} with (force)`),
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
