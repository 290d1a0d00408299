import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal } from '../setup/expected.ts'
import { createOperator, newOperatorSession } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD } from '../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'
import { type Route, routesOf } from './routes.ts'

const NEEDED = refusal(428, 'Confirm that it is you to continue.')

let t: TestService
let routes: Route[]
beforeAll(async () => {
  t = await startTestService()
  routes = (await routesOf(t)).filter(({ responses }) => '428' in responses)
})
afterAll(() => t.close())

/** Each creates an account with two sessions. */
const ACCOUNTS = {
  async person() {
    const { store } = await t.createStore()
    const { personId, headers } = await createPerson(t, store)
    return { path: '/store', sessions: [headers, await newSession(t, personId)] as const }
  },
  async operator() {
    const { operatorId, headers } = await createOperator(t)
    return {
      path: '/operator',
      sessions: [headers, await newOperatorSession(t, operatorId)] as const,
    }
  },
}

/** Calls a route with unknown ids. Only the missing confirmation matters. */
function send({ method, path, operationId }: Route, headers: Headers) {
  const url = path.replace('{mode}', 'live').replaceAll(/\{\w+\}/g, 'unknown')
  // Only this setting needs a confirmation.
  const body = operationId === 'changeSettings' ? { second_factor_roles: [] } : undefined
  return t.call(method, url, headers, body)
}

it.each(['person', 'operator'] as const)(
  'the sensitive actions of a session need a confirmation in that session: %s',
  async (kind) => {
    const { path, sessions } = await ACCOUNTS[kind]()
    const [confirmed, stolen] = sessions
    await t.database.transaction((tx) =>
      tx.execute(`update ${kind}_session set created_at = now() - interval '1 hour'`),
    )
    const password = { password: PASSWORD }
    const confirmation = await t.call('POST', `${path}/session/confirm`, confirmed, password)
    expect(confirmation.status).toBe(200)
    const sensitive = routes.filter((route) => route.kind === kind)
    expect(sensitive.length).toBeGreaterThan(15)
    for (const route of sensitive) {
      const name = `${route.method} ${route.path}`
      expect((await send(route, stolen)).body, name).toEqual(NEEDED)
      expect((await send(route, confirmed)).status, name).not.toBe(428)
    }
  },
)
