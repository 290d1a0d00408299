import { expect, it } from 'vitest'
import { moved, recountUsage } from '../setup/ledgerHistory.ts'
import { startOldLedger } from '../setup/oldLedger.ts'

// The database's clock was ahead, and was then corrected.

it.each([
  ['an hour', '1 hour', 0],
  ['three days', '3 days', 3],
  ['until after the archived month', '40 days', 40],
])('audits and archives payments of a clock that was ahead: %s', async (_, ahead, days) => {
  const ledger = await startOldLedger()
  const { client, sales } = ledger
  const [paid, refunded] = [sales[0]!, sales.at(-1)!]
  const later = (...columns: string[]) =>
    columns.map((column) => `${column} = ${moved(column, ahead)}`).join(', ')
  const usage = `usage_day = usage_day + ${days},
    usage_month = date_trunc('month', (usage_day + ${days})::timestamp)::date`
  // One payment was created while the clock was ahead and paid later, the other one was also paid and refunded later.
  await client.query(
    `update payment set ${later('created_at', 'expires_at')}, ${usage} where payment_id = $1`,
    [paid],
  )
  await client.query(
    `update payment set ${later('created_at', 'expires_at', 'settled_at')}, ${usage} where payment_id = $1`,
    [refunded],
  )
  for (const table of ['transfer', 'wallet_transfer']) {
    await client.query(
      `update ${table} set ${later('at')}
       where reference = $1 and kind in ('payment', 'fee', 'donation')`,
      [refunded],
    )
  }
  await recountUsage(client)
  const wrongOrder = await ledger.rowsOf(
    `select payment_id from payment where settled_at < created_at or refunded_at < settled_at`,
  )
  expect(wrongOrder.map((row) => row.payment_id).sort()).toEqual([paid, refunded].sort())

  const resealed = await ledger.audit('reseal')
  expect(resealed.checks.flatMap((check) => check.findings)).toEqual([])
  expect(resealed.seals!.newDays).toBeGreaterThan(0)
  const everyAudit = async () => [
    await ledger.findings('new'),
    await ledger.findings('all'),
    await ledger.findings('all', { paymentsPerStep: 1 }),
    await ledger.t.auditFindings(),
  ]
  expect(await everyAudit()).toEqual([[], [], [], []])
  expect(await ledger.archive()).not.toBeNull()
  expect(await everyAudit()).toEqual([[], [], [], []])
  expect(await ledger.files()).toEqual([])
  expect((await ledger.audit('reseal')).checks.flatMap((check) => check.findings)).toEqual([])
  expect(await everyAudit()).toEqual([[], [], [], []])
  await ledger.close()
})
