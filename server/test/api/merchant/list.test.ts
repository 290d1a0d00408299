import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidOf, readDetails, sandboxPay, statusAndBody } from '../../setup/merchantCalls.ts'
import { nextMillisecond } from '../../setup/nextMillisecond.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const list = (keys: Headers, query = '') => t.call('GET', `/merchant/payments?${query}`, keys)
const idsOf = (response: Awaited<ReturnType<typeof list>>): string[] =>
  response.body.data.payments.map((payment: { payment_id: string }) => payment.payment_id)

async function createMany(keys: Headers, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    await nextMillisecond()
    ids.push((await t.createPayment(keys)).payment_id)
  }
  return ids
}

describe('listing payments', () => {
  it('returns the details of each payment, newest first', async () => {
    const { live } = await t.createStore()
    const empty = { status: 200, message: 'Payments', data: { payments: [], next_cursor: null } }
    expect(statusAndBody(await list(live))).toEqual({ status: 200, body: empty })
    const ids = await createMany(live, 3)
    const response = await list(live)
    expect(idsOf(response)).toEqual([...ids].reverse())
    expect(response.body.data.next_cursor).toBeNull()
    // A full page can be the last one.
    expect((await list(live, 'limit=3')).body.data.next_cursor).toBeNull()
    expect(response.body.data.payments[0]).toEqual(await readDetails(t, live, ids[2]!))
  })

  it('returns pages without gaps or duplicates while payments are created', async () => {
    const { live } = await t.createStore()
    const ids = await createMany(live, 23)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await list(live, `limit=5${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...idsOf(page))
      cursor = page.body.data.next_cursor
      await createMany(live, 2)
    } while (cursor !== null)
    expect(seen).toEqual([...ids].reverse())
  })

  it('returns 20 payments per page, or 1 to 100 with a limit', async () => {
    const { live } = await t.createStore()
    await Promise.all(Array.from({ length: 102 }, () => t.createPayment(live)))
    for (const [query, length] of [
      ['', 20],
      ['limit=1', 1],
      ['limit=100', 100],
    ] as const) {
      const response = await list(live, query)
      expect(idsOf(response)).toHaveLength(length)
      expect(response.body.data.next_cursor).toBe(idsOf(response).at(-1))
    }
  })

  it('filters by status, and treats an overdue payment as expired', async () => {
    const { sandbox } = await t.createStore()
    const [pending, completed, refunded, failed, expired, overdue] = (await createMany(
      sandbox,
      6,
    )) as [string, string, string, string, string, string]
    for (const id of [completed, refunded]) await sandboxPay(t, sandbox, id)
    await t.call('POST', `/merchant/payment/${refunded}/refund`, sandbox)
    await sandboxPay(t, sandbox, failed, 'error')
    await t.call('POST', `/merchant/payment/${expired}/expire`, sandbox)
    await t.makeOverdue(overdue)
    for (const [status, ids] of Object.entries({
      pending: [pending],
      completed: [completed],
      refunded: [refunded],
      failed: [failed],
      expired: [overdue, expired],
    })) {
      const response = await list(sandbox, `status=${status}`)
      expect(idsOf(response)).toEqual(ids)
      for (const payment of response.body.data.payments) expect(payment.status).toBe(status)
    }
  })

  it('shows an overdue payment as expired without a filter', async () => {
    const { live } = await t.createStore()
    const { payment_id } = await t.createPayment(live)
    await t.makeOverdue(payment_id)
    expect((await list(live)).body.data.payments).toMatchObject([{ payment_id, status: 'expired' }])
  })

  it('filters by reference, within one store and mode', async () => {
    const [store, other] = [await t.createStore(), await t.createStore()]
    const reference_id = 'A & B/ü?'
    const keys = [store.live, store.sandbox, other.live]
    const created = await Promise.all(keys.map((key) => t.createPayment(key, { reference_id })))
    await nextMillisecond()
    const latest = await t.createPayment(store.live, { reference_id: 'A' })
    for (const [i, key] of keys.entries()) {
      const response = await list(key, `reference_id=${encodeURIComponent(reference_id)}`)
      expect(idsOf(response)).toEqual([created[i]!.payment_id])
    }
    expect(idsOf(await list(other.sandbox))).toEqual([])
    // With a cursor from another store, the list still has only the payments of its own store.
    expect(idsOf(await list(other.live, `cursor=${latest.payment_id}`))).toEqual([
      created[2]!.payment_id,
    ])
  })

  it('filters by time: created_from is inclusive, created_to exclusive', async () => {
    const { live } = await t.createStore()
    const ids = await createMany(live, 3)
    const rows = await t.database.query<{ at: string }>(
      `select to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from payment where payment_id = any($1) order by payment_id`,
      [ids],
    )
    const at = encodeURIComponent(rows[1]!.at)
    expect(idsOf(await list(live, `created_from=${at}`))).toEqual([ids[2], ids[1]])
    expect(idsOf(await list(live, `created_to=${at}`))).toEqual([ids[0]])
    expect(idsOf(await list(live, `created_from=${at}&created_to=${at}`))).toEqual([])
    // The API's time format and a time with an offset are equivalent.
    const { created_at } = await readDetails(t, live, ids[0]!)
    const second = encodeURIComponent(created_at)
    const offset = encodeURIComponent(`${created_at.replace(' ', 'T')}+00:00`)
    for (const from of [second, offset]) {
      expect(idsOf(await list(live, `created_from=${from}`))).toEqual([...ids].reverse())
      expect(idsOf(await list(live, `created_to=${from}`))).toEqual([])
    }
  })

  const LIMIT: [string, string] = ['limit', 'limit must be a whole number from 1 to 100']
  const time = (field: string): [string, string] => [
    field,
    `${field} must be a time such as 2026-01-31 08:00:00`,
  ]
  it.each([
    ...['0', '101', '-1', '1.5', 'x', ''].map((limit) => [`limit=${limit}`, LIMIT]),
    [
      'status=paid',
      ['status', 'status must be one of pending, completed, failed, refunded, expired'],
    ],
    ['created_from=yesterday', time('created_from')],
    ['created_to=2026-02-30', time('created_to')],
    ['cursor=x', ['cursor', 'cursor must be the next_cursor of a page']],
    [
      'reference_id=%00',
      ['reference_id', 'reference_id contains characters that cannot be stored'],
    ],
    ['limit=0&created_from=x&created_to=y', time('created_from'), time('created_to'), LIMIT],
  ] as [string, ...[string, string][]][])('refuses %s', async (query, ...errors) => {
    expect(statusAndBody(await list(shop.live, query))).toEqual(invalidOf(...errors))
  })
})
