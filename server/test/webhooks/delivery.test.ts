import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'
import { eventually, pause } from './shop.ts'

let t: TestService
let stop: () => Promise<void>
let shop: TestStore
let secret: string
let receiver: Receiver
beforeAll(async () => {
  t = await startTestService()
  stop = startLoops(t.service)
  shop = await t.createStore({ feeBps: 100 })
  const path = `/operator/stores/${shop.store.storeId}/credentials`
  const issued = await t.call('POST', path, t.operator, { mode: 'sandbox' })
  secret = issued.body.data.webhook_secret
  await t.fund(shop.store, 'sandbox', '100')
})
afterAll(async () => {
  await stop()
  await t.close()
})
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.close()
})

const create = (body: Record<string, unknown> = {}) =>
  t.createPayment(shop.sandbox, { webhook_url: receiver.url, ...body })
const pay = (id: string, body: Record<string, unknown> = {}) =>
  t.call('POST', `/sandbox/payment/${id}/pay`, shop.sandbox, body)
const readDetails = async (id: string) =>
  (await t.call('GET', `/merchant/payment/${id}`, shop.sandbox)).body.data
const readWebhooks = async (id: string) =>
  (await t.call('GET', `/merchant/payment/${id}/webhooks`, shop.sandbox)).body.data.events

describe('each outcome is delivered once, signed, with the payment as it was at that moment', () => {
  const expire = (id: string) => t.call('POST', `/sandbox/payment/${id}/expire`, shop.sandbox)
  it.each([
    ['completed', pay],
    ['failed', (id: string) => pay(id, { outcome: 'insufficient_balance' })],
    ['expired', expire],
  ])('%s', async (status, act) => {
    const { payment_id } = await create({ reference_id: `order-${status}` })
    const onCommit = vi.spyOn(t.service.dispatcher, 'onCommit')
    await act(payment_id)
    const [call] = await receiver.until(1)
    // The commit passes the event on to be sent. It does not wait for a poll.
    const held = onCommit.mock.calls.flatMap(([written]) => written.held)
    expect(held.map(({ paymentId }) => paymentId)).toEqual([payment_id])
    const event = new Webhook(secret).verify(call!.body, call!.headers) as Record<string, unknown>
    expect(Object.keys(event)).toEqual(['type', 'sequence', 'timestamp', 'data'])
    expect(event).toMatchObject({
      type: `payment.${status}`,
      sequence: 1,
      data: { payment_id, status },
    })
    const now = await eventually(async () => {
      const data = await readDetails(payment_id)
      expect(data.webhook.called_at).not.toBeNull()
      return data
    })
    expect(now.webhook).toMatchObject({
      url: receiver.url,
      response: { status_code: 200, body: 'ok' },
    })
    expect(event.data).toEqual({
      ...now,
      webhook: { url: receiver.url, called_at: null, response: null },
    })
    expect(call!.headers['content-type']).toBe('application/json')
    expect(await readWebhooks(payment_id)).toMatchObject([
      { state: 'delivered', attempts: [{ status_code: 200 }] },
    ])
  })
})

it('the refund is the second event, with its own id', async () => {
  const { payment_id } = await create()
  await pay(payment_id)
  await t.call('POST', `/merchant/payment/${payment_id}/refund`, shop.sandbox)
  const calls = await receiver.until(2)
  const bodies = calls.map((call) => JSON.parse(call.body))
  expect(bodies.map((body) => [body.type, body.sequence, body.data.status])).toEqual([
    ['payment.completed', 1, 'completed'],
    ['payment.refunded', 2, 'refunded'],
  ])
  expect(new Set(calls.map((call) => call.headers['webhook-id'])).size).toBe(2)
})

it('the refund event waits for the response to the settlement event', async () => {
  const respond: (() => void)[] = []
  receiver.respondWith((_request, response) => respond.push(() => response.end('late')))
  const { payment_id } = await create()
  await pay(payment_id)
  await receiver.until(1)
  await t.call('POST', `/merchant/payment/${payment_id}/refund`, shop.sandbox)
  t.service.dispatcher.wake()
  await pause(200)
  expect(receiver.received).toHaveLength(1)
  receiver.respondWith((_request, response) => response.end('ok'))
  for (const send of respond) send()
  const calls = await receiver.until(2)
  expect(calls.map((call) => JSON.parse(call.body).sequence)).toEqual([1, 2])
})

it('the event of a payment without a webhook URL is stored but not sent', async () => {
  const { payment_id } = await t.createPayment(shop.sandbox)
  await pay(payment_id)
  expect(await readWebhooks(payment_id)).toMatchObject([
    { state: 'not_wanted', url: null, attempts: [] },
  ])
})
