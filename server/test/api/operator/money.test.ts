import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { referencesOf } from '../../../src/ops/moveMoney.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

const NOT_COVERED = refusal(400, 'The balance does not cover this amount')
const TOO_LARGE = refusal(400, 'The balance would become too large')

let t: TestService
let shop: TestStore
let payer: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  payer = await t.createWallet()
})
afterAll(() => t.close())

const countRows = async (table: 'transfer' | 'wallet_transfer' | 'audit_log') =>
  (await t.database.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n
/** Stores and wallets have separate tables of transfers. */
const countMovements = async () => [
  await countRows('transfer'),
  await countRows('wallet_transfer'),
  await countRows('audit_log'),
]

/** The endpoints that move money of stores and wallets, in a common form. */
const CALLS = [
  {
    owner: 'a store',
    put: 'fund',
    take: 'payout',
    prefixes: ['fnd', 'out'],
    call: (action: string, body: Record<string, unknown>) =>
      t.call('POST', `/operator/stores/${shop.store.storeId}/${action}`, t.operator, {
        mode: 'live',
        ...body,
      }),
    setBalance: (minor: string) =>
      t.database.transaction((tx) =>
        tx.execute(`update store_balance set balance = $2 where store_id = $1 and mode = 'live'`, [
          shop.store.storeId,
          minor,
        ]),
      ),
  },
  {
    owner: 'a wallet',
    put: 'top-up',
    take: 'withdraw',
    prefixes: ['top', 'wdr'],
    call: (action: string, body: Record<string, unknown>) =>
      t.call('POST', `/operator/wallets/${payer.wallet.publicId}/${action}`, t.operator, {
        currency: 'USD',
        ...body,
      }),
    setBalance: (minor: string) =>
      t.database.transaction((tx) =>
        tx.execute(
          `update wallet_balance set balance = $2 where wallet_id = $1 and currency = 'USD'`,
          [payer.wallet.walletId, minor],
        ),
      ),
  },
]

describe.each(CALLS)('moving money of $owner', ({ put, take, prefixes, call, setBalance }) => {
  it('changes the balance, and the response contains it', async () => {
    const responses = [
      await call(put, { amount: '10.50', note: 'start' }),
      await call(put, { amount: '0.01' }),
      await call(take, { amount: '3', note: null }),
      await call(take, { amount: '7.51' }),
    ]
    expect(responses.map((response) => response.body.data?.balance)).toEqual([
      '10.50',
      '10.51',
      '7.51',
      '0.00',
    ])
    expect(responses[0]!.body).toEqual({
      status: 200,
      message: 'Done',
      data: {
        reference: expect.stringMatching(`^${prefixes[0]}_[0-9a-z]+$`),
        balance: '10.50',
        currency: 'USD',
      },
    })
    expect(responses[2]!.body.data.reference).toMatch(new RegExp(`^${prefixes[1]}_`))
    expect(await t.auditFindings()).toEqual([])
  })

  it('never makes the balance negative, sequentially or concurrently', async () => {
    await call(put, { amount: '5.00' })
    expect(await call(take, { amount: '5.01' })).toMatchObject({ status: 400, body: NOT_COVERED })
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call(take, { amount: '1' })),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(5).fill(400),
    ])
    expect((await call(take, { amount: '0.01' })).body).toEqual(NOT_COVERED)
    expect(await t.auditFindings()).toEqual([])
  })

  it.each<[unknown, string]>([
    ['0', 'must be greater than 0'],
    ['0.00', 'must be greater than 0'],
    ['0.001', 'has more decimals than USD has'],
    ['1000000000000', 'must have at most 12 digits before the decimal point'],
    ['1'.repeat(21), 'must have at most 20 characters'],
    ['-1', 'must be a decimal number in a string, such as "12.50"'],
    ['1e3', 'must be a decimal number in a string, such as "12.50"'],
    ['', 'must be a decimal number in a string, such as "12.50"'],
    ['1,5', 'must be a decimal number in a string, such as "12.50"'],
    [5, 'must be a string'],
    [null, 'must be a string'],
    [undefined, 'is required'],
  ])('refuses the amount %j and moves nothing', async (amount, message) => {
    const before = await countMovements()
    for (const action of [put, take]) {
      const response = await call(action, { amount })
      expect(response.status).toBe(400)
      expect(response.body).toEqual(invalid(['amount', `amount ${message}`]))
    }
    expect(await countMovements()).toEqual(before)
  })

  it('refuses an invalid note', async () => {
    for (const [note, message] of [
      ['\0', 'contains characters that cannot be stored'],
      ['x'.repeat(1001), 'must have at most 1000 characters'],
      [7, 'must be a string'],
    ]) {
      const response = await call(put, { amount: '1', note })
      expect(response.body).toEqual(invalid(['note', `note ${message}`]))
    }
  })

  it('refuses a balance that is too large for the ledger', async () => {
    await call(put, { amount: '1' })
    await setBalance('9000000000000000000')
    expect(await call(put, { amount: '0.01' })).toMatchObject({ status: 400, body: TOO_LARGE })
    await setBalance('8999999999999999999')
    expect((await call(put, { amount: '0.01' })).body.data.balance).toBe('90000000000000000.00')
    await setBalance('101')
    expect(await t.auditFindings()).toEqual([])
  })
})

describe('moving money', () => {
  it.each<[string, unknown, string]>([
    ['mode', 'test', 'mode must be one of live, sandbox'],
    ['mode', undefined, 'mode is required'],
  ])('refuses to fund a store with the %s %j', async (field, value, message) => {
    const url = `/operator/stores/${shop.store.storeId}/fund`
    const response = await t.call('POST', url, t.operator, { amount: '1', [field]: value })
    expect(response.body).toEqual(invalid([field, message]))
  })

  it.each<[unknown, string]>([
    ['usd', 'currency must be an ISO 4217 code in upper case, such as USD'],
    ['ZZZ', 'currency is not known'],
    [undefined, 'currency is required'],
  ])('refuses to top up a wallet with the currency %j', async (currency, message) => {
    const url = `/operator/wallets/${payer.wallet.publicId}/top-up`
    const response = await t.call('POST', url, t.operator, { amount: '1', currency })
    expect(response.body).toEqual(invalid(['currency', message]))
  })

  it('a wallet has a balance per currency', async () => {
    const url = (action: string) => `/operator/wallets/${payer.wallet.publicId}/${action}`
    const move = (action: string, currency: string, amount: string) =>
      t.call('POST', url(action), t.operator, { currency, amount })
    expect((await move('top-up', 'JPY', '500')).body.data).toMatchObject({ balance: '500.00' })
    expect((await move('top-up', 'JPY', '0.5')).body).toEqual(
      invalid(['amount', 'amount has more decimals than JPY has']),
    )
    expect((await move('withdraw', 'EUR', '1')).body).toEqual(NOT_COVERED)
    expect((await move('withdraw', 'JPY', '500')).body.data).toMatchObject({ balance: '0.00' })
  })

  it('a store has a balance per mode', async () => {
    const { store, live, sandbox } = await t.createStore()
    const move = (mode: string, action: string) =>
      t.call('POST', `/operator/stores/${store.storeId}/${action}`, t.operator, {
        mode,
        amount: '2',
      })
    await move('sandbox', 'fund')
    expect((await move('live', 'payout')).body).toEqual(NOT_COVERED)
    const readBalance = async (keys: typeof live) =>
      (await t.call('GET', '/merchant/balance', keys)).body.data.balance
    expect([await readBalance(live), await readBalance(sandbox)]).toEqual(['0.00', '2.00'])
  })
})

describe('an Idempotency-Key', () => {
  const REUSED = [
    422,
    'This Idempotency-Key was used with a different request. For a new request, use a new key.',
  ]
  const send = async (path: string, key: string, body: object) => {
    const headers = { ...t.operator, 'idempotency-key': key }
    const response = await t.call('POST', `/operator/${path}`, headers, body)
    return [response.status, response.body.message]
  }

  it('of a store is for one movement in a mode', async () => {
    const { store, live } = await t.createStore()
    const move = (action: string, body: object = {}) =>
      send(`stores/${store.storeId}/${action}`, 'job-1', { mode: 'live', amount: '5', ...body })
    expect(await move('fund')).toEqual([200, 'Done'])
    expect(await move('fund')).toEqual([200, 'Done'])
    expect(await move('payout')).toEqual(REUSED)
    expect(await move('fund', { amount: '6' })).toEqual(REUSED)
    expect(await move('fund', { note: 'again' })).toEqual(REUSED)
    expect((await t.call('GET', '/merchant/balance', live)).body.data.balance).toBe('5.00')
    expect(await move('payout', { mode: 'sandbox', amount: '6' })).toEqual([
      400,
      'The balance does not cover this amount',
    ])
    expect(await move('fund', { mode: 'sandbox' })).toEqual([200, 'Done'])
  })

  it('of a wallet is for one movement', async () => {
    const { wallet, headers } = await t.createWallet()
    const move = (action: string, body: object = {}) =>
      send(`wallets/${wallet.publicId}/${action}`, 'job-1', {
        currency: 'USD',
        amount: '5',
        ...body,
      })
    expect(await move('top-up')).toEqual([200, 'Done'])
    expect(await move('top-up', { currency: 'EUR' })).toEqual(REUSED)
    expect(await move('withdraw')).toEqual(REUSED)
    expect(await move('withdraw', { currency: 'EUR' })).toEqual(REUSED)
    expect(await move('top-up')).toEqual([200, 'Done'])
    const { balances } = (await t.call('GET', '/wallet/me', headers)).body.data
    expect(balances).toEqual([{ currency: 'USD', balance: '5.00' }])
  })

  it('of a movement that waits for an approval is not for another one', async () => {
    const { wallet } = await t.createWallet()
    const limit = { currency: 'EUR', amount: '1' }
    await t.call('PUT', '/operator/approval-limits', t.operator, limit)
    const topUp = (currency: string) =>
      send(`wallets/${wallet.publicId}/top-up`, 'job-1', { currency, amount: '5' })
    expect(await topUp('EUR')).toEqual([202, 'Waiting for approval'])
    expect(await topUp('USD')).toEqual(REUSED)
    expect(await topUp('EUR')).toEqual([202, 'Waiting for approval'])
  })

  it('that an older version accepted for two movements replays the one that was done', async () => {
    const { store } = await t.createStore({ currency: 'GBP' as CurrencyCode })
    const move = (action: string, key: string) =>
      send(`stores/${store.storeId}/${action}`, key, { mode: 'live', amount: '5' })
    await t.fund(store, 'live', '5.00')
    expect(await move('payout', 'job-1')).toEqual([200, 'Done'])
    const limit = { currency: 'GBP', amount: '1' }
    await t.call('PUT', '/operator/approval-limits', t.operator, limit)
    expect(await move('fund', 'job-2')).toEqual([202, 'Waiting for approval'])
    const funding = { kind: 'funding', store, mode: 'live', amount: 5n, note: null } as const
    const [reference] = referencesOf({ ...funding, key: 'job-1' }, new Date())
    await t.database.transaction((tx) =>
      tx.execute('update approval set reference = $2 where store_id = $1', [
        store.storeId,
        reference,
      ]),
    )
    expect(await move('payout', 'job-1')).toEqual([200, 'Done'])
  })

  it('that moved money to a wallet before it was erased is still replayed', async () => {
    const { wallet } = await t.createWallet()
    const body = { currency: 'USD', amount: '5' }
    const path = `wallets/${wallet.publicId}`
    expect(await send(`${path}/top-up`, 'job-1', body)).toEqual([200, 'Done'])
    expect(await send(`${path}/withdraw`, 'job-2', body)).toEqual([200, 'Done'])
    expect(await send(`${path}/erase`, 'job-3', {})).toEqual([200, 'Payer erased'])
    expect(await send(`${path}/top-up`, 'job-1', body)).toEqual([200, 'Done'])
    expect((await send(`${path}/top-up`, 'job-4', body))[0]).toBe(409)
  })
})
