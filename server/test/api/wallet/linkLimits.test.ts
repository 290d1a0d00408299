import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { newLink, payLink, previewLink } from '../../setup/links.ts'
import { changeStore, pay as payCode, setRate } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestWallet } from '../../setup/testService.ts'

const USED_UP = refusal(409, 'This link has been used up. Ask the shop for a new one.')
const ABOVE_DAILY_LIMIT = invalid([
  'amount',
  'amount is more than this store can still receive today',
])
const ABOVE_MONTHLY_LIMIT = invalid([
  'amount',
  'amount is more than this store can still receive this month',
])

let t: TestService
let wallet: TestWallet
beforeAll(async () => {
  t = await startTestService()
  wallet = await t.createWallet({ balance: '10000.00' })
})
afterEach(async () => expect(await t.auditFindings()).toEqual([]))
afterAll(() => t.close())

const pay = (id: string, body: object = {}) => payLink(t, wallet, id, body)
const preview = async (id: string) => (await previewLink(t, wallet, id)).body.data

describe("the store's limits", () => {
  it('of one payment apply when the link is paid', async () => {
    const shop = await t.createStore({ minAmountMinor: 200n, maxAmountMinor: 5_000n })
    const [open, fixed] = [await newLink(t, shop.live), await newLink(t, shop.live, { amount: 50 })]
    const tooSmall = invalid(['amount', 'amount must be at least 2.00 USD'])
    const tooLarge = invalid(['amount', 'amount must be at most 50.00 USD'])
    expect((await pay(open, { amount: 1.99 })).body).toEqual(tooSmall)
    expect((await pay(open, { amount: 50.01 })).body).toEqual(tooLarge)
    expect((await pay(open, { amount: 2 })).status).toBe(200)
    expect((await pay(fixed)).status).toBe(200)
    await changeStore(t, shop, { max_amount: '49.99' })
    expect((await pay(fixed)).body).toEqual(invalid(['amount', 'amount must be at most 49.99 USD']))
    expect(await preview(fixed)).toMatchObject({ can_pay: false, reason: 'amount_refused' })
  })

  it.each([
    ['day', { dailyLimitMinor: 2_500n }, ABOVE_DAILY_LIMIT],
    ['month', { monthlyLimitMinor: 2_500n }, ABOVE_MONTHLY_LIMIT],
  ])('of the %s apply, and the response does not reveal them', async (_, settings, refused) => {
    const shop = await t.createStore(settings)
    const id = await newLink(t, shop.live, { amount: 10 })
    const responses = await Promise.all([pay(id), pay(id), pay(id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 400])
    expect(responses.find(({ status }) => status === 400)!.body).toEqual(refused)
    expect(await preview(id)).toMatchObject({ can_pay: false, reason: 'limit_reached' })
    const open = await newLink(t, shop.live)
    expect((await pay(open, { amount: 5 })).status).toBe(200)
    expect((await pay(open, { amount: 0.01 })).body).toEqual(refused)
  })

  it('are not used up by overdue payments', async () => {
    const shop = await t.createStore({ dailyLimitMinor: 1_000n })
    const { payment_id } = await t.createPayment(shop.live)
    const id = await newLink(t, shop.live, { amount: 10 })
    expect((await pay(id)).body).toEqual(ABOVE_DAILY_LIMIT)
    await t.makeOverdue(payment_id)
    expect(await preview(id)).toMatchObject({ can_pay: true })
    expect((await pay(id)).status).toBe(200)
  })
})

it('a link with a reference is paid once if the store requires unique references', async () => {
  const shop = await t.createStore({ uniqueReferences: true })
  const id = await newLink(t, shop.live, { amount: 10, reference_id: 'order-1' })
  const responses = await Promise.all([pay(id), pay(id), pay(id)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await pay(id)).body).toEqual(USED_UP)
  expect(await preview(id)).toMatchObject({ can_pay: false, reason: 'link_used_up' })
  // Another payment with the reference blocks the link, until that payment expires.
  const taken = await newLink(t, shop.live, { amount: 10, reference_id: 'order-2' })
  const { payment_id } = await t.createPayment(shop.live, { reference_id: 'order-2' })
  expect((await pay(taken)).body).toEqual(USED_UP)
  await t.makeOverdue(payment_id)
  expect((await pay(taken)).status).toBe(200)
  const withoutReference = await newLink(t, shop.live, { amount: 10 })
  expect([(await pay(withoutReference)).status, (await pay(withoutReference)).status]).toEqual([
    200, 200,
  ])
})

it('a link whose currency has no rate any more is refused', async () => {
  await setRate(t, 'CHF', 'USD', '1.2')
  const shop = await t.createStore()
  const id = await newLink(t, shop.live, { amount: 10, currency: 'CHF' })
  await t.database.transaction((tx) =>
    tx.execute(`delete from exchange_rate where from_currency = 'CHF'`),
  )
  expect((await pay(id)).body).toEqual(
    invalid(['amount', 'amount cannot be converted from CHF to USD']),
  )
  expect(await preview(id)).toMatchObject({
    amount: null,
    request_amount: { amount: '10.00', currency: 'CHF', conversion_rate: null },
    reason: 'amount_refused',
  })
})

it('a payment above a PIN limit needs the PIN, and a refused attempt does not use up the Idempotency-Key', async () => {
  const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone: '+447800000001' }
  const created = await t.call('POST', '/operator/wallets', t.operator, {
    ...fields,
    pin: '246810',
  })
  const url = `/operator/wallets/${created.body.data.wallet_id}/top-up`
  await t.call('POST', url, t.operator, { currency: 'USD', amount: '500' })
  const session = { phone: fields.phone, pin: '246810' }
  const { token } = (await t.call('POST', '/wallet/session', {}, session)).body.data
  const ada = { headers: { authorization: `Bearer ${token}` } }
  const limit = { currency: 'USD', amount: '20' }
  await t.call('PUT', '/operator/pin-limits', t.operator, limit)
  const shop = await t.createStore()
  const id = await newLink(t, shop.live)
  const key = { 'idempotency-key': 'k' }
  const needed = refusal(
    428,
    'Send your PIN to continue. It is needed above your PIN limit, and to raise or remove the limit.',
  )
  expect((await payLink(t, ada, id, { amount: 20 })).status).toBe(200)
  expect((await payLink(t, ada, id, { amount: 19, donation_amount: 1.01 })).body).toEqual(needed)
  expect((await payLink(t, ada, id, { amount: 30 }, key)).body).toEqual(needed)
  expect((await payLink(t, ada, id, { amount: 30, pin: '000000' }, key)).body).toEqual(
    invalid(['pin', 'pin is wrong']),
  )
  const paid = await payLink(t, ada, id, { amount: 30, pin: '246810' }, key)
  expect(paid.status).toBe(200)
  const replayed = await payLink(t, ada, id, { amount: 30, pin: '246810' }, key)
  expect(replayed.text).toBe(paid.text)
  const shown = await t.call('GET', `/wallet/link/${id}`, ada.headers)
  expect(shown.body.data).toMatchObject({ pin_limit: '20.00', balance: '450.00' })
  await t.call('PUT', '/operator/pin-limits', t.operator, { ...limit, amount: null })
})

it('a payment by code and a payment by link share the balance of a wallet', async () => {
  const shop = await t.createStore()
  const id = await newLink(t, shop.live, { amount: 10 })
  const poor = await t.createWallet({ balance: '15.00' })
  const { qr_code } = await t.createPayment(shop.live)
  const responses = await Promise.all([
    payLink(t, poor, id),
    payCode(t, poor, qr_code),
    payLink(t, poor, id),
  ])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 402, 402])
})
