import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCALES } from '../../../../shared/src/locales.ts'
import type { CurrencyCode } from '../../../src/core/currencies.ts'
import { changeStore, create, refund, sandboxPay, setRate } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Tea & <Co>', refundFeeMinor: 50n })
  await t.fund(shop.store, 'sandbox', '500.00')
})
afterAll(() => t.close())

const open = (id: string, query = '', headers = {}) =>
  t.call('GET', `/pay/${id}${query}`, { 'accept-language': 'en', ...headers })
const statusShown = (text: string) => /<main [^>]*data-status="(\w+)"/.exec(text)?.[1]

describe('lookup', () => {
  it('needs only the id, in both modes', async () => {
    for (const [keys, ribbons] of [
      [shop.live, 0],
      [shop.sandbox, 2],
    ] as const) {
      const { payment_id, qr_code } = await t.createPayment(keys)
      const page = await open(payment_id)
      expect(page.status).toBe(200)
      expect(page.text.match(/class="ribbon"/g)?.length ?? 0).toBe(ribbons)
      expect(page.text).toContain(qr_code.match(/.{1,4}/g)!.join(' '))
      expect((await t.call('GET', `/pay/${payment_id}/state`)).body).toEqual({
        status: 200,
        message: 'Payment status',
        data: { status: 'pending' },
      })
    }
  })

  it('shows the same page, byte for byte, for unknown payments and suspended stores', async () => {
    const suspended = await t.createStore()
    const { payment_id } = await t.createPayment(suspended.live)
    expect((await open(payment_id)).status).toBe(200)
    await changeStore(t, suspended, { suspended: true })
    const { payment_id: known } = await t.createPayment(shop.live)
    const unknown = known.slice(0, -1) + (known.endsWith('0') ? '1' : '0')
    const pages = []
    for (const id of [payment_id, unknown, 'x', `${known}x`, '%00', '%3Cscript%3E']) {
      const page = await open(id)
      expect(page.status).toBe(404)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      pages.push(page.text)
      for (const part of ['state', 'events']) {
        const response = await t.call('GET', `/pay/${id}/${part}`)
        expect(response.body).toEqual({ status: 404, message: 'Payment not found' })
      }
    }
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('Payment not found.')
    expect((await open('x', '?lang=fr')).text).toContain('Paiement introuvable.')
  })

  it('shows an overdue payment as expired, without background loops', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    await t.makeOverdue(payment_id)
    expect(statusShown((await open(payment_id)).text)).toBe('expired')
  })
})

describe('content', () => {
  it('uses the requested language, or the one that the browser prefers', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const langOf = async (query: string, header: string) =>
      /<html lang="(\w+)"/.exec(
        (await open(payment_id, query, { 'accept-language': header })).text,
      )![1]
    expect(await langOf('', 'zh-CN,zh;q=0.9,en;q=0.5')).toBe('zh')
    for (const locale of LOCALES) expect(await langOf(`?lang=${locale}`, 'en')).toBe(locale)
    expect(await langOf('?lang=tlh', 'es')).toBe('es')
  })

  it('shows the amount, the products and the requested amount in another currency', async () => {
    await setRate(t, 'EUR', 'USD', '1.1')
    const products = Array.from({ length: 15 }, (_, n) => ({
      name: `Thing ${n}`,
      quantity: 2,
      price: 3.25,
    }))
    const { payment_id } = await t.createPayment(shop.live, {
      amount: 10,
      currency: 'EUR',
      products,
      reference_id: 'order-7',
      reference_note: 'Blue',
    })
    const { text } = await open(payment_id)
    expect(text).toContain('<title>Pay 11.00\u00a0USD to Tea &amp; &lt;Co&gt;</title>')
    expect(text).toContain('10.00\u00a0EUR at 1.1000')
    expect(text.match(/<span>6<\/span><span class="money-minor">.50<\/span>/g)).toHaveLength(12)
    for (const part of ['and 3 more', 'order-7', 'Blue']) expect(text).toContain(part)
  })

  it('formats amounts with the decimals of their currency', async () => {
    for (const [currency, shown] of [
      ['JPY', '500'],
      ['IQD', '500.000'],
      ['HUF', '500.00'],
    ] as const) {
      const { live } = await t.createStore({ currency: currency as CurrencyCode })
      const { payment_id } = await t.createPayment(live, { amount: 500, currency })
      expect((await open(payment_id)).text).toContain(`<title>Pay ${shown}\u00a0${currency} `)
    }
  })

  it('contains nothing about the client or the payer while pending, after the payment and after a refund', async () => {
    const secrets = [
      'Zelda Quux',
      'zelda@private.example',
      '5557654321',
      'payload-secret',
      'hook.example',
    ]
    const { payment_id } = await t.createPayment(shop.sandbox, {
      client: { name: secrets[0], email: secrets[1], phone: secrets[2] },
      payload: { secret: secrets[3] },
      webhook_url: `https://${secrets[4]}/x`,
    })
    const seen: string[] = []
    const recordPage = async (status: string) => {
      const page = await open(payment_id)
      expect(statusShown(page.text)).toBe(status)
      const state = await t.call('GET', `/pay/${payment_id}/state`)
      seen.push(page.text, JSON.stringify(page.headers), state.text)
    }
    await recordPage('pending')
    await sandboxPay(t, shop.sandbox, payment_id)
    await recordPage('completed')
    await refund(t, shop.sandbox, payment_id)
    await recordPage('refunded')
    const events = await t.call('GET', `/pay/${payment_id}/events`)
    expect(events.text).toBe('retry: 3000\n\ndata: refunded\n\n')
    const all = [...seen, events.text].join('\n')
    for (const secret of [...secrets, 'Sandbox Payer', 'sandbox-payer', '+999']) {
      expect(all).not.toContain(secret)
    }
    expect(seen.at(-3)).toContain('9.50\u00a0USD went back')
  })
})

describe('frames', () => {
  it('are allowed only for the origins in the settings', async () => {
    const { payment_id } = await t.createPayment(shop.live)
    const plain = await open(payment_id)
    expect(plain.headers['x-frame-options']).toBe('DENY')
    expect(plain.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const origins = ['https://tea.example', 'https://shop.tea.example:8443']
    await changeStore(t, shop, { embed_origins: origins })
    const framed = await open(payment_id)
    expect(framed.headers['x-frame-options']).toBeUndefined()
    expect(framed.headers['content-security-policy']).toContain(
      `frame-ancestors ${origins.join(' ')};`,
    )
    await changeStore(t, shop, { embed_origins: [] })
    expect((await open(payment_id)).headers['x-frame-options']).toBe('DENY')
  })
})

describe('link to the checkout', () => {
  it('is sent with every created payment, including in a replayed response', async () => {
    const key = { 'idempotency-key': 'link-1' }
    const first = await create(t, shop.live, {}, key)
    const again = await create(t, shop.live, {}, key)
    const withoutKey = await create(t, shop.live, {})
    const { payment_id } = first.body.data
    expect(first.headers.link).toBe(`<https://pay.example.com/pay/${payment_id}>; rel="checkout"`)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.headers.link).toBe(first.headers.link)
    expect(withoutKey.headers.link).toContain(withoutKey.body.data.payment_id)
    expect((await create(t, shop.live, { amount: -1 })).headers.link).toBeUndefined()
    expect(Object.keys(first.body.data)).toEqual(['payment_id', 'qr_code', 'instructions'])
  })
})

it('the page is smaller than 60 kB with all its files, uncompressed', async () => {
  const products = Array.from({ length: 100 }, () => ({
    name: 'x'.repeat(255),
    quantity: 1,
    price: 1,
  }))
  const { payment_id } = await t.createPayment(shop.sandbox, {
    products,
    reference_note: 'y'.repeat(1000),
  })
  const { text } = await open(payment_id)
  const urls = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map((match) => match[1]!)
  expect(urls.length).toBeGreaterThanOrEqual(3)
  let bytes = Buffer.byteLength(text)
  for (const url of urls) bytes += (await t.app.inject({ url })).rawPayload.length
  expect(bytes).toBeLessThan(60_000)
  expect(bytes).toBeGreaterThan(10_000)
})

describe('link back to the shop', () => {
  const linkOf = (text: string) =>
    /<a class="button[^"]*" href="[^"]*" target="_top" rel="noreferrer">/.exec(text)?.[0]
  const paidPage = async (return_url: string | null, lang = 'en') => {
    const { payment_id } = await t.createPayment(shop.sandbox, { return_url })
    const pending = (await open(payment_id)).text
    expect(linkOf(pending)).toBe(undefined)
    await sandboxPay(t, shop.sandbox, payment_id)
    return { payment_id, text: (await open(payment_id, `?lang=${lang}`)).text }
  }

  it.each([
    ['https://shop.example', 'https://shop.example/?'],
    [
      'https://shop.example/a%20b?order=7&x=%20+',
      'https://shop.example/a%20b?order=7&amp;x=%20+&amp;',
    ],
    [
      'https://shop.example/?status=old&a=1&payment%5Fid=9&status=x',
      'https://shop.example/?a=1&amp;',
    ],
    ['https://shop.example/"><script>', 'https://shop.example/%22%3E%3Cscript%3E?'],
  ])(
    'to %s keeps the other parameters of its query and adds the outcome',
    async (return_url, start) => {
      const { payment_id, text } = await paidPage(return_url)
      expect(linkOf(text)).toBe(
        `<a class="button button-wide" href="${start}payment_id=${payment_id}&amp;status=completed" target="_top" rel="noreferrer">`,
      )
    },
  )

  it('keeps the fragment at the end', async () => {
    const { payment_id, text } = await paidPage('https://shop.example/?a=1#top')
    expect(linkOf(text)).toContain(
      `href="https://shop.example/?a=1&amp;payment_id=${payment_id}&amp;status=completed#top"`,
    )
  })

  it('is shown after every outcome, but not without a return_url', async () => {
    const paid = (await paidPage('https://shop.example/')).payment_id
    await refund(t, shop.sandbox, paid)
    expect(linkOf((await open(paid)).text)).toContain('status=refunded')
    for (const [outcome, status] of [
      ['error', 'failed'],
      ['expire', 'expired'],
    ] as const) {
      const { payment_id } = await t.createPayment(shop.sandbox, {
        return_url: 'https://shop.example/',
      })
      if (outcome === 'error') await sandboxPay(t, shop.sandbox, payment_id, outcome)
      else await t.makeOverdue(payment_id)
      expect(linkOf((await open(payment_id)).text)).toContain(`status=${status}`)
    }
    expect(linkOf((await paidPage(null)).text)).toBe(undefined)
  })

  it.each([
    ['en', 'Back to shop'],
    ['es', 'Volver a la tienda'],
    ['fr', 'Retour au magasin'],
    ['ar', 'العودة إلى المتجر'],
    ['zh', '返回商家'],
  ])('is translated into %s', async (lang, words) => {
    expect((await paidPage('https://shop.example/', lang)).text).toContain(`>${words}</a>`)
  })
})
