import { expect, it } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { explainStartError } from '../../src/startErrors.ts'
import { createTestDatabase } from '../setup/testDatabase.ts'

it('refuses connections that lose the options of the session, as through a pooler', async () => {
  const { url, drop } = await createTestDatabase()
  const other = new URL(url)
  // Options in the URL replace those of the session.
  other.searchParams.set('options', '-c statement_timeout=0')
  const database = openDatabase({ url: other.href, poolSize: 1, poolTimeoutMs: 5_000 })
  try {
    await expect(database.query('select 1')).rejects.toThrow(/settings of the session/)
    const failure = await migrate(other.href).catch((error: unknown) => error)
    expect(explainStartError(failure, { DATABASE_URL: other.href })).toBe(
      'Cannot use DATABASE_URL: the settings of the session have no effect. Connect to PostgreSQL directly instead of through a pooler, and remove "options" from the URL.',
    )
    await migrate(url)
  } finally {
    await database.close()
    await drop()
  }
})
