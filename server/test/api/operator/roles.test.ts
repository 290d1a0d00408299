import { OPERATOR_ROLES, PERMISSIONS } from '@florin/contract/values.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperatorRole, Permission } from '../../../src/core/operator.ts'
import { kindOf } from '../../attacks/routes.ts'
import { type Operation, operationsOf, readDocument } from '../../openapi/contract.ts'
import { refusal } from '../../setup/expected.ts'
import { createOperator, createTestToken } from '../../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

type OperatorOperation = Operation & { readonly 'x-permission'?: Permission }

const NOT_ALLOWED = refusal(403, 'This needs a permission that your role or token does not have')

/** Written out here, so that a change of the rules fails these tests. */
const ALLOWED_ROLES: Record<Permission, readonly OperatorRole[]> = {
  metrics: ['admin', 'finance', 'support', 'auditor'],
  read: ['admin', 'finance', 'support', 'auditor'],
  support: ['admin', 'support'],
  money: ['admin', 'finance'],
  admin: ['admin'],
}
const ALLOWED_SCOPES: Record<Permission, readonly Permission[]> = {
  metrics: ['metrics', 'read', 'support', 'money', 'admin'],
  read: ['read', 'support', 'money', 'admin'],
  support: ['support', 'admin'],
  money: ['money', 'admin'],
  admin: ['admin'],
}

let t: TestService
let routes: OperatorOperation[]
const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const permissionOf = (route: OperatorOperation) => route['x-permission']!

beforeAll(async () => {
  t = await startTestService()
  const operations = operationsOf(await readDocument(t))
  routes = operations.filter((route) => kindOf(route) === 'operator')
})
afterAll(() => t.close())

/** Calls a route with unknown ids. Only the refusal of the permission matters. */
async function send(route: Operation, headers: Headers) {
  const path = route.path.replaceAll(/\{\w+\}/g, 'unknown')
  const body = route.requestBody === undefined ? undefined : {}
  return t.call(route.method, path, headers, body)
}

async function findRefusedRoutes(
  headersOf: (route: Operation) => Promise<Headers>,
): Promise<string[]> {
  const refused: string[] = []
  for (const route of routes) {
    const { status, body } = await send(route, await headersOf(route))
    expect(status, nameOf(route)).toBeLessThan(500)
    if (status !== 403) continue
    expect(body, nameOf(route)).toEqual(NOT_ALLOWED)
    refused.push(nameOf(route))
  }
  return refused
}

it('every route for operators declares its permission', () => {
  expect(routes.length).toBeGreaterThan(45)
  const undeclared = routes
    .filter((route) => !PERMISSIONS.includes(permissionOf(route)))
    .map(nameOf)
  expect(undeclared).toEqual([])
})

it('routes that read need no more than the permission to read', () => {
  const gets = routes.filter(({ method }) => method === 'GET')
  const others = gets.filter((route) => permissionOf(route) !== 'read')
  expect(others.map(nameOf)).toEqual(['GET /metrics'])
})

it('the listed routes that change something have the expected permissions', () => {
  const writes = routes.filter(({ method }) => method !== 'GET')
  const declared = Object.fromEntries(writes.map((route) => [nameOf(route), permissionOf(route)]))
  const [store, wallet] = ['/operator/stores/{storeId}', '/operator/wallets/{walletId}']
  expect(declared).toMatchObject({
    'POST /operator/stores': 'admin',
    [`PATCH ${store}`]: 'admin',
    [`POST ${store}/fund`]: 'money',
    [`POST ${store}/payout`]: 'money',
    [`POST ${store}/credentials`]: 'admin',
    [`POST ${store}/people`]: 'admin',
    [`POST ${store}/webhook-secret/rotate`]: 'admin',
    [`POST ${store}/clients/export`]: 'support',
    [`POST ${store}/clients/erase`]: 'support',
    'POST /operator/credentials/{apiKey}/rotate': 'admin',
    'DELETE /operator/credentials/{apiKey}': 'admin',
    'PATCH /operator/people/{personId}': 'admin',
    'POST /operator/people/{personId}/password': 'admin',
    'PUT /operator/rates/{from}/{to}': 'money',
    'POST /operator/wallets': 'support',
    [`POST ${wallet}/top-up`]: 'money',
    [`POST ${wallet}/withdraw`]: 'money',
    [`POST ${wallet}/unlock`]: 'support',
    [`POST ${wallet}/lock`]: 'support',
    [`POST ${wallet}/pin`]: 'admin',
    [`POST ${wallet}/export`]: 'support',
    [`POST ${wallet}/erase`]: 'support',
    'POST /operator/operators': 'admin',
    'PATCH /operator/operators/{operatorId}': 'admin',
    'POST /operator/operators/{operatorId}/password': 'admin',
    'POST /operator/tokens': 'admin',
    'DELETE /operator/tokens/{tokenId}': 'admin',
    'PUT /operator/approval-limits': 'admin',
    'POST /operator/approvals/{approvalId}': 'money',
    'POST /operator/ledger-audits': 'read',
    'POST /operator/password': 'read',
    'DELETE /operator/session': 'read',
  })
})

describe.each(OPERATOR_ROLES)('an operator with the role %s', (role) => {
  it('can call the routes of the role, and no others', async () => {
    // A new operator each time, because one of the routes signs out.
    const refused = await findRefusedRoutes(async () => (await createOperator(t, role)).headers)
    const expected = routes.filter((route) => !ALLOWED_ROLES[permissionOf(route)].includes(role))
    expect(refused).toEqual(expected.map(nameOf))
  })

  it('has no more rights with an admin token', async () => {
    const { operatorId } = await createOperator(t, role)
    const { headers } = await createTestToken(t, { operatorId, scopes: ['admin'] })
    const refused = await findRefusedRoutes(async () => headers)
    const expected = routes.filter((route) => !ALLOWED_ROLES[permissionOf(route)].includes(role))
    expect(refused).toEqual(expected.map(nameOf))
  })
})

describe.each(PERMISSIONS)('a token with the scope %s', (scope) => {
  it('can call the routes of the scope, and no others', async () => {
    const { headers } = await createTestToken(t, { operatorId: null, scopes: [scope] })
    const refused = await findRefusedRoutes(async () => headers)
    const expected = routes.filter((route) => !ALLOWED_SCOPES[permissionOf(route)].includes(scope))
    expect(refused).toEqual(expected.map(nameOf))
  })
})

it('a token with several scopes has the rights of all of them', async () => {
  const { headers } = await createTestToken(t, { operatorId: null, scopes: ['support', 'money'] })
  const refused = await findRefusedRoutes(async () => headers)
  const admin = routes.filter((route) => permissionOf(route) === 'admin')
  expect(refused).toEqual(admin.map(nameOf))
})

it('a metrics token reads the metrics', async () => {
  const { headers } = await createTestToken(t, { operatorId: null, scopes: ['metrics'] })
  const { status, text } = await t.call('GET', '/metrics', headers)
  expect([status, text.includes('florin_http_requests_total')]).toEqual([200, true])
})
