import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Logger } from '@vendure/core'
import { OrderPaymentStateError } from '@vendure/core/dist/common/error/generated-graphql-shop-errors'
import { FlorinService } from '../src/service.js'

const method = {
  code: 'florin',
  handler: {
    code: 'florin',
    args: [
      { name: 'baseUrl', value: 'http://localhost:1' },
      { name: 'apiKey', value: 'key' },
      { name: 'apiSecret', value: 'secret' },
    ],
  },
}
const ctx = { channel: { token: 'channel' } }
const order = {
  id: 1,
  code: 'A1',
  state: 'ArrangingPayment',
  totalWithTax: 1250,
  currencyCode: 'USD',
}
const payment = {
  payment_id: 'pay_1',
  status: 'pending',
  request_amount: { amount: '12.50', currency: 'USD' },
  payload: { vendure_order: 'A1', vendure_channel: 'channel' },
}

/** The states that can follow each state. Reserved is a state of the shop's own that accepts payments. */
const NEXT_STATES: Record<string, string[]> = {
  ArrangingPayment: ['PaymentAuthorized', 'PaymentSettled', 'AddingItems', 'Cancelled', 'Reserved'],
  Reserved: ['PaymentAuthorized', 'PaymentSettled', 'AddingItems'],
}

/** A service whose order is in this state, and whose Florin has one payment. Records the calls to Florin. */
function createService(
  { state, status = 'pending' }: { state: string; status?: string },
  t: { mock: typeof import('node:test').mock },
) {
  let publish = (_transition: object): void => {}
  const calls: string[] = []
  t.mock.method(globalThis, 'fetch', async (url: string | URL, { method: verb }: RequestInit) => {
    const { pathname } = new URL(url)
    calls.push(`${verb} ${pathname}`)
    const found = { ...payment, status }
    const isList = pathname === '/merchant/payments'
    const data = isList ? { payments: [found], next_cursor: null } : found
    return Response.json({ status: 200, message: '', data })
  })
  const service = Object.assign(new FlorinService(), {
    config: { entityOptions: { moneyStrategy: { precision: 2 } } },
    connection: {
      withTransaction: (_: object, run: (inner: object) => Promise<void>) => run(ctx),
      rawConnection: { options: { type: 'sqljs' } },
    },
    eventBus: { ofType: () => ({ subscribe: (listener: typeof publish) => (publish = listener) }) },
    methods: { getActivePaymentMethods: async () => [method] },
    orders: {
      findOne: async () => ({ ...order, state }),
      findOneByCode: async () => ({ ...order, state }),
      getOrderPayments: async () => [],
      getNextOrderStates: (current: { state: string }) => NEXT_STATES[current.state] ?? [],
      addPaymentToOrder: async () => new OrderPaymentStateError(),
    },
  } as object)
  service.onApplicationBootstrap()
  return { service, publish, calls }
}

test('a pending payment is expired when its order stops accepting payments', async (t) => {
  for (const fromState of ['ArrangingPayment', 'Reserved']) {
    for (const toState of ['AddingItems', 'Cancelled', 'PaymentSettled', 'PaymentAuthorized']) {
      const { publish, calls } = createService({ state: toState }, t)
      publish({ ctx, order, fromState, toState })
      for (let i = 0; i < 100 && calls.length < 2; i++) await new Promise(setImmediate)
      const expected = ['GET /merchant/payments', 'POST /merchant/payment/pay_1/expire']
      assert.deepEqual(calls, expected, `${fromState} to ${toState}`)
      t.mock.restoreAll()
    }
  }
})

test('a pending payment stays pending while its order accepts payments', async (t) => {
  const { publish, calls } = createService({ state: 'Reserved' }, t)
  publish({ ctx, order, fromState: 'ArrangingPayment', toState: 'Reserved' })
  for (let i = 0; i < 100; i++) await new Promise(setImmediate)
  assert.deepEqual(calls, [])
})

test('the payment that paid its order is left alone', async (t) => {
  const warn = t.mock.method(Logger, 'warn', () => {})
  const { publish, calls } = createService({ state: 'PaymentSettled', status: 'completed' }, t)
  publish({ ctx, order, fromState: 'ArrangingPayment', toState: 'PaymentSettled' })
  for (let i = 0; i < 100; i++) await new Promise(setImmediate)
  assert.deepEqual(calls, ['GET /merchant/payments'])
  assert.equal(warn.mock.callCount(), 0)
})

test('an error names the payment and the order that refused it', async (t) => {
  for (const state of ['ArrangingPayment', 'Reserved']) {
    const { service } = createService({ state, status: 'completed' }, t)
    const event = { type: 'payment.completed', data: { payment_id: 'pay_1' } }
    await assert.rejects(
      service.handleEvent(ctx as never, method as never, event as never),
      /pay_1 is paid, but order A1 refused it: ORDER_PAYMENT_STATE_ERROR/,
    )
    t.mock.restoreAll()
  }
})
