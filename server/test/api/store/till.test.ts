import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { createPaidPayment, readDetails, refund } from '../../setup/merchantCalls.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'
import { copyAuditEntry, sendWithoutMailServer } from './paymentMails.ts'

let t: TestService
let shop: TestStore
let wallet: TestWallet
let manager: TestPerson
let cashier: TestPerson
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
  shop = await t.createStore({ name: 'Corner Shop', locale: 'es', refundFeeMinor: 50n })
  wallet = await t.createWallet({ balance: '1000.00' })
  manager = await createPerson(t, shop.store, 'manager')
  cashier = await createPerson(t, shop.store, 'cashier')
})
afterAll(() => t.close())

const ITEMS = [
  { name: 'Tea', price: '3.50' },
  { name: 'Cake', price: '12.00' },
]
const change = (body: unknown) => t.call('PATCH', '/store/till', manager.headers, body)
const read = async () => (await t.call('GET', '/store/till', cashier.headers)).body
const tillBody = (data: object) => ({ status: 200, message: 'Till', data })

describe('settings of the till', () => {
  it('are empty in a new store', async () => {
    expect(await read()).toEqual(tillBody({ items: [], tip_percentages: [] }))
  })

  it('change items and tips separately, and keep the order that was sent', async () => {
    const changed = await change({ items: ITEMS.map((item) => ({ ...item, color: 'red' })) })
    const data = { items: ITEMS, tip_percentages: [] }
    expect(changed.body).toEqual({ status: 200, message: 'Till changed', data })
    await change({ tip_percentages: [10, 5, 20] })
    const settings = { items: ITEMS, tip_percentages: [10, 5, 20] }
    expect(await read()).toEqual(tillBody(settings))
    await change({})
    expect(await read()).toEqual(tillBody(settings))
    const reversed = ITEMS.toReversed()
    await change({ items: reversed, tip_percentages: [] })
    expect(await read()).toEqual(tillBody({ items: reversed, tip_percentages: [] }))
    const url = `/operator/audit-log?subject=store:${shop.store.storeId}&limit=1`
    expect((await t.call('GET', url, t.operator)).body.data.entries[0]).toMatchObject({
      actor: `${manager.email} (store ${shop.store.storeId})`,
      action: 'till.change',
      before: settings,
      after: { items: reversed, tip_percentages: [] },
    })
  })

  it.each([
    [{ items: [{ name: 'Tea', price: '0' }] }, 'items.0.price', 'price must be greater than 0'],
    [
      { items: [{ name: 'Tea', price: '1.001' }] },
      'items.0.price',
      'price has more decimals than USD has',
    ],
    [{ items: [ITEMS[0], ITEMS[1], ITEMS[0]] }, 'items.2.name', 'name belongs to another item'],
    [
      { items: [{ name: ' ', price: '1' }] },
      'items.0.name',
      'name must not be empty and must not contain characters that cannot be stored',
    ],
    [
      { items: [{ name: 'x'.repeat(61), price: '1' }] },
      'items.0.name',
      'name must have at most 60 characters',
    ],
    [
      { items: Array.from({ length: 61 }, (_, n) => ({ name: `${n}`, price: '1' })) },
      'items',
      'items must have at most 60 items',
    ],
    [{ tip_percentages: [0] }, 'tip_percentages.0', 'tip_percentages.0 must be at least 1'],
    [{ tip_percentages: [101] }, 'tip_percentages.0', 'tip_percentages.0 must be at most 100'],
    [
      { tip_percentages: [1, 2, 3, 4] },
      'tip_percentages',
      'tip_percentages must have at most 3 items',
    ],
  ])('refuse invalid values and store nothing (%#)', async (body, field, message) => {
    const before = await read()
    expect((await change(body)).body).toEqual(invalid([field, message]))
    expect(await read()).toEqual(before)
  })
})

it('a payment at the till has the products of the sale', async () => {
  const products = [
    { name: 'Tea', quantity: 2, price: 3.5 },
    { name: 'Tip', quantity: 1, price: 0.7 },
  ]
  const body = { amount: 7.7, products }
  const charged = await t.call('POST', '/store/live/payments', cashier.headers, body)
  const { payment_id: id } = charged.body.data
  expect(await readDetails(t, shop.live, id)).toMatchObject({
    request_amount: { amount: '7.70' },
    products: [
      { name: 'Tea', quantity: 2, price: '3.50' },
      { name: 'Tip', quantity: 1, price: '0.70' },
    ],
  })
  const wrong = { amount: 1, products: [{ name: 'Tea', quantity: 0, price: 1 }] }
  const refused = await t.call('POST', '/store/live/payments', cashier.headers, wrong)
  expect(refused.body).toEqual(invalid(['products.0.quantity', 'quantity must be at least 1']))
})

describe('the receipt of a payment', () => {
  const createPaid = async () =>
    (await createPaidPayment(t, shop.live, wallet, { amount: 12.5 })).payment_id
  const send = (id: string, email: unknown) =>
    t.call('POST', `/store/live/payments/${id}/receipt`, cashier.headers, { email })

  it("is emailed to the customer's address, in the language of the store", async () => {
    const id = await createPaid()
    const sent = await send(id, 'Ada@Example.com')
    const data = { payment_id: id }
    expect(sent.body).toEqual({ status: 200, message: 'Receipt queued', data })
    expect(await mailsTo(t, 'ada@example.com')).toEqual([
      {
        locale: 'es',
        template: 'receipt',
        name: '',
        store: 'Corner Shop',
        amount: '12,50\u00a0USD',
        gross: '12,50\u00a0USD',
        donation: null,
        refundFee: null,
        reference: null,
        paymentId: id,
        at: expect.stringMatching(/^\d{4}-/),
        isTest: false,
      },
    ])
    const url = `/operator/audit-log?subject=payment:${id}&limit=1`
    const [entry] = (await t.call('GET', url, t.operator)).body.data.entries
    expect(entry).toMatchObject({ action: 'payment.receipt', before: null, after: null })
    await t.fund(shop.store, 'live', '100')
    expect((await refund(t, shop.live, id)).status).toBe(200)
    await send(id, 'bo@example.com')
    const [refunded] = await mailsTo(t, 'bo@example.com')
    expect(refunded).toMatchObject({ template: 'refund', amount: '12,00\u00a0USD' })
  })

  it('is sent at most 3 times, even if all requests arrive at the same time', async () => {
    const id = await createPaid()
    const all = await Promise.all([1, 2, 3, 4, 5].map((n) => send(id, `many${n}@example.com`)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409])
    expect((await send(id, 'one@example.com')).body).toEqual(
      refusal(409, 'This receipt was already sent 3 times. Share its link instead.'),
    )
  })

  it('exists only for a paid payment of the store', async () => {
    const { payment_id: pending } = await t.createPayment(shop.live)
    expect((await send(pending, 'cy@example.com')).body).toEqual(
      refusal(409, 'Only a paid payment has a receipt'),
    )
    const other = await t.createStore()
    const { payment_id: otherId } = await createPaidPayment(t, other.live, wallet)
    expect((await send(otherId, 'cy@example.com')).body).toEqual(refusal(404, 'Payment not found'))
    expect(await mailsTo(t, 'cy@example.com')).toEqual([])
  })

  it.each(['cy', '', null, 'cy@example.com, di@example.com', '"a b"@example.com'])(
    'is not sent to %j',
    async (email) => {
      const refused = await send(await createPaid(), email)
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'email'])
    },
  )
})

it('a person sends at most 100 receipts a day, and none for test payments', async () => {
  const sandboxWallet = await t.createWallet({ mode: 'sandbox', balance: '100' })
  const { payment_id: test } = await createPaidPayment(t, shop.sandbox, sandboxWallet)
  const path = `/store/sandbox/payments/${test}/receipt`
  expect((await t.call('POST', path, cashier.headers, { email: 'eve@example.com' })).body).toEqual(
    refusal(409, 'A receipt for a test payment is not emailed. Share its link instead.'),
  )
  const { payment_id: id } = await createPaidPayment(t, shop.live, wallet)
  const busy = await createPerson(t, shop.store, 'cashier')
  const send = ({ headers }: TestPerson) =>
    t.call('POST', `/store/live/payments/${id}/receipt`, headers, { email: 'eve@example.com' })
  expect((await send(busy)).status).toBe(200)
  await copyAuditEntry(t, { paymentId: id, action: 'payment.receipt', copies: 99 })
  expect((await send(busy)).body).toEqual(
    refusal(409, 'You have sent 100 receipts within 24 hours. Try again later.'),
  )
  expect((await send(cashier)).status).toBe(200)
  expect(await mailsTo(t, 'eve@example.com')).toHaveLength(2)
})

it('without a mail server, a receipt is refused', async () => {
  expect((await sendWithoutMailServer('receipt')).body).toEqual(
    refusal(409, 'Mail is not set up. Set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.'),
  )
})
