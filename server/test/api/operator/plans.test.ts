import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import { type AuditFilter, listAuditEntries } from '../../../src/sql/auditLog.ts'
import { readLoad } from '../../../src/sql/nodes.ts'
import { countPending } from '../../../src/sql/payments.ts'
import { explained } from '../../setup/explained.ts'
import { fillPayments } from '../../setup/manyPayments.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const NO_FILTER: AuditFilter = {
  actor: null,
  action: null,
  subject: null,
  from: null,
  to: null,
  before: null,
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
  const { store } = await t.createStore()
  await fillPayments(t, store, 60_000, (n) => ({ status: n % 9000 === 0 ? 'pending' : 'expired' }))
  await fill(
    `insert into node_sample (at, node_id, seconds, answers, faults, within)
     select now() - n * interval '10 seconds', 'node', 10, 1, 0, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0}'
     from generate_series(1, 20000) n`,
  )
  for (const table of ['audit_log', 'payment', 'node_sample']) await fill(`analyze ${table}`)
})
afterAll(() => t.close())

const seqScans = async (query: (on: Queryable) => Promise<unknown>) => {
  const { nodes } = await explained(t.database, query)
  expect(nodes.length).toBeGreaterThan(0)
  return nodes.filter((node) => node.startsWith('Seq Scan'))
}

it.each<[string, Partial<AuditFilter>]>([
  ['everything', {}],
  ['an actor', { actor: 'actor 7' }],
  ['an action', { action: 'action.3' }],
  ['a subject', { subject: 'store:5' }],
  ['an actor and an action', { actor: 'actor 7', action: 'action.7' }],
  [
    'a day in the past',
    { from: new Date(Date.now() - 30 * 86_400_000), to: new Date(Date.now() - 29 * 86_400_000) },
  ],
  ['the next page', { before: 30_000n }],
])('listing the audit log for %s does not scan the table', async (_, filter) => {
  const query = (on: Queryable) => listAuditEntries(on, { ...NO_FILTER, ...filter, limit: 51 })
  expect(await seqScans(query)).toEqual([])
})

it('counting pending payments does not scan all payments', async () => {
  expect(await seqScans((on) => countPending(on, 1 as never))).toEqual([])
})

it('reading an hour of load does not scan older samples', async () => {
  expect(await seqScans((on) => readLoad(on, 60))).toEqual([])
})
