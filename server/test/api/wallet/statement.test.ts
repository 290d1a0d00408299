import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid } from '../../setup/expected.ts'
import { createPaidPayment, refund, statusAndBody } from '../../setup/merchantCalls.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', refundFeeMinor: 25n })
  await t.fund(shop.store, 'live', '50.00')
})
afterAll(() => t.close())

const readStatement = ({ headers }: TestWallet, from: string, to: string) =>
  t.call('GET', `/wallet/statement?from=${from}&to=${to}`, headers)
const YEAR = ['2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z'] as const

/** Moves all transfers of a wallet to another time. */
const moveTransfers = ({ wallet }: TestWallet, at: string) =>
  t.database.query('update wallet_transfer set at = $2 where wallet_id = $1', [wallet.walletId, at])

describe('statement of a wallet', () => {
  it('has the balances and transfers of the period', async () => {
    const payer = await t.createWallet({ balance: '100.00' })
    await moveTransfers(payer, '2026-03-31T23:59:59Z')
    const { payment_id } = await createPaidPayment(t, shop.live, payer, { amount: 20 }, 1.5)
    await refund(t, shop.live, payment_id)
    const { wallet } = payer
    const dates = { payment: '2026-04-01T00:00:00Z', donation: '2026-04-01', refund: '2026-04-30' }
    for (const [kind, at] of Object.entries(dates)) {
      await t.database.query(
        'update wallet_transfer set at = $3 where wallet_id = $1 and kind = $2',
        [wallet.walletId, kind, at],
      )
    }
    const april = ['2026-04-01T00:00:00Z', '2026-04-30T00:00:00Z'] as const
    const { publicUrl } = t.service.config
    const row = (kind: string, amount: string, fields: object = {}) => ({
      at: '2026-04-01 00:00:00',
      kind,
      amount,
      currency: 'USD',
      reference: payment_id,
      store: 'Corner',
      note: null,
      store_id: shop.store.storeId,
      store_logo: `${publicUrl}/stores/${shop.store.storeId}/logo.svg`,
      refund_fee: null,
      ...fields,
    })
    const rows = [row('payment', '-20.00'), row('donation', '-1.50')]
    expect(statusAndBody(await readStatement(payer, ...april))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Statement',
        data: {
          from: '2026-04-01 00:00:00',
          to: '2026-04-30 00:00:00',
          balances: [
            {
              currency: 'USD',
              opening: '100.00',
              money_in: '0.00',
              money_out: '21.50',
              closing: '78.50',
            },
          ],
          activity: rows,
        },
      },
    })
    const nextStatement = (await readStatement(payer, '2026-04-30', '2026-05-01')).body.data
    const refunded = { at: '2026-04-30 00:00:00', refund_fee: '0.25' }
    expect(nextStatement.activity).toEqual([row('refund', '19.75', refunded)])
    expect(nextStatement.balances).toEqual([
      { currency: 'USD', opening: '78.50', money_in: '19.75', money_out: '0.00', closing: '98.25' },
    ])
    expect((await readStatement(payer, ...YEAR)).body.data.balances[0].closing).toBe('98.25')
  })

  it('is refused for a period with more than 2,000 transfers', async () => {
    const payer = await t.createWallet({ balance: '1.00' })
    const { walletId } = payer.wallet
    await t.database.query(
      `insert into wallet_transfer (wallet_id, at, reference, kind, mode, debit, credit, amount, currency)
       select $1, timestamptz '2026-02-01' + n * interval '1 second', 'top_' || n, 'top_up', 'live', 'external', $2, 1, 'USD'
       from generate_series(1, 2001) n`,
      [walletId, `wallet:${walletId}`],
    )
    expect((await readStatement(payer, ...YEAR)).body).toEqual(
      invalid(['to', 'to must be earlier: a statement has at most 2000 transfers']),
    )
    const shorter = await readStatement(payer, '2026-02-01T00:00:02Z', '2026-03-01')
    expect(shorter.body.data.activity).toHaveLength(2000)
  })

  it.each([
    ['from=2026-01-01', ['to', 'to is required']],
    ['from=x&to=2026-01-01', ['from', 'from must be a time such as 2026-01-31 08:00:00']],
    ['from=2026-01-01&to=2026-01-01', ['to', 'to must be after from']],
    ['from=2025-01-01&to=2026-02-01', ['to', 'to must be at most 366 days after from']],
  ] as const)('refuses ?%s', async (query, [field, message]) => {
    const { headers } = await t.createWallet()
    const response = await t.call('GET', `/wallet/statement?${query}`, headers)
    expect(statusAndBody(response)).toEqual({ status: 400, body: invalid([field, message]) })
  })
})
