import { afterAll, beforeAll, expect, it } from 'vitest'
import { clearSignInGuards } from '../../src/sql/signIns.ts'
import { createPerson, PASSWORD } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const OWN = ['person:ada@mail.my', 'person:ada@mail.my 2026-01-31', 'person:ada@mail.my ses_1']
const OTHERS = [
  'person:ada@mail.my-shop.example',
  'person:ada@mail.my-shop.example 2026-01-31',
  'person:ada@mail.my_shop',
  'person:ada@mail.myshop.example',
  'person:ada@mail.m',
]

// An owner can add a person with any address, and reset their password, which clears their failed attempts.
it.each(['C', 'en-x-icu'])(
  'clears the failed attempts of one account only, with the collation %s',
  async (collation) => {
    await t.database.transaction(async (tx) => {
      await tx.execute(
        `alter table sign_in_guard alter column subject type text collate "${collation}"`,
      )
      await tx.execute(
        `insert into sign_in_guard (subject, failures, last_at) select unnest($1::text[]), 5, now()`,
        [[...OWN, ...OTHERS]],
      )
      await clearSignInGuards(tx, OWN[0]!)
    })
    // Another text for each collation: a connection keeps the plan of a statement.
    const left = await t.database.query<{ subject: string }>(
      `select subject collate "${collation}" as subject from sign_in_guard`,
    )
    expect(left.map(({ subject }) => subject).sort()).toEqual(OTHERS.toSorted())
    await t.database.transaction((tx) => tx.execute('delete from sign_in_guard'))
  },
)

it('a lock that ends more than two days from now, because the clock was set back, is ignored', async () => {
  const { store } = await t.createStore()
  const { email } = await createPerson(t, store, 'owner')
  const signIn = (password: string) => t.call('POST', '/store/session', {}, { email, password })
  const setClockBack = (days: number) =>
    t.database.transaction((tx) =>
      tx.execute(
        `update sign_in_guard set locked_until = locked_until + $1::int * interval '1 day'`,
        [days],
      ),
    )
  for (let n = 0; n < 5; n++) expect((await signIn('wrong password')).status).toBe(401)
  await setClockBack(1)
  expect((await signIn(PASSWORD)).status).toBe(403)
  await setClockBack(1)
  expect((await signIn(PASSWORD)).status).toBe(200)
})
