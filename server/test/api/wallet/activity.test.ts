import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { invalid, TIME } from '../../setup/expected.ts'
import {
  startTestService,
  type TestService,
  type TestWallet,
  USD,
} from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const readActivity = async (wallet: TestWallet, query = '') =>
  (await t.call('GET', `/wallet/activity${query}`, wallet.headers)).body.data

const move = (wallet: TestWallet, action: 'top-up' | 'withdraw', body: Record<string, unknown>) =>
  t.call('POST', `/operator/wallets/${wallet.wallet.publicId}/${action}`, t.operator, body)

describe('activity of a wallet', () => {
  it("lists every kind of transfer with the payer's sign, newest first", async () => {
    const { store, live } = await t.createStore({ name: 'Corner', refundFeeMinor: 25n })
    await t.fund(store, 'live', '50.00')
    const wallet = await t.createWallet({ balance: '100.00' })
    const { payment_id, qr_code } = await t.createPayment(live, { amount: 20 })
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, { donation_amount: 1.5 })
    await t.call('POST', `/merchant/payment/${payment_id}/refund`, live)
    await move(wallet, 'withdraw', { currency: 'USD', amount: '3.00', note: 'cash' })
    await move(wallet, 'top-up', { currency: 'JPY', amount: '500', note: 'from Kyoto' })

    const { activity: rows, next_cursor } = await readActivity(wallet)
    const row = (kind: string, amount: string, overrides: object) => ({
      at: TIME,
      kind,
      amount,
      currency: 'USD',
      note: null,
      reference: payment_id,
      store: 'Corner',
      store_id: store.storeId,
      store_logo: `${t.service.config.publicUrl}/stores/${store.storeId}/logo.svg`,
      refund_fee: null,
      ...overrides,
    })
    const moved = (prefix: string) => ({
      store: null,
      store_id: null,
      store_logo: null,
      reference: expect.stringMatching(`^${prefix}_[0-9a-z]{26,}$`),
    })
    expect(next_cursor).toBeNull()
    expect(rows.slice(0, 3)).toEqual([
      row('top_up', '500.00', { ...moved('top'), currency: 'JPY', note: 'from Kyoto' }),
      row('withdrawal', '-3.00', { ...moved('wdr'), note: 'cash' }),
      row('refund', '19.75', { refund_fee: '0.25' }),
    ])
    // The payment and the donation have the same time.
    expect(rows.slice(3, 5)).toEqual(
      expect.arrayContaining([row('payment', '-20.00', {}), row('donation', '-1.50', {})]),
    )
    expect(rows.slice(5)).toEqual([row('top_up', '100.00', moved('top'))])

    const { body } = await t.call('GET', '/wallet/me', wallet.headers)
    const byCurrency = Object.fromEntries(
      body.data.balances.map(({ currency, balance }: { currency: string; balance: string }) => [
        currency,
        balance,
      ]),
    )
    expect(byCurrency).toEqual({ USD: '95.25', JPY: '500.00' })
    expect(await t.auditFindings()).toEqual([])
  })

  it('is paged without duplicates or gaps', async () => {
    const { live } = await t.createStore()
    const wallet = await t.createWallet({ balance: '100.00' })
    // A donation has the time and reference of its payment, so pages can end between the two.
    for (let i = 0; i < 4; i++) {
      const { qr_code } = await t.createPayment(live, { amount: 1 })
      await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, { donation_amount: 1 })
    }
    const all = (await readActivity(wallet, '?limit=100')).activity
    expect(all).toHaveLength(9)
    for (const limit of [1, 2, 4, 8, 9]) {
      const pagedRows: unknown[] = []
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const page: { activity: unknown[]; next_cursor: string | null } = await readActivity(
          wallet,
          `?limit=${limit}${next}`,
        )
        expect(page.activity.length).toBeLessThanOrEqual(limit)
        pagedRows.push(...page.activity)
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(pagedRows).toEqual(all)
    }
  })

  it('has no transfers of other wallets', async () => {
    const [wallet, other] = [await t.createWallet({ balance: '5' }), await t.createWallet()]
    expect((await readActivity(wallet)).activity).toHaveLength(1)
    expect((await readActivity(other)).activity).toEqual([])
  })

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['limit=101', 'limit must be a whole number from 1 to 100'],
    ['limit=ten', 'limit must be a whole number from 1 to 100'],
    ['limit=', 'limit must be a whole number from 1 to 100'],
    ['limit=1&limit=2', 'limit must be a whole number from 1 to 100'],
    ['cursor=', 'cursor must be the next_cursor of a page'],
    ['cursor=2026-01-01', 'cursor must be the next_cursor of a page'],
    ['cursor=2026-99-99T00:00:00.000Z~pay_1~payment', 'cursor must be the next_cursor of a page'],
    ['cursor=a&cursor=b', 'cursor must be a string'],
  ])('refuses ?%s', async (query, message) => {
    const wallet = await t.createWallet()
    const response = await t.call('GET', `/wallet/activity?${query}`, wallet.headers)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid([query.split('=')[0]!, message]))
  })
})

describe('profile', () => {
  it('shows a balance per currency, with the decimals of the currency but at least two', async () => {
    const wallet = await t.createWallet({ balance: '1.5', currency: 'KWD' as CurrencyCode })
    await move(wallet, 'top-up', { currency: 'JPY', amount: '7' })
    await move(wallet, 'top-up', { currency: USD, amount: '0.1' })
    const { body } = await t.call('GET', '/wallet/me', wallet.headers)
    expect(body.data.balances).toHaveLength(3)
    expect(body.data.balances).toEqual(
      expect.arrayContaining([
        { currency: 'KWD', balance: '1.500' },
        { currency: 'JPY', balance: '7.00' },
        { currency: 'USD', balance: '0.10' },
      ]),
    )
  })
})
