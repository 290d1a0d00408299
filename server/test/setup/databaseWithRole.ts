import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createTestDatabase } from './testDatabase.ts'

/** A test database with its own role. Tests can't share a role, because its settings apply to the whole server. */
export async function createDatabaseWithRole() {
  const test = await createTestDatabase()
  const client = new pg.Client({ connectionString: test.url })
  await client.connect()
  const role = `cluster_${randomBytes(4).toString('hex')}`
  await client.query(`create role ${role} superuser login password 'only here'`)
  await client.query(`alter role ${role} set citus.recover_2pc_interval = '5s'`)
  const url = new URL(test.url)
  url.username = role
  url.password = 'only here'
  return {
    test,
    client,
    role,
    url: url.href,
    async drop() {
      await client.query(`reassign owned by ${role} to current_user`)
      await client.query(`drop role ${role}`)
      await client.end()
      await test.drop()
    },
  }
}

export type DatabaseWithRole = Awaited<ReturnType<typeof createDatabaseWithRole>>
