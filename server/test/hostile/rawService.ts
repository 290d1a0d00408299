import { type ClientRequest, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'vitest'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

export type RawResponse = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}
export type ListeningService = Awaited<ReturnType<typeof startListeningService>>
type SentHeaders = Record<string, string | string[]>

/** Long, because the machine may be busy. */
const RESPONSE_TIMEOUT_MS = 20_000

/** The service on a real port, with functions for requests that no client library sends. */
export async function startListeningService() {
  const t: TestService = await startTestService()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  const { store, live, sandbox } = await t.createStore()
  const wallet = await t.createWallet({ balance: '100.00' })
  const person = await createPerson(t, store)
  const { payment_id, qr_code } = await t.createPayment(live)

  /** Sends the path unchanged. */
  function send(
    method: string,
    path: string,
    headers: SentHeaders = {},
    body?: string | Buffer,
  ): Promise<RawResponse> {
    return sendRequest(httpRequest({ port, host: '127.0.0.1', method, path, headers }), body)
  }

  /** Sends raw bytes and returns everything until the server closes, or sends no more for `silenceMs`. */
  function raw(
    bytes: string | Buffer,
    { silenceMs = RESPONSE_TIMEOUT_MS, end = false } = {},
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let received = ''
      let timer = setTimeout(() => socket.destroy(), RESPONSE_TIMEOUT_MS)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        clearTimeout(timer)
        timer = setTimeout(() => socket.destroy(), silenceMs)
      })
      socket.on('end', () => socket.destroy())
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(received)
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close while the client still writes.
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
      })
      if (end) socket.end(bytes)
      else socket.write(bytes)
    })
  }

  return {
    t,
    port,
    store,
    live,
    sandbox,
    person,
    wallet,
    paymentId: payment_id,
    qrCode: qr_code,
    send,
    raw,

    /** The number of rows in every table. A refused request must not change it. */
    async countRows(): Promise<Record<string, number>> {
      const tables = await t.database.query<{ name: string }>(
        `select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
      )
      const counts: Record<string, number> = {}
      for (const { name } of tables) {
        const rows = await t.database.query<{ n: number }>(
          `select count(*)::int as n from "${name}"`,
        )
        counts[name] = rows[0]!.n
      }
      return counts
    },
  }
}

/** Sends a request, and returns its complete response. */
export function sendRequest(request: ClientRequest, body?: string | Buffer): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode!, headers: response.headers, text })
      })
    })
    request.end(body)
  })
}

/** Responses must not contain a stack, a file path, a library name or SQL. */
export function expectNoLeak(text: string): void {
  expect(text).not.toMatch(
    /node_modules|\/server\/src|\.[jt]s:\d+|\bat \w+ \(|FST_ERR|SELECT |pg_/i,
  )
}

/** A refusal as the contract defines it: JSON with a status and a message. */
export function expectRefusal(received: RawResponse, ...statuses: number[]): void {
  expectNoLeak(received.text)
  expect(statuses, received.text.slice(0, 300)).toContain(received.status)
  expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
  const body = JSON.parse(received.text)
  const status = body.status ?? body.status_code
  expect(status).toBe(received.status)
  expect(body.message).toMatch(/\S/)
  const names = Object.keys(body).sort()
  const isInvalid = body.message === 'Validation error'
  expect(names).toEqual(
    isInvalid
      ? ['errors', 'message', 'status']
      : ['message', 'status' in body ? 'status' : 'status_code'],
  )
  if (isInvalid) {
    expect(body.errors.length).toBeGreaterThan(0)
    const fields = body.errors.map((error: { field: string }) => error.field)
    expect(new Set(fields).size).toBe(fields.length)
  }
}

/** The first response in the received bytes. */
export function parseResponse(response: string) {
  const [head = '', ...rest] = response.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.split(':')[0]!.toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const text = rest.join('\r\n\r\n').slice(0, Number(headers['content-length'] ?? Infinity))
  return { status: Number(first.split(' ')[1]), headers, text }
}

/**
 * Refused by Node's parser before there is a request: there is no request id, and the connection is closed. The body is
 * still the one of the contract.
 */
export function expectParserRefusal(response: string, ...statuses: number[]): void {
  const parsed = parseResponse(response)
  expectRefusal(parsed, ...statuses)
  expectNoLeak(response)
  expect(parsed.headers.connection).toBe('close')
  expect(parsed.headers).not.toHaveProperty('x-request-id')
}
