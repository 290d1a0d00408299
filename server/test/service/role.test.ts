import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { startReceiver } from '../setup/receiver.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
let api: Node
let loops: Node
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  t = await startTestService()
  api = await openNode(t, t.databaseUrl, { role: 'api' })
  loops = await openNode(t, t.databaseUrl, { role: 'loops' })
})
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await Promise.all([api.close(), loops.close()])
  await t.close()
})

describe('a node with the role api', () => {
  it('leaves webhooks and expiry to nodes with loops', async () => {
    const { sandbox } = await t.createStore()
    const receiver = await startReceiver()
    try {
      const body = { amount: 5, currency: 'USD', webhook_url: receiver.url }
      const create = () => api.call('POST', '/merchant/payment/create', sandbox, body)
      const { payment_id: paid } = (await create()).body.data
      const { payment_id: overdue } = (await create()).body.data
      expect((await api.call('POST', `/sandbox/payment/${paid}/pay`, sandbox)).status).toBe(200)
      await t.database.transaction((tx) =>
        tx.execute(
          `update payment
           set created_at = created_at - interval '1 day', expires_at = now() - interval '1 second'
           where payment_id = $1`,
          [overdue],
        ),
      )
      // Every loop does its work as soon as it is started, so a loop that this node must not run would have done it.
      stops.push(startLoops(api.service))
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(receiver.received).toEqual([])
      const [payment] = await t.database.query<{ status: string }>(
        'select status from payment where payment_id = $1',
        [overdue],
      )
      expect(payment!.status).toBe('pending')

      stops.push(startLoops(loops.service))
      await receiver.until(2)
      const delivered = receiver.received.map(({ body: text }) => JSON.parse(text) as Delivered)
      expect(delivered.map(({ type, data }) => `${type} ${data.payment_id}`).sort()).toEqual(
        [`payment.completed ${paid}`, `payment.expired ${overdue}`].sort(),
      )
    } finally {
      await receiver.close()
    }
  })
})

type Delivered = { type: string; data: { payment_id: string } }

describe('a node with the role loops', () => {
  it('serves health, readiness and metrics, but no payments, pages or operator calls', async () => {
    const { sandbox } = await t.createStore()
    expect((await loops.call('GET', '/health')).status).toBe(200)
    expect((await loops.call('GET', '/ready')).status).toBe(200)
    const created = await t.call('POST', '/operator/tokens', t.operator, {
      label: 'metrics',
      scopes: ['metrics'],
    })
    const operator = { authorization: `Bearer ${created.body.data.token}` }
    expect((await loops.call('GET', '/metrics', operator)).status).toBe(200)
    const body = { amount: 5, currency: 'USD' }
    for (const [method, path] of [
      ['POST', '/merchant/payment/create'],
      ['GET', '/till'],
      ['GET', '/operator/stores'],
    ] as const) {
      const headers = { ...sandbox, ...operator }
      const response = await loops.call(method, path, headers, method === 'POST' ? body : undefined)
      expect(response.status).toBe(404)
    }
  })
})
