import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { createPaidPayment } from '../../setup/merchantCalls.ts'
import { createPerson, PUBLIC_ORIGIN, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'
import { copyAuditEntry, sendWithoutMailServer } from './paymentMails.ts'

let t: TestService
let shop: TestStore
let cashier: TestPerson
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
  shop = await t.createStore({ name: 'Corner Shop', locale: 'es' })
  cashier = await createPerson(t, shop.store, 'cashier')
})
afterAll(() => t.close())

const send = (id: string, email: unknown, person = cashier) =>
  t.call('POST', `/store/live/payments/${id}/request`, person.headers, { email })

it('a request is emailed with the link, in the language of the store, at most 3 times', async () => {
  const order = { amount: 12.5, reference_id: 'order-7', reference_note: 'Dos entradas' }
  const { payment_id: id } = await t.createPayment(shop.live, order)
  const sent = await send(id, 'Ada@Example.com')
  expect(sent.body).toEqual({ status: 200, message: 'Request queued', data: { payment_id: id } })
  expect(await mailsTo(t, 'ada@example.com')).toEqual([
    {
      locale: 'es',
      template: 'payment_request',
      store: 'Corner Shop',
      amount: '12,50\u00a0USD',
      note: 'Dos entradas',
      reference: 'order-7',
      expiresAt: (await t.call('GET', `/merchant/payment/${id}`, shop.live)).body.data.expires_at,
      url: `${PUBLIC_ORIGIN}/pay/${id}`,
      paymentId: id,
    },
  ])
  const url = `/operator/audit-log?subject=payment:${id}&limit=1`
  const [entry] = (await t.call('GET', url, t.operator)).body.data.entries
  expect(entry).toMatchObject({ action: 'payment.request', before: null, after: null })
  const others = await Promise.all([1, 2, 3, 4].map((n) => send(id, `many${n}@example.com`)))
  expect(others.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  expect((await send(id, 'one@example.com')).body).toEqual(
    refusal(409, 'This request was already sent 3 times. Share its link instead.'),
  )
})

it('only a pending payment of the store can be requested, by a role that can charge', async () => {
  const wallet = await t.createWallet({ balance: '100' })
  const { payment_id: paid } = await createPaidPayment(t, shop.live, wallet, { amount: 5 })
  expect((await send(paid, 'cy@example.com')).body).toEqual(
    refusal(409, 'Only a pending payment can be requested'),
  )
  const other = await t.createStore()
  const { payment_id: otherId } = await t.createPayment(other.live)
  expect((await send(otherId, 'cy@example.com')).body).toEqual(refusal(404, 'Payment not found'))
  const { payment_id: pending } = await t.createPayment(shop.live)
  const viewer = await createPerson(t, shop.store, 'viewer')
  expect((await send(pending, 'cy@example.com', viewer)).status).toBe(403)
  for (const email of ['cy', '', null, 'cy@example.com, di@example.com']) {
    const refused = await send(pending, email)
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'email'])
  }
  expect(await mailsTo(t, 'cy@example.com')).toEqual([])
})

it('a person sends at most 100 requests a day, and none for test payments', async () => {
  const { payment_id: test } = await t.createPayment(shop.sandbox)
  const path = `/store/sandbox/payments/${test}/request`
  expect((await t.call('POST', path, cashier.headers, { email: 'eve@example.com' })).body).toEqual(
    refusal(409, 'A request for a test payment is not emailed. Share its link instead.'),
  )
  const { payment_id: id } = await t.createPayment(shop.live)
  const busy = await createPerson(t, shop.store, 'cashier')
  await send(id, 'eve@example.com', busy)
  await copyAuditEntry(t, { paymentId: id, action: 'payment.request', copies: 99 })
  expect((await send(id, 'eve@example.com', busy)).body).toEqual(
    refusal(409, 'You have sent 100 requests within 24 hours. Try again later.'),
  )
  expect((await send(id, 'eve@example.com')).status).toBe(200)
  expect(await mailsTo(t, 'eve@example.com')).toHaveLength(2)
})

it('the people of a store send at most 1,000 receipts and requests a day', async () => {
  const other = await t.createStore()
  const [first, second] = [
    await createPerson(t, other.store, 'cashier'),
    await createPerson(t, other.store, 'cashier'),
  ]
  const { payment_id: id } = await t.createPayment(other.live)
  expect((await send(id, 'fay@example.com', first)).status).toBe(200)
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into mail (mail_id, recipient, template, locale, content, sender_store_id, created_at, due_at)
       select mail_id || n, recipient, 'receipt', locale, content, sender_store_id, created_at, due_at
       from mail, generate_series(1, 999) n
       where recipient = 'fay@example.com'`,
    ),
  )
  expect((await send(id, 'gil@example.com', second)).body).toEqual(
    refusal(
      409,
      'This store has sent 1,000 receipts and requests within 24 hours. Try again later.',
    ),
  )
  expect(await mailsTo(t, 'gil@example.com')).toEqual([])
  // Another store is not affected, and neither is this one a day later.
  const { payment_id: unaffected } = await t.createPayment(shop.live)
  expect((await send(unaffected, 'gil@example.com')).status).toBe(200)
  await t.database.transaction((tx) =>
    tx.execute(
      `update mail set created_at = created_at - interval '1 day' where recipient = 'fay@example.com'`,
    ),
  )
  expect((await send(id, 'gil@example.com', second)).status).toBe(200)
})

it('erasing clients does not let a store send more', async () => {
  const other = await t.createStore()
  const owner = await createPerson(t, other.store, 'owner')
  const client = { name: 'Hal', email: 'Hal@example.com', phone: '+1 555 0100' }
  const { payment_id: id } = await t.createPayment(other.live, { client })
  expect((await send(id, client.email, owner)).status).toBe(200)
  // The copies are sent. The first email is still in the queue, so that the erasure deletes it.
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into mail (
         mail_id, recipient, template, locale, payment_id, sender_store_id, created_at, due_at, sent_at)
       select mail_id || n, recipient, template, locale, payment_id, sender_store_id, created_at, due_at, now()
       from mail, generate_series(1, 1000) n
       where recipient = 'hal@example.com'`,
    ),
  )
  const erase = { email: client.email }
  const erased = await t.call('POST', '/store/live/clients/erase', owner.headers, erase)
  expect(erased.body.data.payments).toBe(1)
  const left = await t.database.query<{ recipient: string; count: number }>(
    'select recipient, count(*)::int as count from mail where sender_store_id = $1 group by recipient',
    [other.store.storeId],
  )
  expect(left).toEqual([{ recipient: 'erased client', count: 1000 }])
  expect((await send(id, 'ida@example.com', owner)).body.message).toMatch(/1,000 receipts/)
})

it('without a mail server, a request is refused', async () => {
  expect((await sendWithoutMailServer('request')).body).toEqual(
    refusal(409, 'Mail is not set up. Set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.'),
  )
})
