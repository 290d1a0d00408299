import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '../src/database/database.ts'
import { startTestService, type TestService } from './setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const guard = (subject: string) => ({
  write: (tx: Tx) =>
    tx.execute(
      `insert into sign_in_guard (subject, failures, last_at)
       values ($1, 1, now())`,
      [subject],
    ),
  isThere: async () =>
    (await t.database.query('select 1 from sign_in_guard where subject = $1', [subject])).length >
    0,
})

it('of statements sent together the first that fails is the one that is told', async () => {
  const { write, isThere } = guard('together')
  const deep = async (tx: Tx) =>
    await (async () => await tx.execute('delete from payment where 1 / 0 = 1'))()
  const work = (tx: Tx) => Promise.all([write(tx), deep(tx), write(tx)])
  await expect(t.database.transaction(work)).rejects.toMatchObject({ code: '22012' })
  expect(await isThere()).toBe(false)
})

it('what is asked for after the end is not sent, whoever has the connection by then', async () => {
  const { write, isThere } = guard('late')
  let late: Promise<unknown> = Promise.resolve()
  const work = (tx: Tx) => {
    late = tx
      .query('select 1')
      .then(() => sleep(50))
      .then(() => write(tx))
    late.catch(() => {})
    return Promise.all([late, tx.execute('delete from payment where 1 / 0 = 1')])
  }
  await expect(t.database.transaction(work)).rejects.toMatchObject({ code: '22012' })
  await expect(late).rejects.toMatchObject({ code: '22012' })
  expect(await isThere()).toBe(false)
})

it('a write that waits for BEGIN is not sent when the work has failed by then', async () => {
  const { write, isThere } = guard('parked')
  const work = async (tx: Tx) => {
    await Promise.all([write(tx), Promise.reject(new Error('no'))])
  }
  await expect(t.database.transaction(work)).rejects.toThrow('no')
  await sleep(50)
  expect(await isThere()).toBe(false)
})

it.each([
  [['plain', '', 'a"b', 'a\\b', '{1,2}', 'NULL', 'null', ' ', 'é😀', 'a,b', "it's", null]],
  [[]],
])('a list of texts arrives as it is: %j', async (list) => {
  const [row] = await t.database.query<{ list: unknown }>('select $1::text[] as list', [list])
  expect(row!.list).toEqual(list)
})
