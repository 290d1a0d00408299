import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentStatus } from '@florin/sdk'
import { FlorinProvider } from '../src/provider.js'

const options = {
  baseUrl: 'http://localhost:1',
  apiKey: 'key',
  apiSecret: 'secret',
  webhookSecret: 'whsec_AAAA',
  webhookUrl: 'http://localhost:1/hooks/payment/florin_florin',
  returnUrl: 'http://localhost:1/return',
}
const data = { session_id: 'payses_1', payment_id: 'pay_1', checkout_url: '' }
/** Medusa passes the id of the session as the idempotency key. */
const context = { idempotency_key: 'payses_1' }

type Sent = { readonly call: string; readonly key: string | null }

/** A provider whose Florin has one payment of 12.50 USD in this state; null if the keys have no such payment. */
function createProvider(
  status: PaymentStatus | null,
  t: { mock: typeof import('node:test').mock },
) {
  const sent: Sent[] = []
  t.mock.method(globalThis, 'fetch', async (url: string | URL, init: RequestInit) => {
    const { pathname } = new URL(url)
    const call = `${init.method} ${pathname.replace('/merchant/payment/', '')}`
    sent.push({ call, key: new Headers(init.headers).get('idempotency-key') })
    if (status === null && call !== 'POST create') {
      return Response.json({ status: 404, message: 'Payment not found' }, { status: 404 })
    }
    if (call.endsWith('/expire') && status !== 'pending') {
      return Response.json({ status: 409, message: 'Payment is not pending' }, { status: 409 })
    }
    const request_amount = { amount: '12.50', currency: 'USD', conversion_rate: '1.0000' }
    const payment_id = call === 'POST create' ? 'pay_2' : 'pay_1'
    return Response.json({
      status: 200,
      message: '',
      data: {
        payment_id,
        status,
        request_amount,
        payload: { medusa_session: 'payses_1' },
        refund_amount: '12.00',
        refund_fee: '0.50',
      },
    })
  })
  const cradle = {
    logger: console as never,
    paymentSessionService: { list: async () => [] },
  }
  return { provider: new FlorinProvider(cradle, options), sent }
}

test('creating a session twice sends the same Idempotency-Key', async (t) => {
  const { provider, sent } = createProvider('pending', t)
  const input = { data: { session_id: 'payses_1' }, amount: '12.5', currency_code: 'usd' }
  const first = await provider.initiatePayment(input)
  assert.deepEqual(await provider.initiatePayment(input), first)
  assert.deepEqual(sent, [sent[0], sent[0]])
  assert.deepEqual(sent[0], { call: 'POST create', key: 'medusa-payses_1-12.5-USD-first' })
})

test('an update with the same amount keeps the payment, another amount replaces it', async (t) => {
  const { provider, sent } = createProvider('pending', t)
  const same = await provider.updatePayment({ data, amount: '12.5', currency_code: 'usd' })
  assert.deepEqual(same.data, data)
  const other = await provider.updatePayment({ data, amount: 13, currency_code: 'usd' })
  assert.equal(other.data?.payment_id, 'pay_2')
  assert.deepEqual(
    sent.map(({ call }) => call),
    ['GET pay_1', 'GET pay_1', 'POST pay_1/expire', 'POST create'],
  )
  assert.equal(sent.at(-1)?.key, 'medusa-payses_1-13-USD-pay_1')
})

test('a paid session cannot get another amount, be cancelled or deleted', async (t) => {
  const { provider, sent } = createProvider('completed', t)
  const paid = /pay_1 is paid\. Refund it/
  await assert.rejects(provider.updatePayment({ data, amount: 13, currency_code: 'usd' }), paid)
  await assert.rejects(provider.cancelPayment({ data }), paid)
  await assert.rejects(provider.deletePayment({ data }), paid)
  assert.ok(!sent.some(({ call }) => call === 'POST create'))
})

test('an expired payment is already cancelled, and a session without a payment has nothing to cancel', async (t) => {
  const { provider, sent } = createProvider('expired', t)
  assert.deepEqual(await provider.cancelPayment({ data }), { data })
  assert.deepEqual(await provider.deletePayment({ data: {} }), { data: {} })
  assert.equal(sent.filter(({ call }) => call.endsWith('/expire')).length, 1)
})

test('a session of other keys can be canceled, deleted and updated, so that its cart can be changed', async (t) => {
  const { provider } = createProvider(null, t)
  assert.deepEqual(await provider.cancelPayment({ data }), { data })
  assert.deepEqual(await provider.deletePayment({ data }), { data })
  const updated = await provider.updatePayment({ data, amount: '12.5', currency_code: 'usd' })
  assert.equal(updated.data?.payment_id, 'pay_2')
})

test('a call ends before the lock of the cart if Florin hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(globalThis, 'fetch', (_url: string, { signal }: RequestInit) => {
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  })
  const provider = new FlorinProvider({ logger: console as never } as never, options)
  let isEnded = false
  const call = provider.authorizePayment({ data, context }).catch(() => (isEnded = true))
  for (let seconds = 0; seconds < 60 && !isEnded; seconds++) {
    t.mock.timers.tick(1000)
    await new Promise(setImmediate)
  }
  assert.ok(isEnded)
  await call
})

test('the paid payment of another session does not authorize a session', async (t) => {
  const { provider } = createProvider('completed', t)
  for (const other of [{ idempotency_key: 'payses_2' }, undefined]) {
    // The session_id of the data may be the customer's, too.
    await assert.rejects(
      provider.authorizePayment({ data, context: other }),
      /pay_1 is not the payment of this session/,
    )
  }
})

test('only a completed payment is captured', async (t) => {
  for (const status of ['pending', 'failed', 'expired', 'refunded'] as const) {
    const { provider } = createProvider(status, t)
    await assert.rejects(provider.capturePayment({ data }), /can't be captured/)
    assert.notEqual((await provider.authorizePayment({ data, context })).status, 'captured')
    t.mock.restoreAll()
  }
  const { provider } = createProvider('completed', t)
  assert.deepEqual(await provider.capturePayment({ data }), { data })
  assert.equal((await provider.authorizePayment({ data, context })).status, 'captured')
})

test('the message of a failed call is visible in Medusa', async (t) => {
  const { provider } = createProvider('completed', t)
  t.mock.method(globalThis, 'fetch', async () => {
    return Response.json({ status: 403, message: 'The store is suspended' }, { status: 403 })
  })
  const input = { data: { ...data }, amount: '12.5', currency_code: 'usd' }
  for (const call of [
    () => provider.initiatePayment(input),
    () => provider.updatePayment(input),
    () => provider.capturePayment({ data }),
    () => provider.cancelPayment({ data }),
    () => provider.deletePayment({ data }),
    () => provider.refundPayment(input),
  ]) {
    // Medusa responds to other errors with "An unknown error occurred."
    await assert.rejects(call, { type: 'not_allowed', message: 'Florin: The store is suspended' })
  }
})

test('a partial refund is refused before it is sent, and a full one is sent with a key', async (t) => {
  const { provider, sent } = createProvider('completed', t)
  await assert.rejects(
    provider.refundPayment({ data, amount: 12.49 }),
    /refund 12\.50 USD, not 12\.49/,
  )
  assert.deepEqual(
    sent.map(({ call }) => call),
    ['GET pay_1'],
  )
  const { data: refunded } = await provider.refundPayment({ data, amount: { value: '12.5' } })
  assert.equal(refunded?.refund_fee, '0.50')
  assert.equal(sent.at(-1)?.key, 'medusa-refund-pay_1')
})
