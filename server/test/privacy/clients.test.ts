import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { MAX_SCANNED } from '../../src/ops/findByWords.ts'
import { invalid, refusal } from '../setup/expected.ts'
import { fillPayments } from '../setup/manyPayments.ts'
import { createPerson, type TestPerson } from '../setup/people.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'
import { eventually } from '../webhooks/shop.ts'
import { findCells, placesOf, readLedger } from './searchTables.ts'

let t: TestService
let shop: TestStore
let other: TestStore
let owner: TestPerson
let receiver: Receiver
let stopLoops: () => Promise<void>
const paymentIds: Record<string, string> = {}

const client = {
  name: 'Wren Lark',
  email: 'Wren@client.example',
  phone_dial_code: '+45',
  phone: '20 30-40 50',
}
const words = ['Wren', '20 30-40 50', '20304050']

beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  other = await t.createStore()
  owner = await createPerson(t, shop.store)
  receiver = await startReceiver((_request, response, body) => response.end(body))
  stopLoops = startLoops(t.service)

  const full = {
    client,
    payload: { gift_for: client.email },
    reference_id: 'order-1',
    reference_note: `For ${client.name}`,
    webhook_url: receiver.url,
  }
  const make = async (name: string, body: Record<string, unknown>, keys = shop.sandbox) => {
    paymentIds[name] = (await t.createPayment(keys, body)).payment_id
  }
  await make('paid', full)
  await make('pending', { ...full, webhook_url: null })
  await make('by phone', {
    client: { ...client, email: 'w2@client.example', phone_dial_code: null, phone: '+45 20304050' },
  })
  await make('another client', {
    client: { ...client, name: 'Jay', email: 'jay@client.example', phone: '99' },
    payload: { a: 1 },
  })
  await make('without a client', { payload: { b: 2 } })
  await make('other mode', { client, payload: { live: true } }, shop.live)
  await make('other store', { client }, other.sandbox)
  const pay = `/sandbox/payment/${paymentIds.paid}/pay`
  expect((await t.call('POST', pay, { ...shop.sandbox, 'idempotency-key': 'k' }, {})).status).toBe(
    200,
  )
  await eventually(async () => expect((await readDetails('paid')).webhook.called_at).not.toBeNull())
})
afterAll(async () => {
  await stopLoops()
  await receiver.close()
  await t.close()
})

const readDetails = async (name: string, keys = shop.sandbox) =>
  (await t.call('GET', `/merchant/payment/${paymentIds[name]}`, keys)).body.data
const send = (verb: string, body: unknown, mode = 'sandbox') =>
  t.call('POST', `/store/${mode}/clients/${verb}`, owner.headers, body)
const byOperator = (verb: string, body: unknown) =>
  t.call('POST', `/operator/stores/${shop.store.storeId}/clients/${verb}`, t.operator, body)
const namesOf = ({ body }: { body: { data: { payments: { payment_id: string }[] } } }) =>
  body.data.payments.map(({ payment_id }) =>
    Object.keys(paymentIds).find((name) => paymentIds[name] === payment_id),
  )

describe('the export of a client', () => {
  it('finds payments by email or phone, and includes their events', async () => {
    const exported = await send('export', { email: 'wren@CLIENT.example' })
    expect(namesOf(exported)).toEqual(['pending', 'paid'])
    const { payments, webhooks, next_cursor } = exported.body.data
    expect(payments[1]).toMatchObject({
      client,
      payload: { gift_for: client.email },
      return_url: null,
    })
    expect(payments[1]).not.toHaveProperty('user')
    expect(next_cursor).toBeNull()
    const personalData = { client, reference_note: `For ${client.name}` }
    expect(webhooks).toMatchObject([
      { payment_id: paymentIds.paid, url: receiver.url, about: personalData },
    ])
    expect(webhooks[0].attempts[0].body).toContain(client.email)

    for (const phone of ['+4520304050', '+45 20 30 40 50', '(45) 2030-4050']) {
      expect(namesOf(await send('export', { phone }))).toEqual(['by phone', 'pending', 'paid'])
    }
    expect(namesOf(await send('export', { phone: '20304050' }))).toEqual(['pending', 'paid'])
    const emailAndPhone = { email: client.email, phone: '+4520304050' }
    expect(namesOf(await send('export', emailAndPhone))).toEqual(['by phone', 'pending', 'paid'])
    expect(namesOf(await byOperator('export', { mode: 'sandbox', ...emailAndPhone }))).toHaveLength(
      3,
    )
    expect(namesOf(await send('export', { email: client.email }, 'live'))).toEqual(['other mode'])
  })

  it('must cover these columns, which have data of the client', async () => {
    const places = placesOf(await findCells(t.database, words))
    expect(places).toEqual([
      'delivery_attempt.answer',
      'event.body',
      'payment.client',
      'payment.payload',
      'payment.reference_note',
      'payment.words',
    ])
  })
})

it('refuses a request without email and phone, and invalid values', async () => {
  const required = invalid(['email', 'email or phone is required'])
  for (const verb of ['export', 'erase']) {
    expect((await send(verb, {})).body).toEqual(required)
    expect((await send(verb, { email: ' ', phone: null })).body).toEqual(required)
    expect((await send(verb, { phone: '+-12 3' })).body).toEqual(
      invalid(['phone', 'phone must have at least 4 digits']),
    )
    expect((await send(verb, { email: 'a', cursor: 'x' })).body.errors[0].field).toBe('cursor')
    expect((await byOperator(verb, { email: 'a' })).body.errors[0].field).toBe('mode')
  }
  const noStore = await t.call('POST', '/operator/stores/999/clients/erase', t.operator, {})
  expect(noStore.body).toEqual(refusal(404, 'Store not found'))
})

it('erases a client of one store and mode from every table, and no other client', async () => {
  const [before, money] = [await readDetails('paid'), await readLedger(t.database)]
  const [jay, bare] = [await readDetails('another client'), await readDetails('without a client')]
  const erased = await send('erase', { email: client.email, phone: '+4520304050' })
  expect(erased.body.data).toEqual({ payments: 3, next_cursor: null })

  const erasedFields = { client: null, payload: null }
  const reference = { id: 'order-1', note: null }
  const webhook = { ...before.webhook, response: { status_code: 200, body: null } }
  expect(await readDetails('paid')).toEqual({ ...before, ...erasedFields, reference, webhook })
  expect(await readDetails('another client')).toEqual(jay)
  expect(await readDetails('without a client')).toEqual(bare)
  expect((await readDetails('other mode', shop.live)).client).toEqual(client)
  expect(await readLedger(t.database)).toEqual(money)
  expect(await t.auditFindings()).toEqual([])

  await t.call('POST', `/merchant/payment/${paymentIds.paid}/webhooks/redeliver`, shop.sandbox)
  const [, again] = await receiver.until(2)
  expect(JSON.parse(again!.body).data).toMatchObject({ ...erasedFields, reference })

  // Later events of a payment that was pending don't name the client either.
  await t.call('POST', `/sandbox/payment/${paymentIds.pending}/pay`, shop.sandbox, {})
  await byOperator('erase', { mode: 'live', email: client.email })
  const otherStoreUrl = `/operator/stores/${other.store.storeId}/clients/erase`
  await t.call('POST', otherStoreUrl, t.operator, { mode: 'sandbox', email: client.email })
  await eventually(async () => expect(await findCells(t.database, words)).toEqual([]))
  expect(await t.auditFindings()).toEqual([])

  const log = await t.call('GET', '/operator/audit-log?action=client.erase', t.operator)
  expect(log.body.data.entries.at(-1)).toMatchObject({
    subject: `store:${shop.store.storeId}`,
    after: { mode: 'sandbox', payments: 3 },
    actor: expect.stringContaining(owner.email),
  })
  const secondErasure = await send('erase', { email: client.email })
  expect(secondErasure.body.data).toEqual({ payments: 0, next_cursor: null })
})

it('scans many payments in steps and returns where to continue', async () => {
  const big = await t.createStore()
  const person = await createPerson(t, big.store)
  const email = 'many@client.example'
  const ids = await fillPayments(t, big.store, MAX_SCANNED + 300, () => ({ status: 'expired' }))
  const idsOfClient = [ids[0], ...ids.slice(-250)]
  await t.database.transaction((tx) =>
    tx.execute('update payment set client = $2 where payment_id = any($1)', [
      idsOfClient,
      JSON.stringify({ ...client, email }),
    ]),
  )
  const counts: number[] = []
  let cursor: string | null = null
  do {
    const body: object = { email, cursor }
    const { data } = (await t.call('POST', '/store/live/clients/erase', person.headers, body))
      .body as { data: { payments: number; next_cursor: string | null } }
    counts.push(data.payments)
    cursor = data.next_cursor
  } while (cursor !== null && counts.length < 10)
  // The first page is full, the second scanned its maximum, the third has the rest.
  expect(counts).toEqual([200, 50, 1])
  const left = await t.database.query(
    'select 1 from payment where store_id = $1 and client is not null',
    [big.store.storeId],
  )
  expect(left).toEqual([])
})
