import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'
import { PAGES, routesOf, servedBy } from './routes.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('every route is in the OpenAPI document or among the pages, and only the listed calls need no credentials', async () => {
  const routes = await routesOf(t)
  const served = servedBy(t).filter((route) => !route.startsWith('HEAD '))
  const documented = routes.map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect(served.sort()).toEqual([...documented, ...PAGES.map((path) => `GET ${path}`)].sort())
  const guarded = routes.filter(({ kind }) => kind !== 'open')
  expect(guarded.length).toBeGreaterThan(95)
  const open = routes
    .filter(({ kind }) => kind === 'open')
    .map(({ method, path }) => `${method} ${path}`)
  // The complete list of calls without credentials.
  expect(open.sort()).toEqual([
    'GET /health',
    'GET /link/{linkId}/qr.svg',
    'GET /openapi.json',
    'GET /operator/setup',
    'GET /ready',
    'GET /stores/{storeId}/logo.svg',
    'GET /stores/{storeId}/logo/{file}',
    'POST /operator/password/forgot',
    'POST /operator/password/link',
    'POST /operator/password/reset',
    'POST /operator/session',
    'POST /operator/session/passkey',
    'POST /operator/session/passkey/options',
    'POST /operator/setup',
    'POST /store/password/forgot',
    'POST /store/password/link',
    'POST /store/password/reset',
    'POST /store/session',
    'POST /store/session/passkey',
    'POST /store/session/passkey/options',
    'POST /wallet/activate',
    'POST /wallet/session',
    'POST /wallet/signup',
  ])
})
