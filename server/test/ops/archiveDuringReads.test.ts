import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Queryable } from '../../src/database/database.ts'
import { readStatement } from '../../src/ops/books.ts'
import { readActivityPage } from '../../src/ops/walletActivity.ts'
import { type OldLedger, startOldLedger } from '../setup/oldLedger.ts'

let ledger: OldLedger
beforeEach(async () => {
  ledger = await startOldLedger()
})
afterEach(() => ledger.close())

/** Reads without a snapshot, as on a cluster. Archives a month after the first query that contains the text. */
function archiveAfter(text: string): Database {
  const { database } = ledger.t
  let isArchived = false
  const query: Queryable['query'] = async (sent, values) => {
    const rows = await database.query<never>(sent, values)
    if (isArchived || !sent.includes(text)) return rows
    isArchived = true
    await ledger.archive()
    return rows
  }
  return {
    ...database,
    query,
    transaction: (work) => database.transaction((tx) => work({ ...tx, query })),
  }
}

const cutoff = () => new Date(`${ledger.before}T00:00:00Z`)
const readAll = (database: Database) => {
  const { storeId } = ledger.shop.store
  return readStatement(database, { storeId, mode: 'live', period: null, from: null, limit: 100 })
}

it('the activity of a wallet says where it ends if lines are archived meanwhile', async () => {
  const { walletId, mode } = ledger.payer.wallet
  const page = { walletId, mode, storeId: null, before: null, limit: 100 }
  expect((await readActivityPage(ledger.t.database, page)).activity.length).toBeGreaterThan(8)
  const read = await readActivityPage(archiveAfter('from wallet_transfer'), page)
  expect(read).toEqual({ activity: [], cutoff: cutoff() })
})

it('the statement of a store says where it ends if lines are archived meanwhile', async () => {
  const before = await readAll(ledger.t.database)
  expect(before.archivedBefore).toBe(null)
  expect(before.lines.some(({ at }) => at < cutoff())).toBe(true)
  const lines = before.lines.filter(({ at }) => at >= cutoff())
  expect(await readAll(archiveAfter('limit'))).toEqual({
    ...before,
    lines,
    archivedBefore: cutoff(),
  })
})

it('the statement of a store lacks no lines if they are archived after its end was read', async () => {
  const before = await readAll(ledger.t.database)
  expect(await readAll(archiveAfter('max(month)'))).toEqual(before)
  expect((await readAll(ledger.t.database)).archivedBefore).toEqual(cutoff())
})
