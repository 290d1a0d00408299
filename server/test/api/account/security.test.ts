import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsOf, readDocument } from '../../openapi/contract.ts'
import {
  ACCOUNT_KINDS,
  type AccountKind,
  addPasskey,
  addTotp,
  call,
  newSessionOf,
  signIn,
  type TestAccount,
} from '../../setup/accounts.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import { createPerson, PASSWORD, PUBLIC_ORIGIN } from '../../setup/people.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const COMMON = 'is one of the most common passwords. Choose another one.'
const change = (account: TestAccount, body: unknown) => call(t, account, 'POST /password', body)
const execute = (sql: string, values: unknown[] = []) =>
  t.database.transaction((tx) => tx.execute(sql, values))

describe.each<AccountKind>(['person', 'operator'])('the password of a %s', (kind) => {
  it.each([
    ['common', 'Qwerty12345', COMMON],
    ['one repeated character', 'aaaaaaaaaaaa', COMMON],
    ['the email address', 'EMAIL', 'must not be your email address or the part before the @'],
    ['its local part', 'LOCAL', 'must not be your email address or the part before the @'],
  ])('is refused if it is %s', async (_, typed, message) => {
    const account = await ACCOUNT_KINDS[kind](t, shop)
    const email = `long.${account.email}`
    await execute(`update ${kind} set email = $2 where ${kind}_id = $1`, [account.id, email])
    const local = email.split('@')[0]!.toUpperCase()
    const next = typed.replace('EMAIL', email.toUpperCase()).replace('LOCAL', local)
    expect((await change(account, { current: PASSWORD, new: next })).body).toEqual(
      invalid(['new', `new ${message}`]),
    )
    const path =
      kind === 'person' ? `/operator/stores/${shop.store.storeId}/people` : '/operator/operators'
    const role = kind === 'person' ? 'cashier' : 'support'
    const body = {
      email: next.includes('@') ? next : `${next}@x.example`,
      name: 'X',
      role,
      password: next,
    }
    expect((await t.call('POST', path, t.operator, body)).body).toEqual(
      invalid(['password', `password ${message}`]),
    )
  })

  it('must be changed after a reset, before any request other than reading the session and signing out', async () => {
    const account = await ACCOUNT_KINDS[kind](t, shop)
    const reset = `/operator/${kind === 'person' ? 'people' : 'operators'}/${account.id}/password`
    const { password } = (await t.call('POST', reset, t.operator)).body.data
    const path = `${account.path}/session`
    const signedIn = await t.call('POST', path, {}, { email: account.email, password })
    expect(signedIn.body.data.account.password_change_required).toBe(true)
    const [cookie] = String(signedIn.headers['set-cookie']).split(';')
    const signedInAccount = { ...account, headers: { cookie: cookie!, origin: PUBLIC_ORIGIN } }

    const allowed = [
      'getPersonSession',
      'signOutPerson',
      'changePassword',
      'getOperatorSession',
      'signOutOperator',
      'changeOperatorPassword',
    ]
    const routes = operationsOf(await readDocument(t)).filter(
      ({ security = [], operationId }) =>
        security.some((scheme) => kind in scheme) && !allowed.includes(operationId),
    )
    expect(routes.length).toBeGreaterThan(40)
    for (const { method, path } of routes) {
      const url = path.replace('{mode}', 'live').replaceAll(/\{\w+\}/g, '1')
      const { body } = await t.call(method, url, signedInAccount.headers)
      expect(body, `${method} ${path}`).toEqual(refusal(403, 'Choose your own password first'))
    }
    expect((await call(t, signedInAccount, 'GET /session')).status).toBe(200)
    const otherSession = { ...account, headers: await newSessionOf(t, account) }
    expect((await call(t, otherSession, 'DELETE /session')).status).toBe(200)

    expect((await change(signedInAccount, { new: password })).body).toEqual(
      invalid(['new', 'new must differ from your current password']),
    )
    const changed = await change(signedInAccount, { new: 'a password of my own' })
    expect(changed.body).toEqual({ status: 200, message: 'Password changed', data: null })
    expect((await call(t, signedInAccount, 'GET /account')).status).toBe(200)
    expect((await change(signedInAccount, { new: 'another of my own' })).body).toEqual(
      invalid(['current', 'current is required']),
    )
    const kinds = await eventKindsOf(t, account.id)
    expect(kinds).toEqual(['password_reset', 'sign_in', 'sign_out', 'password_changed'])
  })

  it('is changed only with the current one if the sign-in was more than 15 minutes ago', async () => {
    const account = await ACCOUNT_KINDS[kind](t, shop)
    await execute(`update ${kind} set password_change_required = true where ${kind}_id = $1`, [
      account.id,
    ])
    await execute(
      `update ${kind}_session set created_at = now() - interval '16 minutes' where ${kind}_id = $1`,
      [account.id],
    )
    const next = 'a password of my own'
    expect((await change(account, { new: next })).body).toEqual(
      invalid(['current', 'current is required']),
    )
    expect((await change(account, { current: PASSWORD, new: next })).status).toBe(200)
  })
})

it('a first password that another person chose must be changed', async () => {
  const path = `/operator/stores/${shop.store.storeId}/people`
  const body = { email: 'new@shop.example', name: 'New', role: 'owner', password: PASSWORD }
  await t.call('POST', path, t.operator, body)
  const signedIn = await t.call(
    'POST',
    '/store/session',
    {},
    { email: body.email, password: PASSWORD },
  )
  expect(signedIn.body.data.account.password_change_required).toBe(true)
})

describe('a required second factor', () => {
  const NEEDED = refusal(403, 'Set up a second factor first')

  it('of a role is set by the owner after a confirmation, and due after 7 days', async () => {
    const { store } = await t.createStore()
    const owner = await createPerson(t, store)
    const cashier = await createPerson(t, store, 'cashier')
    const set = (headers: typeof owner.headers, roles: string[]) =>
      t.call('PATCH', '/store/settings', headers, { second_factor_roles: roles })
    expect((await set(cashier.headers, [])).status).toBe(403)
    expect((await set(owner.headers, ['nobody'])).status).toBe(400)
    await execute(
      `update person_session set created_at = now() - interval '16 minutes' where person_id = $1`,
      [owner.personId],
    )
    t.service.personSessions.forgetAll()
    expect((await set(owner.headers, ['cashier'])).body).toEqual(
      refusal(428, 'Confirm that it is you to continue.'),
    )
    await t.call('POST', '/store/session/confirm', owner.headers, { password: PASSWORD })
    const changed = await set(owner.headers, ['cashier'])
    expect(changed.body.data.second_factor_roles).toEqual(['cashier'])

    const readSession = async () =>
      (await t.call('GET', '/store/session', cashier.headers)).body.data
    const due = new Date(`${(await readSession()).account.second_factor_due_at}Z`)
    expect(Math.round((due.getTime() - Date.now()) / 60_000)).toBe(7 * 24 * 60)
    expect((await t.call('GET', '/store/live/payments', cashier.headers)).status).toBe(200)
    // The grace period of a role is not extended by a change of another one.
    await execute(`update person set created_at = now() - interval '8 days' where store_id = $1`, [
      store.storeId,
    ])
    await execute(
      `update store set second_factor_since = jsonb_build_object('cashier', now() - interval '8 days') where store_id = $1`,
      [store.storeId],
    )
    await set(owner.headers, ['cashier', 'manager'])
    t.service.personSessions.forgetAll()
    expect((await t.call('GET', '/store/live/payments', cashier.headers)).body).toEqual(NEEDED)
    expect((await t.call('GET', '/store/live/payments', owner.headers)).status).toBe(200)
    const account = {
      path: '/store' as const,
      id: cashier.personId,
      email: cashier.email,
      headers: cashier.headers,
    }
    await addPasskey(t, account)
    expect((await t.call('GET', '/store/live/payments', cashier.headers)).status).toBe(200)
    expect((await readSession()).account.second_factor_due_at).toBeNull()
    await set(owner.headers, [])
    expect(
      (await t.call('GET', '/store/settings', owner.headers)).body.data.second_factor_roles,
    ).toEqual([])
  })

  it('of operators is set by an operator, and does not apply to tokens', async () => {
    const operator = await ACCOUNT_KINDS.operator(t)
    const set = (isRequired: boolean) =>
      call(t, operator, 'PUT /security-settings', { operator_second_factor: isRequired })
    expect((await set(true)).body).toEqual({
      status: 200,
      message: 'Security settings changed',
      data: { operator_second_factor: true },
    })
    expect((await call(t, operator, 'GET /stores')).status).toBe(200)
    await execute(`update operator set created_at = now() - interval '8 days'`)
    await execute(`update security_setting set since = now() - interval '8 days'`)
    t.service.operatorSessions.forgetAll()
    expect((await call(t, operator, 'GET /stores')).body).toEqual(NEEDED)
    expect((await set(false)).body).toEqual(NEEDED)
    expect((await t.call('GET', '/operator/stores', t.operator)).status).toBe(200)
    await addTotp(t, operator)
    expect((await call(t, operator, 'GET /stores')).status).toBe(200)
    expect((await set(false)).status).toBe(200)
    expect((await call(t, operator, 'GET /security-settings')).body.data).toEqual({
      operator_second_factor: false,
    })
  })
})

describe('a lost device', () => {
  it('of a person or operator: an operator removes the factors, and is named in the audit log', async () => {
    for (const kind of ['person', 'operator'] as const) {
      const account = await ACCOUNT_KINDS[kind](t, shop)
      await addPasskey(t, account)
      await addTotp(t, account)
      const collection = kind === 'person' ? 'people' : 'operators'
      const remove = (id: string) =>
        t.call('DELETE', `/operator/${collection}/${id}/factors`, t.operator)
      expect((await remove(account.id)).body).toEqual({
        status: 200,
        message: 'Second factors removed',
        data: null,
      })
      expect((await call(t, account, 'GET /account')).status).toBe(401)
      expect((await signIn(t, account)).status).toBe(200)
      const renewedAccount = { ...account, headers: await newSessionOf(t, account) }
      expect((await call(t, renewedAccount, 'GET /account')).body.data).toMatchObject({
        passkeys: [],
        totp_active: false,
        recovery_codes_left: 0,
      })
      const [entry] = await t.database.query<{ actor: string; subject: string }>(
        'select actor, subject from audit_log where action = $1',
        [`${kind}.factors.remove`],
      )
      expect(entry).toEqual({ actor: 'test operator', subject: `${kind}:${account.id}` })
      expect((await remove('x')).status).toBe(404)
    }
  })

  it('of a colleague: the owner removes the factors, but not those of another owner or store', async () => {
    const owner = await createPerson(t, shop.store)
    const account = await ACCOUNT_KINDS.person(t, shop)
    await addPasskey(t, account)
    const remove = (id: string, headers = owner.headers) =>
      t.call('DELETE', `/store/people/${id}/factors`, headers)
    expect((await remove(account.id, account.headers)).status).toBe(403)
    const stranger = await createPerson(t, (await t.createStore()).store)
    expect((await remove(stranger.personId)).body).toEqual(refusal(404, 'Person not found'))
    const other = await createPerson(t, shop.store)
    expect((await remove(other.personId)).body).toEqual(
      refusal(409, 'Only the operator can remove the second factors of an owner'),
    )
    expect((await remove(account.id)).status).toBe(200)
    expect((await signIn(t, account)).status).toBe(200)
  })
})

describe.each<AccountKind>(['person', 'operator'])('the sessions of a %s', (kind) => {
  it('are listed with device and address, and all others can be ended together', async () => {
    const account = await ACCOUNT_KINDS[kind](t, shop)
    const headers = { 'user-agent': 'Phone' }
    await signIn(t, account, undefined, headers)
    await signIn(t, account, undefined, headers)
    const list = async () => (await call(t, account, 'GET /sessions')).body.data.sessions
    expect(await list()).toMatchObject([
      { user_agent: 'Phone', address: '127.0.0.1', current: false },
      { user_agent: 'Phone', address: '127.0.0.1', current: false },
      { user_agent: 'test', address: '127.0.0.1', current: true },
    ])
    const [{ session_id: first }] = await list()
    expect((await call(t, account, `DELETE /sessions/${first}`)).status).toBe(200)
    expect(await list()).toHaveLength(2)
    expect((await call(t, account, 'DELETE /sessions')).status).toBe(200)
    expect(await list()).toMatchObject([{ current: true }])
  })
})

it('resending an invitation needs a recent sign-in or confirmation, as an owner and as an operator', async () => {
  const owner = await createPerson(t, shop.store, 'owner')
  const operator = await ACCOUNT_KINDS.operator(t)
  for (const table of ['person_session', 'operator_session']) {
    await execute(`update ${table} set created_at = now() - interval '16 minutes'`)
  }
  t.service.personSessions.forgetAll()
  t.service.operatorSessions.forgetAll()
  for (const [path, { headers }] of [
    ['/store/people/x/invitation', owner],
    ['/operator/people/x/invitation', operator],
    ['/operator/operators/x/invitation', operator],
  ] as const) {
    expect((await t.call('POST', path, headers, {})).body).toEqual(
      refusal(428, 'Confirm that it is you to continue.'),
    )
  }
})

it('moving money needs a sign-in or confirmation in the last 10 minutes; a token needs neither', async () => {
  const operator = await ACCOUNT_KINDS.operator(t)
  const fund = (headers: TestAccount['headers']) =>
    t.call('POST', `/operator/stores/${shop.store.storeId}/fund`, headers, {
      mode: 'live',
      amount: '1',
    })
  expect((await fund(operator.headers)).status).toBe(200)
  await execute(`update operator_session set created_at = now() - interval '11 minutes'`)
  t.service.operatorSessions.forgetAll()
  expect((await fund(operator.headers)).body).toEqual(
    refusal(428, 'Confirm that it is you to continue.'),
  )
  expect((await fund(t.operator)).status).toBe(200)
  expect((await call(t, operator, 'POST /session/confirm', { password: PASSWORD })).status).toBe(
    200,
  )
  expect((await fund(operator.headers)).status).toBe(200)
})
