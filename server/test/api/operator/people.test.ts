import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { createPerson, newSession, PASSWORD } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

const GENERATED = expect.stringMatching(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
const NOT_FOUND = refusal(404, 'Person not found')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const add = (body: unknown, storeId: unknown = shop.store.storeId) =>
  t.call('POST', `/operator/stores/${storeId}/people`, t.operator, body)
const list = (storeId: unknown = shop.store.storeId) =>
  t.call('GET', `/operator/stores/${storeId}/people`, t.operator)
const change = (id: string, body: unknown) =>
  t.call('PATCH', `/operator/people/${id}`, t.operator, body)
const reset = (id: string) => t.call('POST', `/operator/people/${id}/password`, t.operator)
const signIn = async (email: string, password: string) =>
  (await t.call('POST', '/store/session', {}, { email, password })).status
const statusWith = async (headers: Headers) =>
  (await t.call('GET', '/store/session', headers)).status
const auditOf = async (personId: string) =>
  (await t.call('GET', `/operator/audit-log?subject=person:${personId}`, t.operator)).body.data
    .entries

let personCount = 0
const fieldsOf = (overrides: object = {}) => ({
  email: `p${++personCount}@shop.example`,
  name: 'Ada',
  role: 'cashier',
  ...overrides,
})

describe('adding a person', () => {
  it('generates a password that is shown once', async () => {
    const fields = fieldsOf({ email: 'Ada.Lovelace@Shop.Example' })
    const { status, body } = await add(fields)
    const person = {
      person_id: expect.stringMatching(/^prs_\w{26}$/),
      store_id: shop.store.storeId,
      ...fields,
      email: 'ada.lovelace@shop.example',
      created_at: TIME,
      disabled_at: null,
      invited_at: null,
      password: GENERATED,
    }
    expect(status).toBe(200)
    expect(body).toEqual({ status: 200, message: 'Person created', data: person })
    const { password, ...shown } = body.data
    expect(await signIn(fields.email, password)).toBe(200)
    expect((await list()).body).toEqual({
      status: 200,
      message: 'People',
      data: { people: [{ ...shown, has_second_factor: false }] },
    })
    expect(await auditOf(shown.person_id)).toEqual([
      {
        id: expect.any(String),
        at: TIME,
        actor: 'test operator',
        action: 'person.create',
        subject: `person:${shown.person_id}`,
        before: null,
        after: shown,
        request_id: expect.any(String),
        actor_name: null,
        subject_name: 'Ada',
        subject_currency: null,
      },
    ])
  })

  it('accepts a password, which the response does not contain', async () => {
    const fields = { ...fieldsOf(), password: 'chosen by the operator' }
    const response = await add(fields)
    expect(response.status).toBe(200)
    expect(response.text).not.toContain('chosen')
    expect(await signIn(fields.email, fields.password)).toBe(200)
  })

  it('refuses an email address that another person has, in upper or lower case', async () => {
    const fields = fieldsOf()
    expect((await add(fields)).status).toBe(200)
    const otherStore = await t.createStore()
    for (const email of [fields.email, fields.email.toUpperCase()]) {
      const again = await add({ ...fields, email }, otherStore.store.storeId)
      expect(again.body).toEqual(invalid(['email', 'email belongs to another person']))
    }
    expect((await list(otherStore.store.storeId)).body.data).toEqual({ people: [] })
  })

  it.each<[object, readonly (readonly [string, string])[]]>([
    [
      {},
      [
        ['email', 'email is required'],
        ['name', 'name is required'],
        ['role', 'role is required'],
      ],
    ],
    [
      { email: 'x', name: ' ', role: 'boss', password: 'short' },
      [
        ['email', 'email must be an email address'],
        ['name', 'name must not be empty and must not contain characters that cannot be stored'],
        ['role', 'role must be one of owner, manager, cashier, viewer'],
        ['password', 'password must have at least 10 characters'],
      ],
    ],
  ])('refuses %j', async (body, problems) => {
    expect(await add(body)).toMatchObject({ status: 400, body: invalid(...problems) })
  })

  it('refuses an unknown store', async () => {
    for (const id of ['9999999', 'x']) {
      expect((await add(fieldsOf(), id)).body).toEqual(refusal(404, 'Store not found'))
      expect((await list(id)).body).toEqual(refusal(404, 'Store not found'))
    }
  })
})

describe('changing a person', () => {
  it('sets name and role, keeps the rest, and is logged', async () => {
    const { data: created } = (await add(fieldsOf())).body
    const { password: _, ...before } = created
    const after = { ...before, name: 'Grace', role: 'manager' }
    const { body } = await change(created.person_id, { name: 'Grace', role: 'manager' })
    expect(body).toEqual({ status: 200, message: 'Person changed', data: after })
    expect((await change(created.person_id, {})).body.data).toEqual(after)
    const entries = await auditOf(created.person_id)
    expect(entries[1]).toMatchObject({ action: 'person.change', before, after })
  })

  it('ends every session when the person is disabled, and lets them sign in again when enabled', async () => {
    const { personId, email, headers } = await createPerson(t, shop.store)
    const other = await newSession(t, personId)
    expect([await statusWith(headers), await statusWith(other)]).toEqual([200, 200])
    const disabled = await change(personId, { disabled: true })
    expect(disabled.body.data.disabled_at).toEqual(TIME)
    expect([await statusWith(headers), await statusWith(other)]).toEqual([401, 401])
    expect(await signIn(email, PASSWORD)).toBe(401)
    expect((await change(personId, { disabled: false })).body.data.disabled_at).toBeNull()
    expect([await statusWith(headers), await signIn(email, PASSWORD)]).toEqual([401, 200])
  })

  it.each<[unknown, [string, string]]>([
    [{ role: 'boss' }, ['role', 'role must be one of owner, manager, cashier, viewer']],
    [{ name: '' }, ['name', 'name must not be empty']],
    [{ disabled: 'yes' }, ['disabled', 'disabled must be a boolean']],
  ])('refuses %j', async (body, problem) => {
    const { personId } = await createPerson(t, shop.store)
    expect(await change(personId, body)).toMatchObject({ status: 400, body: invalid(problem) })
  })
})

it('a new password ends the session, and neither the audit log nor the table of people contains it', async () => {
  const { personId, email, headers } = await createPerson(t, shop.store)
  expect(await statusWith(headers)).toBe(200)
  const { status, body } = await reset(personId)
  expect(status).toBe(200)
  expect(body).toMatchObject({ message: 'Password set', data: { person_id: personId, email } })
  const { password } = body.data
  expect(password).toEqual(GENERATED)
  expect(await statusWith(headers)).toBe(401)
  expect([await signIn(email, PASSWORD), await signIn(email, password)]).toEqual([401, 200])
  const personHeaders = await newSession(t, personId)
  const next = 'chosen by the person'
  await t.call('POST', '/store/password', personHeaders, { current: password, new: next })

  const log = await auditOf(personId)
  expect(log).toMatchObject([
    { action: 'person.password', actor: `${email} (store ${shop.store.storeId})`, after: null },
    { action: 'person.password', actor: 'test operator', before: null, after: null },
  ])
  const rows = await t.database.query<{ row: string }>(
    'select audit_log::text as row from audit_log union all select person::text from person',
  )
  const allRows = rows.map(({ row }) => row).join('\n')
  expect(allRows).toContain(personId)
  for (const secret of [password, next, PASSWORD]) expect(allRows).not.toContain(secret)
})

it.each(['prs_nobody', 'x', '%00'])('refuses the unknown person %s', async (id) => {
  expect(await change(id, { name: 'X' })).toMatchObject({ status: 404, body: NOT_FOUND })
  expect(await reset(id)).toMatchObject({ status: 404, body: NOT_FOUND })
})
