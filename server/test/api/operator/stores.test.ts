import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const LIMITS = [
  'min_amount',
  'max_amount',
  'daily_limit',
  'monthly_limit',
  'refund_cap_manager',
  'refund_cap_cashier',
]
const NOT_FOUND = refusal(404, 'Store not found')
const PLAIN = {
  name: 'Corner',
  currency: 'USD',
  time_zone: 'UTC',
  logo: null,
  domain: '',
  email: '',
  phone: '',
  fee_bps: 0,
  fee_fixed: '0.00',
  refund_fee: '0.00',
  min_amount: null,
  max_amount: null,
  daily_limit: null,
  monthly_limit: null,
  expires_after_seconds: 900,
  unique_references: false,
  refund_cap_manager: null,
  refund_cap_cashier: '0.00',
  embed_origins: [],
  locale: null,
  mail_receipts: false,
  mail_daily_close: false,
  second_factor_roles: [],
  suspended: false,
}
const FULL = {
  name: 'Ünïcode & Söhne 🛒',
  currency: 'EUR',
  time_zone: 'Europe/Paris',
  logo: 'https://shop.example/logo.png',
  domain: 'shop.example',
  email: 'till@shop.example',
  phone: '+33 1 23 45',
  fee_bps: 250,
  fee_fixed: '0.30',
  refund_fee: '0.50',
  min_amount: '0.10',
  max_amount: '10000.00',
  daily_limit: '50000.00',
  monthly_limit: '999999999999.99',
  expires_after_seconds: 3600,
  unique_references: true,
  refund_cap_manager: '500.00',
  refund_cap_cashier: '20.00',
  embed_origins: ['https://shop.example', 'https://till.shop.example:8443'],
  locale: 'fr',
  mail_receipts: true,
  mail_daily_close: true,
  second_factor_roles: [],
  suspended: true,
}

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const create = (body: unknown) => t.call('POST', '/operator/stores', t.operator, body)
const change = (id: unknown, body: unknown) =>
  t.call('PATCH', `/operator/stores/${id}`, t.operator, body)
const read = (id: unknown) => t.call('GET', `/operator/stores/${id}`, t.operator)
const generated = { id: expect.any(Number), created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d /) }

describe('creating a store', () => {
  it('needs only a name and a currency, and sets the default of every other setting', async () => {
    const { status, body } = await create({ name: 'Corner', currency: 'USD' })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: 'Store created',
      data: { ...PLAIN, ...generated },
    })
    expect((await read(body.data.id)).body).toEqual({
      status: 200,
      message: 'Store',
      data: {
        ...body.data,
        balances: expect.arrayContaining(
          ['live', 'sandbox'].map((mode) => ({
            mode,
            balance: '0.00',
            fees: '0.00',
            gifts: '0.00',
          })),
        ),
      },
    })
  })

  it('accepts every setting and returns it unchanged', async () => {
    const { body } = await create(FULL)
    expect(body.data).toEqual({ ...FULL, ...generated })
    expect((await read(body.data.id)).body.data).toMatchObject(FULL)
  })

  it('returns amounts with the decimals of the currency', async () => {
    const { body } = await create({ name: 'S', currency: 'KWD', fee_fixed: '0.1', min_amount: '1' })
    expect(body.data).toMatchObject({ fee_fixed: '0.100', min_amount: '1.000' })
  })
})

describe('changing a store', () => {
  it('keeps absent fields, and null clears a limit', async () => {
    const { id } = (await create({ ...FULL, suspended: false })).body.data
    const renamed = await change(id, { name: 'Renamed' })
    expect(renamed.body).toEqual({
      status: 200,
      message: 'Store changed',
      data: { ...FULL, ...generated, suspended: false, name: 'Renamed' },
    })
    const cleared = Object.fromEntries([...LIMITS, 'logo'].map((field) => [field, null]))
    expect((await change(id, cleared)).body.data).toMatchObject(cleared)
    expect((await change(id, {})).body.data).toMatchObject({ ...cleared, fee_bps: 250 })
  })

  it.each(['0', '999999', '10000000', 'x', '1.0', '%00', '-1', '1e3', '٣'])(
    'refuses the unknown store %s',
    async (id) => {
      const responses = [await read(id), await change(id, { name: 'x' })]
      for (const path of ['credentials', 'fund', 'payout']) {
        responses.push(await t.call('POST', `/operator/stores/${id}/${path}`, t.operator, {}))
      }
      responses.push(await t.call('GET', `/operator/stores/${id}/credentials`, t.operator))
      for (const response of responses)
        expect(response).toMatchObject({ status: 404, body: NOT_FOUND })
    },
  )

  it('takes effect immediately on this node', async () => {
    const { store, live } = await t.createStore()
    const createAndReadNet = async () => {
      const { payment_id } = await t.createPayment(live, { amount: 100 })
      return (await t.call('GET', `/merchant/payment/${payment_id}`, live)).body.data.amount
    }
    expect(await createAndReadNet()).toBe('100.00')
    await change(store.storeId, { fee_bps: 1000, fee_fixed: '1.00', name: 'New name' })
    expect(await createAndReadNet()).toBe('89.00')
    const { body } = await t.call('GET', '/merchant/store', live)
    expect(body.data).toMatchObject({ name: 'New name', fee_bps: 1000, fee_fixed: '1.00' })

    await change(store.storeId, { max_amount: '99.99' })
    const refused = await t.call('POST', '/merchant/payment/create', live, {
      amount: 100,
      currency: 'USD',
    })
    expect(refused.body).toEqual(invalid(['amount', 'amount must be at most 99.99 USD']))

    await change(store.storeId, { suspended: true })
    const SUSPENDED = refusal(403, 'This store is suspended')
    for (const url of ['/merchant/store', '/merchant/payments', '/merchant/nothing']) {
      expect(await t.call('GET', url, live)).toMatchObject({ status: 403, body: SUSPENDED })
    }
    await change(store.storeId, { suspended: false })
    expect((await t.call('GET', '/merchant/store', live)).status).toBe(200)
  })
})

describe('listing stores', () => {
  it('returns pages in order of creation', async () => {
    const all = (await t.call('GET', '/operator/stores?limit=100', t.operator)).body.data
    expect(all.next_cursor).toBeNull()
    const ids = all.stores.map((store: { id: number }) => store.id)
    expect(ids.length).toBeGreaterThan(4)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const pagedIds: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`
      const response = await t.call('GET', `/operator/stores?limit=2${next}`, t.operator)
      pagedIds.push(...response.body.data.stores.map((store: { id: number }) => store.id))
      cursor = response.body.data.next_cursor
    }
    expect(pagedIds).toEqual(ids)
  })

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['limit=101', 'limit must be a whole number from 1 to 100'],
    ['limit=-1', 'limit must be a whole number from 1 to 100'],
    ['cursor=x', 'cursor must be the next_cursor of a page'],
    ['cursor=9999999999', 'cursor must be the next_cursor of a page'],
    ['limit=1&limit=2', 'limit must be a whole number from 1 to 100'],
  ])('refuses ?%s, as the list of wallets does', async (query, message) => {
    for (const list of ['stores', 'wallets']) {
      const response = await t.call('GET', `/operator/${list}?${query}`, t.operator)
      expect(response.status).toBe(400)
      expect(response.body).toEqual(invalid([query.split('=')[0]!, message]))
    }
  })
})
