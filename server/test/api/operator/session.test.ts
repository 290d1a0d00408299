import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsOf, readDocument } from '../../openapi/contract.ts'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { createOperator, newOperatorSession } from '../../setup/operators.ts'
import { cookieOf, createPerson, PASSWORD, PUBLIC_ORIGIN } from '../../setup/people.ts'
import { type Headers, startTestService, type TestService } from '../../setup/testService.ts'

const REFUSED = refusal(401, 'Invalid operator token')
const GENERATED = expect.stringMatching(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const signIn = (email: string, password: string, headers: Headers = {}) =>
  t.call('POST', '/operator/session', headers, { email, password })
const getSession = (headers: Headers) => t.call('GET', '/operator/session', headers)

describe('an operator', () => {
  it('signs in, gets a cookie for this host only, and is named in the audit log', async () => {
    const { email, name, operatorId } = await createOperator(t)
    const response = await signIn(` ${email.toUpperCase()} `, PASSWORD)
    expect(response).toMatchObject({ status: 200 })
    expect(response.body).toEqual({
      status: 200,
      message: 'Signed in',
      data: {
        account: {
          password_change_required: false,
          has_passkey: false,
          has_totp: false,
          second_factor_due_at: null,
        },
        operator: {
          operator_id: operatorId,
          email,
          name,
          role: 'admin',
          permissions: ['metrics', 'read', 'support', 'money', 'admin'],
        },
        session: { session_id: expect.stringMatching(/^ses_\w{26}$/), expires_at: TIME },
      },
    })
    const [pair, ...flags] = String(response.headers['set-cookie']).split('; ')
    expect(pair).toMatch(/^__Host-florin_operator=flc_[\w-]{43}$/)
    expect(flags).toEqual(
      expect.arrayContaining(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']),
    )
    const cookie = cookieOf(response)
    expect((await getSession(cookie)).body.data).toEqual(response.body.data)
    const created = await t.call('POST', '/operator/stores', cookie, {
      name: 'Mine',
      currency: 'USD',
    })
    expect(created.status).toBe(200)
    const log = await t.call('GET', '/operator/audit-log?limit=1', cookie)
    expect(log.body.data.entries[0]).toMatchObject({
      action: 'store.create',
      actor: `${email} (operator)`,
    })
    expect((await t.call('DELETE', '/operator/session', cookie)).status).toBe(200)
    expect(await getSession(cookie)).toMatchObject({ status: 401, body: REFUSED })
  })

  it('gets the same response to a wrong password as to an unknown email address, and is locked out after five wrong ones', async () => {
    const { email } = await createOperator(t)
    const wrong = await signIn(email, 'wrong')
    expect(wrong).toMatchObject({ status: 401 })
    expect((await signIn('nobody@florin.example', PASSWORD)).text).toBe(wrong.text)
    for (let n = 0; n < 4; n++) await signIn(email, 'wrong')
    expect((await signIn(email, PASSWORD)).status).toBe(403)
  })

  it('can act only from our own pages, and only in the session that the page shows', async () => {
    const { headers } = await createOperator(t)
    const post = (extraHeaders: Headers) =>
      t.call('POST', '/operator/ledger-audits', { ...headers, ...extraHeaders })
    for (const otherOrigin of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect((await post(otherOrigin)).status).toBe(403)
    }
    const { origin: _, ...withoutOrigin } = headers
    expect((await t.call('POST', '/operator/ledger-audits', withoutOrigin)).status).toBe(403)
    expect((await post({ 'x-florin-session': 'ses_of_another' })).status).toBe(401)
    const evil = { origin: 'https://evil.example' }
    expect((await signIn('a@b.example', PASSWORD, evil)).status).toBe(403)
  })

  it('can change the password, which ends the other sessions', async () => {
    const { operatorId, headers, email } = await createOperator(t)
    const other = await newOperatorSession(t, operatorId)
    const change = (current: string) =>
      t.call('POST', '/operator/password', headers, { current, new: 'another password' })
    expect((await change('wrong')).body).toEqual(
      invalid(['current', 'current is not your password']),
    )
    expect((await change(PASSWORD)).status).toBe(200)
    expect([(await getSession(headers)).status, (await getSession(other)).status]).toEqual([
      200, 401,
    ])
    expect((await signIn(email, 'another password')).status).toBe(200)
  })

  it('has no session with an operator token', async () => {
    const refused = refusal(409, 'Only a signed-in operator can do that, not a token')
    expect((await getSession(t.operator)).body).toEqual(refused)
  })
})

describe('managing operators', () => {
  it('operators add and disable each other and reset passwords, but the last admin cannot be disabled', async () => {
    const { headers, operatorId } = await createOperator(t)
    const act = (method: 'POST' | 'PATCH', path: string, body?: unknown) =>
      t.call(method, `/operator/operators${path}`, headers, body)
    const fields = { email: 'New@Florin.Example', name: 'New', role: 'support' }
    const created = await act('POST', '', fields)
    expect(created.body.data).toEqual({
      operator_id: expect.stringMatching(/^opr_\w{26}$/),
      email: 'new@florin.example',
      name: 'New',
      role: 'support',
      created_at: TIME,
      disabled_at: null,
      invited_at: null,
      password: GENERATED,
    })
    const { operator_id: id, password } = created.body.data
    expect((await act('POST', '', fields)).body).toEqual(
      invalid(['email', 'email belongs to another operator']),
    )
    const otherCookie = cookieOf(await signIn(fields.email, password))
    const reset = (await act('POST', `/${id}/password`)).body.data.password
    expect((await getSession(otherCookie)).status).toBe(401)
    expect((await signIn(fields.email, reset)).status).toBe(200)
    expect((await act('PATCH', `/${id}`, { disabled: true })).body.data.disabled_at).toEqual(TIME)
    expect((await signIn(fields.email, reset)).status).toBe(401)

    const { operators } = (await t.call('GET', '/operator/operators', headers)).body.data
    const others = operators.filter(
      (operator: { disabled_at: string | null; operator_id: string }) =>
        operator.disabled_at === null && operator.operator_id !== operatorId,
    )
    for (const { operator_id } of others) await act('PATCH', `/${operator_id}`, { disabled: true })
    expect(await act('PATCH', `/${operatorId}`, { disabled: true })).toMatchObject({
      status: 409,
      body: refusal(
        409,
        'This is the last admin who can sign in. Make another operator an admin first.',
      ),
    })
    expect((await act('PATCH', '/opr_nobody', { name: 'X' })).status).toBe(404)
    const log = await t.call('GET', '/operator/audit-log?limit=100', headers)
    expect(log.text).toContain(id)
    expect(log.text).not.toContain(password)
    expect(log.text).not.toContain(reset)
  })

  it('the only admin who can sign in can disable an invited admin', async () => {
    const { headers, operatorId } = await createOperator(t)
    const invited = await createOperator(t)
    await t.database.transaction(async (tx) => {
      await tx.execute('update operator set invited_at = now() where operator_id = $1', [
        invited.operatorId,
      ])
      await tx.execute(
        'update operator set disabled_at = now() where disabled_at is null and operator_id <> all($1)',
        [[operatorId, invited.operatorId]],
      )
    })
    const disable = (id: string) =>
      t.call('PATCH', `/operator/operators/${id}`, headers, { disabled: true })
    expect((await disable(invited.operatorId)).status).toBe(200)
    expect((await disable(operatorId)).status).toBe(409)
  })
})

it('refuses people of stores, wallets and API keys on every operator endpoint', async () => {
  const { store, live } = await t.createStore()
  const wallet = await t.createWallet()
  const owner = await createPerson(t, store, 'owner')
  const token = owner.headers.cookie!.split('=')[1]!
  const attempts: Headers[] = [
    {},
    { authorization: 'Bearer flo_wrong' },
    { authorization: 'x' },
    live,
    wallet.headers,
    owner.headers,
    { ...owner.headers, cookie: `__Host-florin_operator=${token}` },
    { cookie: `__Host-florin_operator=flc_${'x'.repeat(43)}`, origin: PUBLIC_ORIGIN },
  ]
  const publicOperations = [
    'signInOperator',
    'getOperatorSignInOptions',
    'signInOperatorWithPasskey',
    'getSetup',
    'setUp',
    'forgotOperatorPassword',
    'openOperatorPasswordLink',
    'resetOperatorPasswordByLink',
  ]
  const operations = operationsOf(await readDocument(t)).filter(
    ({ path, operationId }) =>
      /^\/(operator|metrics)/.test(path) && !publicOperations.includes(operationId),
  )
  expect(operations.length).toBeGreaterThan(40)
  let address = 0
  for (const { method, path } of operations) {
    const url = path.replaceAll(/\{\w+\}/g, '1')
    for (const headers of attempts) {
      // Use a new address each time, because failures are throttled per address.
      const remoteAddress = `198.51.${100 + (++address >> 8)}.${address & 255}`
      const response = await t.app.inject({ method, url, headers, remoteAddress })
      expect([response.statusCode, response.json()], `${method} ${path}`).toEqual([401, REFUSED])
    }
  }
})
