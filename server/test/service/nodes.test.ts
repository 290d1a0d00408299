import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { changeStore } from '../setup/merchantCalls.ts'
import { createOperator, createTestToken } from '../setup/operators.ts'
import { createPerson } from '../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

let t: TestService
let node: Node
beforeAll(async () => {
  t = await startTestService()
  node = await openNode(t)
})
afterAll(async () => {
  await node.close()
  await t.close()
})
afterEach(() => vi.restoreAllMocks())

/** A change on one node, and a request to another node that shows whether it has taken effect. */
type Case = {
  readonly what: string
  readonly path: string
  readonly prepare: (shop: TestStore) => Promise<Headers>
  readonly change: (shop: TestStore, headers: Headers) => Promise<unknown>
  readonly isKnown: (response: TestResponse) => boolean
}

const isRefusedWith = (status: number) => (response: TestResponse) => response.status === status
const people = new Map<Headers, string>()
const tokens = new Map<Headers, string>()
const operators = new Map<Headers, string>()

function remember(operatorId: string, headers: Headers): Headers {
  operators.set(headers, operatorId)
  return headers
}

const changeOperator = (headers: Headers, change: object) =>
  t.call('PATCH', `/operator/operators/${operators.get(headers)}`, t.operator, change)

const CASES: readonly Case[] = [
  {
    what: 'a revoked key',
    path: '/merchant/store',
    prepare: async ({ store }) => t.issue(store, 'live'),
    change: (_shop, keys) =>
      t.call('DELETE', `/operator/credentials/${keys['api-key']}`, t.operator),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'a suspended store',
    path: '/merchant/store',
    prepare: async ({ live }) => live,
    change: (shop) => changeStore(t, shop, { suspended: true }),
    isKnown: isRefusedWith(403),
  },
  {
    what: 'a setting of a store',
    path: '/merchant/quote?amount=10&currency=USD',
    prepare: async ({ live }) => live,
    change: (shop) => changeStore(t, shop, { fee_fixed: '1.00' }),
    isKnown: ({ text }) => text.includes('"1.00"'),
  },
  {
    what: 'a revoked operator token',
    path: '/operator/stores',
    prepare: async () => {
      const created = await t.call('POST', '/operator/tokens', t.operator, {
        label: 'another node',
        scopes: ['admin'],
      })
      const headers = { authorization: `Bearer ${created.body.data.token}` }
      tokens.set(headers, created.body.data.token_id)
      return headers
    },
    change: (_shop, headers) =>
      t.call('DELETE', `/operator/tokens/${tokens.get(headers)}`, t.operator),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'the session of a disabled operator',
    path: '/operator/stores',
    prepare: async () => {
      const { operatorId, headers } = await createOperator(t, 'support')
      return remember(operatorId, headers)
    },
    change: (_shop, headers) => changeOperator(headers, { disabled: true }),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'a token of a disabled operator',
    path: '/operator/stores',
    prepare: async () => {
      const { operatorId } = await createOperator(t, 'support')
      const { headers } = await createTestToken(t, { operatorId, scopes: ['read'] })
      return remember(operatorId, headers)
    },
    change: (_shop, headers) => changeOperator(headers, { disabled: true }),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'the changed role of a signed-in operator',
    path: '/operator/session',
    prepare: async () => {
      const { operatorId, headers } = await createOperator(t, 'finance')
      return remember(operatorId, headers)
    },
    change: (_shop, headers) => changeOperator(headers, { role: 'auditor' }),
    isKnown: ({ body }) => !body.data.operator.permissions.includes('money'),
  },
  {
    what: 'a signed-out wallet',
    path: '/wallet/me',
    prepare: async () => (await t.createWallet()).headers,
    change: (_shop, headers) => t.call('DELETE', '/wallet/session', headers),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'a signed-out person',
    path: '/store/session',
    prepare: async ({ store }) => (await createPerson(t, store)).headers,
    change: (_shop, headers) => t.call('DELETE', '/store/session', headers),
    isKnown: isRefusedWith(401),
  },
  {
    what: 'a changed role',
    path: '/store/people',
    prepare: async ({ store }) => {
      await createPerson(t, store, 'owner')
      const { personId, headers } = await createPerson(t, store, 'owner')
      people.set(headers, personId)
      return headers
    },
    change: (_shop, headers) =>
      t.call('PATCH', `/operator/people/${people.get(headers)}`, t.operator, { role: 'cashier' }),
    isKnown: isRefusedWith(403),
  },
  {
    what: 'a password reset, which ends every session',
    path: '/store/session',
    prepare: async ({ store }) => {
      const { personId, headers } = await createPerson(t, store)
      people.set(headers, personId)
      return headers
    },
    change: (_shop, headers) =>
      t.call('POST', `/operator/people/${people.get(headers)}/password`, t.operator),
    isKnown: isRefusedWith(401),
  },
]

/** Makes the change. Returns a function that checks that the other node knows of it. */
async function makeChange({ what, path, prepare, change, isKnown }: Case) {
  const shop = await t.createStore()
  const headers = await prepare(shop)
  const send = () => node.call('GET', path, headers)
  const before = await send()
  expect([what, before.status, isKnown(before)]).toEqual([what, 200, false])
  await change(shop, headers)
  return async () => expect(isKnown(await send()), what).toBe(true)
}

it('a change on one node takes effect on another within five seconds', async () => {
  const checks = await Promise.all(CASES.map(makeChange))
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000)
  await Promise.all(checks.map((check) => check()))
})
