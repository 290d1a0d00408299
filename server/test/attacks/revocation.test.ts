import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { OperatorRole } from '../../src/core/operator.ts'
import type { Role } from '../../src/core/person.ts'
import { CACHE } from '../../src/lookups.ts'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { fillPayments } from '../setup/manyPayments.ts'
import { createOperator, createTestToken, newOperatorSession } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD } from '../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

// Every node has the session, key or token in its cache when it is revoked.
let t: TestService
let node: Node
let shop: TestStore
let owner: Headers
beforeAll(async () => {
  t = await startTestService()
  node = await openNode(t)
  shop = await t.createStore()
  owner = (await createPerson(t, shop.store)).headers
})
const listen = async () => {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  return (t.app.server.address() as AddressInfo).port
}
afterAll(async () => {
  await node.close()
  await t.close()
})

type Call = readonly ['GET' | 'POST', string]
type Access = {
  readonly headers: Headers
  readonly call: Call
  readonly revoke: () => Promise<TestResponse>
}

const READ_AS_MANAGER: Call = ['GET', '/store/live/overview']
const READ_WITH_KEY: Call = ['GET', '/merchant/balance']
const READ_AS_OPERATOR: Call = ['GET', '/operator/stores']
/** The wallet is unknown, so this returns 404 if it is allowed. */
const LOCK_WALLET: Call = ['POST', '/operator/wallets/unknown/lock']
const READ_AS_PAYER: Call = ['GET', '/wallet/me']

const send = (at: Pick<Node, 'call'>, { headers, call: [method, path] }: Access) =>
  at.call(method, path, headers)
const listSessions = async (path: string, headers: Headers) =>
  (await t.call('GET', path, headers)).body.data.sessions as {
    session_id: string
    current: boolean
  }[]

async function person(
  act: (personId: string, headers: Headers) => Promise<TestResponse>,
  { role = 'manager' as Role } = {},
): Promise<Access> {
  const { personId, headers } = await createPerson(t, shop.store, role)
  return { headers, call: READ_AS_MANAGER, revoke: () => act(personId, headers) }
}

async function key(act: (apiKey: string) => Promise<TestResponse>): Promise<Access> {
  const headers = await t.issue(shop.store, 'live')
  return { headers, call: READ_WITH_KEY, revoke: () => act(headers['api-key']!) }
}

async function suspended(call: Call): Promise<Access> {
  const other = await t.createStore()
  const { headers } = await createPerson(t, other.store)
  const path = `/operator/stores/${other.store.storeId}`
  const revoke = () => t.call('PATCH', path, t.operator, { suspended: true })
  return { headers: call === READ_WITH_KEY ? other.live : headers, call, revoke }
}

async function operator(
  act: (operatorId: string, headers: Headers) => Promise<TestResponse>,
  { role = 'support' as OperatorRole, call = READ_AS_OPERATOR, hasToken = false } = {},
): Promise<Access> {
  const { operatorId, headers: session } = await createOperator(t, role)
  const headers = hasToken
    ? (await createTestToken(t, { operatorId, scopes: ['admin'] })).headers
    : session
  return { headers, call, revoke: () => act(operatorId, headers) }
}

async function wallet(
  act: (walletId: string, headers: Headers) => Promise<TestResponse>,
): Promise<Access> {
  const payer = await t.createWallet()
  const { headers } = payer
  return { headers, call: READ_AS_PAYER, revoke: () => act(payer.wallet.publicId, headers) }
}

const changePerson = (id: string, change: object) =>
  t.call('PATCH', `/store/people/${id}`, owner, change)
const changeOperator = (id: string, change: object) =>
  t.call('PATCH', `/operator/operators/${id}`, t.operator, change)
const byOperator = (path: string, body: object = {}) =>
  t.call('POST', `/operator/${path}`, t.operator, body)

const NEW_PASSWORD = { current: PASSWORD, new: 'a fresh password 42' }

const REVOCATIONS: [string, number, () => Promise<Access>][] = [
  ['a person is disabled', 401, () => person((id) => changePerson(id, { disabled: true }))],
  ['a person gets a lower role', 403, () => person((id) => changePerson(id, { role: 'cashier' }))],
  [
    'the operator demotes an owner',
    403,
    () =>
      person((id) => t.call('PATCH', `/operator/people/${id}`, t.operator, { role: 'cashier' }), {
        role: 'owner',
      }),
  ],
  [
    'the password of a person is reset',
    401,
    () => person((id) => t.call('POST', `/store/people/${id}/password`, owner)),
  ],
  [
    'the second factors of a person are removed',
    401,
    () => person((id) => t.call('DELETE', `/store/people/${id}/factors`, owner)),
  ],
  ['a person signs out', 401, () => person((_, own) => t.call('DELETE', '/store/session', own))],
  [
    'a person ends the session in another one',
    401,
    () =>
      person(async (id) => {
        const other = await newSession(t, id)
        const [ended] = (await listSessions('/store/sessions', other)).filter((s) => !s.current)
        return t.call('DELETE', `/store/sessions/${ended!.session_id}`, other)
      }),
  ],
  [
    'a person changes the password in another session',
    401,
    () =>
      person(async (id) =>
        t.call('POST', '/store/password', await newSession(t, id), NEW_PASSWORD),
      ),
  ],
  ['the store of a person is suspended', 403, () => suspended(READ_AS_MANAGER)],
  ['the store of a key is suspended', 403, () => suspended(READ_WITH_KEY)],
  ['a key is revoked', 401, () => key((id) => t.call('DELETE', `/store/live/keys/${id}`, owner))],
  [
    'a key gets a new secret without an overlap',
    401,
    () =>
      key((id) => t.call('POST', `/store/live/keys/${id}/rotate`, owner, { overlap_seconds: 0 })),
  ],
  ['an operator is disabled', 401, () => operator((id) => changeOperator(id, { disabled: true }))],
  [
    'an operator gets a lower role',
    403,
    () => operator((id) => changeOperator(id, { role: 'auditor' }), { call: LOCK_WALLET }),
  ],
  [
    'the password of an operator is reset',
    401,
    () => operator((id) => byOperator(`operators/${id}/password`)),
  ],
  [
    'an operator ends all other sessions',
    401,
    () =>
      operator(async (id) =>
        t.call('DELETE', '/operator/sessions', await newOperatorSession(t, id)),
      ),
  ],
  [
    'the owner of a token is disabled',
    401,
    () => operator((id) => changeOperator(id, { disabled: true }), { hasToken: true }),
  ],
  [
    'the owner of a token gets a lower role',
    403,
    () =>
      operator((id) => changeOperator(id, { role: 'finance' }), {
        call: LOCK_WALLET,
        hasToken: true,
      }),
  ],
  [
    'a token is revoked',
    401,
    async () => {
      const { tokenId, headers } = await createTestToken(t, { operatorId: null, scopes: ['read'] })
      const revoke = () => t.call('DELETE', `/operator/tokens/${tokenId}`, t.operator)
      return { headers, call: READ_AS_OPERATOR, revoke }
    },
  ],
  ['a wallet is locked', 401, () => wallet((id) => byOperator(`wallets/${id}/lock`))],
  [
    'the operator sets a PIN',
    401,
    () => wallet((id) => byOperator(`wallets/${id}/pin`, { pin: '8052' })),
  ],
  [
    'a wallet gets a code that ends its sessions',
    401,
    () => wallet((id) => byOperator(`wallets/${id}/activation`, { end_sessions: true })),
  ],
  ['a payer is erased', 401, () => wallet((id) => byOperator(`wallets/${id}/erase`))],
  ['a payer signs out', 401, () => wallet((_, own) => t.call('DELETE', '/wallet/session', own))],
]

it('a revocation takes effect immediately on the node that makes it, and within five seconds on others', async () => {
  const revoked: [string, number, Access][] = []
  for (const [name, status, prepare] of REVOCATIONS) {
    const access = await prepare()
    const allowed = access.call === LOCK_WALLET ? 404 : 200
    for (const at of [t, node]) expect((await send(at, access)).status, name).toBe(allowed)
    expect((await access.revoke()).status, name).toBe(200)
    expect((await send(t, access)).status, name).toBe(status)
    revoked.push([name, status, access])
  }
  await sleep(CACHE.maxAgeMs + 100)
  const [found, expected] = [new Map<string, number>(), new Map<string, number>()]
  for (const [name, status, access] of revoked) {
    expected.set(name, status)
    found.set(name, (await send(node, access)).status)
  }
  expect(found).toEqual(expected)
})

/** Sends a request, and the last byte of its body only after `act`. Resolves with the status of the response. */
async function sendSlowly(
  port: number,
  { path, headers, body }: { path: string; headers: Headers; body: object },
  act: () => Promise<TestResponse>,
): Promise<number> {
  const text = JSON.stringify(body)
  const sent = { 'content-type': 'application/json', 'content-length': text.length }
  const options = {
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: { ...headers, ...sent },
  }
  const call = request(options)
  const status = once(call, 'response').then(([response]) => response.resume().statusCode as number)
  call.write(text.slice(0, -1))
  // The service checks the credentials when the headers arrive, and again after a second.
  await sleep(1_500)
  expect((await act()).status).toBe(200)
  call.end(text.slice(-1))
  return status
}

it('a revocation also affects a request whose body is still being sent', async () => {
  const port = await listen()
  const { personId, headers } = await createPerson(t, shop.store)
  const admin = await createOperator(t)
  await createOperator(t)
  const keys = await t.issue(shop.store, 'live')
  const payer = await t.createWallet({ balance: '50' })
  const { qr_code } = await t.createPayment(shop.live)
  const [live, order] = ['/store/live', { amount: 1, currency: 'USD' }]
  const newKey = { label: 'Mine', scopes: ['refund'] }
  const newAdmin = { email: 'mine@florin.example', name: 'Mine', role: 'admin' }
  const statuses = await Promise.all([
    sendSlowly(port, { path: `${live}/keys`, headers, body: newKey }, () =>
      t.call('PATCH', `/operator/people/${personId}`, t.operator, { disabled: true }),
    ),
    sendSlowly(port, { path: '/operator/operators', headers: admin.headers, body: newAdmin }, () =>
      changeOperator(admin.operatorId, { disabled: true }),
    ),
    sendSlowly(port, { path: '/merchant/payment/create', headers: keys, body: order }, () =>
      t.call('DELETE', `${live}/keys/${keys['api-key']}`, owner),
    ),
    sendSlowly(
      port,
      { path: `/wallet/payment/${qr_code}/pay`, headers: payer.headers, body: {} },
      () => t.call('DELETE', '/wallet/session', payer.headers),
    ),
  ])
  expect(statuses).toEqual([401, 401, 401, 401])
})

it('counts such a request once for the rate limit', async () => {
  const config = { ...t.service.config, requestsPerMinute: 1 }
  const app = await buildApp({ ...t.service, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const allowed = () => t.call('GET', '/health')
  const { headers } = await createPerson(t, shop.store)
  const body = { amount: 1, currency: 'USD' }
  const statuses = await Promise.all([
    sendSlowly(port, { path: '/merchant/payment/create', headers: shop.live, body }, allowed),
    sendSlowly(port, { path: '/store/live/payments', headers, body }, allowed),
  ])
  await app.close()
  expect(statuses).toEqual([200, 200])
})

describe('the download of a CSV file', () => {
  it.each([
    ['is disabled', { disabled: true }],
    ['gets a role that may not download it', { role: 'cashier' }],
  ])('stops when the person %s', async (_, change) => {
    const { store } = await t.createStore()
    const { personId, headers } = await createPerson(t, store, 'manager')
    await fillPayments(t, store, 450, () => ({ status: 'expired' }))
    const port = await listen()
    const reads = t.service.downloadReads
    const read = reads.readPaymentPage
    const pages = vi.spyOn(reads, 'readPaymentPage')
    pages.mockImplementationOnce(async (page) => {
      const changed = await t.call('PATCH', `/operator/people/${personId}`, t.operator, change)
      expect(changed.status).toBe(200)
      return read(page)
    })
    try {
      const url = `http://127.0.0.1:${port}/store/live/payments.csv`
      const response = await fetch(url, { headers })
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow()
      expect(pages.mock.calls.length).toBeLessThan(3)
    } finally {
      pages.mockRestore()
    }
  })
})
