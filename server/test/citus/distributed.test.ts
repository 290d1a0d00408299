import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WorkerUnavailable } from '../../src/database/errors.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { findCompleteUntil } from '../../src/sql/locks.ts'
import { pretendDistributed, startTestService, type TestService } from '../setup/testService.ts'

// Plain PostgreSQL also accepts the statements for Citus. So these suites run again with those, including the shard
// conditions, and must have the same results.
beforeAll(() => pretendDistributed(true))
// The query makes Vite load each file as a separate module.
for (const file of ['service/smoke', 'service/races', 'webhooks/delivery']) {
  await import(/* @vite-ignore */ `../${file}.test.ts?distributed`)
}
afterAll(() => pretendDistributed(false))

describe('the audit with the statements for Citus', () => {
  let t: TestService
  beforeAll(async () => {
    t = await startTestService()
    const shop = await t.createStore()
    const wallet = await t.createWallet({ balance: '500.00' })
    const { qr_code } = await t.createPayment(shop.live, { amount: 20 })
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})
  })
  afterAll(() => t.close())

  const change = (by: number) =>
    t.database.transaction((tx) =>
      tx.execute(`update wallet_transfer set amount = amount + $1 where kind = 'payment'`, [by]),
    )
  const findings = async () =>
    (await auditLedger(t.database, { recheckDelayMs: 1 })).checks.flatMap((check) => check.findings)

  it('reports differences between stores and wallets', async () => {
    expect(t.database.isDistributed).toBe(true)
    await change(1)
    try {
      const wrong = await findings()
      expect(wrong.map(({ check }) => check)).toContain('both sides of a transfer agree')
      expect(Object.keys(wrong[0]!).sort()).toEqual(['check', 'expected', 'found', 'subject'])
    } finally {
      await change(-1)
    }
  })

  /** Repairs the data between a check and its recheck, while another session holds the locks of all stores. */
  async function repairDuringAudit(check: string, repair: () => Promise<unknown>) {
    const seen: string[] = []
    const { checks } = await t.database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(2, store_id) from store')
      const onCheck = (name: string) => seen.push(name)
      const audit = auditLedger(t.database, { onCheck, recheckDelayMs: 2_000 })
      await expect.poll(() => seen).toContain(check)
      await repair()
      // The audit doesn't wait for the locks.
      return audit
    })
    return checks.find(({ name }) => name === check)!.findings
  }

  it('rechecks before it reports, and takes no locks', async () => {
    await change(1)
    const repair = () => change(-1)
    expect(await repairDuringAudit('both sides of a transfer agree', repair)).toEqual([])
  })

  it("rechecks a store whose balances aren't visible yet", async () => {
    const balances = (from: string, to: string) =>
      t.database.transaction((tx) =>
        tx.execute('update store_balance set mode = $2 where mode = $1', [from, to]),
      )
    const check = 'every store has its balances, and every balance its store'
    await balances('live', 'elsewhere')
    const repair = () => balances('elsewhere', 'live')
    expect(await repairDuringAudit(check, repair)).toEqual([])
    await balances('live', 'elsewhere')
    expect((await findings()).map((finding) => finding.check)).toContain(check)
    await repair()
  })

  it('counts rows as complete up to the earliest time of all workers, and fails if one is unreachable', async () => {
    const respond = (...responses: readonly (readonly [success: boolean, result: string])[]) => {
      const rows = responses.map(([success, result]) => `(${success}, '${result}')`)
      return t.database.query(
        `create or replace function run_command_on_workers(command text)
         returns table (success boolean, result text) language sql as $$ values ${rows.join()} $$`,
      )
    }
    await respond([true, '3000.5'], [true, '1000.5'], [true, '2000.5'])
    const complete = await t.database.transaction(findCompleteUntil)
    expect(complete.toISOString()).toBe('1970-01-01T00:00:01.000Z')
    await respond([true, '1000.5'], [false, 'connection refused'])
    await expect(findings()).rejects.toThrow(WorkerUnavailable)
  })
})
