import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOptions } from '../openapi/callGroups.ts'
import { type Operation, parts, type Schema, urlOf } from '../openapi/contract.ts'
import { EVERYTHING_ON, makeEveryCall, PNG_TYPE } from '../openapi/everyCall.ts'
import { startLogged } from '../setup/logged.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  toTestResponse,
} from '../setup/testService.ts'
import { OPEN_PAGES, type Route, routesOf, servedBy } from './routes.ts'

let t: TestService
let routes: Route[]
let logged: Awaited<ReturnType<typeof startLogged>>
beforeAll(async () => {
  t = await startTestService(EVERYTHING_ON)
  routes = await routesOf(t)
  logged = await startLogged(t)
})
afterAll(async () => {
  await logged.close()
  await t.close()
})

let calls = 0
type Sent = { headers?: Headers; body?: unknown }
async function send(
  method: string,
  url: string,
  { headers = {}, body }: Sent = {},
): Promise<TestResponse> {
  const response = await logged.app.inject({
    method: method as 'GET',
    url,
    // A separate address for each request, because failures are counted per address.
    remoteAddress: `198.18.${(++calls >> 8) & 255}.${calls & 255}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return toTestResponse(response)
}

/** The paths whose responses may be cached, because they contain no personal data. */
const CACHEABLE =
  /^\/(stores\/|assets\/|wallet\.webmanifest|wallet-icons\/|wallet-worker\.js|openapi\.json|docs$|link\/\w+\/qr\.svg$)/

function faultsOf(path: string, { status, headers }: TestResponse): string[] {
  const faults: string[] = []
  const requireHeader = (name: string, pattern: RegExp) => {
    if (!pattern.test(String(headers[name])))
      faults.push(`${path} ${status}: ${name}: ${headers[name]}`)
  }
  requireHeader('x-content-type-options', /^nosniff$/)
  requireHeader('content-security-policy', /^default-src 'none'; /)
  requireHeader('content-security-policy', /^(?!.*(unsafe|\*|https?:))/)
  if (path !== '/wallet-worker.js')
    requireHeader('content-security-policy', /frame-ancestors 'none'/)
  requireHeader('x-frame-options', /^DENY$/)
  requireHeader('referrer-policy', /^no-referrer$/)
  requireHeader('strict-transport-security', /^max-age=31536000/)
  requireHeader('x-request-id', /^[0-9a-f-]{36}$/)
  requireHeader(
    'cache-control',
    status < 400 && CACHEABLE.test(path) ? /^(public, max-age|no-cache)/ : /^no-store$/,
  )
  requireHeader('content-type', /^[a-z]+\/[a-z+]+(; |$)/)
  for (const name of Object.keys(headers)) {
    if (/^(access-control-|server$|x-powered-by|location$|refresh$)/.test(name)) {
      faults.push(`${path} ${status}: has ${name}`)
    }
  }
  if (status >= 300 && status < 400) faults.push(`${path}: redirects, ${status}`)
  for (const cookie of [headers['set-cookie'] ?? []].flat().map(String)) {
    const [pair, ...flags] = cookie.split('; ')
    const otherFlags = flags
      .filter((flag) => !flag.startsWith('Expires='))
      .sort()
      .join(' ')
    if (
      !/^__Host-florin_\w+=[\w.-]*$/.test(pair!) ||
      otherFlags !== 'HttpOnly Path=/ SameSite=Strict Secure'
    ) {
      faults.push(`${path}: sets ${cookie}`)
    }
  }
  return faults
}

const LONG = 'x'.repeat(100_000)
const DEEP = '['.repeat(70) + ']'.repeat(70)
/** A string, an array and a number that are too large, and a value that is too deep, to replace each field. */
const OVERSIZED = [JSON.stringify(LONG), `[${Array(5000).fill('{}').join()}]`, '1e300', DEEP]

/** The body with each field oversized in turn, and bodies that are too large and too deep. */
function* oversizedBodies(body: object, schema: Schema): Generator<string> {
  for (const name of Object.keys((schema.properties ?? {}) as object)) {
    const rest = JSON.stringify({ ...body, [name]: undefined }).slice(1)
    for (const value of OVERSIZED) {
      yield `{${JSON.stringify(name)}:${value}${rest === '}' ? rest : `,${rest}`}`
    }
  }
  yield `{"more":"${'x'.repeat(256 * 1024)}"}`
  yield DEEP
}

/** The secrets of all requests and responses. */
const secrets = new Set<string>()
function collectSecrets(value: unknown): void {
  for (const part of parts(value)) {
    for (const [name, field] of Object.entries(part)) {
      if (/(secret|password|token|^code|^current|^new)$/.test(name) && typeof field === 'string') {
        secrets.add(field)
      }
    }
  }
}

it('every call and every refusal of an oversized body has the security headers, and no secret is in the log', async () => {
  const faults: string[] = []
  const operator = { authorization: `Bearer ${logged.token}` }
  const byId = new Map<string, Operation>(routes.map((route) => [route.operationId, route]))
  const called = new Set<string>()
  await makeEveryCall(t, async (operationId, options: CallOptions = {}) => {
    const operation = byId.get(operationId)!
    const url = urlOf(operation, options)
    const type = Buffer.isBuffer(options.body) ? PNG_TYPE : {}
    const headers: Headers = {
      'user-agent': HOSTILE_USER_AGENT,
      ...(options.headers ?? operator),
      ...type,
    }
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema !== undefined && !called.has(operationId)) {
      for (const body of oversizedBodies((options.body ?? {}) as object, schema)) {
        const response = await send(operation.method, url, { headers, body })
        faults.push(...faultsOf(url, response))
        if (![400, 413].includes(response.status) || response.text.length > 60_000) {
          faults.push(`${operationId}: ${response.status} to ${body.slice(0, 60)}`)
        }
      }
    }
    called.add(operationId)
    const response = await send(operation.method, url, { headers, body: options.body })
    expect(response.status, `${operationId}: ${response.text.slice(0, 300)}`).toBe(200)
    faults.push(...faultsOf(url, response))
    for (const value of [options.body, response.body, headers]) collectSecrets(value)
    const { authorization, cookie } = headers
    for (const header of [authorization, cookie, String(response.headers['set-cookie'] ?? '')]) {
      secrets.add(header?.split(/[ =;]/)[1] ?? '')
    }
    return response
  })
  expect(called.size).toBe(routes.length)
  expect(faults).toEqual([])

  const lines = logged.read().trim().split('\n')
  expect(lines.length).toBeGreaterThan(routes.length)
  // Any input stays within one line of JSON and contains no terminal control characters.
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.anything() })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  expect(logged.read()).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  const known = [...secrets].filter((secret) => secret.length >= 8)
  expect(known.length).toBeGreaterThan(25)
  for (const secret of known) expect(logged.read()).not.toContain(secret)
})

const HOSTILE_USER_AGENT = 'Mozilla \x1b[2J\x9b31m {"level":60}'

describe('without credentials', () => {
  const fillPath = (path: string, value: string) => path.replaceAll(/:\w+/g, value)

  it('every path has the security headers, for unknown methods and for scripts of other origins', async () => {
    const faults: string[] = []
    const preflight = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'api-key, api-secret, content-type',
    }
    const served = servedBy(t).map((route) => route.split(' ') as [string, string])
    const paths = [...new Set(served.map(([, path]) => path))]
    for (const path of [...paths, '/nothing', '/merchant/nothing', '/store/nothing', '/']) {
      const url = fillPath(path, 'nothing')
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST']) {
        const response = await send(method, url, { headers: preflight })
        faults.push(...faultsOf(url, response))
        const isUnsupported = method === 'OPTIONS' || method === 'TRACE'
        if (isUnsupported && ![401, 404, 405].includes(response.status)) {
          faults.push(`${method} ${url}: ${response.status}`)
        }
        if (response.status >= 500) faults.push(`${method} ${url}: ${response.status}`)
      }
    }
    expect(faults).toEqual([])
  })

  it.each([
    '%0d%0aset-cookie:%20a=b',
    '%0aset-cookie:%20a=b',
    '%E5%98%8A%E5%98%8Dset-cookie:a=b',
    '..%2f..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '..%5c..%5cpackage.json',
    '....%2f%2fpackage.json',
    '%252e%252e%252fpackage.json',
    '..%c0%afpackage.json',
    '%2fetc%2fpasswd',
    'file:%2f%2f%2fetc%2fpasswd',
    '..%00.js',
    '%2e',
    '..;%2fpackage.json',
  ])('%s in a public path or query injects no header and opens no file', async (value) => {
    const withParameters = servedBy(t).filter(
      (route) => /^GET .*:/.test(route) && !/\/(merchant|store|operator|wallet)\//.test(route),
    )
    expect(withParameters.length).toBeGreaterThan(6)
    const faults: string[] = []
    for (const path of withParameters.map((route) => route.split(' ')[1]!)) {
      const url = fillPath(path, value)
      const response = await send('GET', url)
      faults.push(...faultsOf(url, response))
      if (response.status !== 404) faults.push(`${url}: ${response.status}`)
      if (/"workspaces"|root:|BEGIN/.test(response.text)) faults.push(`${url}: ${response.text}`)
    }
    for (const path of OPEN_PAGES) {
      const names = [
        'lang',
        'next',
        'return',
        'return_url',
        'cancel_url',
        'redirect',
        'url',
        'file',
      ]
      const url = `${path}?${names.map((name) => `${name}=${value}`).join('&')}`
      const response = await send('GET', url)
      faults.push(...faultsOf(path, response))
      if ('set-cookie' in response.headers || response.status !== 200)
        faults.push(`${url}: ${response.status}`)
      if (response.text.includes('set-cookie')) faults.push(`${url}: repeats its input`)
    }
    expect(faults).toEqual([])
  })

  it.each(['https://evil.example', '//evil.example', 'javascript:alert(1)', '/\\evil.example'])(
    'no page redirects to %s',
    async (target) => {
      for (const path of OPEN_PAGES) {
        for (const name of ['next', 'return_url', 'cancel_url', 'redirect', 'continue', 'lang']) {
          const response = await send('GET', `${path}?${name}=${encodeURIComponent(target)}`)
          expect([response.status, response.headers.location]).toEqual([200, undefined])
          expect(response.text).not.toContain('evil.example')
          expect(response.text).not.toContain('alert(1)')
        }
      }
    },
  )
})
