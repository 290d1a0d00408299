import { ROLES } from '@florin/contract/values.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/core/person.ts'
import { type Operation, operationsOf, readDocument } from '../../openapi/contract.ts'
import { refusal } from '../../setup/expected.ts'
import { newLink } from '../../setup/links.ts'
import { changeStore } from '../../setup/merchantCalls.ts'
import { createPersonOfEachRole, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

type StoreOperation = Operation & { readonly 'x-roles'?: readonly Role[] }

const NOT_ALLOWED = refusal(403, 'Your role does not allow that')

/** Sign-in, and routes for a person's own account. They work in every role and in a suspended store. */
const OWN_ACCOUNT = [
  'DELETE /store/account/passkeys/{passkeyId}',
  'DELETE /store/account/totp',
  'DELETE /store/session',
  'DELETE /store/sessions',
  'DELETE /store/sessions/{sessionId}',
  'GET /store/account',
  'GET /store/account/security-events',
  'GET /store/session',
  'GET /store/sessions',
  'POST /store/account/passkeys',
  'POST /store/account/passkeys/options',
  'POST /store/account/recovery-codes',
  'POST /store/account/totp',
  'POST /store/account/totp/activate',
  'POST /store/password',
  'POST /store/password/forgot',
  'POST /store/password/link',
  'POST /store/password/reset',
  'POST /store/session',
  'POST /store/session/confirm',
  'POST /store/session/confirm/options',
  'POST /store/session/passkey',
  'POST /store/session/passkey/options',
]

let t: TestService
let shop: TestStore
let people: Record<Role, TestPerson>
let routes: StoreOperation[]
let paymentId: string
const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const rolesOf = (route: StoreOperation) => route['x-roles'] ?? null

beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ refundCapCashierMinor: null })
  people = await createPersonOfEachRole(t, shop.store)
  routes = operationsOf(await readDocument(t)).filter(({ path }) => path.startsWith('/store/'))
  paymentId = (await t.createPayment(shop.live)).payment_id
})
afterAll(() => t.close())

/** Calls a route with an existing payment and otherwise unknown ids. Only the refusal of the role matters. */
async function send(route: Operation, role: Role) {
  const path = route.path
    .replace('{mode}', 'live')
    .replace('{paymentId}', paymentId)
    .replaceAll(/\{\w+\}/g, 'unknown')
  const body = route.requestBody === undefined ? undefined : {}
  return t.call(route.method, path, people[role].headers, body)
}

it("every route of the store declares its roles, or is for the person's own account", () => {
  const undeclared = routes.filter((route) => rolesOf(route) === null).map(nameOf)
  expect(undeclared.toSorted()).toEqual(OWN_ACCOUNT)
})

it('the listed routes have the expected roles', () => {
  const declared = Object.fromEntries(routes.map((route) => [nameOf(route), rolesOf(route)]))
  const OFFICE_ROLES = ['owner', 'manager', 'viewer']
  const payment = '/store/{mode}/payments/{paymentId}'
  expect(declared).toMatchObject({
    'GET /store/{mode}/payments': ROLES,
    [`GET ${payment}`]: ROLES,
    [`GET ${payment}/status`]: ROLES,
    [`GET ${payment}/refund`]: ROLES,
    'GET /store/{mode}/today': ROLES,
    'POST /store/{mode}/payments': ['owner', 'manager', 'cashier'],
    [`POST ${payment}/expire`]: ['owner', 'manager', 'cashier'],
    [`POST ${payment}/refund`]: ['owner', 'manager', 'cashier'],
    [`GET ${payment}/ledger`]: OFFICE_ROLES,
    [`GET ${payment}/audit`]: OFFICE_ROLES,
    [`GET ${payment}/webhooks`]: OFFICE_ROLES,
    [`POST ${payment}/webhooks/redeliver`]: ['owner', 'manager'],
    'GET /store/{mode}/overview': OFFICE_ROLES,
    'GET /store/{mode}/overview/series': OFFICE_ROLES,
    'GET /store/{mode}/statement': OFFICE_ROLES,
    'GET /store/{mode}/closes': OFFICE_ROLES,
    'GET /store/{mode}/statement.csv': OFFICE_ROLES,
    'GET /store/{mode}/payments.csv': OFFICE_ROLES,
    'GET /store/{mode}/webhooks': ['owner', 'manager'],
    'POST /store/{mode}/webhooks/resend': ['owner', 'manager'],
    'POST /store/{mode}/console/payments': ['owner', 'manager'],
    'POST /store/{mode}/console/payments/{paymentId}/pay': ['owner', 'manager'],
    'GET /store/settings': ['owner', 'manager'],
    'GET /store/setup': ['owner'],
    'PATCH /store/settings': ['owner'],
    'GET /store/till': ROLES,
    'PATCH /store/till': ['owner', 'manager'],
    'PUT /store/logo': ['owner'],
    'DELETE /store/logo': ['owner'],
    'GET /store/{mode}/keys': ['owner'],
    'POST /store/{mode}/keys': ['owner'],
    'POST /store/{mode}/keys/{apiKey}/rotate': ['owner'],
    'DELETE /store/{mode}/keys/{apiKey}': ['owner'],
    'GET /store/{mode}/webhook-secret': ['owner'],
    'POST /store/{mode}/webhook-secret/rotate': ['owner'],
    'POST /store/{mode}/clients/export': ['owner'],
    'POST /store/{mode}/clients/erase': ['owner'],
    'GET /store/people': ['owner'],
    'GET /store/security-events': ['owner'],
    'POST /store/people': ['owner'],
    'PATCH /store/people/{personId}': ['owner'],
    'POST /store/people/{personId}/password': ['owner'],
  })
})

describe.each(ROLES)('a %s who calls the API directly', (role) => {
  it('can call the routes of the role, and no others', async () => {
    const refused: string[] = []
    const declared = routes.filter((route) => rolesOf(route) !== null)
    for (const route of declared) {
      const { status, body } = await send(route, role)
      expect(status, nameOf(route)).toBeLessThan(500)
      if (body?.message === NOT_ALLOWED.message) {
        expect(body).toEqual(NOT_ALLOWED)
        refused.push(nameOf(route))
      }
    }
    const expected = declared.filter((route) => !rolesOf(route)!.includes(role)).map(nameOf)
    expect(refused).toEqual(expected)
  })
})

it('hides the balance of the store from cashiers, even in the preview of a refund', async () => {
  const readBalances = async (role: Role) => {
    const url = `/store/live/payments/${paymentId}/refund`
    const { body } = await t.call('GET', url, people[role].headers)
    return [body.data.store_balance, body.data.store_balance_after]
  }
  expect(await readBalances('cashier')).toEqual([null, null])
  expect(await readBalances('manager')).toEqual(['0.00', null])
  for (const path of ['overview', 'statement', 'closes', 'statement.csv']) {
    const { body } = await t.call('GET', `/store/live/${path}`, people.cashier.headers)
    expect(body, path).toEqual(NOT_ALLOWED)
  }
})

it('hides the webhooks of payments and links from cashiers', async () => {
  const webhook_url = 'https://shop.example/hook?token=secret'
  const { payment_id } = await t.createPayment(shop.live, { webhook_url })
  const linkId = await newLink(t, shop.live, { webhook_url })
  const readAll = async (role: Role) => {
    const paths = [`payments/${payment_id}`, 'payments', `links/${linkId}`, 'links']
    const responses = paths.map((path) =>
      t.call('GET', `/store/live/${path}`, people[role].headers),
    )
    return (await Promise.all(responses)).map(({ text }) => text.includes('token=secret'))
  }
  for (const role of ['owner', 'manager', 'viewer'] as const) {
    expect(await readAll(role), role).toEqual([true, true, true, true])
  }
  expect(await readAll('cashier')).toEqual([false, false, false, false])
})

it('a suspended store refuses every route that has roles, but its people can read their session', async () => {
  await changeStore(t, shop, { suspended: true })
  for (const route of routes.filter((operation) => rolesOf(operation) !== null)) {
    const { body } = await send(route, 'owner')
    expect(body, nameOf(route)).toEqual(refusal(403, 'This store is suspended'))
  }
  expect((await t.call('GET', '/store/session', people.owner.headers)).status).toBe(200)
  await changeStore(t, shop, { suspended: false })
})
