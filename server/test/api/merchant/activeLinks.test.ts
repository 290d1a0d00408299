import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_ACTIVE_LINKS } from '../../../src/core/link.ts'
import { refusal } from '../../setup/expected.ts'
import { changeLink, createLink, newLink } from '../../setup/links.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('more than 10,000 active links in one mode are refused, until one is paused', async () => {
  const shop = await t.createStore()
  const { storeId } = shop.store
  const first = await newLink(t, shop.live)
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into link (store_id, mode, link_id, title, currency, active, created_at)
       select $1, 'live', 'lnk_' || lpad(n::text, 26, '0'), 'x', 'USD', true, now()
       from generate_series(2, $2::int) as n`,
      [storeId, MAX_ACTIVE_LINKS],
    ),
  )
  const full = refusal(409, 'A store can have 10,000 active links per mode. Pause one first.')
  expect((await createLink(t, shop.live)).body).toEqual(full)
  expect((await createLink(t, shop.sandbox)).status).toBe(200)
  await changeLink(t, shop.live, first, { active: false })
  expect((await createLink(t, shop.live)).status).toBe(200)
  expect((await changeLink(t, shop.live, first, { active: true })).body).toEqual(full)
})

it('links that are used up or expired do not count, until they can be paid again', async () => {
  const shop = await t.createStore()
  const { storeId } = shop.store
  await t.database.transaction((tx) =>
    tx.execute(
      `insert into link (store_id, mode, link_id, title, currency, active, created_at, max_payments, paid_count,
         expires_at)
       select $1, 'live', 'lnk_' || lpad(n::text, 26, '0'), 'x', 'USD', true, now(), 1, n % 2,
         case when n % 2 = 0 then now() - interval '1 second' end
       from generate_series(1, $2::int) as n`,
      [storeId, MAX_ACTIVE_LINKS],
    ),
  )
  const usedUp = await newLink(t, shop.live, { max_payments: 1 })
  await t.database.transaction((tx) =>
    tx.execute(
      `update link
       set max_payments = case when link_id = $2 then 1 else 2 end, paid_count = 1, expires_at = null
       where store_id = $1`,
      [storeId, usedUp],
    ),
  )
  const full = refusal(409, 'A store can have 10,000 active links per mode. Pause one first.')
  expect((await createLink(t, shop.live)).body).toEqual(full)
  expect((await changeLink(t, shop.live, usedUp, { max_payments: 2 })).body).toEqual(full)
  expect((await changeLink(t, shop.live, usedUp, { title: 'y' })).status).toBe(200)
})
