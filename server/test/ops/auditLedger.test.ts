import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORRUPTIONS } from '../setup/corruptions.ts'
import {
  backUpRows,
  fillIn,
  makeHistory,
  type PlaceholderValues,
  restoreRows,
} from '../setup/ledgerHistory.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let values: PlaceholderValues
let t: TestService
let client: pg.Client

// Recheck almost immediately: nothing else changes the rows.
const RECHECK = { recheckDelayMs: 1 }

beforeAll(async () => {
  t = await startTestService()
  client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  values = await makeHistory(t)
  await backUpRows(client)
})
afterAll(async () => {
  await client.end()
  await t.close()
})

describe('the audit', () => {
  it('finds nothing in a correct ledger with payments in every status', async () => {
    expect(await t.auditFindings()).toEqual([])
    const { rows } = await client.query('select distinct status from payment order by 1')
    expect(rows.map((row) => row.status).join()).toBe('completed,expired,failed,pending,refunded')
  })

  it.each(Object.keys(CORRUPTIONS))('finds: %s', async (name) => {
    const [corrupt, subject] = CORRUPTIONS[name]!
    try {
      const { rowCount } = await client.query(fillIn(corrupt, values))
      expect(rowCount).toBeGreaterThan(0)
      const subjects = (await t.auditFindings(RECHECK)).map((finding) => finding.subject)
      expect(subjects.join('\n')).toContain(fillIn(subject, values))
    } finally {
      await restoreRows(client)
    }
    expect(await t.auditFindings()).toEqual([])
  })

  it('lists findings in the order of their subjects', async () => {
    try {
      await client.query('update wallet_balance set balance = balance + 1')
      const subjects = (await t.auditFindings(RECHECK)).map((finding) => finding.subject)
      expect(subjects.length).toBeGreaterThan(2)
      expect(subjects).toEqual([...subjects].sort())
    } finally {
      await restoreRows(client)
    }
  })
})
