import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openNode } from '../../setup/anotherNode.ts'
import { refund, sandboxPay } from '../../setup/merchantCalls.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
let keys: Headers
let port: number
beforeEach(async () => {
  t = await startTestService()
  const shop = await t.createStore()
  await t.fund(shop.store, 'sandbox', '100.00')
  keys = shop.sandbox
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})
afterEach(() => t.close())

type Stream = { textSoFar: () => string; ended: Promise<void>; headers: Record<string, unknown> }

/** Opens the stream of a payment. Resolves after the headers. */
function listen(
  paymentId: string,
  method = 'GET',
  headers: Headers = {},
): Promise<Stream & { status: number; close: () => void }> {
  return new Promise((resolve, reject) => {
    const path = `/pay/${paymentId}/events`
    const call = request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      let textSoFar = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (textSoFar += chunk))
      const ended = new Promise<void>((end) => response.on('end', end))
      response.on('error', () => {})
      const { headers, statusCode: status } = response
      resolve({
        textSoFar: () => textSoFar,
        ended,
        headers,
        status: status!,
        close: () => response.destroy(),
      })
    })
    call.on('error', reject)
    call.end()
  })
}

const statusesOf = ({ textSoFar }: Stream) =>
  [...textSoFar().matchAll(/^data: (\w+)$/gm)].map((match) => match[1])

it('sends the current status and each change, and ends after a final one', async () => {
  const { payment_id } = await t.createPayment(keys)
  const stream = await listen(payment_id)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  await expect.poll(() => statusesOf(stream)).toEqual(['pending'])
  await sandboxPay(t, keys, payment_id)
  await expect.poll(() => statusesOf(stream)).toEqual(['pending', 'completed'])
  await refund(t, keys, payment_id)
  await stream.ended
  expect(statusesOf(stream)).toEqual(['pending', 'completed', 'refunded'])
})

it('serves many streams of one payment, without events of other payments', async () => {
  const [failing, other] = [await t.createPayment(keys), await t.createPayment(keys)]
  const streams = await Promise.all([1, 2, 3].map(() => listen(failing.payment_id)))
  const unrelated = await listen(other.payment_id)
  await sandboxPay(t, keys, failing.payment_id, 'error')
  await Promise.all(streams.map((stream) => stream.ended))
  for (const stream of streams) expect(statusesOf(stream).at(-1)).toBe('failed')
  await expect.poll(() => statusesOf(unrelated)).toEqual(['pending'])
})

it('ends when the service stops, without delaying it', async () => {
  const { payment_id } = await t.createPayment(keys)
  const streams = await Promise.all(Array.from({ length: 40 }, () => listen(payment_id)))
  await expect.poll(() => streams.every((stream) => statusesOf(stream).length === 1)).toBe(true)
  const startedMs = performance.now()
  t.service.beginStop()
  await Promise.all(streams.map((stream) => stream.ended))
  await t.app.close()
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})

it('ends when the server closes without notice', async () => {
  const { payment_id } = await t.createPayment(keys)
  const stream = await listen(payment_id)
  await t.app.close()
  await stream.ended
})

it('refuses HEAD, whose response would never end', async () => {
  const { payment_id } = await t.createPayment(keys)
  const head = await listen(payment_id, 'HEAD')
  expect([head.status, head.headers.allow]).toEqual([405, 'GET'])
})

it('does not start while another response on the same connection is open', async () => {
  const [first, second] = [await t.createPayment(keys), await t.createPayment(keys)]
  const socket = connect(port, '127.0.0.1')
  let textSoFar = ''
  socket.on('data', (chunk) => (textSoFar += chunk))
  const requestFor = (id: string) => `GET /pay/${id}/events HTTP/1.1\r\nhost: florin\r\n\r\n`
  socket.write(requestFor(first.payment_id) + requestFor(second.payment_id))
  await expect.poll(() => textSoFar).toContain('data: pending')
  // Long enough for the second request to be handled.
  await t.call('GET', `/pay/${second.payment_id}/state`)
  await sandboxPay(t, keys, second.payment_id, 'error')
  await sandboxPay(t, keys, first.payment_id, 'error')
  await expect.poll(() => textSoFar).toContain('data: failed')
  expect(textSoFar.match(/text\/event-stream/g)).toHaveLength(1)
  socket.destroy()
})

it('is limited per payment, and further pages can poll the state', async () => {
  const { payment_id } = await t.createPayment(keys)
  const streams = await Promise.all(Array.from({ length: 101 }, () => listen(payment_id)))
  const refused = streams.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
    [503, '1'],
  ])
  expect((await t.call('GET', `/pay/${payment_id}/state`)).status).toBe(200)
  // A closed page frees its slot.
  streams.find(({ status }) => status === 200)!.close()
  await expect.poll(async () => (await listen(payment_id)).status).toBe(200)
})

it('is limited per IP address, or per client behind a trusted proxy', async () => {
  const payments = await Promise.all([1, 2, 3].map(() => t.createPayment(keys)))
  const open = (n: number) => listen(payments[n % payments.length]!.payment_id)
  const streams = await Promise.all(Array.from({ length: 201 }, (_, n) => open(n)))
  expect(streams.filter(({ status }) => status === 503)).toHaveLength(1)

  const behindProxy = await openNode(t, t.databaseUrl, { trustedProxies: 1 })
  try {
    port = await behindProxy.listen()
    const from = (address: string, n: number) =>
      listen(payments[n % payments.length]!.payment_id, 'GET', { 'x-forwarded-for': address })
    const streamsOfClient = await Promise.all(
      Array.from({ length: 201 }, (_, n) => from('203.0.113.1', n)),
    )
    expect(streamsOfClient.filter(({ status }) => status === 503)).toHaveLength(1)
    expect((await from('203.0.113.2', 0)).status).toBe(200)
  } finally {
    await behindProxy.close()
  }
})
