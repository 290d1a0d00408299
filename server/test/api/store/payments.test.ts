import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintPaymentId } from '../../../src/core/ids.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import { createPaidPayment, pay, readDetails } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import type { Headers } from '../../setup/testService.ts'
import { openStaffedShop, type StaffedShop } from './staffedShop.ts'

const NOT_FOUND = refusal(404, 'Payment not found')
const NOT_ALLOWED = refusal(403, 'Your role does not allow that')

let t: StaffedShop['t']
let shop: StaffedShop['shop']
let other: StaffedShop['shop']
let wallet: StaffedShop['wallet']
let people: StaffedShop['people']
beforeAll(async () => {
  ;({ t, shop, wallet, people } = await openStaffedShop({ feeBps: 100 }))
  other = await t.createStore()
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

const charge = (headers: Headers, body: unknown) =>
  t.call('POST', '/store/live/payments', headers, body)
const auditOf = async (paymentId: string) =>
  (await t.call('GET', `/operator/audit-log?subject=payment:${paymentId}`, t.operator)).body.data
    .entries

describe('a payment at the till', () => {
  it('is created with details and instructions, in the currency of the store', async () => {
    const { headers, email } = people.cashier
    const fields = { amount: 12.5, reference_note: 'Table 4', reference_id: 'bill-7', locale: 'fr' }
    const response = await charge({ ...headers, 'x-unknown': '1' }, fields)
    const { instructions, ...shown } = response.body.data
    expect(response.body).toMatchObject({ status: 200, message: 'Payment created' })
    expect(instructions).toMatch(/^<.*12[.,]50.*>$/s)
    expect(shown).toEqual(await readDetails(t, shop.live, shown.payment_id))
    expect(shown).toMatchObject({
      amount: '12.37',
      currency: 'USD',
      status: 'pending',
      client: null,
      webhook: null,
      reference: { id: 'bill-7', note: 'Table 4' },
    })
    expect(await auditOf(shown.payment_id)).toEqual([
      {
        id: expect.any(String),
        at: shown.created_at,
        actor: `${email} (store ${shop.store.storeId})`,
        actor_name: expect.any(String),
        subject_name: null,
        subject_currency: null,
        action: 'payment.create',
        subject: `payment:${shown.payment_id}`,
        before: null,
        after: { mode: 'live', gross: '12.50', currency: 'USD' },
        request_id: response.headers['x-request-id'],
      },
    ])
  })

  it('has no entry in the audit log if an API key creates and refunds it', async () => {
    const { payment_id: id } = await createPaidPayment(t, shop.live, wallet, { amount: 1 })
    await t.call('POST', `/merchant/payment/${id}/refund`, shop.live)
    expect(await auditOf(id)).toEqual([])
  })

  it('ignores fields that only the merchant API accepts', async () => {
    const sale = { amount: 1, webhook_url: 'no address', payload: 5, client: 'x' }
    const { status, body } = await charge(people.owner.headers, sale)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ webhook: null, payload: null, client: null })
  })

  it.each<[unknown, readonly (readonly [string, string])[]]>([
    [{}, [['amount', 'amount is required']]],
    [{ amount: 1.234 }, [['amount', 'amount has more decimals than USD has']]],
    [{ amount: 1, products: 'tea' }, [['products', 'products must be an array']]],
    [
      { amount: 0, currency: 'x', expires_in: 5 },
      [
        ['amount', 'amount must be greater than 0'],
        ['currency', 'currency must be an ISO 4217 code in upper case, such as USD'],
        ['expires_in', 'expires_in must be at least 60'],
      ],
    ],
    ['[]', [['body', 'body must be an object']]],
    ['{', [['body', 'body must be JSON']]],
  ])('is refused with %j, as in the merchant API', async (body, problems) => {
    const response = await charge(people.owner.headers, body)
    expect(response).toMatchObject({ status: 400, body: invalid(...problems) })
  })

  it('is created once per Idempotency-Key, and audited once', async () => {
    const headers = { ...people.cashier.headers, 'idempotency-key': 'till-1' }
    const first = await charge(headers, { amount: 2 })
    const second = await charge(headers, { amount: 2 })
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect((await charge(headers, { amount: 3 })).status).toBe(422)
    expect(await auditOf(first.body.data.payment_id)).toHaveLength(1)
  })

  it('can be followed by its status and cancelled', async () => {
    const { headers } = people.cashier
    const { payment_id, qr_code } = (await charge(headers, { amount: 3 })).body.data
    const url = `/store/live/payments/${payment_id}`
    const waiting = t.call('GET', `${url}/status?wait=20`, headers)
    expect((await pay(t, wallet, qr_code)).status).toBe(200)
    expect((await waiting).body).toEqual({
      status: 200,
      message: 'Payment status',
      data: { payment_id, status: 'completed' },
    })
    expect((await t.call('POST', `${url}/expire`, headers)).body).toEqual(
      refusal(409, 'Payment is not pending'),
    )
    const second = (await charge(headers, { amount: 3 })).body.data.payment_id
    const expired = await t.call('POST', `/store/live/payments/${second}/expire`, headers)
    expect(expired.body.data).toEqual({ payment_id: second, status: 'expired' })
    expect((await auditOf(second))[0]).toMatchObject({
      action: 'payment.cancel',
      after: { mode: 'live', gross: '3.00', currency: 'USD' },
    })
  })

  it('is listed with the filters of the merchant API', async () => {
    const { headers } = people.viewer
    const query = '?status=completed&limit=1'
    const list = await t.call('GET', `/store/live/payments${query}`, headers)
    expect(list.status).toBe(200)
    const { looked_until: _, ...data } = list.body.data
    const byKey = await t.call('GET', `/merchant/payments${query}`, shop.live)
    const { payments, next_cursor } = byKey.body.data
    const own = { cancelled: false, paid_at: data.payments[0].paid_at }
    expect(data).toEqual({ payments: [{ ...payments[0], ...own }], next_cursor })
    expect((await t.call('GET', '/store/live/payments?limit=0', headers)).status).toBe(400)
  })
})

describe('a role', () => {
  it('takes effect immediately on this node when it is changed', async () => {
    const { headers, personId } = await createPerson(t, shop.store, 'cashier')
    expect((await charge(headers, { amount: 1 })).status).toBe(200)
    await t.call('PATCH', `/operator/people/${personId}`, t.operator, { role: 'viewer' })
    expect((await charge(headers, { amount: 1 })).body).toEqual(NOT_ALLOWED)
  })
})

describe('payments of others', () => {
  it('are refused with the same bytes: another store, the other mode, and unknown ids', async () => {
    const otherId = (await t.createPayment(other.live)).payment_id
    const sandbox = (await t.createPayment(shop.sandbox)).payment_id
    const unknown = mintPaymentId(new Date(), shop.store.storeId)
    const { headers } = people.owner
    for (const [method, tail] of [
      ['GET', ''],
      ['GET', '/status'],
      ['GET', '/refund'],
      ['POST', '/refund'],
      ['POST', '/expire'],
    ] as const) {
      for (const id of [otherId, sandbox, unknown, 'x', '%00']) {
        const response = await t.call(method, `/store/live/payments/${id}${tail}`, headers)
        expect([tail, response.status, response.text]).toEqual([
          tail,
          404,
          JSON.stringify(NOT_FOUND),
        ])
      }
    }
    expect((await t.call('GET', `/store/sandbox/payments/${sandbox}`, headers)).status).toBe(200)
  })

  it('do not exist in an unknown mode', async () => {
    for (const url of ['/store/test/payments', '/store/test/today', '/store/test/payments/x']) {
      const response = await t.call('GET', url, people.owner.headers)
      expect(response).toMatchObject({ status: 404, body: refusal(404, 'Not found') })
    }
  })

  it('are not listed', async () => {
    const stranger = await createPerson(t, other.store)
    const { body } = await t.call('GET', '/store/sandbox/payments', stranger.headers)
    expect(body.data).toEqual({ payments: [], next_cursor: null, looked_until: null })
  })
})
