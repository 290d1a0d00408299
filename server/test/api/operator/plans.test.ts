import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import {
  type AuditFilter,
  findNthEntry,
  listAuditEntries,
  searchAuditEntries,
} from '../../../src/sql/auditLog.ts'
import { readLoad } from '../../../src/sql/nodes.ts'
import { countPending } from '../../../src/sql/payments.ts'
import {
  countActiveWallets,
  findRecentPayers,
  readTotals,
  sumPayments,
} from '../../../src/sql/paymentTotals.ts'
import { findPeople, searchPeople } from '../../../src/sql/people.ts'
import { findWalletsByWords } from '../../../src/sql/search.ts'
import { explainQueries } from '../../setup/explainQueries.ts'
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
const execute = (statement: string) => t.database.transaction((tx) => tx.execute(statement))
beforeAll(async () => {
  t = await startTestService()
  await execute(
    `insert into audit_log (at, actor, action, subject, act_id)
     select now() - n * interval '1 minute', 'actor ' || n % 500, 'action.' || n % 40,
       'store:' || n % 900, gen_random_uuid()
     from generate_series(60000, 1, -1) n`,
  )
  const { store } = await t.createStore()
  await fillPayments(t, store, 60_000, (n) => ({ status: n % 9000 === 0 ? 'pending' : 'expired' }))
  await execute(
    `insert into node_sample (at, node_id, seconds, answers, faults, within)
     select now() - n * interval '10 seconds', 'node', 10, 1, 0, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0}'
     from generate_series(1, 20000) n`,
  )
  await execute(
    `insert into payment_total
     select now() - n * interval '5 minutes', mode, 'USD', 1, 1, 1, 0, 0, 0, 0, 0
     from generate_series(1, 50000) n, unnest(array['live', 'sandbox']) mode`,
  )
  await execute(
    `insert into wallet_last_payment
     select n, 'live', now() - n * interval '5 minutes'
     from generate_series(1, 50000) n`,
  )
  await execute(
    `insert into person (person_id, store_id, email, name, role, password_hash, created_at, words)
     select 'prs_' || n, 1, n || '@shop.example', 'Person', 'cashier', '', now(),
       array_to_tsvector(array['person', 'family' || n % 9000, n::text])
     from generate_series(1, 60000) n`,
  )
  for (const table of [
    'audit_log',
    'payment',
    'event',
    'payment_total',
    'node_sample',
    'wallet_last_payment',
    'person',
  ]) {
    await execute(`analyze ${table}`)
  }
})
afterAll(() => t.close())

const findSeqScans = async (query: (on: Queryable) => Promise<unknown>) => {
  const { nodes } = await explainQueries(t.database, query)
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
  expect(await findSeqScans(query)).toEqual([])
})

it('searching the audit log for parts of values does not scan the table', async () => {
  const filter = { ...NO_FILTER, actor: 'ACTOR 49', subject: ':49' }
  const end = await findNthEntry(t.database, filter, 20_000)
  const query = (on: Queryable) =>
    searchAuditEntries(on, { ...filter, last: end!.entryId, limit: 51 })
  expect(await findSeqScans(query)).toEqual([])
  const { result } = await explainQueries(t.database, query)
  expect(result).toHaveLength(51)
  expect(await findSeqScans((on) => findNthEntry(on, filter, 20_000))).toEqual([])
})

it('summing the latest payments of all stores does not scan events or payments', async () => {
  const to = new Date()
  const from = new Date(to.getTime() - 300_000)
  expect(await findSeqScans((on) => sumPayments(on, { from, to }))).toEqual([
    'Seq Scan on store_balance',
  ])
  const days = Array.from({ length: 30 }, (_, n) => ({
    from: new Date(to.getTime() - (n + 1) * 86_400_000),
    to: new Date(to.getTime() - n * 86_400_000),
  }))
  expect(await findSeqScans((on) => readTotals(on, 'live', days))).toEqual([])
  expect(await findSeqScans((on) => findRecentPayers(on, { from, to }))).toEqual([])
})

it('counting active wallets does not scan the last payments of all wallets', async () => {
  const week = {
    mode: 'live',
    since: new Date(Date.now() - 7 * 86_400_000),
    latest: [1, 60_000] as never,
  } as const
  const query = (on: Queryable) => countActiveWallets(on, week)
  expect(await findSeqScans(query)).toEqual(['Seq Scan on wallet'])
  const { result } = await explainQueries(t.database, query)
  // One wallet every five minutes, and one that is only among the latest payers.
  expect(result).toEqual({ active: 2015 + 1, total: 0 })
})

it('counting pending payments does not scan all payments', async () => {
  expect(await findSeqScans((on) => countPending(on, 1 as never, new Date()))).toEqual([])
})

it('reading an hour of load does not scan older samples', async () => {
  expect(await findSeqScans((on) => readLoad(on, 60))).toEqual([])
})

it('searching wallets and people by words uses their indexes', async () => {
  await execute(
    `insert into wallet (wallet_id, public_id, mode, name, email, phone, created_at, words)
     select n, 'wal_' || n, 'live', 'Payer', '', '+' || n, now(),
       array_to_tsvector(array['payer', 'family' || n % 9000, n::text])
     from generate_series(100001, 160000) n`,
  )
  await execute('analyze wallet')
  const wallets = await explainQueries(t.database, (on) =>
    findWalletsByWords(on, null, { words: ['family8999'], walletIds: null, limit: 500 }),
  )
  expect(wallets.indexes).toEqual(['wallet_words'])
  const people = await explainQueries(t.database, (on) => searchPeople(on, ['family8999'], 50))
  expect(people.indexes.toSorted()).toEqual(['person_pkey', 'person_words'])
  expect([wallets.result, people.result].map((rows) => (rows as unknown[]).length)).toEqual([6, 6])
})

it('looking up the names in the audit log uses indexes', async () => {
  const wanted = { ids: ['prs_7', 'prs_8'], emails: ['9@shop.example'] }
  expect(await findSeqScans((on) => findPeople(on, wanted))).toEqual([])
})
