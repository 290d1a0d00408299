import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

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
const countStores = async () =>
  (await t.database.query<{ n: number }>('select count(*)::int as n from store'))[0]!.n
const more = { id: expect.any(Number), created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d /) }

describe('creating a store', () => {
  it('needs a name and a currency, and sets no fees or limits by default', async () => {
    const { status, body } = await create({ name: 'Corner', currency: 'USD' })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 200, message: 'Store created', data: { ...PLAIN, ...more } })
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
    expect(body.data).toEqual({ ...FULL, ...more })
    expect((await read(body.data.id)).body.data).toMatchObject(FULL)
  })

  it('returns amounts with the decimals of the currency', async () => {
    const { body } = await create({ name: 'S', currency: 'KWD', fee_fixed: '0.1', min_amount: '1' })
    expect(body.data).toMatchObject({ fee_fixed: '0.100', min_amount: '1.000' })
  })
})

const DECIMAL = 'must be a decimal number in a string, such as "12.50"'
const TEXT = 'contains characters that cannot be stored'
const AMOUNTS = [
  'fee_fixed',
  'refund_fee',
  'min_amount',
  'max_amount',
  'daily_limit',
  'monthly_limit',
  'refund_cap_manager',
  'refund_cap_cashier',
]
const LIMITS = AMOUNTS.slice(2)

// Invalid values of each setting. Each row is tested when creating and when changing a store.
const BAD_SETTINGS: [field: string, value: unknown, message: string][] = [
  ['name', '', 'must not be empty'],
  ['name', '   ', 'must not be empty and must not contain characters that cannot be stored'],
  ['name', 'a\0', 'must not be empty and must not contain characters that cannot be stored'],
  ['name', '\ud800', 'must not be empty and must not contain characters that cannot be stored'],
  ['name', 'x'.repeat(256), 'must have at most 255 characters'],
  ['name', 5, 'must be a string'],
  ['name', null, 'must be a string'],
  ['time_zone', 'Mars/Olympus', 'must be a name such as Europe/Paris'],
  ['time_zone', '+02:00', 'must be a name such as Europe/Paris'],
  ['time_zone', '', 'must not be empty'],
  ['time_zone', null, 'must be a string'],
  ['logo', 'ftp://x', 'must be an http or https URL'],
  ['logo', 'javascript:alert(1)', 'must be an http or https URL'],
  ['logo', `https://x/${'y'.repeat(2048)}`, 'must have at most 2048 characters'],
  ['logo', 1, 'must be a string'],
  ['domain', 'x'.repeat(256), 'must have at most 255 characters'],
  ['domain', '\0', TEXT],
  ['domain', null, 'must be a string'],
  ['email', 'nobody', 'must be an e-mail address, or empty'],
  ['email', 'a@b', 'must be an e-mail address, or empty'],
  ['email', `${'a'.repeat(250)}@b.cd`, 'must have at most 254 characters'],
  ['phone', '1'.repeat(33), 'must have at most 32 characters'],
  ['phone', '\udfff', TEXT],
  ['fee_bps', -1, 'must be at least 0'],
  ['fee_bps', 10001, 'must be at most 10000'],
  ['fee_bps', 1.5, 'must be an integer'],
  ['fee_bps', '100', 'must be an integer'],
  ['fee_bps', null, 'must be an integer'],
  ['expires_after_seconds', 59, 'must be at least 60'],
  ['expires_after_seconds', 86401, 'must be at most 86400'],
  ['expires_after_seconds', '900', 'must be an integer'],
  ['unique_references', 'yes', 'must be a boolean'],
  ['unique_references', 1, 'must be a boolean'],
  ['embed_origins', 'https://shop.example', 'must be an array'],
  ['embed_origins', null, 'must be an array'],
  ['embed_origins', Array(21).fill('https://shop.example'), 'must have at most 20 items'],
  ['suspended', null, 'must be a boolean'],
  ['fee_fixed', null, 'must be a string'],
  ['refund_fee', null, 'must be a string'],
  ['min_amount', '0', 'must be greater than 0, or null for none'],
  ['max_amount', '0.00', 'must be greater than 0, or null for none'],
  ...AMOUNTS.flatMap((field): [string, unknown, string][] => [
    [field, 5, 'must be a string'],
    [field, '-1', DECIMAL],
    [field, '1e3', DECIMAL],
    [field, '', DECIMAL],
    [field, '1.', DECIMAL],
    [field, ' 1', DECIMAL],
    [field, '١', DECIMAL],
    [field, '0.001', 'has more decimals than USD has'],
    [field, '1000000000000', 'must have at most 12 digits before the decimal point'],
    [field, '1'.repeat(21), 'must have at most 20 characters'],
  ]),
]

describe('invalid settings', () => {
  it.each([
    'http://shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    'https://*.shop.example',
    "https://x; script-src 'unsafe-inline'",
    'https://a https://b',
    'https://SHOP.example',
    '*',
    '',
  ])('embed_origins with %j', async (origin) => {
    const message = 'must be the origin of a site, such as https://shop.example.com'
    const answer = await create({ name: 'x', currency: 'USD', embed_origins: [origin] })
    expect(answer.body).toEqual(invalid(['embed_origins.0', `embed_origins.0 ${message}`]))
  })

  let storeId: number
  beforeAll(async () => {
    storeId = (await create({ name: 'Corner', currency: 'USD' })).body.data.id
  })

  it.each(BAD_SETTINGS)('%s: %j', async (field, value, message) => {
    const expected = invalid([field, `${field} ${message}`])
    const [stores, before] = [await countStores(), await read(storeId)]
    const created = await create({ name: 'Corner', currency: 'USD', [field]: value })
    expect([created.status, created.body]).toEqual([400, expected])
    const changed = await change(storeId, { [field]: value })
    expect([changed.status, changed.body]).toEqual([400, expected])
    expect(await countStores()).toBe(stores)
    expect((await read(storeId)).body).toEqual(before.body)
  })

  it.each([
    [
      {},
      [
        ['name', 'name is required'],
        ['currency', 'currency is required'],
      ],
    ],
    [
      { name: 'x', currency: 'usd' },
      [['currency', 'currency must be an ISO 4217 code in upper case, such as USD']],
    ],
    [{ name: 'x', currency: 'ZZZ' }, [['currency', 'currency is not known']]],
    [{ name: 'x', currency: 'XXX' }, [['currency', 'currency is not known']]],
    [{ name: 'x', currency: null }, [['currency', 'currency must be a string']]],
    [
      { currency: 'USD', fee_bps: -1, suspended: 1, email: 'x' },
      [
        ['name', 'name is required'],
        ['email', 'email must be an e-mail address, or empty'],
        ['fee_bps', 'fee_bps must be at least 0'],
        ['suspended', 'suspended must be a boolean'],
      ],
    ],
    ['[]', [['body', 'body must be an object']]],
    ['nonsense', [['body', 'body must be JSON']]],
    ['', [['body', 'body must be JSON']]],
    [undefined, [['body', 'body must be an object']]],
  ] as [unknown, [string, string][]][])('creating with %j', async (body, problems) => {
    const answer = await create(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(problems.length)
    expect(answer.body).toEqual({
      ...invalid(),
      errors: expect.arrayContaining(invalid(...problems).errors),
    })
  })

  it('are reported together', async () => {
    const answer = await change(storeId, { fee_fixed: '0.001', max_amount: '0', time_zone: 'x/y' })
    expect(answer.body.errors.map((one: { field: string }) => one.field).sort()).toEqual([
      'fee_fixed',
      'max_amount',
      'time_zone',
    ])
  })

  it('include min_amount above max_amount, even if only one of them changes', async () => {
    const CONTRADICTION = invalid(['min_amount', 'min_amount must not be above max_amount'])
    const limits = { min_amount: '10.01', max_amount: '10.00' }
    expect((await create({ name: 'x', currency: 'USD', ...limits })).body).toEqual(CONTRADICTION)
    const { id } = (await create({ name: 'x', currency: 'USD', min_amount: '5', max_amount: '10' }))
      .body.data
    expect((await change(id, { min_amount: '10.01' })).body).toEqual(CONTRADICTION)
    expect((await change(id, { max_amount: '4.99' })).body).toEqual(CONTRADICTION)
    expect((await change(id, { max_amount: '5.00' })).status).toBe(200)
    expect((await change(id, { min_amount: '6', max_amount: '7' })).status).toBe(200)
  })

  it('include another currency', async () => {
    const answer = await change(storeId, { currency: 'EUR' })
    expect(answer.body).toEqual(invalid(['currency', 'currency of a store cannot be changed']))
    expect((await change(storeId, { currency: 'USD' })).status).toBe(200)
  })
})

describe('changing a store', () => {
  it('keeps absent fields, and null clears a limit', async () => {
    const { id } = (await create({ ...FULL, suspended: false })).body.data
    const renamed = await change(id, { name: 'Renamed' })
    expect(renamed.body).toEqual({
      status: 200,
      message: 'Store changed',
      data: { ...FULL, ...more, suspended: false, name: 'Renamed' },
    })
    const cleared = Object.fromEntries([...LIMITS, 'logo'].map((field) => [field, null]))
    expect((await change(id, cleared)).body.data).toMatchObject(cleared)
    expect((await change(id, {})).body.data).toMatchObject({ ...cleared, fee_bps: 250 })
  })

  it.each(['0', '999999', '10000000', 'x', '1.0', '%00', '-1', '1e3', '٣'])(
    'refuses the unknown store %s',
    async (id) => {
      const answers = [await read(id), await change(id, { name: 'x' })]
      for (const path of ['credentials', 'fund', 'payout']) {
        answers.push(await t.call('POST', `/operator/stores/${id}/${path}`, t.operator, {}))
      }
      answers.push(await t.call('GET', `/operator/stores/${id}/credentials`, t.operator))
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: NOT_FOUND })
    },
  )

  it('takes effect immediately on this node', async () => {
    const { store, live } = await t.createStore()
    const net = async () => {
      const { payment_id } = await t.createPayment(live, { amount: 100 })
      return (await t.call('GET', `/merchant/payment/${payment_id}`, live)).body.data.amount
    }
    expect(await net()).toBe('100.00')
    await change(store.storeId, { fee_bps: 1000, fee_fixed: '1.00', name: 'New name' })
    expect(await net()).toBe('89.00')
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
    const walked: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`
      const answer = await t.call('GET', `/operator/stores?limit=2${next}`, t.operator)
      walked.push(...answer.body.data.stores.map((store: { id: number }) => store.id))
      cursor = answer.body.data.next_cursor
    }
    expect(walked).toEqual(ids)
  })

  it.each([
    ['limit=0', 'limit must be a whole number from 1 to 100'],
    ['limit=101', 'limit must be a whole number from 1 to 100'],
    ['limit=-1', 'limit must be a whole number from 1 to 100'],
    ['cursor=x', 'cursor must be the next_cursor of a page'],
    ['cursor=9999999999', 'cursor must be the next_cursor of a page'],
    ['limit=1&limit=2', 'limit must be a whole number from 1 to 100'],
  ])('refuses ?%s', async (query, message) => {
    for (const list of ['stores', 'wallets']) {
      const answer = await t.call('GET', `/operator/${list}?${query}`, t.operator)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(invalid([query.split('=')[0]!, message]))
    }
  })
})
