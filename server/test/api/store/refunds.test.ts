import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/core/person.ts'
import { refusal } from '../../setup/expected.ts'
import { changeStore, createPaidPayment } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import type { Headers } from '../../setup/testService.ts'
import { openStaffedShop, type StaffedShop } from './staffedShop.ts'

const NOT_ALLOWED = refusal(403, 'Your role does not allow that')
const ABOVE_CAP = refusal(
  403,
  'This is more than your role may refund. Ask a manager or the owner.',
)

let t: StaffedShop['t']
let shop: StaffedShop['shop']
let wallet: StaffedShop['wallet']
let people: StaffedShop['people']
beforeAll(async () => {
  ;({ t, shop, wallet, people } = await openStaffedShop({ refundFeeMinor: 50n, feeBps: 100 }))
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

const refund = (headers: Headers, id: string) =>
  t.call('POST', `/store/live/payments/${id}/refund`, headers)
const preview = (headers: Headers, id: string) =>
  t.call('GET', `/store/live/payments/${id}/refund`, headers)
const createPaid = async (amount: number) =>
  (await createPaidPayment(t, shop.live, wallet, { amount })).payment_id
const auditOf = async (paymentId: string) =>
  (await t.call('GET', `/operator/audit-log?subject=payment:${paymentId}`, t.operator)).body.data
    .entries

describe('refund', () => {
  const RULES: [Role, cap: string | null, gross: number, reason: string | null][] = [
    ['owner', '0', 30, null],
    ['manager', null, 30, null],
    ['manager', '20', 20, null],
    ['manager', '20', 20.01, 'above_refund_cap'],
    ['manager', '0', 1, 'role_not_allowed'],
    ['cashier', '5.50', 5.5, null],
    ['cashier', '5.50', 5.51, 'above_refund_cap'],
    ['cashier', '0', 0.1, 'role_not_allowed'],
    ['cashier', null, 30, null],
    ['viewer', null, 0.1, 'role_not_allowed'],
  ]
  it.each(RULES)('by a %s with a cap of %s, of %d: %s', async (role, cap, gross, reason) => {
    await changeStore(t, shop, { refund_cap_manager: cap, refund_cap_cashier: cap })
    const id = await createPaid(gross)
    const { headers } = people[role]
    const shown = (await preview(headers, id)).body.data
    expect([shown.can_refund, shown.reason]).toEqual([reason === null, reason])
    const { body } = await refund(headers, id)
    if (reason === null) expect(body).toMatchObject({ status: 200, data: { status: 'refunded' } })
    else expect(body).toEqual(reason === 'above_refund_cap' ? ABOVE_CAP : NOT_ALLOWED)
    const after = await t.call('GET', `/store/live/payments/${id}`, headers)
    expect(after.body.data.status).toBe(reason === null ? 'refunded' : 'completed')
  })

  it('matches its preview, and is audited', async () => {
    const { headers, email } = people.owner
    const id = await createPaid(8)
    const { body } = await preview(headers, id)
    const { store_balance, store_balance_after, ...rest } = body.data
    expect(body).toMatchObject({ status: 200, message: 'Refund preview' })
    expect(rest).toEqual({
      payment_id: id,
      status: 'completed',
      currency: 'USD',
      gross: '8.00',
      refund_fee: '0.50',
      refund_amount: '7.50',
      refund_fee_waived: '0.00',
      store_debit: '8.00',
      can_refund: true,
      reason: null,
    })
    expect(Number(store_balance) - Number(store_balance_after)).toBeCloseTo(8)
    const response = await refund(headers, id)
    expect(response.body).toEqual({
      status: 200,
      message: 'Payment refunded',
      data: {
        payment_id: id,
        refund_amount: '7.50',
        refund_fee: '0.50',
        status: 'refunded',
        refunded_at: expect.any(String),
      },
    })
    const balance = await t.call('GET', '/merchant/balance', shop.live)
    expect(balance.body.data.balance).toBe(store_balance_after)
    expect(await auditOf(id)).toEqual([
      {
        id: expect.any(String),
        at: response.body.data.refunded_at,
        actor: `${email} (store ${shop.store.storeId})`,
        actor_name: expect.any(String),
        subject_name: null,
        subject_currency: null,
        action: 'payment.refund',
        subject: `payment:${id}`,
        before: { status: 'completed' },
        after: {
          status: 'refunded',
          mode: 'live',
          gross: '8.00',
          refund_fee: '0.50',
          currency: 'USD',
        },
        request_id: response.headers['x-request-id'],
      },
    ])
    expect((await refund(headers, id)).body).toEqual(
      refusal(400, 'Payment has already been refunded'),
    )
    expect((await preview(headers, id)).body.data).toMatchObject({
      can_refund: false,
      reason: 'already_refunded',
      store_balance_after: null,
    })
    expect(await auditOf(id)).toHaveLength(1)
  })

  it('is refused for a pending payment and if the balance is too low', async () => {
    const { headers } = people.owner
    const { payment_id: pending } = await t.createPayment(shop.live)
    expect((await preview(headers, pending)).body.data.reason).toBe('not_completed')
    expect((await refund(headers, pending)).status).toBe(400)

    const poor = await t.createStore({ feeBps: 1000 })
    const owner = await createPerson(t, poor.store)
    const { payment_id } = await createPaidPayment(t, poor.live, wallet, { amount: 10 })
    expect((await preview(owner.headers, payment_id)).body.data).toMatchObject({
      store_balance: '9.00',
      store_balance_after: null,
      can_refund: false,
      refund_fee_waived: null,
      store_debit: null,
      reason: 'insufficient_store_balance',
    })
    expect((await refund(owner.headers, payment_id)).body).toEqual(
      refusal(400, 'Insufficient store balance for refund'),
    )
  })

  it('previews and audits the part of the fee that is waived', async () => {
    const small = await t.createStore({ feeBps: 500, refundFeeMinor: 80n })
    const owner = await createPerson(t, small.store)
    const { payment_id } = await createPaidPayment(t, small.live, wallet, { amount: 10 })
    expect((await preview(owner.headers, payment_id)).body.data).toMatchObject({
      refund_amount: '9.20',
      refund_fee: '0.80',
      refund_fee_waived: '0.50',
      store_debit: '9.50',
      store_balance: '9.50',
      store_balance_after: '0.00',
      can_refund: true,
    })
    const { data } = (await refund(owner.headers, payment_id)).body
    expect([data.refund_amount, data.refund_fee]).toEqual(['9.20', '0.80'])
    const [entry] = await auditOf(payment_id)
    expect(entry!.after).toMatchObject({ refund_fee: '0.80', refund_fee_waived: '0.50' })
  })
})
