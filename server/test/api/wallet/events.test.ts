import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openNode } from '../../setup/anotherNode.ts'
import { pay, refund } from '../../setup/merchantCalls.ts'
import { createOperator } from '../../setup/operators.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let port: number
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  await t.fund(shop.store, 'live', '100.00')
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})
afterAll(() => t.close())

type Stream = { status: number; events: () => number; ended: Promise<void> }

/** Opens the stream of a wallet. Resolves after the headers. */
const listen = (headers: TestWallet['headers'], at = port, method = 'GET'): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const options = { port: at, host: '127.0.0.1', path: '/wallet/events', method, headers }
    const call = request(options, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (received += chunk))
      const ended = new Promise<void>((end) => response.on('end', end))
      const events = () => received.match(/^data: changed$/gm)?.length ?? 0
      resolve({ status: response.statusCode!, events, ended })
    })
    call.on('error', reject)
    call.end()
  })

const topUp = ({ wallet }: TestWallet, amount: string, operator = t.operator) =>
  t.call('POST', `/operator/wallets/${wallet.publicId}/top-up`, operator, {
    currency: 'USD',
    amount,
  })

it('notifies the pages of a wallet, and only those, that its money moved', async () => {
  const [payer, other] = [await t.createWallet({ balance: '50' }), await t.createWallet()]
  const streams = [await listen(payer.headers), await listen(payer.headers)]
  const unrelated = await listen(other.headers)
  const { payment_id, qr_code } = await t.createPayment(shop.live)
  const all = () => streams.map(({ events }) => events())
  await pay(t, payer, qr_code)
  await expect.poll(all).toEqual([1, 1])
  await refund(t, shop.live, payment_id)
  await expect.poll(all).toEqual([2, 2])
  await topUp(payer, '5')
  await expect.poll(all).toEqual([3, 3])
  expect(unrelated.events()).toBe(0)
})

it('notifies pages on another node', async () => {
  const payer = await t.createWallet({ balance: '50' })
  const node = await openNode(t)
  node.service.channel.start()
  await vi.waitFor(() => expect(node.service.channel.isOpen()).toBe(true), 20_000)
  const stream = await listen(payer.headers, await node.listen())
  const { qr_code } = await t.createPayment(shop.live)
  await pay(t, payer, qr_code)
  await expect.poll(stream.events).toBe(1)
  await topUp(payer, '5')
  await expect.poll(stream.events).toBe(2)
  node.service.beginStop()
  await stream.ended
  await node.service.channel.stop()
  await node.close()
})

it('needs a session, and accepts only GET', async () => {
  expect((await listen({})).status).toBe(401)
  const { headers } = await t.createWallet()
  expect((await listen(headers, port, 'HEAD')).status).toBe(405)
})

it('ends at the first change after the session has ended, without a notification', async () => {
  const payer = await t.createWallet()
  const stream = await listen(payer.headers)
  expect((await t.call('DELETE', '/wallet/session', payer.headers)).status).toBe(200)
  await topUp(payer, '5')
  await stream.ended
  expect(stream.events()).toBe(0)
})

// The last test, because it stops the service to end the stream.
it('notifies a page of a top-up when it is approved, not when it is requested', async () => {
  const payer = await t.createWallet()
  const stream = await listen(payer.headers)
  const requester = await createOperator(t, 'finance')
  const approver = await createOperator(t, 'finance')
  const limit = { currency: 'USD', amount: '100' }
  await t.call('PUT', '/operator/approval-limits', t.operator, limit)
  const requested = await topUp(payer, '500', requester.headers)
  expect(requested.status).toBe(202)
  const url = `/operator/approvals/${requested.body.data.approval_id}`
  expect((await t.call('POST', url, approver.headers, { decision: 'approve' })).status).toBe(200)
  await expect.poll(stream.events).toBeGreaterThan(0)
  t.service.beginStop()
  await stream.ended
  expect(stream.events()).toBe(1)
})
