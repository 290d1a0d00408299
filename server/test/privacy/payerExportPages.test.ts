import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mintPaymentId, parseWalletId } from '../../src/core/ids.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

let payerCount = 0
let walletId: string
beforeEach(async () => {
  payerCount += 1
  const phone = `+4477009000${String(payerCount).padStart(2, '0')}`
  const body = { mode: 'live', name: 'Ada', email: 'ada@payer.example', phone, pin: '2468' }
  walletId = (await t.call('POST', '/operator/wallets', t.operator, body)).body.data.wallet_id
  await move('top-up')
  await t.call('POST', '/wallet/session', {}, { phone, pin: '2468' })
})

const operator = (path: string, body?: unknown) =>
  t.call('POST', `/operator/wallets/${walletId}/${path}`, t.operator, body)
const move = (path: 'top-up' | 'withdraw') => operator(path, { currency: 'USD', amount: '100' })

it('reports that the log is incomplete if it is too long to export', async () => {
  expect((await operator('export')).body.data.log_complete).toBe(true)
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into audit_log (at, actor, action, subject, act_id)
       select now(), 'test', 'wallet.pin', $1, gen_random_uuid() from generate_series(1, 1000)`,
      [`wallet:${walletId}`],
    ),
  )
  const { log, log_complete } = (await operator('export')).body.data
  expect([log.length, log_complete]).toEqual([1000, false])
})

it('exports a long statement in pages', async () => {
  await move('withdraw')
  await t.database.transaction(async (tx) => {
    await tx.execute(
      `insert into wallet_transfer (wallet_id, at, reference, kind, mode, debit, credit, amount, currency)
       select w.wallet_id, now() + n * interval '1 ms', 'many_' || n,
         case when n % 2 = 0 then 'top_up' else 'withdrawal' end, 'live',
         case when n % 2 = 0 then 'external' else 'wallet:' || w.wallet_id end,
         case when n % 2 = 0 then 'wallet:' || w.wallet_id else 'external' end, 1, 'USD'
       from wallet w, generate_series(1, 120) n
       where w.public_id = $1`,
      [walletId],
    )
  })
  const references: string[] = []
  let cursor: string | null = null
  let pages = 0
  do {
    const page = await operator('export', { cursor })
    const { data } = page.body
    references.push(...data.activity.map((entry: { reference: string }) => entry.reference))
    cursor = data.next_cursor
    pages += 1
  } while (cursor !== null && pages < 10)
  expect(pages).toBe(2)
  expect(new Set(references).size).toBe(122)
  expect((await operator('export', { cursor: 'x' })).status).toBe(400)
})

it('exports archived payments in pages, after the statement', async () => {
  const { storeId } = (await t.createStore()).store
  const ids = Array.from({ length: 250 }, (_, n) => mintPaymentId(new Date(1.7e12 + n), storeId))
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into archived_payer (wallet_id, store_id, month, payment_ids)
       values ($1, $2, '2023-11-01', $3), ($1, $4, '2023-11-01', $5)`,
      [parseWalletId(walletId), storeId, ids.slice(0, 120), storeId + 1, ids.slice(120)],
    ),
  )
  const sizes: number[][] = []
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page = await operator('export', { cursor })
    const { data } = page.body
    sizes.push([data.activity.length, data.archived_payments.length, data.sessions.length])
    found.push(...data.archived_payments)
    cursor = data.next_cursor
  } while (cursor !== null && sizes.length < 10)
  expect(sizes).toEqual([
    [1, 100, 1],
    [0, 100, 0],
    [0, 50, 0],
  ])
  expect(found).toEqual(ids)
})
