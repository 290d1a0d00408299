import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '../../src/database/database.ts'
import { type AuditFilter, listAuditEntries } from '../../src/store/auditLog.ts'
import { readLoad } from '../../src/store/nodes.ts'
import { countPending } from '../../src/store/payments.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const NO_FILTER: AuditFilter = {
  ...{ actor: null, action: null, subject: null, from: null, to: null, before: null },
}

let t: TestService
beforeAll(async () => {
  t = await startTestService()
  const fill = (statement: string) => t.database.transaction((tx) => tx.execute(statement))
  await fill(
    `insert into audit_log (at, actor, action, subject, act_id)
     select now() - n * interval '1 minute', 'actor ' || n % 500, 'action.' || n % 40,
       'store:' || n % 900, gen_random_uuid()
     from generate_series(60000, 1, -1) n`,
  )
  await fill(
    `insert into payment (store_id, mode, payment_id, qr_number, status, gross, fee, currency,
       request_amount, request_currency, conversion_rate, created_at, expires_at, usage_day,
       usage_month, settled_at)
     select 1 + n % 5, 'live', 'pay_' || lpad(n::text, 26, '0'), n,
       case when n > 59990 then 'pending' else 'expired' end, 100, 0, 'USD', 100, 'USD', 10000,
       now() - interval '1 day', now() + (n - 59990) * interval '1 minute', now(), now(),
       case when n > 59990 then null else now() end
     from generate_series(1, 60000) n`,
  )
  await fill(
    `insert into node_sample (at, node_id, seconds, answers, faults, within)
     select now() - n * interval '10 seconds', 'node', 10, 1, 0, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0}'
     from generate_series(1, 20000) n`,
  )
  for (const table of ['audit_log', 'payment', 'node_sample']) await fill(`analyze ${table}`)
})
afterAll(() => t.close())

/** The plan of the one statement that a function asks. */
async function planOf(ask: (on: Queryable) => Promise<unknown>): Promise<string> {
  const asked: [string, readonly unknown[]][] = []
  const listening: Queryable = {
    ...t.database,
    query: async (text: string, values: readonly unknown[] = []) => {
      asked.push([text, values])
      return []
    },
  }
  await ask(listening)
  const [[text, values] = ['', []]] = asked
  const rows = await t.database.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

it.each<[string, Partial<AuditFilter>]>([
  ['everything', {}],
  ['who', { actor: 'actor 7' }],
  ['what', { action: 'action.3' }],
  ['on what', { subject: 'store:5' }],
  ['who did what', { actor: 'actor 7', action: 'action.7' }],
  [
    'a day long ago',
    { from: new Date(Date.now() - 30 * 86_400_000), to: new Date(Date.now() - 29 * 86_400_000) },
  ],
  ['the next page', { before: 30_000n }],
])('the audit log is asked for %s without reading all of it', async (_, filter) => {
  const plan = await planOf((on) => listAuditEntries(on, { ...NO_FILTER, ...filter, limit: 51 }))
  expect(plan).not.toContain('Seq Scan')
})

it('what a suspension would hold up is counted without reading every payment', async () => {
  expect(await planOf((on) => countPending(on, 1 as never))).not.toContain('Seq Scan')
})

it('an hour of load is read without the day before it', async () => {
  expect(await planOf((on) => readLoad(on, 60))).not.toContain('Seq Scan')
})
