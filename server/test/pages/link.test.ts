import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCALES } from '../../../shared/src/locales.ts'
import { checksum } from '../attacks/checksum.ts'
import { changeLink, newLink, payLink } from '../setup/links.ts'
import { changeStore } from '../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Tea & <Co>' })
})
afterAll(() => t.close())

const open = (id: string, query = '', headers = {}) =>
  t.call('GET', `/link/${id}${query}`, { 'accept-language': 'en', ...headers })
const stateShown = (text: string) => /<main [^>]*data-status="(\w+)"/.exec(text)?.[1]
const langOf = (text: string) => /<html lang="(\w+)"/.exec(text)?.[1]

describe('content', () => {
  it('shows title, description, amount, products and the link to the wallet, in both modes', async () => {
    const order = {
      title: 'Tea set',
      description: 'Two cups',
      amount: 12.5,
      products: [{ name: 'Cup', quantity: 2, price: 6.25 }],
      reference_note: 'Gift wrap',
    }
    for (const [keys, ribbons] of [
      [shop.live, 0],
      [shop.sandbox, 2],
    ] as const) {
      const id = await newLink(t, keys, order)
      const { status, text } = await open(id)
      expect([status, stateShown(text)]).toEqual([200, 'active'])
      expect(text).toContain('<title>Tea set · Tea &amp; &lt;Co&gt;</title>')
      expect(text).toContain('<span>12</span><span class="money-minor">.50</span>')
      for (const part of ['Two cups', 'Gift wrap', '<bdi>Cup</bdi>']) expect(text).toContain(part)
      expect(text).toContain(`href="/wallet#link/${id}"`)
      expect(text).toContain(`data-copy="${t.service.config.publicUrl}/link/${id}"`)
      expect(text.match(/class="ribbon"/g)?.length ?? 0).toBe(ribbons)
    }
  })

  it('shows markup in titles as text', async () => {
    const title = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
    const id = await newLink(t, shop.live, { title, description: title })
    const { text } = await open(id)
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  it('uses the language of the URL, else of the link, else of the browser', async () => {
    const plain = await newLink(t, shop.live, { amount: 1 })
    const french = await newLink(t, shop.live, { amount: 1, locale: 'fr' })
    const spanish = { 'accept-language': 'es' }
    expect(langOf((await open(plain, '', spanish)).text)).toBe('es')
    expect(langOf((await open(french, '', spanish)).text)).toBe('fr')
    const pages = await Promise.all(
      LOCALES.map((locale) => open(french, `?lang=${locale}`, spanish)),
    )
    expect(pages.map(({ text }) => langOf(text))).toEqual(LOCALES)
    expect(new Set(pages.map(({ text }) => /<h2>(.*?)<\/h2>/.exec(text)?.[1])).size).toBe(5)
  })
})

describe('state', () => {
  it('shows that a link is paused, used up or expired', async () => {
    const payer = await t.createWallet({ balance: '10' })
    const paused = await newLink(t, shop.live, { amount: 1 })
    await changeLink(t, shop.live, paused, { active: false })
    const usedUp = await newLink(t, shop.live, { amount: 1, max_payments: 1 })
    expect((await payLink(t, payer, usedUp)).status).toBe(200)
    const expired = await newLink(t, shop.live, { amount: 1 })
    await t.database.query(
      `update link set expires_at = now() - interval '1 second' where link_id = $1`,
      [expired],
    )
    for (const [id, state, words] of [
      [paused, 'paused', 'This link is paused.'],
      [usedUp, 'used_up', 'This link has been used up.'],
      [expired, 'expired', 'This link has expired.'],
    ] as const) {
      const { status, text } = await open(id)
      expect([status, stateShown(text)]).toEqual([200, state])
      expect(text).toContain(`<h1>${words}</h1>`)
      expect(text).not.toContain('/wallet#link/')
    }
  })

  it('shows the same page for unknown links and links of suspended stores', async () => {
    const closed = await t.createStore({ name: 'Closed Shop' })
    const suspended = await newLink(t, closed.live, { title: 'Bargain' })
    await changeStore(t, closed, { suspended: true })
    const known = await newLink(t, shop.live, { amount: 1 })
    const unknown = known.slice(0, -1) + (known.endsWith('0') ? '1' : '0')
    const pages = []
    const paymentId = `pay_${known.slice(4)}`
    for (const id of [suspended, unknown, 'x', `${known}x`, '%00', '%3Cscript%3E', paymentId]) {
      const page = await open(id)
      expect(page.status).toBe(404)
      pages.push(page.text)
    }
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('Link not found.')
  })
})

it('the page of a link has the security headers of the checkout', async () => {
  const { payment_id } = await t.createPayment(shop.live)
  const checkout = (await t.call('GET', `/pay/${payment_id}`)).headers
  const { headers } = await open(await newLink(t, shop.live, { amount: 1 }))
  const changing = ['date', 'content-length', 'x-request-id']
  const fixed = (all: typeof headers) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !changing.includes(name)))
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(fixed(headers)).toEqual(fixed(checkout))
})

it('opening the page of a link writes nothing', async () => {
  const id = await newLink(t, shop.live, { title: 'Poster' })
  const before = await checksum(t.database)
  for (let round = 0; round < 10; round++) {
    const pages = await Promise.all(Array.from({ length: 50 }, () => open(id)))
    expect(pages.every(({ status }) => status === 200)).toBe(true)
  }
  expect(await checksum(t.database)).toEqual(before)
})
