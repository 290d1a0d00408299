import { ROLES, SCOPES } from '@florin/contract/values.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/core/credentials.ts'
import type { Mode } from '../../src/core/ids.ts'
import { urlOf } from '../openapi/contract.ts'
import { createOperator, type TestOperator } from '../setup/operators.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestWallet,
} from '../setup/testService.ts'
import { checksum } from './checksum.ts'
import {
  bodyFor,
  createStoreFixture,
  existingValues,
  invalidCredentials,
  type PathValues,
  requestApproval,
  type StoreFixture,
  textsOf,
  tokensOfOtherKinds,
  unknownValues,
} from './fixtures.ts'
import { type Kind, type Route, routesOf } from './routes.ts'

let t: TestService
let routes: Route[]
/** The store under attack, and the store of the attackers. */
let target: StoreFixture
let attackers: StoreFixture
let payer: TestWallet
let stranger: TestWallet
let sandboxPayer: TestWallet
let operator: TestOperator
let invalid: Record<string, Headers>
let before: Record<string, string>

beforeAll(async () => {
  t = await startTestService()
  routes = await routesOf(t)
  payer = await t.createWallet({ balance: '100.00' })
  stranger = await t.createWallet({ balance: '100.00' })
  sandboxPayer = await t.createWallet({ mode: 'sandbox', balance: '100.00' })
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.1' })
  await t.call('POST', '/operator/tokens', t.operator, { label: 'night', scopes: ['admin'] })
  operator = await createOperator(t)
  await requestApproval(t, payer)
  target = await createStoreFixture(t, 'Zebra', payer)
  attackers = await createStoreFixture(t, 'Magpie', payer)
  invalid = await invalidCredentials(t, target)
  // A session stores its last use at most once a minute. Set it ahead, so that no request changes the checksum.
  for (const table of ['person_session', 'operator_session']) {
    await t.database.transaction((tx) =>
      tx.execute(`update ${table} set last_used_at = now() + interval '1 hour'`),
    )
  }
  before = await checksum(t.database)
})
afterAll(async () => {
  expect(await checksum(t.database)).toEqual(before)
  await t.close()
})

let calls = 0

/** Sends a request. Returns the response without the parts that differ from call to call. */
async function send(
  { method, path, operationId, requestBody }: Route,
  pathValues: PathValues,
  headers: Headers,
  { query = '', sentMethod = method as string } = {},
) {
  const n = ++calls
  const body = requestBody === undefined ? {} : { payload: bodyFor(operationId) }
  const response = await t.app.inject({
    method: sentMethod as 'GET',
    url: `${urlOf({ path } as Route, { path: pathValues })}${query && `?${query}`}`,
    headers,
    ...(sentMethod === 'HEAD' ? {} : body),
    // A separate address for each request, because failures are counted per address.
    remoteAddress: `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`,
  })
  const { 'x-request-id': _, date: __, ...headersToCompare } = response.headers
  return { status: response.statusCode, headers: headersToCompare, text: response.payload }
}

const isResourceId = (name: string) => name !== 'mode' && name !== 'file'
const resourceIdsOf = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).filter(isResourceId)
const routesFor = (...kinds: Kind[]) => routes.filter(({ kind }) => kinds.includes(kind))
const label = ({ method, path }: Route) => `${method} ${path}`

/** Texts of the store under attack that appear in a response. */
const findLeaks = (text: string) =>
  textsOf(target).filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))

describe('a caller without valid credentials', () => {
  it('gets the same 401 whether or not the resource exists', async () => {
    const existingPath = await existingValues(t, target, { mode: 'live', wallet: payer })
    const unknownPath = unknownValues(target, 'live')
    const strangers: [Kind | null, Record<string, Headers>][] = [
      [null, invalid],
      [null, tokensOfOtherKinds(target, payer)],
      [
        'merchant',
        {
          'own key': target.live,
          'key of another store': attackers.live,
          'sandbox key of another store': attackers.sandbox,
        },
      ],
      ['wallet', { payer: payer.headers, stranger: stranger.headers }],
      ['person', Object.fromEntries(ROLES.map((role) => [role, target.people[role].headers]))],
      ['person', { 'the owner of another store': attackers.people.owner.headers }],
      ['operator', { operator: t.operator }],
    ]
    const faults: string[] = []
    for (const route of routesFor('merchant', 'person', 'wallet', 'operator')) {
      const expected = JSON.stringify({ ...(await send(route, unknownPath, {})), status: 401 })
      const attempts = strangers
        .filter(([kind]) => kind !== route.kind)
        .flatMap(([, all]) => Object.entries(all))
      await Promise.all(
        attempts.map(async ([caller, headers]) => {
          for (const response of [
            await send(route, existingPath, headers),
            await send(route, unknownPath, headers),
          ]) {
            if (JSON.stringify(response) !== expected) {
              faults.push(
                `${label(route)} by ${caller}: ${response.status} ${response.text.slice(0, 100)}`,
              )
            }
          }
        }),
      )
      if (route.method !== 'GET') continue
      const head = await send(route, existingPath, {}, { sentMethod: 'HEAD' })
      if (head.status !== 401) faults.push(`HEAD ${route.path}: ${head.status}`)
    }
    expect(faults).toEqual([])
    expect(await checksum(t.database)).toEqual(before)
  })
})

describe('a resource of another store', () => {
  /** Requests an existing and an unknown resource, and returns differences, unexpected statuses and leaks. */
  async function compare(
    route: Route,
    caller: string,
    headers: Headers,
    mode: Mode,
    pathMode: Mode = mode,
  ) {
    const faults: string[] = []
    for (const pending of [false, true]) {
      const existingPath = await existingValues(t, target, { mode, wallet: payer, pending })
      const unknownPath = unknownValues(target, mode)
      const [existing, unknown] = await Promise.all([
        send(route, { ...existingPath, mode: pathMode }, headers),
        send(route, { ...unknownPath, mode: pathMode }, headers),
      ])
      const summary = `${label(route)} by ${caller}: ${existing.status} ${existing.text.slice(0, 120)}`
      if (JSON.stringify(existing) !== JSON.stringify(unknown))
        faults.push(`${summary} != ${unknown.text}`)
      // Refused for the permission (403), the confirmation (428) or the owner (404). A 400 would hide these checks.
      if (![403, 404, 428].includes(existing.status)) faults.push(summary)
      if (findLeaks(existing.text + JSON.stringify(existing.headers)).length > 0)
        faults.push(`leak: ${summary}`)
    }
    return faults
  }
  const withResourceId = (...kinds: Kind[]) =>
    routesFor(...kinds).filter((route) => resourceIdsOf(route).length > 0)

  it('is unknown to the key of another store, and to the key of the other mode', async () => {
    const attempts: [string, Headers, Mode][] = [
      ['the live key of another store', attackers.live, 'live'],
      ['the live key of another store, in the sandbox', attackers.live, 'sandbox'],
      ['the sandbox key of another store', attackers.sandbox, 'live'],
      ['the sandbox key of another store, in the sandbox', attackers.sandbox, 'sandbox'],
      ['its own sandbox key', target.sandbox, 'live'],
      ['its own live key', target.live, 'sandbox'],
    ]
    const found = withResourceId('merchant').flatMap((route) =>
      attempts.map(([caller, headers, mode]) => compare(route, caller, headers, mode)),
    )
    expect((await Promise.all(found)).flat()).toEqual([])
  })

  it('is unknown to the people of another store, in every role, and in the other mode', async () => {
    const found = withResourceId('person').flatMap((route) => [
      ...ROLES.map((role) =>
        compare(route, `the ${role} of another store`, attackers.people[role].headers, 'live'),
      ),
      compare(route, 'the owner of another store', attackers.people.owner.headers, 'sandbox'),
      ...(route.path.includes('{mode}')
        ? [
            compare(route, 'its own owner', target.people.owner.headers, 'live', 'sandbox'),
            compare(route, 'its own owner', target.people.owner.headers, 'sandbox', 'live'),
          ]
        : []),
    ])
    expect((await Promise.all(found)).flat()).toEqual([])
  })

  it('is unknown to a colleague if it is a session', async () => {
    const ending = routes.find(({ operationId }) => operationId === 'endPersonSession')!
    expect(await compare(ending, 'a colleague', target.people.manager.headers, 'live')).toEqual([])
  })

  it('is unknown to a wallet of the other mode', async () => {
    // A store belongs to both modes. A link is public: its page says that a wallet of the other mode can't pay it.
    const ofOneMode = withResourceId('wallet').filter(
      ({ path }) => !/\{storeId\}|\/link\/\{linkId\}$/.test(path),
    )
    const found = ofOneMode.flatMap((route) => [
      compare(route, 'a sandbox wallet', sandboxPayer.headers, 'live'),
      compare(route, 'a live wallet', payer.headers, 'sandbox'),
    ])
    expect((await Promise.all(found)).flat()).toEqual([])
  })

  it('is in no list and no report of another store, even if the query names it', async () => {
    const headersOfBoth: Record<string, [Headers, Headers]> = {
      merchant: [target.live, attackers.live],
      person: [target.people.owner.headers, attackers.people.owner.headers],
      wallet: [payer.headers, stranger.headers],
    }
    const existingPath = await existingValues(t, target, { mode: 'live', wallet: payer })
    const values: Record<string, string> = {
      payment_id: existingPath.paymentId!,
      reference_id: 'Zebra-1',
      payer: payer.wallet.publicId,
      search: 'Zebra',
      limit: '1',
    }
    const lists = routesFor('merchant', 'person', 'wallet').filter(
      // The audit log records who reads the webhook secret, which would change the checksum.
      (route) =>
        route.method === 'GET' &&
        resourceIdsOf(route).length === 0 &&
        route.operationId !== 'getWebhookSecret',
    )
    expect(lists.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const route of lists) {
      const [right, wrong] = headersOfBoth[route.kind]!
      const parameters = route.parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name)
      if (parameters.includes('cursor')) {
        const { text } = await send(route, existingPath, right, { query: 'limit=1' })
        values.cursor = JSON.parse(text).data.next_cursor ?? existingPath.paymentId!
      }
      const queries = parameters.flatMap((name) => {
        const value = values[name]
        return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
      })
      for (const query of ['', ...queries, queries.join('&')]) {
        const { status, text, headers } = await send(route, existingPath, wrong, { query })
        const found = findLeaks(text + JSON.stringify(headers))
        if (found.length > 0) faults.push(`${label(route)}?${query}: ${found.join()}`)
        if (status >= 500) faults.push(`${label(route)}?${query}: ${status}`)
      }
    }
    expect(faults).toEqual([])
  })
})

describe('a caller without the permission', () => {
  const bothPaths = async () => [
    await existingValues(t, target, { mode: 'live', wallet: payer }),
    unknownValues(target, 'live'),
  ]
  const findDifferences = async (route: Route, headers: Headers, message: string) => {
    const responses = await Promise.all(
      (await bothPaths()).map((path) => send(route, path, headers)),
    )
    const expected = JSON.stringify({ status: 403, message })
    return responses.flatMap(({ text }) => (text === expected ? [] : [`${label(route)}: ${text}`]))
  }

  it('is refused by every route if the key lacks its scope', async () => {
    expect(await checksum(t.database)).toEqual(before)
    const keys = {} as Record<Scope, Headers>
    for (const scope of SCOPES) {
      const others = SCOPES.filter((granted) => granted !== scope)
      keys[scope] = await t.issue(target.store, 'live', others)
    }
    before = await checksum(t.database)
    const found = routesFor('merchant').map((route) => {
      const scope = (route.security![0]! as { apiKey: Scope[] }).apiKey[0]
      expect(scope, label(route)).toBeDefined()
      return findDifferences(route, keys[scope!], 'This API key is not allowed to do that')
    })
    expect((await Promise.all(found)).flat()).toEqual([])
    expect(await checksum(t.database)).toEqual(before)
  })

  it('is refused by every route if the role does not allow it', async () => {
    const found = routesFor('person').flatMap((route) =>
      ROLES.filter((role) => route['x-roles']?.includes(role) === false).map((role) =>
        findDifferences(route, target.people[role].headers, 'Your role does not allow that'),
      ),
    )
    expect(found.length).toBeGreaterThan(40)
    expect((await Promise.all(found)).flat()).toEqual([])
    expect(await checksum(t.database)).toEqual(before)
  })
})

describe('a page of another origin', () => {
  it.each<[string, Headers]>([
    ['sends its origin', { origin: 'https://evil.example' }],
    ['is a frame without an origin', { origin: 'null' }],
    ['is on the same site', { 'sec-fetch-site': 'same-site' }],
    ['is marked as cross-site by the browser', { 'sec-fetch-site': 'cross-site' }],
  ])(
    'that %s cannot use the cookie of its visitor to change anything',
    async (_, originHeaders) => {
      const existingPath = await existingValues(t, target, { mode: 'live', wallet: payer })
      const token = payer.headers.authorization!.split(' ')[1]!
      const cookies: Partial<Record<Kind, Headers>> = {
        person: target.people.owner.headers,
        wallet: { cookie: `__Host-florin_wallet=${token}` },
        operator: operator.headers,
      }
      const expected = 'This request does not come from a page of this service'
      const routesWithCookie = routesFor('person', 'wallet', 'operator')
      const changing = routesWithCookie.filter(({ method }) => method !== 'GET')
      expect(changing.length).toBeGreaterThan(45)
      const found = changing.map(async (route) => {
        const { status, text } = await send(route, existingPath, {
          ...cookies[route.kind],
          ...originHeaders,
        })
        const isRefused = status === 403 && text.includes(expected)
        return isRefused ? [] : [`${label(route)}: ${status} ${text.slice(0, 100)}`]
      })
      expect((await Promise.all(found)).flat()).toEqual([])
      expect(await checksum(t.database)).toEqual(before)
    },
  )
})
