import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal } from '../../setup/expected.ts'
import { newLink, payLink } from '../../setup/links.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

const NOT_ALLOWED = refusal(403, 'Your role does not allow that')

let t: TestService
let shop: TestStore
let manager: TestPerson
let cashier: TestPerson
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  manager = await createPerson(t, shop.store, 'manager')
  cashier = await createPerson(t, shop.store, 'cashier')
})
afterAll(() => t.close())

const call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  { headers }: TestPerson = manager,
) => t.call(method, `/store/${path}`, headers, body)

it('a manager creates, changes and lists links, and the audit log names the manager', async () => {
  const created = await call('POST', 'live/links', { title: 'Counter', locale: 'ar' })
  expect(created.body).toMatchObject({
    status: 200,
    message: 'Link created',
    data: { title: 'Counter', amount: null, currency: 'USD', locale: 'ar', state: 'active' },
  })
  const { link_id } = created.body.data
  const changed = await call('PATCH', `live/links/${link_id}`, { active: false })
  expect(changed.body.data).toEqual({ ...created.body.data, active: false, state: 'paused' })
  expect((await call('GET', `live/links/${link_id}`)).body.data).toEqual(changed.body.data)
  const page = await call('GET', 'live/links?active=false')
  expect(page.body.data).toEqual({ links: [changed.body.data], next_cursor: null })
  // The other mode has its own links.
  expect((await call('GET', 'sandbox/links')).body.data.links).toEqual([])
  expect((await call('GET', `sandbox/links/${link_id}`)).status).toBe(404)
  const log = await t.call('GET', `/operator/audit-log?subject=link:${link_id}`, t.operator)
  const actor = `${manager.email} (store ${shop.store.storeId})`
  expect(log.body.data.entries).toMatchObject([
    { actor, action: 'link.change', before: { active: true }, after: { active: false } },
    { actor, action: 'link.create' },
  ])
})

it('cashiers and viewers can read links but not change them', async () => {
  const id = await newLink(t, shop.live)
  for (const person of [cashier, await createPerson(t, shop.store, 'viewer')]) {
    expect((await call('GET', `live/links/${id}`, undefined, person)).status).toBe(200)
    expect((await call('GET', `live/links/${id}/qr`, undefined, person)).status).toBe(200)
    const responses = [
      await call('POST', 'live/links', { title: 'x' }, person),
      await call('PATCH', `live/links/${id}`, { active: false }, person),
    ]
    expect(responses.map(({ body }) => body)).toEqual([NOT_ALLOWED, NOT_ALLOWED])
  }
})

it('exports links as CSV, without letting a title become a formula', async () => {
  const other = await t.createStore()
  const owner = await createPerson(t, other.store)
  const id = await newLink(t, other.live, {
    title: '=1+1, "tea"',
    amount: 5,
    max_payments: 9,
    reference_id: 'menu',
  })
  const wallet = await t.createWallet({ balance: '50.00' })
  await payLink(t, wallet, id)
  const response = await call('GET', 'live/links.csv', undefined, owner)
  expect(response.headers['content-disposition']).toBe('attachment; filename="links-live.csv"')
  const [header, row, end] = response.text.split('\r\n')
  expect(header).toContain(
    'link_id,title,state,amount,currency,paid_count,paid_total,paid_currency,max_payments,expires_at_utc,created_at_utc,reference_id,url',
  )
  expect(row).toMatch(
    new RegExp(
      `^${id},"'=1\\+1, ""tea""",active,5\\.00,USD,1,5\\.00,USD,9,,[\\d: -]+,menu,https://pay\\.example\\.com/link/${id}$`,
    ),
  )
  expect(end).toBe('')
  const payments = await call('GET', `live/payments.csv?link_id=${id}`, undefined, owner)
  const [columns, paid] = payments.text.split('\r\n')
  expect([columns!.split(',').at(-1), paid!.split(',').at(-1)]).toEqual(['link_id', id])
})
