import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockAccount } from '../../src/sql/locks.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
  shop = await t.createStore()
  // The first operator must be an admin.
  await createOperator(t)
})
afterAll(() => t.close())

const KINDS = [
  {
    kind: 'person',
    add: (body: object) =>
      t.call('POST', `/operator/stores/${shop.store.storeId}/people`, t.operator, {
        role: 'cashier',
        ...body,
      }),
    pathOf: (data: { person_id: string }) => `/operator/people/${data.person_id}`,
  },
  {
    kind: 'operator',
    add: (body: object) =>
      t.call('POST', '/operator/operators', t.operator, { role: 'support', ...body }),
    pathOf: (data: { operator_id: string }) => `/operator/operators/${data.operator_id}`,
  },
]

it.each(KINDS)('a $kind gets three invitations an hour at most', async ({ kind, add, pathOf }) => {
  const email = `often@${kind}.example`
  const { data } = (await add({ email, name: 'Often' })).body
  const invite = () => t.call('POST', `${pathOf(data)}/invitation`, t.operator, {})
  const all = await Promise.all([1, 2, 3, 4].map(invite))
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  const refused = {
    status: 409,
    message: 'Three invitations were sent within an hour. Try again later.',
  }
  expect((await invite()).body).toEqual(refused)
  await t.database.transaction((tx) =>
    tx.execute(`update mail set created_at = now() - interval '61 minutes' where recipient = $1`, [
      email,
    ]),
  )
  expect((await invite()).status).toBe(200)
})

it('an invitation that waits for its account does not hold the lock of the store', async () => {
  const [{ add, pathOf }] = KINDS as [(typeof KINDS)[0]]
  const { data } = (await add({ email: 'waits@person.example', name: 'Waits' })).body
  const holders = () =>
    t.database.query<{ classid: number; granted: boolean }>(
      `select classid::int, granted
       from pg_locks
       where locktype = 'advisory' and (classid = 7 and not granted or classid = 2 and objid = $1)
         and database = (select oid from pg_database where datname = current_database())`,
      [shop.store.storeId],
    )
  const { invited } = await t.database.transaction(async (tx) => {
    await lockAccount(tx, data.person_id)
    const waiting = t.call('POST', `${pathOf(data)}/invitation`, t.operator, {})
    await expect.poll(holders).toEqual([{ classid: 7, granted: false }])
    return { invited: waiting }
  })
  expect((await invited).status).toBe(200)
})

it('a store sends 50 invitations a day at most', async () => {
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  const add = (n: number, fields: object = {}) =>
    t.call('POST', '/store/people', headers, {
      email: `person${n}@many.example`,
      name: 'Many',
      role: 'viewer',
      ...fields,
    })
  const { person_id: first } = (await add(1)).body.data
  for (let n = 2; n <= 49; n++) expect((await add(n)).status).toBe(200)
  const last = await Promise.all([50, 51, 52].map((n) => add(n)))
  expect(last.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const refused = {
    status: 409,
    message:
      'This store has sent 50 invitations within 24 hours. Try again later, or add people with a password.',
  }
  expect((await add(53)).body).toEqual(refused)
  expect((await t.call('POST', `/store/people/${first}/invitation`, headers, {})).body).toEqual(
    refused,
  )
  expect((await add(53, { password: 'a fresh password 42' })).status).toBe(200)
  const others = await t.database.query(`select 1 from person where email like '%@many.example'`)
  expect(others).toHaveLength(51)
})
