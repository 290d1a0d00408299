import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AttemptOutcome } from '../../src/core/webhook.ts'
import { startLoops } from '../../src/loops.ts'
import { createPoster, type Poster } from '../../src/webhooks/post.ts'
import { startTestService } from '../setup/testService.ts'

/** The timeout of attempts that must not time out, even on a busy machine. */
const TIMEOUT_MS = 15_000
/** The timeout of attempts that must time out. Shorter, to save time. */
const SHORT_TIMEOUT_MS = 500
/** Tolerance for a busy machine. The error says which limit applied. */
const TOLERANCE_MS = 10_000
const CONCURRENCY = 8
const MAX_GROWTH_BYTES = 50 * 2 ** 20

const folder = mkdtempSync(join(tmpdir(), 'florin-poison-'))
let receivers: ChildProcess
let ports: { port: number; tlsPort: number | null }
let poster: Poster
let shortTimeoutPoster: Poster
let baselineBytes = 0
let peakGrowthBytes = 0
let sampling: NodeJS.Timeout
beforeAll(async () => {
  receivers = spawn(
    process.execPath,
    [fileURLToPath(new URL('poisonReceivers.mjs', import.meta.url)), ...createCertificate()],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const [line] = await once(receivers.stdout!, 'data')
  ports = JSON.parse(String(line))
  const rules = { allowPrivate: true, allowedPorts: new Set<number>() }
  poster = createPoster(rules, { connectionsPerHost: 32, timeoutMs: TIMEOUT_MS })
  shortTimeoutPoster = createPoster(rules, { connectionsPerHost: 32, timeoutMs: SHORT_TIMEOUT_MS })
  // Warm up first, so that memory of normal operation doesn't count.
  for (let n = 0; n < 3_000; n += 30) {
    await Promise.all(Array.from({ length: 30 }, () => call('fine')))
  }
  baselineBytes = process.memoryUsage.rss()
  sampling = setInterval(() => {
    peakGrowthBytes = Math.max(peakGrowthBytes, process.memoryUsage.rss() - baselineBytes)
  }, 20)
})
afterAll(async () => {
  clearInterval(sampling)
  await Promise.all([poster.close(), shortTimeoutPoster.close()])
  receivers.stdin!.end()
  await once(receivers, 'exit')
  rmSync(folder, { recursive: true })
})

/** Creates a key and a self-signed certificate for the address, and returns their files. Empty if openssl is missing. */
function createCertificate(): string[] {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const make = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ')
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  try {
    execFileSync('openssl', [...make, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return [key, cert]
  } catch (error) {
    console.warn(`bad TLS is not tested: no certificate could be created (${error})`)
    return []
  }
}

const post = (url: string, sender = poster) =>
  sender.post({ url, body: '{"type":"payment.completed"}', headers: { 'webhook-id': 'evt_1' } })
const call = (name: string, sender = poster) =>
  post(`http://127.0.0.1:${ports.port}/${name}`, sender)

const TIMED_OUT = `no complete response within ${SHORT_TIMEOUT_MS / 1000} seconds`
const CLOSED = 'the connection was closed before the response was complete'
/** The first bytes of gzip data that was not decompressed. */
const PACKED = new RegExp(`^${String.fromCharCode(0x1f, 0xfffd, 8)}`)
const TOO_LARGE = 'the response headers are too large'

describe('every attempt ends in time and reports what happened', () => {
  it.each<[string, { error: string | RegExp } | { status: number; responseBody: string | RegExp }]>(
    [
      ['gigabyte', { status: 200, responseBody: /^x{4096}$/ }],
      ['endless', { status: 200, responseBody: /^x{4096}$/ }],
      ['endlessChunks', { status: 200, responseBody: /^x{4096}$/ }],
      ['drip', { error: TIMED_OUT }],
      ['dripHeaders', { error: TIMED_OUT }],
      ['silent', { error: TIMED_OUT }],
      ['manyHeaders', { error: TOO_LARGE }],
      ['endlessHeaders', { error: TOO_LARGE }],
      ['endlessHeader', { error: TOO_LARGE }],
      ['endlessReason', { error: 'the response is too large' }],
      ['endlessInfo', { error: 'the response is too large' }],
      ['dripInfo', { error: TIMED_OUT }],
      ['endlessExtension', { error: 'the response is too large' }],
      ['endlessTrailers', { error: TOO_LARGE }],
      ['half', { error: CLOSED }],
      ['closed', { error: CLOSED }],
      ['reset', { error: CLOSED }],
      ['garbage', { error: 'the response is not HTTP' }],
      ['twoLengths', { error: 'the response does not match its Content-Length' }],
      ['switch', { error: CLOSED }],
      ['redirect', { status: 302, responseBody: '' }],
      ['gzip', { status: 200, responseBody: PACKED }],
      [
        'binary',
        { status: 200, responseBody: 'a\ufffd\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffdb\ufffd' },
      ],
      ['cutCharacter', { status: 200, responseBody: `${'x'.repeat(4094)}\ufffd` }],
    ],
  )('%s', async (name, expected) => {
    const mustTimeOut = 'error' in expected && expected.error === TIMED_OUT
    const sender = mustTimeOut ? shortTimeoutPoster : poster
    const calls = Array.from({ length: CONCURRENCY }, () => call(name, sender))
    const outcomes = await Promise.all(calls)
    for (const outcome of outcomes) {
      expect(outcome.durationMs).toBeLessThan(TIMEOUT_MS + TOLERANCE_MS)
      if ('error' in expected) {
        expect(outcome).toMatchObject({ statusCode: null, responseBody: null })
        expect(outcome.error).toMatch(patternOf(expected.error))
      } else {
        expect(outcome).toMatchObject({ statusCode: expected.status, error: null })
        expect(outcome.responseBody).toMatch(patternOf(expected.responseBody))
        expect(outcome.responseBody!.length).toBeLessThanOrEqual(4096)
      }
    }
  })
  const patternOf = (text: string | RegExp) =>
    typeof text === 'string' ? new RegExp(`^${text.replace(/[()]/g, '\\$&')}$`) : text

  it('a self-signed certificate', async ({ skip }) => {
    if (ports.tlsPort === null) return skip('no certificate could be created')
    for (const host of ['127.0.0.1', 'localhost']) {
      const { statusCode, error } = await post(`https://${host}:${ports.tlsPort}/fine`)
      expect(statusCode).toBeNull()
      expect(error).toMatch(/^the certificate is not trusted: self-signed certificate/)
    }
  })

  it('https to a port that speaks http', async () => {
    const { port } = await startTcpServer((socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    )
    const outcome = await post(`https://127.0.0.1:${port}/`)
    expect(outcome).toMatchObject({ statusCode: null, error: 'the TLS connection failed' })
  })

  it('https to a port that never responds to the handshake', async () => {
    const outcome = await post(`https://127.0.0.1:${ports.port}/silent`, shortTimeoutPoster)
    expect(outcome.error).toBe(TIMED_OUT)
    expect(outcome.durationMs).toBeLessThan(SHORT_TIMEOUT_MS + TOLERANCE_MS)
  })

  it('a closed port', async () => {
    const { port, close } = await startTcpServer(() => {})
    await close()
    expect((await post(`http://127.0.0.1:${port}/`)).error).toBe('the connection was refused')
  })

  it('a name server that never responds', async () => {
    const waiting = createPoster(
      { allowPrivate: false, allowedPorts: new Set([443]) },
      { connectionsPerHost: 1, timeoutMs: 500, resolve: () => new Promise(() => {}) },
    )
    const outcomes = await Promise.all([1, 2, 3].map(() => post('https://slow.example/', waiting)))
    for (const { error, durationMs } of outcomes) {
      expect(error).toBe('no complete response within 0.5 seconds')
      expect(durationMs).toBeLessThan(500 + TOLERANCE_MS)
    }
    await waiting.close()
  })

  it('attempts that wait for a connection also end in time, and are not sent later', async () => {
    const single = createPoster(
      { allowPrivate: true, allowedPorts: new Set() },
      { connectionsPerHost: 1, timeoutMs: 600 },
    )
    let hasFirstEnded = false
    const sent: ('during the first' | 'after the first')[] = []
    const { port } = await startTcpServer((socket) => {
      socket.on('data', () => sent.push(hasFirstEnded ? 'after the first' : 'during the first'))
    })
    const url = `http://127.0.0.1:${port}/`
    const first = post(url, single).finally(() => {
      hasFirstEnded = true
    })
    const others = [2, 3, 4].map(() => post(url, single))
    const outcomes = await Promise.all([first, ...others])
    const sentInTime = [...sent]
    for (const { error, durationMs } of outcomes) {
      expect(error).toBe('no complete response within 0.6 seconds')
      expect(durationMs).toBeLessThan(600 + TOLERANCE_MS)
    }
    // The others were posted a little later, so the next one may still be sent before it times out.
    expect(sentInTime.filter((time) => time === 'during the first')).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toEqual(sentInTime)
    await single.close()
  })

  it('the poster still works afterwards, and memory has grown by less than 50 MiB', async () => {
    expect(await call('fine')).toMatchObject({ statusCode: 200, responseBody: 'ok' })
    console.log(`memory grew by at most ${Math.round(peakGrowthBytes / 2 ** 20)} MiB`)
    expect(peakGrowthBytes).toBeLessThan(MAX_GROWTH_BYTES)
  })
})

async function startTcpServer(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as { port: number }
  return { port, close: () => new Promise((resolve) => server.close(resolve)) }
}

it('outcomes are stored, and shown in the details and in the events', async () => {
  const t = await startTestService()
  const shop = await t.createStore()
  const stop = startLoops(t.service)
  const attemptAt = async (name: string) => {
    const webhook_url = `http://127.0.0.1:${ports.port}/${name}`
    const { payment_id } = await t.createPayment(shop.sandbox, { webhook_url })
    await t.call('POST', `/sandbox/payment/${payment_id}/pay`, shop.sandbox, {})
    const path = `/merchant/payment/${payment_id}`
    return vi.waitFor(
      async () => {
        const { body } = await t.call('GET', path, shop.sandbox)
        expect(body.data.webhook.called_at).not.toBeNull()
        const events = await t.call('GET', `${path}/webhooks`, shop.sandbox)
        return { response: body.data.webhook.response, event: events.body.data.events[0] }
      },
      { timeout: 20_000, interval: 20 },
    )
  }
  const outcomes: [string, Partial<AttemptOutcome>, string][] = [
    [
      'binary',
      { statusCode: 200, responseBody: 'a\ufffd\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffdb\ufffd' },
      'delivered',
    ],
    ['gigabyte', { statusCode: 200, responseBody: 'x'.repeat(4096) }, 'delivered'],
    ['gzip', { statusCode: 200, responseBody: expect.stringMatching(PACKED) }, 'delivered'],
    ['redirect', { statusCode: 302, responseBody: '' }, 'waiting'],
    ['manyHeaders', { error: TOO_LARGE }, 'waiting'],
    ['garbage', { error: 'the response is not HTTP' }, 'waiting'],
    ['closed', { error: CLOSED }, 'waiting'],
  ]
  for (const [name, { statusCode = null, error = null, responseBody = null }, state] of outcomes) {
    const { response, event } = await attemptAt(name)
    expect(response).toEqual(error ? { error } : { status_code: statusCode, body: responseBody })
    expect(event).toMatchObject({
      state,
      next_attempt_at: state === 'waiting' ? expect.any(String) : null,
    })
    expect(event.attempts).toEqual([
      {
        at: expect.any(String),
        duration_ms: expect.any(Number),
        status_code: statusCode,
        error,
        body: responseBody,
      },
    ])
  }
  await stop()
  await t.close()
})
