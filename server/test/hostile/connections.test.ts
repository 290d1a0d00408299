import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEventStreams } from '../../src/api/kit/http/streams.ts'
import { createHttpServer } from '../../src/httpServer.ts'
import { type ListeningService, startListeningService } from './rawService.ts'

const SEND_TIMEOUT_MS = 1_000
/** More than the kernel buffers for a client that doesn't read. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'a')

let s: ListeningService
let app: ReturnType<typeof createHttpServer>
let sockets: Socket[] = []
let handled = 0
let concurrent = 0
let maxConcurrent = 0
let releasedStreams = 0
beforeAll(async () => {
  s = await startListeningService()
  app = createHttpServer(s.t.service, { sendTimeoutMs: SEND_TIMEOUT_MS })
  app.get('/counted', async () => {
    handled++
    maxConcurrent = Math.max(maxConcurrent, ++concurrent)
    await sleep(1)
    concurrent--
    return 'ok'
  })
  app.get('/large', async () => LARGE)
  app.get('/late', async () => {
    await sleep(3 * SEND_TIMEOUT_MS)
    return LARGE
  })
  const streams = createEventStreams(app, s.t.service)
  app.get('/stream', async (_request, reply) => {
    streams.open(reply, {
      watch: () => () => {},
      onWake: () => {},
      onHeartbeat: ({ send }) => send(LARGE.toString()),
      release: () => releasedStreams++,
    })
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  handled = 0
  maxConcurrent = 0
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets = []
})
afterAll(async () => {
  await app.close()
  await s.t.close()
})

/** Sends requests. Returns the connection on both sides; the client reads nothing until `data` has a listener. */
async function send(path: string, count = 1) {
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  // The server may close while the client still writes.
  client.on('error', () => {})
  sockets.push(client)
  client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(count))
  return { client, accepted: await accepted }
}

it('a connection with more than a hundred outstanding requests is closed', async () => {
  const { client, accepted } = await send('/counted', 1_444)
  client.resume()
  await expect.poll(() => accepted.destroyed).toBe(true)
  // Long enough for handlers that are still waiting.
  await sleep(50)
  expect(handled).toBeLessThanOrEqual(100)
})

it('pipelined requests are handled one after another', async () => {
  const { client } = await send('/counted', 100)
  let received = ''
  client.on('data', (chunk) => (received += chunk))
  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)).toHaveLength(100)
  expect([handled, maxConcurrent]).toEqual([100, 1])
  // The connection has no outstanding requests now.
  client.write('GET /counted HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100))
  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)).toHaveLength(200)
})

it('a client that does not read its response is disconnected', async () => {
  const { accepted } = await send('/large')
  await expect.poll(() => accepted.destroyed).toBe(true)
})

it('a handler may take longer than the send timeout, which then limits its response', async () => {
  const [reading, silent] = [await send('/late'), await send('/late')]
  let length = 0
  reading.client.on('data', (chunk) => (length += chunk.length))
  await expect.poll(() => length).toBeGreaterThan(LARGE.length)
  await expect.poll(() => silent.accepted.destroyed).toBe(true)
  // An idle connection stays open.
  expect(reading.accepted.destroyed).toBe(false)
})

it('a client that does not read its event stream is disconnected', async () => {
  const { accepted } = await send('/stream')
  await expect.poll(() => accepted.destroyed).toBe(true)
  await expect.poll(() => releasedStreams).toBe(1)
})

it('the send timeout is 60 seconds in production', () => {
  expect(s.t.app.server.timeout).toBe(60_000)
})
