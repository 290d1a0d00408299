import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatQrCode } from '../../../src/core/qr.ts'
import { wordsText } from '../../../src/core/searchWords.ts'
import { MAX_FOUND, MAX_SCANNED } from '../../../src/ops/findByWords.ts'
import { invalid } from '../../setup/expected.ts'
import { fillPayments } from '../../setup/manyPayments.ts'
import { createPaidPayment } from '../../setup/merchantCalls.ts'
import { nextMillisecond } from '../../setup/nextMillisecond.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let viewer: TestPerson
let wallet: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  viewer = await createPerson(t, shop.store, 'viewer')
  wallet = await t.createWallet({ balance: '1000' })
})
afterAll(() => t.close())

type Query = Record<string, string>
const list = (query: Query, { headers } = viewer, mode = 'live') =>
  t.call('GET', `/store/${mode}/payments?${new URLSearchParams(query)}`, headers)

async function find(query: Query, person = viewer, mode = 'live'): Promise<string[]> {
  const { body } = await list(query, person, mode)
  return body.data.payments.map(({ payment_id }: { payment_id: string }) => payment_id)
}

describe('searching payments', () => {
  it('finds a payment by id, by the digits of its code, or by reference', async () => {
    const fields = { reference_id: 'order 17 & Söhne' }
    const { payment_id, qr_code } = await t.createPayment(shop.live, fields)
    await t.createPayment(shop.live)
    const spaced = qr_code.replaceAll(/(.{4})/g, '$1 ')
    for (const search of [payment_id, qr_code, spaced, ` ${payment_id} `, fields.reference_id]) {
      expect(await find({ search })).toEqual([payment_id])
    }
    const other = payment_id.slice(0, -1) + (payment_id.endsWith('x') ? 'y' : 'x')
    for (const search of ['der 17', other, '2', 'pay_', `${qr_code}0`]) {
      expect(await find({ search })).toEqual([])
    }
  })

  it('ignores case, accents and word order, and finds the beginnings of words', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'cashier')
    const client = { name: 'Zoë O’Neil', email: 'zoe.oneil@example.com', phone: '020 7946' }
    const fields = { amount: 31.25, reference_note: 'Two teas for Søren', client }
    const { payment_id: described } = await t.createPayment(live, fields)
    await nextMillisecond()
    const { payment_id: plain } = await t.createPayment(live, { amount: 31.25 })
    const paid = (await createPaidPayment(t, live, wallet, { amount: 7 })).payment_id
    const words = ['zoe', "O'NEIL zoë", 'oneil@exam', '0207946', '02 07 94-6', 'teas tw', 'SØREN']
    for (const search of words) {
      expect(await find({ search }, person), search).toEqual([described])
    }
    const { name, email, phone, publicId } = wallet.wallet
    const spaced = `${phone.slice(0, 5)} ${phone.slice(5)}`
    for (const search of [name.toUpperCase(), email, phone.slice(0, 8), spaced, publicId]) {
      expect(await find({ search }, person), search).toEqual([paid])
    }
    for (const search of ['31.25', '31,25']) {
      expect(await find({ search }, person), search).toEqual([plain, described])
    }
    for (const search of ['zoe nobody', 'eas', '31.26', '!', "'", ':*', '\\']) {
      expect(await find({ search }, person), search).toEqual([])
    }
    expect(await find({ search: 'zoe', status: 'completed' }, person)).toEqual([])
    expect(await find({ search: 'zoe', amount_to: '31.25' }, person)).toEqual([described])
  })

  it('prefers an exact reference', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'viewer')
    const exact = (await t.createPayment(live, { reference_id: '1' })).payment_id
    const longer = (await t.createPayment(live, { reference_id: '12' })).payment_id
    expect(await find({ search: '1' }, person)).toEqual([exact])
    expect(await find({ search: '12' }, person)).toEqual([longer])
  })

  it('exports only the payments that it lists, even if they fill a page of the export', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'viewer')
    await t.createPayment(live, { amount: 7 })
    const fields = { amount: 1, reference_note: '7' }
    await Promise.all(Array.from({ length: 200 }, () => t.createPayment(live, fields)))
    const { text } = await t.call('GET', '/store/live/payments.csv?search=7', person.headers)
    const [, ...rows] = text.trim().split('\r\n')
    expect(rows).toHaveLength(200)
  })

  it('continues with the search of the first page, even if that page is empty', async () => {
    const { store } = await t.createStore()
    const person = await createPerson(t, store, 'viewer')
    // All but the oldest have the word, and only the oldest has the amount and the status.
    const ids = await fillPayments(t, store, MAX_FOUND + 1, (n) => ({
      status: n === 0 ? 'completed' : 'expired',
      gross: n === 0 ? 700n : 1000n,
    }))
    await t.database.transaction((tx) =>
      tx.execute(`update payment set words = '7' where payment_id = any($1)`, [ids.slice(1)]),
    )
    const query = { search: '7', status: 'completed' }
    const first = (await list(query, person)).body.data
    expect(first).toMatchObject({ payments: [], next_cursor: expect.any(String) })
    const second = (await list({ ...query, cursor: first.next_cursor }, person)).body.data
    expect(second).toMatchObject({ payments: [], next_cursor: null })
    const file = `/store/live/payments.csv?${new URLSearchParams(query)}`
    const { text } = await t.call('GET', file, person.headers)
    expect(text.trim().split('\r\n')).toHaveLength(1)
  })

  it('does not find an erased client', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'owner')
    const client = { name: 'Grace Hopper', email: 'grace@example.com', phone: '1' }
    const fields = { client, reference_note: 'For Grace', reference_id: 'order 5' }
    const { payment_id } = await t.createPayment(live, fields)
    expect(await find({ search: 'grace' }, person)).toEqual([payment_id])
    const erased = await t.call('POST', '/store/live/clients/erase', person.headers, {
      email: client.email,
    })
    expect(erased.status).toBe(200)
    expect(await find({ search: 'grace' }, person)).toEqual([])
    expect(await find({ search: 'order' }, person)).toEqual([payment_id])
  })

  it('pages through many matches', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'viewer')
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      const { payment_id } = await t.createPayment(live, { reference_note: `lamp ${n}` })
      ids.unshift(payment_id)
      await nextMillisecond()
    }
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Query = { search: 'LAMP', limit: '2', ...(cursor && { cursor }) }
      const { data } = (await list(page, person)).body
      seen.push(...data.payments.map(({ payment_id }: { payment_id: string }) => payment_id))
      cursor = data.next_cursor
    }
    expect(seen).toEqual(ids)
  })

  it('never finds payments of another store or mode', async () => {
    const other = await t.createStore()
    const stranger = await createPerson(t, other.store, 'owner')
    const reference_id = 'the same everywhere'
    const ownPayment = await t.createPayment(shop.live, { reference_id })
    const otherPayment = await t.createPayment(other.live, { reference_id })
    const sandboxed = await t.createPayment(shop.sandbox, { reference_id })
    expect(await find({ search: reference_id })).toEqual([ownPayment.payment_id])
    expect(await find({ search: reference_id }, stranger)).toEqual([otherPayment.payment_id])
    expect(await find({ search: reference_id }, viewer, 'sandbox')).toEqual([sandboxed.payment_id])
    for (const { payment_id, qr_code } of [otherPayment, sandboxed]) {
      expect(await find({ search: payment_id })).toEqual([])
      expect(await find({ search: qr_code })).toEqual([])
    }
    // A code of this store without a payment.
    const unusedCode = formatQrCode('live', shop.store.storeId, 123n)
    expect(await find({ search: unusedCode })).toEqual([])
    const all = await find({ limit: '100' }, stranger)
    expect(all).toEqual([otherPayment.payment_id])
  })

  it('distinguishes payments that the store cancelled from those that expired', async () => {
    const { store, live, sandbox } = await t.createStore()
    const person = await createPerson(t, store, 'cashier')
    const { payment_id: cancelled } = await t.createPayment(live)
    await t.call('POST', `/store/live/payments/${cancelled}/expire`, person.headers)
    const { payment_id: overdue } = await t.createPayment(live)
    await t.makeOverdue(overdue)
    expect(await find({ status: 'cancelled' }, person)).toEqual([cancelled])
    expect(await find({ status: 'expired' }, person)).toEqual([overdue])
    const { payments } = (await list({}, person)).body.data
    type Row = { payment_id: string; status: string; cancelled: boolean }
    expect(payments.map((row: Row) => [row.payment_id, row.status, row.cancelled])).toEqual([
      [overdue, 'expired', false],
      [cancelled, 'expired', true],
    ])
    // The merchant API does not distinguish them.
    const merchantList = (await t.call('GET', '/merchant/payments?status=expired', live)).body.data
    expect(merchantList.payments.map((row: Row) => row.payment_id)).toEqual([overdue, cancelled])
    expect(merchantList.payments[1]).not.toHaveProperty('cancelled')

    // A simulated expiry in the sandbox does not cancel the payment.
    const simulated = (await t.createPayment(sandbox)).payment_id
    await t.call('POST', `/sandbox/payment/${simulated}/expire`, sandbox)
    expect(await find({ status: 'expired' }, person, 'sandbox')).toEqual([simulated])
    expect(await find({ status: 'cancelled' }, person, 'sandbox')).toEqual([])
  })

  it('filters by amount, inclusive', async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'cashier')
    const ids: string[] = []
    for (const amount of [1, 2.5, 7]) ids.push((await t.createPayment(live, { amount })).payment_id)
    const [small, medium, large] = ids as [string, string, string]
    const findSorted = async (query: Query) => (await find(query, person)).toSorted()
    expect(await findSorted({ amount_from: '2.5' })).toEqual([medium, large].toSorted())
    expect(await findSorted({ amount_to: '2.50' })).toEqual([small, medium].toSorted())
    expect(await findSorted({ amount_from: '1.01', amount_to: '6.99' })).toEqual([medium])
    expect(await findSorted({ amount_from: '8' })).toEqual([])
  })

  it("filters by a part of the payer's name, email address or phone number", async () => {
    const { store, live } = await t.createStore()
    const person = await createPerson(t, store, 'owner')
    const paid = (await createPaidPayment(t, live, wallet)).payment_id
    const client = { name: 'Zoë O’Neil', email: 'zoe@example.com', phone: '020 7946' }
    const unpaid = (await t.createPayment(live, { client })).payment_id
    const { name, email, phone, publicId } = wallet.wallet
    for (const payer of [name.toUpperCase(), email, phone.slice(-6), publicId]) {
      expect(await find({ payer }, person), payer).toEqual([paid])
    }
    for (const payer of ['zoë', 'ZOE@example', '7946']) {
      expect(await find({ payer }, person), payer).toEqual([unpaid])
    }
    for (const payer of ['%', 'nobody']) expect(await find({ payer }, person)).toEqual([])
  })

  it.each<[Query, [string, string]]>([
    [
      { amount_from: 'x' },
      ['amount_from', 'amount_from must be a decimal number in a string, such as "12.50"'],
    ],
    [{ amount_to: '1.234' }, ['amount_to', 'amount_to has more decimals than USD has']],
    [{ payer: '\0' }, ['payer', 'payer contains characters that cannot be stored']],
    [{ cursor: 'words.x' }, ['cursor', 'cursor must be the next_cursor of a page']],
    [{ search: 'x'.repeat(256) }, ['search', 'search must have at most 255 characters']],
  ])('refuses %j', async (query, problem) => {
    expect(await list(query)).toMatchObject({ status: 400, body: invalid(problem) })
  })
})

describe('a filter with few matches', () => {
  const COUNT = MAX_SCANNED * 2 + 500
  // One of the oldest, one in the middle, and the newest.
  const PAID = [3, MAX_SCANNED, COUNT - 1]
  const FAILED = 5
  let busyShop: TestStore
  let owner: TestPerson
  let ids: string[]
  beforeAll(async () => {
    busyShop = await t.createStore()
    owner = await createPerson(t, busyShop.store, 'owner')
    ids = await fillPayments(t, busyShop.store, COUNT, (n) => ({
      status: PAID.includes(n) ? 'completed' : n === FAILED ? 'failed' : 'expired',
      gross: PAID.includes(n) ? 77n : 1000n,
      walletId: wallet.wallet.walletId,
    }))
  })

  it.each<Query>([{ status: 'completed' }, { amount_to: '0.99' }])(
    'reads a bounded number of payments per request, reports the progress, and reaches the end: %j',
    async (query) => {
      const seen: string[] = []
      const lookedUntil: string[] = []
      let cursor: string | null = null
      do {
        const page: Query = cursor === null ? query : { ...query, cursor }
        const { data } = (await list(page, owner)).body
        seen.push(...data.payments.map(({ payment_id }: { payment_id: string }) => payment_id))
        cursor = data.next_cursor
        if (cursor !== null) lookedUntil.push(data.looked_until)
        expect(data.looked_until === null).toBe(cursor === null)
      } while (cursor !== null)
      expect(seen).toEqual(PAID.map((n) => ids[n]).toReversed())
      expect(lookedUntil).toHaveLength(2)
      expect(lookedUntil).toEqual(lookedUntil.toSorted().toReversed())
    },
  )

  it('reads the same pages in the merchant API, without reporting the progress', async () => {
    const call = (query: string) =>
      t.call('GET', `/merchant/payments?status=completed${query}`, busyShop.live)
    const first = (await call('')).body.data
    expect(first.payments).toHaveLength(1)
    expect(Object.keys(first)).toEqual(['payments', 'next_cursor'])
    const second = (await call(`&cursor=${first.next_cursor}`)).body.data
    const third = (await call(`&cursor=${second.next_cursor}`)).body.data
    expect([second.payments.length, third.payments.length, third.next_cursor]).toEqual([1, 1, null])
  })

  it('finds a rare outcome on the first page, however old', async () => {
    const { data } = (await list({ status: 'failed' }, owner)).body
    expect(data).toMatchObject({ payments: [{ payment_id: ids[FAILED] }], next_cursor: null })
  })

  it('finds a client on the first page, however old', async () => {
    const client = {
      name: 'Zoë O’Neil',
      email: 'zoe@example.com',
      phone_dial_code: null,
      phone: '020 7946',
    }
    const words = wordsText({ client, referenceId: null, referenceNote: null })
    await t.database.transaction((tx) =>
      tx.execute('update payment set client = $2::json, words = $3 where payment_id = $1', [
        ids[7],
        JSON.stringify(client),
        words,
      ]),
    )
    for (const payer of ['o neil', 'ZOE@example']) {
      const { data } = (await list({ payer }, owner)).body
      expect(data, payer).toMatchObject({ payments: [{ payment_id: ids[7] }], next_cursor: null })
    }
    const { data } = (await list({ payer: 'zoe', cursor: ids[7]! }, owner)).body
    expect(data).toMatchObject({ payments: [], next_cursor: null })
  })

  it('fills a page immediately if many payments match', async () => {
    const { data } = (await list({ status: 'expired', limit: '100' }, owner)).body
    expect(data.payments).toHaveLength(100)
    expect(data.next_cursor).toBe(data.payments.at(-1).payment_id)
  })
})
