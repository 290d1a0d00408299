import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type ListeningService, startListeningService } from '../hostile/rawService.ts'
import { checksum } from './checksum.ts'

let s: ListeningService
let slow: Awaited<ReturnType<typeof buildApp>>
let slowPort: number
beforeAll(async () => {
  s = await startListeningService()
  slow = await buildApp(s.t.service, { requestTimeoutMs: 300 })
  await slow.listen({ port: 0, host: '127.0.0.1' })
  slowPort = (slow.server.address() as AddressInfo).port
})
afterAll(async () => {
  await slow.close()
  await s.t.close()
})

const BODY = '{"amount":10,"currency":"USD"}'
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
const SECOND_REQUEST = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const LENGTH = `content-length: ${BODY.length}`
const statusLinesOf = (response: string) => response.match(/HTTP\/1\.1 \d+/g) ?? []

/** A create with these header lines, then a second request that a proxy might treat as its body. */
function buildRequests(lines: string[], body: string): Buffer {
  const keys = Object.entries(s.live).map(([name, value]) => `${name}: ${value}`)
  const head = ['POST /merchant/payment/create HTTP/1.1', 'host: x', ...keys]
  const all = [...head, 'content-type: application/json', ...lines, '', body + SECOND_REQUEST]
  return Buffer.from(all.join('\r\n'), 'latin1')
}

describe('a request that two servers may parse differently', () => {
  const CHUNKED = 'transfer-encoding: chunked'
  it.each<[string, string[], string]>([
    ['a length and chunks', [LENGTH, CHUNKED], CHUNKS],
    ['chunks and a length', [CHUNKED, LENGTH], CHUNKS],
    ['a length of zero and chunks', ['content-length: 0', CHUNKED], CHUNKS],
    ['the same length twice', [LENGTH, LENGTH], BODY],
    ['two lengths', [LENGTH, 'content-length: 0'], BODY],
    ['lengths in one line', [`content-length: ${BODY.length}, ${BODY.length}`], BODY],
    ['a length with a sign', [`content-length: +${BODY.length}`], BODY],
    ['a length in hex', [`content-length: 0x${BODY.length.toString(16)}`], BODY],
    ['a length with a space in it', ['content-length: 3 0'], BODY],
    ['a length with a space before the colon', [`content-length : ${BODY.length}`], BODY],
    ['an encoding with a space before the colon', ['transfer-encoding : chunked', LENGTH], CHUNKS],
    ['an unknown encoding', ['transfer-encoding: xchunked'], CHUNKS],
    ['chunked that is not the last encoding', ['transfer-encoding: chunked, identity'], CHUNKS],
    ['chunked, and then another encoding', [CHUNKED, 'transfer-encoding: identity'], CHUNKS],
    ['an encoding in quotes', ['transfer-encoding: "chunked"'], CHUNKS],
    ['an encoding after a vertical tab', ['transfer-encoding: \x0bchunked'], CHUNKS],
    ['an encoding in a folded line', ['transfer-encoding:', ' chunked', LENGTH], CHUNKS],
    ['a name that begins with a space', [LENGTH, ' x-a: b'], BODY],
    ['a line without a colon', [LENGTH, 'x-a'], BODY],
    ['a bare line feed between lines', [`x-a: b\n${LENGTH}`], BODY],
    ['a bare carriage return between lines', [`x-a: b\r${LENGTH}`], BODY],
    ['a NUL in a name', [LENGTH, 'x\0a: b'], BODY],
    ['a chunk size with a prefix', [CHUNKED], `0x${CHUNKS}`],
    ['a chunk size with a sign', [CHUNKED], `+${CHUNKS}`],
    ['an invalid chunk size', [CHUNKED], `zz\r\n${CHUNKS}`],
    ['a chunk size that overflows', [CHUNKED], `${'f'.repeat(17)}\r\n${CHUNKS}`],
    ['a chunk size before a bare line feed', [CHUNKED], CHUNKS.replace('\r\n', '\n')],
    ['a chunk extension with a line feed', [CHUNKED], CHUNKS.replace('\r\n', ';a\nb\r\n')],
    ['a chunk longer than its size', [CHUNKED], CHUNKS.replace(BODY, `${BODY}xx`)],
  ])('%s is refused, and the rest is not parsed', async (_, lines, body) => {
    const before = await checksum(s.t.database)
    const response = await s.raw(buildRequests(lines, body))
    expect(statusLinesOf(response)).toEqual(['HTTP/1.1 400'])
    expect(response.toLowerCase()).toContain('connection: close')
    expect(response).toContain('nosniff')
    expect(await checksum(s.t.database)).toEqual(before)
  })

  it.each<[string, string]>([
    ['chunks with an extension', CHUNKS.replace('\r\n', ';name=value\r\n')],
    ['chunks with a trailer', CHUNKS.replace(/0\r\n\r\n$/, '0\r\napi-key: another\r\n\r\n')],
  ])('%s follow the standard: one request, and then the next', async (_, body) => {
    const response = await s.raw(buildRequests(['transfer-encoding: chunked'], body))
    expect(statusLinesOf(response)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('credentials in a trailer are ignored', async () => {
    const keys = Object.entries(s.live).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = 'POST /merchant/payment/create HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const response = await s.raw(head + type + CHUNKS.replace(/\r\n$/, `${keys.join('')}\r\n`))
    expect(statusLinesOf(response)).toEqual(['HTTP/1.1 401'])
  })
})

describe('a slow client', () => {
  /** Sends a few bytes at intervals until the server closes; returns the response, if any. */
  function drip(start: string, rest: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: slowPort, host: '127.0.0.1' })
      let response = ''
      const timer = setInterval(() => socket.write(rest), 50)
      socket.on('data', (chunk) => {
        response += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve(response)
      })
      setTimeout(() => {
        socket.destroy()
        reject(new Error(`The server did not close the connection, and sent ${response}`))
      }, 20_000).unref()
      if (start !== '') socket.write(start)
    })
  }
  const head = () =>
    `POST /merchant/payment/create HTTP/1.1\r\nhost: x\r\n${Object.entries(s.live)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}content-type: application/json\r\n`

  it('that stalls in a header, a body or a chunk is cut off with an error response', async () => {
    const before = await checksum(s.t.database)
    const responses = await Promise.all([
      drip('', ''),
      drip('POST', ''),
      drip(`${head()}x-slow: `, 'x'),
      drip(`${head()}content-length: 5000\r\n\r\n`, ' '),
      drip(`${head()}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
    ])
    for (const response of responses) expect(statusLinesOf(response)).toEqual(['HTTP/1.1 408'])
    expect(await checksum(s.t.database)).toEqual(before)
    const alive = await fetch(`http://127.0.0.1:${slowPort}/health`)
    expect(alive.status).toBe(200)
  })

  it('that goes on sending its body after a refusal is cut off too', async () => {
    const socket = connect({ port: slowPort, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    socket.write(
      'POST /merchant/payment/create HTTP/1.1\r\nhost: x\r\ncontent-length: 99999\r\n\r\n',
    )
    const timer = setInterval(() => socket.write(' '), 50)
    try {
      expect(statusLinesOf(await text(socket))).toEqual(['HTTP/1.1 401'])
      await closed
    } finally {
      clearInterval(timer)
      socket.destroy()
    }
  })

  it('has 30 seconds in production', () => {
    const { requestTimeout, headersTimeout } = s.t.app.server
    expect([requestTimeout, headersTimeout]).toEqual([30_000, 30_000])
  })
})

describe('an oversized request', () => {
  const send = (line: string, headers = '') =>
    s.raw(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`)
  const names = Array.from({ length: 3_000 }, (_, n) => n.toString(36)).join('&')
  it.each<[string, string, () => Promise<string>]>([
    ['20 kB of path', '431', () => send(`GET /${'a'.repeat(20_000)}`)],
    ['5,000 folders', '404', () => send(`GET ${'/a'.repeat(5_000)}`)],
    ['5,000 parent folders', '404', () => send(`GET ${'/..'.repeat(5_000)}`)],
    ['3,000 names in a query', '200', () => send(`GET /health?${names}`)],
    ['one name 3,000 times', '404', () => send(`GET /pay/x?${'lang&'.repeat(3_000)}`)],
    ['20 kB of header', '431', () => send('GET /health', `x-a: ${'a'.repeat(20_000)}\r\n`)],
    ['20 kB of a name', '431', () => send('GET /health', `${'a'.repeat(20_000)}: x\r\n`)],
    ['3,000 headers', '200', () => send('GET /health', 'a:\r\n'.repeat(3_000))],
    ['20,000 headers', '431', () => send('GET /health', 'a:\r\n'.repeat(20_000))],
    [
      '3,000 cookies',
      '401',
      () => send('GET /store/session', `cookie: ${'a=b; '.repeat(3_000)}\r\n`),
    ],
    [
      '12 kB of one cookie',
      '401',
      () => send('GET /store/session', `cookie: __Host-florin_person=${'a'.repeat(12_000)}\r\n`),
    ],
    [
      '3,000 languages',
      '200',
      () => send('GET /wallet', `accept-language: ${'en,'.repeat(3_000)}\r\n`),
    ],
    [
      '3,000 codings',
      '200',
      () => send('GET /docs', `accept-encoding: ${'br,'.repeat(3_000)}\r\n`),
    ],
    [
      '3,000 proxies',
      '401',
      () => send('GET /merchant/store', `x-forwarded-for: ${'1,'.repeat(3_000)}\r\n`),
    ],
    [
      '12 kB of bearer token',
      '401',
      () => send('GET /operator/stores', `authorization: Bearer ${'a'.repeat(12_000)}\r\n`),
    ],
  ])('with %s is answered with %s', async (_, status, request) => {
    expect(statusLinesOf(await request())).toEqual([`HTTP/1.1 ${status}`])
  })
})
