import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const BODY = '{"amount":10,"currency":"USD"}'

type Line = readonly [name: string, value: string]
/** A request that creates a payment, with only these header lines, host and connection. */
function createRequest(lines: readonly Line[], body = BODY, close = true): string {
  return [
    'POST /merchant/payment/create HTTP/1.1',
    'host: x',
    ...(close ? ['connection: close'] : []),
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}
const keys = (): Line[] => Object.entries(s.live) as Line[]
const JSON_TYPE: Line = ['content-type', 'application/json']
const LENGTH: Line = ['content-length', String(BODY.length)]

const expectAlive = async () =>
  expect((await s.send('GET', '/merchant/store', s.live)).status).toBe(200)

describe('duplicate headers', () => {
  it('one of each is accepted', async () => {
    const response = parseResponse(await s.raw(createRequest([...keys(), JSON_TYPE, LENGTH])))
    expect(response.status).toBe(200)
  })

  it.each<[string, () => Line[], number]>([
    ['api-key', () => [...keys(), ['api-key', s.live['api-key']!]], 401],
    ['api-secret', () => [...keys(), ['api-secret', s.live['api-secret']!]], 401],
    ['another api-key first', () => [['api-key', s.sandbox['api-key']!], ...keys()], 401],
    ['an empty api-key first', () => [['api-key', ''], ...keys()], 401],
    [
      'api-secret of the other mode',
      () => [...keys(), ['api-secret', s.sandbox['api-secret']!]],
      401,
    ],
    ['idempotency-key', () => [...keys(), ['idempotency-key', 'a'], ['idempotency-key', 'a']], 400],
  ])('%s: refused, and nothing is stored', async (_, lines, status) => {
    const before = await s.countRows()
    const response = parseResponse(await s.raw(createRequest([...lines(), JSON_TYPE, LENGTH])))
    expectRefusal(response, status)
    expect(await s.countRows()).toEqual(before)
  })

  it('content-type: the first is used', async () => {
    const other: Line = ['content-type', 'text/plain']
    const right = parseResponse(await s.raw(createRequest([...keys(), JSON_TYPE, other, LENGTH])))
    expect(right.status).toBe(200)
    const before = await s.countRows()
    expectRefusal(
      parseResponse(await s.raw(createRequest([...keys(), other, JSON_TYPE, LENGTH]))),
      415,
    )
    expect(await s.countRows()).toEqual(before)
  })

  it('authorization: the first is used, a second is ignored', async () => {
    const { authorization } = s.t.operator
    const send = (...values: string[]) =>
      s.raw(
        `GET /operator/rates HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${values
          .map((value) => `authorization: ${value}\r\n`)
          .join('')}\r\n`,
      )
    expectRefusal(parseResponse(await send('Bearer wrong', authorization!)), 401)
    expect(parseResponse(await send(authorization!, 'Bearer wrong')).status).toBe(200)
  })
})

describe('header values', () => {
  it.each([
    ['latin1', 'flk_\xe9'],
    ['long', 'k'.repeat(5000)],
    ['spaces', '   '],
    ['sql', "' or '1'='1"],
  ])('an invalid api-key is refused: %s', async (_, value) => {
    const lines: Line[] = [['api-key', value], ['api-secret', value], JSON_TYPE, LENGTH]
    expectRefusal(parseResponse(await s.raw(Buffer.from(createRequest(lines), 'latin1'))), 401)
  })

  it('that are unusual are accepted, and the x-request-id of the client is not used', async () => {
    const odd: Line[] = [
      ['accept-language', `${'fr;q=0.5,'.repeat(500)}*`],
      ['accept', 'application/xml;q=1'],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-for', '127.0.0.1'],
      ['x-request-id', 'mine'],
      ['__proto__', 'x'],
      ['cookie', 'a=b'],
    ]
    const response = parseResponse(
      await s.raw(createRequest([...keys(), ...odd, JSON_TYPE, LENGTH])),
    )
    expect(response.status).toBe(200)
    expect(response.headers['x-request-id']).not.toBe('mine')
  })

  it.each<[string, string, number[]]>([
    ['a NUL', 'x-a: a\0b', [400]],
    ['a bare line feed', 'x-a: b\n c: d\re: f', [400]],
    ['no colon', 'nonsense', [400]],
    ['a space before the colon', 'api-key : x', [400]],
    ['20 kB', `x-a: ${'a'.repeat(20_000)}`, [431]],
  ])('with %s are refused by the parser', async (_, line, statuses) => {
    const response = await s.raw(`GET /merchant/store HTTP/1.1\r\nhost: x\r\n${line}\r\n\r\n`)
    expectParserRefusal(response, ...statuses)
    await expectAlive()
  })
})

describe('a wrong Content-Length', () => {
  it.each<[string, Line[]]>([
    ['letters', [['content-length', 'abc']]],
    ['negative', [['content-length', '-1']]],
    [
      'two different ones',
      [
        ['content-length', '30'],
        ['content-length', '31'],
      ],
    ],
    ['larger than a number', [['content-length', '9'.repeat(30)]]],
    [
      'length and chunks',
      [
        ['content-length', '30'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
    ['unknown encoding', [['transfer-encoding', 'gzip, identity']]],
  ])('%s: refused by the parser', async (_, lines) => {
    const before = await s.countRows()
    expectParserRefusal(await s.raw(createRequest([...keys(), JSON_TYPE, ...lines])), 400)
    expect(await s.countRows()).toEqual(before)
    await expectAlive()
  })

  it('shorter than the body: the body is invalid JSON, the rest is an invalid request', async () => {
    const before = await s.countRows()
    const response = await s.raw(
      createRequest([...keys(), JSON_TYPE, ['content-length', '5']], BODY, false),
    )
    expectRefusal(parseResponse(response), 400)
    expectNoLeak(response)
    expect(response).not.toMatch(/HTTP\/1\.1 (2|5)\d\d/)
    expect(await s.countRows()).toEqual(before)
  })

  it('shorter, with a second request behind it: that request has no credentials', async () => {
    const second = 'GET /merchant/store HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const response = await s.raw(
      createRequest([...keys(), JSON_TYPE, LENGTH], BODY + second, false),
    )
    expect(parseResponse(response).status).toBe(200)
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
  })

  it('longer than the body, then disconnected: nothing is stored', async () => {
    const before = await s.countRows()
    const lines: Line[] = [...keys(), JSON_TYPE, ['content-length', '5000']]
    const response = await s.raw(createRequest(lines), { end: true })
    expect(response).not.toMatch(/HTTP\/1\.1 (2|5)\d\d/)
    expectNoLeak(response)
    expect(await s.countRows()).toEqual(before)
    await expectAlive()
  })

  it('above the limit: refused before the body is sent', async () => {
    const response = await s.raw(
      createRequest([...keys(), JSON_TYPE, ['content-length', '10000000000']], ''),
    )
    expectRefusal(parseResponse(response), 413)
  })
})

const CHUNKED: Line = ['transfer-encoding', 'chunked']

describe('a request that is refused before its body has arrived', () => {
  const LONG: Line = ['content-length', '20000000']
  // More than the kernel buffers. Some clients, such as Apache, send the whole body before they read the response.
  const LONG_BODY = ' '.repeat(20_000_000)
  const CHUNK = `${LONG_BODY.length.toString(16)}\r\n${LONG_BODY}\r\n0\r\n\r\n`

  it.each<[string, number, () => string]>([
    ['a length', 413, () => createRequest([...keys(), JSON_TYPE, LONG], LONG_BODY, false)],
    ['chunks', 413, () => createRequest([...keys(), JSON_TYPE, CHUNKED], CHUNK, false)],
    ['a request to close', 413, () => createRequest([...keys(), JSON_TYPE, LONG], LONG_BODY)],
    ['no credentials', 401, () => createRequest([JSON_TYPE, LONG], LONG_BODY, false)],
  ])(
    'with %s: the client can read the response, and the connection is closed',
    async (_, status, request) => {
      const socket = connect({ port: s.port, host: '127.0.0.1', allowHalfOpen: true })
      try {
        await new Promise<void>((resolve, reject) => {
          socket.on('error', reject)
          socket.write(request(), (error) => (error ? reject(error) : resolve()))
        })
        const response = await text(socket)
        expectRefusal(parseResponse(response), status)
        expect(parseResponse(response).headers.connection).toBe('close')
      } finally {
        socket.destroy()
      }
    },
  )

  it('a request after the body is not handled', async () => {
    const before = await s.countRows()
    const lines = [...keys(), JSON_TYPE]
    const next = createRequest([...lines, LENGTH])
    const response = await s.raw(
      createRequest([...lines, ['content-length', '300000']], ' '.repeat(300_000) + next, false),
    )
    expectRefusal(parseResponse(response), 413)
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
    expect(await s.countRows()).toEqual(before)
  })

  it('the connection is kept if the body arrives with the headers', async () => {
    const refused = createRequest([JSON_TYPE, LENGTH], BODY, false)
    const response = await s.raw(refused + createRequest([...keys(), JSON_TYPE, LENGTH]))
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })
})

describe('chunks', () => {
  const inChunks = (body: string, size: number) => {
    const parts = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    return `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`
  }

  it('a body in chunks of one byte is accepted', async () => {
    const response = await s.raw(createRequest([...keys(), JSON_TYPE, CHUNKED], inChunks(BODY, 1)))
    expect(parseResponse(response).status).toBe(200)
  })

  it('a body that grows past the limit is refused', async () => {
    const before = await s.countRows()
    const response = await s.raw(
      createRequest([...keys(), JSON_TYPE, CHUNKED], inChunks(' '.repeat(300_000), 50_000)),
    )
    expectRefusal(parseResponse(response), 413)
    expect(await s.countRows()).toEqual(before)
  })

  it.each(['zz\r\n{}\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '2\r\n{}x'])(
    'a malformed chunk %j: the parser refuses it or closes the connection',
    async (chunk) => {
      const before = await s.countRows()
      const response = await s.raw(createRequest([...keys(), JSON_TYPE, CHUNKED], chunk))
      expect(response).not.toMatch(/HTTP\/1\.1 (2|5)\d\d/)
      expectNoLeak(response)
      expect(await s.countRows()).toEqual(before)
      await expectAlive()
    },
  )

  it('requests that never end do not delay others, and have a timeout', async () => {
    // Node checks the timeouts at an interval that is fixed at start, so the test doesn't wait for the end.
    expect(s.t.app.server.requestTimeout).toBeGreaterThan(0)
    expect(s.t.app.server.requestTimeout).toBeLessThanOrEqual(60_000)
    expect(s.t.app.server.headersTimeout).toBeGreaterThan(0)
    expect(s.t.app.server.headersTimeout).toBeLessThanOrEqual(60_000)
    let closed = 0
    const sockets = Array.from({ length: 200 }, (_, i) => {
      const socket = connect({ port: s.port, host: '127.0.0.1' })
      socket.on('error', () => {}).on('close', () => closed++)
      socket.resume()
      // Some requests stop in the headers, some in a chunk, some before the body.
      const unfinishedRequest = createRequest([...keys(), JSON_TYPE, CHUNKED], '5\r\n{"am')
      socket.write(
        i % 3 === 0 ? unfinishedRequest : unfinishedRequest.slice(0, i % 3 === 1 ? 60 : -7),
      )
      return socket
    })
    try {
      for (let i = 0; i < 20; i++) await expectAlive()
      // The other requests were answered while all of these were unfinished.
      expect(closed).toBe(0)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

it.each(['100-continue', '100-Continue'])('Expect: %s is accepted', async (expectation) => {
  const lines: Line[] = [...keys(), JSON_TYPE, LENGTH, ['expect', expectation]]
  expect(await s.raw(createRequest(lines))).toMatch(/^HTTP\/1\.1 100 .*\r\n\r\nHTTP\/1\.1 200 /)
})
