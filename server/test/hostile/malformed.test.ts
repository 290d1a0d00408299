import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECURITY_HEADERS } from '../../src/api/kit/http/securityHeaders.ts'
import {
  expectNoLeak,
  expectParserRefusal,
  expectRefusal,
  type ListeningService,
  parseResponse,
  startListeningService,
} from './rawService.ts'

let s: ListeningService
beforeAll(async () => {
  s = await startListeningService()
})
afterAll(() => s.t.close())

/** The server closes the connection after the response to this request. */
const LAST_REQUEST = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

const expectAlive = async () =>
  expect((await s.send('GET', '/merchant/store', s.live)).status).toBe(200)

describe('malformed and unusual requests', () => {
  it.each<[string, string | Buffer]>([
    ['words', 'hello\r\n\r\n'],
    ['an unknown method', 'FLORIN / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a future version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['no path', 'GET  HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['zeros', Buffer.alloc(1000)],
    ['random bytes', Buffer.from('fffe00d8b1c2e5f4000102030405', 'hex')],
  ])('%s: refused by the parser', async (_, bytes) => {
    const response = await s.raw(bytes)
    expectParserRefusal(response, 400)
    await expectAlive()
  })

  it.each<[string, string, number, string]>([
    ['no host', 'GET /health HTTP/1.1\r\n', 400, 'The Host header is required'],
    [
      'no host, on a path that needs API keys',
      'GET /merchant/store HTTP/1.1\r\n',
      400,
      'The Host header is required',
    ],
    [
      'two hosts',
      'GET /health HTTP/1.1\r\nhost: x\r\nHost: y\r\n',
      400,
      'The Host header must not be repeated',
    ],
    [
      'an unknown expectation',
      'GET /health HTTP/1.1\r\nhost: x\r\nexpect: payment\r\n',
      417,
      'The only supported Expect header is 100-continue',
    ],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n', 405, 'Method not allowed'],
  ])('%s is refused in JSON, with the security headers', async (_, head, status, message) => {
    const response = parseResponse(await s.raw(`${head}connection: close\r\n\r\n`))
    expectRefusal(response, status)
    expect(JSON.parse(response.text)).toEqual({ status, message })
    expect(response.headers).toMatchObject(SECURITY_HEADERS)
    await expectAlive()
  })

  it('a CONNECT whose connection is reset does not crash the process', async () => {
    const { port } = s.t.app.server.address() as AddressInfo
    for (let n = 0; n < 20; n++) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n')
          setTimeout(() => socket.resetAndDestroy(), n % 4)
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    }
    await expectAlive()
  })

  it('HTTP/1.0 needs no host', async () => {
    expect(parseResponse(await s.raw('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it.each(['TRACE', 'PROPFIND', 'M-SEARCH'])('%s is not a supported method', async (method) => {
    const response = parseResponse(
      await s.raw(`${method} /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
    )
    expectRefusal(response, 404, 405)
    expect(response.headers).toMatchObject(SECURITY_HEADERS)
  })

  it.each(['GET', 'POST', 'OPTIONS'])('%s of an unusual target is refused', async (method) => {
    for (const target of [
      'http://other.example/merchant/store',
      '*',
      'http://',
      '/\\merchant/store',
    ]) {
      const response = parseResponse(
        await s.raw(
          `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
        ),
      )
      expectNoLeak(response.text)
      expect([400, 401, 404, 405]).toContain(response.status)
    }
  })

  it('an upgrade request is treated like any other', async () => {
    const upgrade =
      'GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    expect(parseResponse(await s.raw(upgrade, { silenceMs: 300 })).status).toBe(200)
  })

  it('a hundred pipelined requests get a hundred responses', async () => {
    const request = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'
    const response = await s.raw(request.repeat(99) + LAST_REQUEST)
    expect(response.match(/HTTP\/1\.1 200/g)).toHaveLength(100)
  })
})
