import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createPerson, PASSWORD, PUBLIC_ORIGIN } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

// A stolen session of an owner must not block the processes that all stores share.

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => t.close())

const password = 'a fresh password 42'
const personOf = (n: number) => ({
  email: `person${n}@flood.example`,
  name: 'Many',
  role: 'viewer',
  password,
})

/** Makes the rows of a store 25 hours older. */
const ageRows = (table: 'person' | 'credential', storeId: number) =>
  t.database.transaction((tx) =>
    tx.execute(
      `update ${table} set created_at = created_at - interval '25 hours' where store_id = $1`,
      [storeId],
    ),
  )

it('the people of a store add 200 people a day at most, and operators any number', async () => {
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into person (person_id, store_id, email, name, role, password_hash, created_at)
       select 'prs_' || n, $1, n || '@many.example', 'Many', 'viewer', '', now()
       from generate_series(1, 197) n`,
      [store.storeId],
    ),
  )
  const add = (n: number) => t.call('POST', '/store/people', headers, personOf(n))
  const added = await Promise.all([1, 2, 3, 4].map(add))
  expect(added.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
  expect((await add(5)).body).toEqual({
    status: 429,
    message: 'This store has added 200 people within 24 hours. Try again later.',
  })
  const path = `/operator/stores/${store.storeId}/people`
  expect((await t.call('POST', path, t.operator, personOf(6))).status).toBe(200)
  await ageRows('person', store.storeId)
  expect((await add(7)).status).toBe(200)
})

it('a store creates 100 API keys a day at most', async () => {
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into credential (api_key, store_id, mode, label, scopes, secret_hash, created_at)
       select 'flk_' || n, $1, 'live', '', '{read}', '', now()
       from generate_series(1, 99 - (select count(*) from credential where store_id = $1)) n`,
      [store.storeId],
    ),
  )
  const create = () => t.call('POST', '/store/live/keys', headers, { label: 'Key' })
  expect((await create()).status).toBe(200)
  const refused = await create()
  expect(refused.body).toEqual({
    status: 429,
    message: 'This store has created 100 API keys within 24 hours. Try again later, or rotate one.',
  })
  expect(refused.headers['retry-after']).toBe('3600')
  await ageRows('credential', store.storeId)
  expect((await create()).status).toBe(200)
})

it('the limits count the additions of a day without reading the other people and keys', async () => {
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into person (person_id, store_id, email, name, role, password_hash, created_at)
       select 'prs_old' || n, $1, n || '@old.example', 'Old', 'viewer', '', now() - interval '2 days'
       from generate_series(1, 50) n`,
      [store.storeId],
    ),
  )
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into credential (api_key, store_id, mode, label, scopes, secret_hash, created_at)
       select 'flk_old' || n, $1, 'live', '', '{read}', '', now() - interval '2 days'
       from generate_series(1, 50) n`,
      [store.storeId],
    ),
  )
  const rowCounts: number[] = []
  const transaction = t.database.transaction.bind(t.database)
  vi.spyOn(t.database, 'transaction').mockImplementation((work, limits) =>
    transaction((tx) => {
      const query: typeof tx.query = async (text, values) => {
        const rows = await tx.query<never>(text, values)
        rowCounts.push(rows.length)
        return rows
      }
      return work({ ...tx, query })
    }, limits),
  )
  expect((await t.call('POST', '/store/people', headers, personOf(8))).status).toBe(200)
  expect((await t.call('POST', '/store/live/keys', headers, { label: 'Key' })).status).toBe(200)
  expect(rowCounts.length).toBeGreaterThan(0)
  expect(Math.max(...rowCounts)).toBeLessThan(10)
})

it('a flood of new passwords is partly refused, and others can sign in and change theirs meanwhile', async () => {
  const { store } = await t.createStore()
  const attacker = await createPerson(t, store, 'owner')
  const signingIn = await createPerson(t, store, 'owner')
  const changing = await createPerson(t, store, 'owner')
  const flood = Array.from({ length: 60 }, (_, n) =>
    t.call('POST', '/store/people', attacker.headers, personOf(1_000 + n)),
  )
  const credentials = { email: signingIn.email, password: PASSWORD }
  const signedIn = t.call('POST', '/store/session', { origin: PUBLIC_ORIGIN }, credentials)
  const changed = t.call('POST', '/store/password', changing.headers, {
    current: PASSWORD,
    new: password,
  })
  expect((await signedIn).status).toBe(200)
  expect((await changed).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20)
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0)
})
