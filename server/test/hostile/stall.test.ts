import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kind, kindOf, PAGES } from '../attacks/routes.ts'
import { type Document, type Operation, operationsOf, type Schema } from '../openapi/contract.ts'
import { isSoak, LONG } from '../setup/soak.ts'
import {
  BODIES,
  COOKIES,
  FIELD_VALUES,
  HEADER_VALUES,
  QUERIES,
  URL_VALUES,
} from './hostileValues.ts'
import { hostilePictures } from './pictures.ts'
import { type HostileRequest, type ProbedService, startProbedService } from './probedService.ts'

/** How much longer than on an idle server a request may block the event loop. */
const MAX_STALL_MS = 100
/** At most this much of the idle server's own delay is added to the limit. */
const MAX_IDLE_MS = 20
const PARALLEL = 2
const TRIES = 3

/** Headers that the service or a library reads, and other common ones. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'api-key',
  'api-secret',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'user-agent',
  'x-florin-session',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
  'host',
  'forwarded',
]
/** Those that some routes read. All other headers are read in the same way for every route of a kind. */
const HEADERS_OF_ROUTES = [
  'accept-encoding',
  'accept-language',
  'idempotency-key',
  'if-none-match',
  'user-agent',
]
/** Operations that end the session that the other requests need. */
const ENDS_SESSION = ['signOut', 'signOutPerson', 'signOutOperator']

let s: ProbedService
let operations: Operation[]
let credentials: Record<Kind, Record<string, string>>
const pathValues: Record<string, string> = {
  mode: 'sandbox',
  storeId: '1',
  from: 'EUR',
  to: 'USD',
  file: 'x.png',
  apiKey: `flk_sandbox_${'a'.repeat(20)}`,
}

beforeAll(async () => {
  s = await startProbedService()
  const { demo, send, base } = s
  const json = { 'content-type': 'application/json', origin: base }
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await send({ method: 'POST', path, headers, body: JSON.stringify(body) })
    expect(response.status, response.text).toBe(200)
    return { ...response, data: JSON.parse(response.text).data }
  }
  const { api_key, api_secret } = demo.sandbox
  const keys = { 'api-key': api_key, 'api-secret': api_secret }
  const { phone, pin } = demo.wallets.find(({ mode }) => mode === 'sandbox')!
  const wallet = await post('/wallet/session', json, { phone, pin })
  const person = await post('/store/session', json, demo.merchant)
  credentials = {
    merchant: keys,
    wallet: { authorization: `Bearer ${wallet.data.token}` },
    person: { cookie: person.cookie, origin: base },
    operator: { authorization: `Bearer ${demo.operator.token}` },
    open: {},
  }
  const order = { amount: 10, currency: 'USD' }
  const { data } = await post('/merchant/payment/create', { ...json, ...keys }, order)
  pathValues.paymentId = data.payment_id
  pathValues.qrCode = data.qr_code
  // The largest payloads in the slowest form, for lists.
  const numbers = Array(750).fill('1234567890.123456789').join()
  const costly = `{"title":"Costly","amount":1,"currency":"USD","payload":{"numbers":[${numbers}]}}`
  for (let n = 0; n < 100; n++) {
    for (const path of ['/merchant/payment/create', '/merchant/links']) {
      const headers = { ...json, ...keys }
      const created = await send({ method: 'POST', path, headers, body: costly })
      expect(created.status, created.text).toBe(200)
    }
  }
  const document = await send({ method: 'GET', path: '/openapi.json', headers: {} })
  operations = operationsOf(JSON.parse(document.text) as Document)
})
afterAll(() => s.stop())

// ── Requests ────────────────────────────────────────────────────────────────────────────────────

let turn = 0

/** All values in a soak, otherwise the next `count` in turn. */
const inTurn = (values: readonly string[], count: number): readonly string[] =>
  isSoak ? values : Array.from({ length: count }, () => values[turn++ % values.length]!)

/** Every hostile value for each header, or values in turn for each that some routes read. */
function* hostileHeaders(
  to: Omit<HostileRequest, 'about'>,
  isExhaustive: boolean,
): Generator<HostileRequest> {
  for (const name of isExhaustive ? HEADERS : HEADERS_OF_ROUTES) {
    const values = name === 'cookie' ? [...HEADER_VALUES, ...COOKIES] : HEADER_VALUES
    for (const value of isExhaustive ? values : inTurn(values, 1)) {
      const headers = { ...to.headers, [name]: value }
      yield { ...to, headers, about: `${name}: ${value.slice(0, 12)}…` }
    }
  }
}

/** Hostile values for each parameter, and whole queries, which are read in the same way for every route. */
function* hostileUrls(
  to: Omit<HostileRequest, 'about'>,
  operation: Operation,
  isExhaustive: boolean,
): Generator<HostileRequest> {
  for (const parameter of operation.parameters) {
    for (const value of inTurn(URL_VALUES, 3)) {
      const label = `${parameter.name}=${value.slice(0, 12)}…`
      if (parameter.in === 'query')
        yield { ...to, path: `${to.path}?${parameter.name}=${value}`, about: label }
      if (parameter.in === 'path') {
        yield { ...to, path: pathOf(operation.path, { [parameter.name]: value }), about: label }
      }
    }
  }
  for (const query of isExhaustive ? QUERIES : []) {
    yield { ...to, path: `${to.path}?${query}`, about: `?${query.slice(0, 12)}…` }
  }
}

function* hostileBodies(
  to: Omit<HostileRequest, 'about'>,
  schema: Schema,
  isExhaustive: boolean,
): Generator<HostileRequest> {
  const headers = { ...to.headers, 'content-type': 'application/json' }
  for (const body of isExhaustive ? BODIES : []) {
    yield { ...to, headers, body, about: `body ${body.slice(0, 12)}…` }
  }
  for (const [name, field] of fieldsOf(schema)) {
    for (const value of inTurn(FIELD_VALUES, 2)) {
      yield { ...to, headers, body: field(value), about: `${name} ${value.slice(0, 12)}…` }
    }
  }
}

/** Every field, including fields of nested objects, with a function that builds a body with only that field. */
function* fieldsOf(schema: Schema): Generator<[string, (value: string) => string]> {
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    const wrap = (value: string) => `{${JSON.stringify(name)}:${value}}`
    yield [name, wrap]
    const item = inner.items as Schema | undefined
    for (const [deeper, write] of fieldsOf(inner)) {
      yield [`${name}.${deeper}`, (value) => wrap(write(value))]
    }
    for (const [deeper, write] of item === undefined ? [] : fieldsOf(item)) {
      yield [`${name}.0.${deeper}`, (value) => wrap(`[${write(value)}]`)]
    }
  }
}

const pathOf = (path: string, overrides: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => overrides[name] ?? pathValues[name] ?? 'x')

function* requestsTo(operation: Operation, isFirstOfKind: boolean): Generator<HostileRequest> {
  const to = {
    method: operation.method,
    path: pathOf(operation.path, {}),
    headers: credentials[kindOf(operation)],
  }
  yield* hostileHeaders(to, isFirstOfKind)
  yield* hostileUrls(to, operation, isFirstOfKind)
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema !== undefined) yield* hostileBodies(to, schema, isFirstOfKind)
  if (operation.operationId !== 'uploadLogo') return
  for (const [about, body] of hostilePictures()) {
    const type = about.includes('JPEG') ? 'image/jpeg' : 'image/png'
    yield { ...to, headers: { ...to.headers, 'content-type': type }, body, about }
  }
}

/** Valid requests that are expensive. */
function* costlyRequests(): Generator<HostileRequest> {
  const { merchant, person, operator, open } = credentials
  for (const [headers, path] of [
    [merchant, pathOf('/merchant/payment/{paymentId}/qr?format=png&size=2048', {})],
    [merchant, '/merchant/payments?limit=100'],
    [merchant, '/merchant/links?limit=100'],
    [person, '/store/sandbox/overview/series?days=90'],
    [operator, '/metrics'],
    [open, '/openapi.json'],
    [open, '/docs'],
  ] as const) {
    yield { method: 'GET', path, headers, about: 'costly' }
  }
}

// ── Checks ─────────────────────────────────────────────────────────────────────────────────────

const faults: string[] = []

async function send(request: HostileRequest): Promise<void> {
  const response = await s.send(request).catch((error: Error) => error)
  const problem =
    response instanceof Error ? response.message : response.status === 500 ? '500' : null
  if (problem !== null)
    faults.push(`${request.method} ${request.path.slice(0, 80)} ${request.about}: ${problem}`)
}

/**
 * Sends the requests, two at a time, and again one by one if the event loop was blocked for too long. A busy
 * machine also blocks it, so only a request that does it every time fails the test.
 */
async function findStalls(requests: readonly HostileRequest[], limitMs: number): Promise<void> {
  await s.takeDelayMs()
  const waiting = [...requests]
  const sendNext = async () => {
    for (let request = waiting.pop(); request !== undefined; request = waiting.pop())
      await send(request)
  }
  await Promise.all(Array.from({ length: PARALLEL }, sendNext))
  if ((await s.takeDelayMs()) <= limitMs) return
  for (const request of requests) {
    let leastMs = Number.POSITIVE_INFINITY
    for (let n = 0; n < TRIES && leastMs > limitMs; n++) {
      await send(request)
      leastMs = Math.min(leastMs, await s.takeDelayMs())
    }
    if (leastMs <= limitMs) continue
    const summary = `${request.method} ${request.path.slice(0, 80)} ${request.about}`
    faults.push(`${summary} blocks the event loop for ${Math.round(leastMs)} ms`)
  }
}

it('no hostile value blocks the event loop or causes a 500', LONG, async () => {
  await s.takeDelayMs()
  await new Promise((resolve) => setTimeout(resolve, 500))
  const limitMs = Math.min(await s.takeDelayMs(), MAX_IDLE_MS) + MAX_STALL_MS

  for (const page of PAGES) {
    const path = page.replaceAll(/:\w+/g, 'nothing')
    const isExhaustive = page === PAGES[0]
    await findStalls(
      [...hostileHeaders({ method: 'GET', path, headers: {} }, isExhaustive)],
      limitMs,
    )
  }
  await findStalls([...costlyRequests()], limitMs)
  const kinds = new Set<string>()
  for (const operation of operations) {
    if (ENDS_SESSION.includes(operation.operationId)) continue
    const kind = `${kindOf(operation)} ${operation.requestBody === undefined}`
    await findStalls([...requestsTo(operation, !kinds.has(kind))], limitMs)
    kinds.add(kind)
  }
  expect(faults).toEqual([])
})
