import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { changeLink, createLink, newLink, payLink } from '../../setup/links.ts'
import { changeStore, setRate } from '../../setup/merchantCalls.ts'
import { nextMillisecond } from '../../setup/nextMillisecond.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

const UNKNOWN = refusal(404, 'Link not found')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', minAmountMinor: 100n, maxAmountMinor: 100_000n })
  await setRate(t, 'EUR', 'USD', '1.1')
})
afterAll(() => t.close())

const get = (id: string, keys = shop.live) => t.call('GET', `/merchant/links/${id}`, keys)
const list = async (query: string, keys: TestStore['live']) =>
  (await t.call('GET', `/merchant/links${query}`, keys)).body.data
const countLinks = async () =>
  (await t.database.query<{ count: number }>('select count(*)::int as count from link'))[0]!.count

const BARE = {
  mode: 'live',
  title: 'Coffee',
  description: null,
  amount: null,
  currency: 'USD',
  products: [],
  payload: null,
  reference_id: null,
  reference_note: null,
  webhook_url: null,
  return_url: null,
  locale: null,
  max_payments: null,
  expires_at: null,
  active: true,
  state: 'active',
  paid_count: 0,
  paid_total: '0.00',
  paid_currency: 'USD',
  created_at: TIME,
}

describe('creating', () => {
  it('returns a link in which the payer chooses the amount', async () => {
    const { status, body } = await createLink(t, shop.live)
    const { link_id } = body.data
    expect(link_id).toMatch(/^lnk_[0-9a-z]{26}$/)
    const url = `https://pay.example.com/link/${link_id}`
    const data = { ...BARE, link_id, url }
    expect([status, body]).toEqual([200, { status: 200, message: 'Link created', data }])
    expect((await get(link_id)).body).toEqual({ status: 200, message: 'Link', data })
  })

  it('stores every field', async () => {
    const fields = {
      title: '<script>alert(1)</script> & "tea"',
      description: 'مرحبا 👋\nsecond line',
      currency: 'EUR',
      payload: { table: 4, deep: [{ a: null }] },
      reference_id: 'menu-1',
      reference_note: 'Thank you',
      webhook_url: 'https://shop.example/hook',
      return_url: 'https://shop.example/thanks',
      locale: 'fr',
      max_payments: 37,
    }
    const products = [{ name: 'Tea', quantity: 2, price: 5.25 }]
    const sent = { ...fields, amount: 10.5, products, expires_at: '2099-01-31T09:00:00+01:00' }
    const { link_id } = (await createLink(t, shop.sandbox, sent)).body.data
    expect((await get(link_id, shop.sandbox)).body.data).toEqual({
      ...BARE,
      ...fields,
      link_id,
      url: `https://pay.example.com/link/${link_id}`,
      mode: 'sandbox',
      amount: '10.50',
      products: [{ name: 'Tea', quantity: 2, price: '5.25' }],
      expires_at: '2099-01-31 08:00:00',
    })
  })

  it.each<[string, object, [string, string][]]>([
    ['no title', { title: undefined }, [['title', 'title is required']]],
    [
      'a blank title',
      { title: ' ' },
      [['title', 'title must not be empty and must not contain characters that cannot be stored']],
    ],
    [
      'a long title',
      { title: 'x'.repeat(121) },
      [['title', 'title must have at most 120 characters']],
    ],
    ['an amount of zero', { amount: 0 }, [['amount', 'amount must be greater than 0']]],
    ['a string as amount', { amount: '5' }, [['amount', 'amount must be a number']]],
    ['too many decimals', { amount: 1.001 }, [['amount', 'amount has more decimals than USD has']]],
    [
      'an amount below the minimum',
      { amount: 0.5 },
      [['amount', 'amount must be at least 1.00 USD']],
    ],
    [
      'an amount above the maximum',
      { amount: 910, currency: 'EUR' },
      [['amount', 'amount must be at most 1000.00 USD']],
    ],
    [
      'an unknown currency',
      { currency: 'XXQ' },
      [['currency', 'currency XXQ is not known: use an ISO 4217 code, such as USD']],
    ],
    [
      'a currency without a rate',
      { currency: 'GBP' },
      [['currency', 'currency GBP cannot be converted to USD']],
    ],
    [
      'a time in the past',
      { expires_at: '2020-01-01' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    [
      'a time that the API has no format for',
      { expires_at: '9999-12-31T23:59:59-01:00' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    [
      'an invalid time',
      { expires_at: 'soon' },
      [['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00']],
    ],
    ['zero payments', { max_payments: 0 }, [['max_payments', 'max_payments must be at least 1']]],
    [
      'a fraction of a payment',
      { max_payments: 1.5 },
      [['max_payments', 'max_payments must be an integer']],
    ],
    [
      'invalid URLs',
      { webhook_url: 'x', return_url: 'javascript:1' },
      [
        ['webhook_url', 'webhook_url must be an absolute URL'],
        ['return_url', 'return_url must begin with http:// or https://'],
      ],
    ],
    [
      'a price with too many decimals',
      { products: [{ name: 'a', quantity: 1, price: 0.001 }] },
      [['products.0.price', 'price has more decimals than USD has']],
    ],
    [
      'a large payload',
      { payload: { a: 'x'.repeat(17_000) } },
      [['payload', 'payload must be at most 16 KiB as JSON']],
    ],
  ])('refuses %s and stores nothing', async (_, body, errors) => {
    const before = await countLinks()
    const response = await createLink(t, shop.live, body as Record<string, unknown>)
    expect([response.status, response.body]).toEqual([400, invalid(...errors)])
    expect(await countLinks()).toBe(before)
  })

  it('with an Idempotency-Key creates one link', async () => {
    const before = await countLinks()
    const key = { 'idempotency-key': 'once' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => createLink(t, shop.live, { amount: 5 }, key)),
    )
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    expect(await countLinks()).toBe(before + 1)
    // The response is replayed even after a change of the limits.
    await changeStore(t, shop, { max_amount: '4.00' })
    const again = await createLink(t, shop.live, { amount: 5 }, key)
    await changeStore(t, shop, { max_amount: '1000.00' })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([responses[0]!.text, 'true'])
    const other = await createLink(t, shop.live, { amount: 6 }, key)
    expect(other.body).toEqual(
      refusal(
        422,
        'This Idempotency-Key was used with a different request. For a new request, use a new key.',
      ),
    )
  })

  it('replays every digit of the payload', async () => {
    const key = { 'idempotency-key': 'digits', ...shop.live }
    const body = '{"title":"Coffee","payload":{"order":12345678901234567890}}'
    const [first, again] = [
      await t.call('POST', '/merchant/links', key, body),
      await t.call('POST', '/merchant/links', key, body),
    ]
    expect(first.text).toContain('"order":12345678901234567890')
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  it('needs the scope `create` to create or change one, and `read` to read it', async () => {
    const reader = await t.issue(shop.store, 'live', ['read'])
    const creator = await t.issue(shop.store, 'live', ['create'])
    const missing = refusal(403, 'This API key is not allowed to do that')
    const link_id = await newLink(t, creator)
    expect((await createLink(t, reader)).body).toEqual(missing)
    expect((await changeLink(t, reader, link_id, { active: false })).body).toEqual(missing)
    expect((await get(link_id, creator)).body).toEqual(missing)
    expect((await get(link_id, reader)).status).toBe(200)
  })
})

it('lists links newest first, in pages, and filters by whether they are paused', async () => {
  const { live, sandbox } = await t.createStore()
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift(await newLink(t, live, { title: `Link ${n}` }))
    await nextMillisecond()
  }
  await changeLink(t, live, ids[1]!, { active: false })
  await newLink(t, sandbox)
  const idsOf = (page: { links: { link_id: string }[] }) => page.links.map((link) => link.link_id)
  const first = await list('?limit=3', live)
  expect([idsOf(first), first.next_cursor]).toEqual([ids.slice(0, 3), ids[2]])
  const second = await list(`?limit=3&cursor=${first.next_cursor}`, live)
  expect([idsOf(second), second.next_cursor]).toEqual([ids.slice(3), null])
  expect(idsOf(await list('?active=true', live))).toEqual(ids.filter((id) => id !== ids[1]))
  const inactiveLinks = await list('?active=false', live)
  expect(inactiveLinks.links).toMatchObject([{ link_id: ids[1], active: false, state: 'paused' }])
  const bad = await t.call('GET', '/merchant/links?active=1&cursor=x&limit=0', live)
  expect(bad.body.errors.map((error: { field: string }) => error.field)).toEqual([
    'active',
    'limit',
  ])
  const badCursor = await t.call('GET', '/merchant/links?cursor=x', live)
  expect(badCursor.body).toEqual(invalid(['cursor', 'cursor must be the next_cursor of a page']))
})

describe('changing', () => {
  it('sets the given fields, clears those that are null, and is recorded', async () => {
    const id = await newLink(t, shop.live, { amount: 5, description: 'Old', max_payments: 3 })
    const changes = { title: 'Tea', description: null, max_payments: 4, active: false }
    const { body } = await changeLink(t, shop.live, id, changes)
    expect(body).toEqual({
      status: 200,
      message: 'Link changed',
      data: {
        ...BARE,
        ...changes,
        link_id: id,
        url: `https://pay.example.com/link/${id}`,
        amount: '5.00',
        state: 'paused',
      },
    })
    expect((await get(id)).body.data).toEqual(body.data)
    const log = await t.call('GET', `/operator/audit-log?subject=link:${id}`, t.operator)
    expect(log.body.data.entries).toMatchObject([
      {
        actor: `API key ${shop.live['api-key']}`,
        action: 'link.change',
        before: { title: 'Coffee', active: true },
        after: { title: 'Tea', active: false },
      },
      { action: 'link.create', before: null },
    ])
  })

  it('refuses to change the amount, currency and products, and refuses invalid values', async () => {
    const id = await newLink(t, shop.live, { amount: 5 })
    const fixed = (field: string) => `${field} of a link cannot be changed. Create a new link.`
    const sent = { amount: 500, currency: 'EUR', products: [], webhook_url: 'x' }
    expect((await changeLink(t, shop.live, id, sent)).body).toEqual(
      invalid(
        ['amount', fixed('amount')],
        ['currency', fixed('currency')],
        ['products', fixed('products')],
        ['webhook_url', 'webhook_url must be an absolute URL'],
      ),
    )
    const empty = await changeLink(t, shop.live, id, { title: null })
    expect(empty.body).toEqual(invalid(['title', 'title must be a string']))
    const several = { active: 'no', title: '', amount: 1, return_url: 'x', expires_at: 'x' }
    expect((await changeLink(t, shop.live, id, several)).body).toEqual(
      invalid(
        ['title', 'title must not be empty'],
        ['amount', fixed('amount')],
        ['return_url', 'return_url must be an absolute URL'],
        ['expires_at', 'expires_at must be a time in the future, such as 2030-01-31 08:00:00'],
        ['active', 'active must be a boolean'],
      ),
    )
    expect((await changeLink(t, shop.live, id, [])).body).toEqual(
      invalid(['body', 'body must be an object']),
    )
    expect((await get(id)).body.data).toMatchObject({ amount: '5.00', title: 'Coffee' })
  })
})

it('hides links of other stores and of the other mode', async () => {
  const id = await newLink(t, shop.live)
  const other = await t.createStore()
  for (const keys of [other.live, shop.sandbox]) {
    for (const path of ['', '/qr']) {
      expect((await t.call('GET', `/merchant/links/${id}${path}`, keys)).body).toEqual(UNKNOWN)
    }
    expect((await changeLink(t, keys, id, { active: false })).body).toEqual(UNKNOWN)
  }
  for (const wrong of ['lnk_x', 'pay_00000000000000000000000000', `${id}0`]) {
    expect((await get(wrong)).body).toEqual(UNKNOWN)
  }
})

it('draws a QR code that contains the address of the link', async () => {
  const id = await newLink(t, shop.live, { title: '<b>Tea</b>' })
  const url = `/merchant/links/${id}/qr`
  const response = await t.app.inject({ url: `${url}?format=png&size=400`, headers: shop.live })
  const { width, height, data } = PNG.sync.read(response.rawPayload)
  expect(decodeQR({ width, height, data })).toBe(`https://pay.example.com/link/${id}`)
  const svg = await t.call('GET', url, shop.live)
  expect(svg.headers['content-type']).toBe('image/svg+xml')
  expect(svg.text).toContain('<title>&lt;b&gt;Tea&lt;/b&gt;</title>')
})

it('shows how many times a link was paid and the total, and lists its payments', async () => {
  const id = await newLink(t, shop.live, { amount: 10, currency: 'EUR', max_payments: 2 })
  const wallet = await t.createWallet({ balance: '100.00' })
  const first = await payLink(t, wallet, id)
  await nextMillisecond()
  const second = await payLink(t, wallet, id)
  await t.createPayment(shop.live)
  expect((await get(id)).body.data).toMatchObject({
    paid_count: 2,
    paid_total: '22.00',
    paid_currency: 'USD',
    state: 'used_up',
    active: true,
  })
  const { payments } = (await t.call('GET', `/merchant/payments?link_id=${id}`, shop.live)).body
    .data
  const ids = [second, first].map(({ body }) => body.data.payment_id)
  expect(payments.map((payment: { payment_id: string }) => payment.payment_id)).toEqual(ids)
})
