import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

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
  ['email', 'nobody', 'must be an email address, or empty'],
  ['email', 'a@b', 'must be an email address, or empty'],
  ['email', `${'a'.repeat(250)}@b.cd`, 'must have at most 254 characters'],
  ['phone', '1'.repeat(33), 'must have at most 32 characters'],
  ['phone', '\udfff', TEXT],
  ['locale', 'de', 'must be one of en, es, fr, ar, zh'],
  ['locale', 5, 'must be one of en, es, fr, ar, zh'],
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
  ['mail_receipts', 'yes', 'must be a boolean'],
  ['mail_daily_close', null, 'must be a boolean'],
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
  ])('are refused: embed_origins with %j', async (origin) => {
    const message = 'must be the origin of a site, such as https://shop.example.com'
    const response = await create({ name: 'x', currency: 'USD', embed_origins: [origin] })
    expect(response.body).toEqual(invalid(['embed_origins.0', `embed_origins.0 ${message}`]))
  })

  let storeId: number
  beforeAll(async () => {
    storeId = (await create({ name: 'Corner', currency: 'USD' })).body.data.id
  })

  it.each(BAD_SETTINGS)(
    'are refused when creating and changing a store: %s %j',
    async (field, value, message) => {
      const expected = invalid([field, `${field} ${message}`])
      const [stores, before] = [await countStores(), await read(storeId)]
      const created = await create({ name: 'Corner', currency: 'USD', [field]: value })
      expect([created.status, created.body]).toEqual([400, expected])
      const changed = await change(storeId, { [field]: value })
      expect([changed.status, changed.body]).toEqual([400, expected])
      expect(await countStores()).toBe(stores)
      expect((await read(storeId)).body).toEqual(before.body)
    },
  )

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
        ['email', 'email must be an email address, or empty'],
        ['fee_bps', 'fee_bps must be at least 0'],
        ['suspended', 'suspended must be a boolean'],
      ],
    ],
    ['[]', [['body', 'body must be an object']]],
    ['nonsense', [['body', 'body must be JSON']]],
    ['', [['body', 'body must be JSON']]],
    [undefined, [['body', 'body must be an object']]],
  ] as [unknown, [string, string][]][])(
    'are refused when creating a store with %j',
    async (body, problems) => {
      const response = await create(body)
      expect(response.status).toBe(400)
      expect(response.body.errors).toHaveLength(problems.length)
      expect(response.body).toEqual({
        ...invalid(),
        errors: expect.arrayContaining(invalid(...problems).errors),
      })
    },
  )

  it('are reported together', async () => {
    const response = await change(storeId, {
      fee_fixed: '0.001',
      max_amount: '0',
      time_zone: 'x/y',
    })
    expect(response.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'fee_fixed',
      'max_amount',
      'time_zone',
    ])
  })

  it('include min_amount above max_amount, even if only one of them changes', async () => {
    const CONTRADICTION = invalid(['min_amount', 'min_amount must not be above max_amount'])
    const refused = await create({
      name: 'x',
      currency: 'USD',
      min_amount: '10.01',
      max_amount: '10.00',
    })
    expect(refused.body).toEqual(CONTRADICTION)
    const { id } = (await create({ name: 'x', currency: 'USD', min_amount: '5', max_amount: '10' }))
      .body.data
    expect((await change(id, { min_amount: '10.01' })).body).toEqual(CONTRADICTION)
    expect((await change(id, { max_amount: '4.99' })).body).toEqual(CONTRADICTION)
    expect((await change(id, { max_amount: '5.00' })).status).toBe(200)
    expect((await change(id, { min_amount: '6', max_amount: '7' })).status).toBe(200)
  })

  it('include another currency', async () => {
    const response = await change(storeId, { currency: 'EUR' })
    expect(response.body).toEqual(invalid(['currency', 'currency of a store cannot be changed']))
    expect((await change(storeId, { currency: 'USD' })).status).toBe(200)
  })
})
