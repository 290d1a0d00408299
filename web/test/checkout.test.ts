import { LOCALES } from '@florin/shared/locales.js'
import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeLogo } from '../../server/src/ops/logos.ts'
import { plainPng } from '../../server/test/hostile/pictures.ts'
import { changeStore, refund, sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { width: 360, height: 780 }
const DESKTOP = { width: 1280, height: 800 }
const ORDER = {
  products: [{ name: 'Tea', quantity: 2, price: 3.25 }],
  reference_id: 'order-1',
  reference_note: 'Leave it at the door',
}

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Demo Store' })
  await site.t.fund(shop.store, 'sandbox', '500.00')
})
afterAll(() => site.close())

async function uploadLogo({ store }: TestStore): Promise<string> {
  const actor = { name: 'test', requestId: null }
  const changed = await changeLogo(site.t.database, actor, store.storeId, plainPng(8, 8))
  site.t.service.stores.forget(store.storeId)
  return changed.logo!
}

const createPayment = (changed = {}) => site.t.createPayment(shop.sandbox, { ...ORDER, ...changed })
const untilStatus = (page: Page, status: string) =>
  page.locator(`main[data-status=${status}]`).waitFor()
const announcementOf = (page: Page) => page.locator('[role=status]').textContent()
const expire = async (id: string) =>
  void (await site.t.call('POST', `/sandbox/payment/${id}/expire`, shop.sandbox))

describe('store and order', () => {
  it('show the uploaded logo and the order before and after the payment', async () => {
    const branded = await site.t.createStore({ name: 'Branded' })
    const logo = await uploadLogo(branded)
    const { payment_id } = await site.t.createPayment(branded.sandbox, ORDER)
    const { page, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    const shownLogo = () =>
      page.locator('.store img').evaluate((image: HTMLImageElement) => ({
        path: new URL(image.src).pathname,
        width: image.naturalWidth,
      }))
    expect(await shownLogo()).toEqual({ path: logo, width: 8 })
    expect(await page.locator('.products').innerText()).toContain('Tea')
    await sandboxPay(site.t, branded.sandbox, payment_id)
    await untilStatus(page, 'completed')
    await expect.poll(shownLogo).toEqual({ path: logo, width: 8 })
    expect(await page.locator('.products').innerText()).toContain('Tea')
    await close()
  })
})

describe('a phone', () => {
  it('opens the payment in the wallet with its first button', async () => {
    const { payment_id, qr_code } = await createPayment()
    const viewport = { width: 360, height: 640 }
    const timezoneId = 'Asia/Tokyo'
    const phone = { viewport, timezoneId, hasTouch: true, isMobile: true }
    const { page, close } = await site.open(phone)
    await page.goto(`/pay/${payment_id}`)
    const link = page.getByRole('link', { name: 'Open in wallet' })
    expect(await page.locator('.steps').innerText()).toBe(
      'Tap “Open in wallet”.\nCheck the amount and confirm.',
    )
    // The time zone of the payer, not of the store.
    expect(await page.locator('[data-until]').textContent()).toMatch(
      /^Pay before ([A-Z][a-z]{2} \d+, \d{4}, )?\d\d:\d\d\s[AP]M GMT\+9$/,
    )
    const time = (await page.locator('.time').boundingBox())!
    expect(time.y + time.height).toBeLessThanOrEqual(viewport.height)
    const code = (await page.locator('.qr').boundingBox())!
    expect((await link.boundingBox())!.y).toBeLessThan(code.y)
    await link.click()
    await page.waitForURL((url) => url.pathname === '/wallet' && url.hash.includes(qr_code))
    await close()
  })

  it('is the only device with that button: others have a link beside the number', async () => {
    const { payment_id, qr_code } = await createPayment()
    const { page, close } = await site.open({ viewport: { width: 1024, height: 768 } })
    await page.goto(`/pay/${payment_id}`)
    const link = page.getByRole('link', { name: 'Open in wallet' })
    expect(await link.getAttribute('href')).toBe(`/wallet#pay/${qr_code}`)
    expect((await page.locator('.number-actions').boundingBox())!.height).toBe(48)
    const time = (await page.locator('.time').boundingBox())!
    expect(time.y + time.height).toBeLessThanOrEqual(768)
    await close()
  })
})

describe('QR code', () => {
  it.each([
    { name: 'a phone', viewport: PHONE, colorScheme: 'light', amount: 12.5 },
    { name: 'a phone in the dark', viewport: PHONE, colorScheme: 'dark', amount: 9_876_543_210.98 },
    { name: 'a desktop', viewport: DESKTOP, colorScheme: 'dark', amount: 12.5 },
  ] as const)('scans from the pixels on $name', async ({ viewport, colorScheme, amount }) => {
    const { payment_id, qr_code } = await createPayment({ amount })
    const { page, close } = await site.open({ viewport, colorScheme })
    await page.goto(`/pay/${payment_id}`)
    const picture = pixelsOf(await page.screenshot())
    expect(picture.width).toBe(viewport.width)
    expect(decodeQR(picture, { timeLimit: 20_000 })).toBe(qr_code)
    const width = (await page.locator('.qr svg').boundingBox())!.width
    // The code has 29 modules with its quiet zone, each a whole number of pixels wide.
    expect(width % 29).toBe(0)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await close()
  })

  it('copies the number, and prints the code, the number and the amount', async () => {
    const { payment_id, qr_code } = await createPayment()
    const { page, close } = await site.open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`/pay/${payment_id}`)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(qr_code)
    await page.emulateMedia({ media: 'print' })
    const isVisible = (selector: string) => page.locator(selector).first().isVisible()
    expect(await Promise.all(['.qr', '.digits', 'h1'].map(isVisible))).toEqual([true, true, true])
    expect(await Promise.all(['.steps', '.time', 'nav'].map(isVisible))).toEqual([
      false,
      false,
      false,
    ])
    await close()
  })
})

describe('open page', () => {
  it.each([
    {
      status: 'completed',
      title: 'Paid · Demo Store',
      act: (id: string) => sandboxPay(site.t, shop.sandbox, id),
      announcement: 'Paid. Thank you. Demo Store has received your payment.',
    },
    {
      status: 'failed',
      title: 'Failed · Demo Store',
      act: (id: string) => sandboxPay(site.t, shop.sandbox, id, 'error'),
      announcement:
        'This payment did not go through. You were not charged. Ask the shop for a new code.',
    },
    {
      status: 'expired',
      title: 'Expired · Demo Store',
      act: expire,
      announcement: 'This code has expired. You were not charged. Ask the shop for a new code.',
    },
  ])('changes to $status by its stream, without a poll or a reload', async (expected) => {
    const { status, title, act, announcement } = expected
    const { payment_id } = await createPayment()
    const { page, close } = await site.open()
    // No response: only the stream can report the change.
    await page.route('**/state', () => {})
    await page.goto(`/pay/${payment_id}`)
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
    // A click allows sound, so the test covers playing it.
    await page.mouse.click(5, 5)
    await act(payment_id)
    await untilStatus(page, status)
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
    expect(await page.title()).toBe(title)
    expect(await announcementOf(page)).toBe(announcement)
    expect(await page.locator('.outcome .icon path').count()).toBe(1)
    expect(await page.locator('.qr').count()).toBe(0)
    await close()
  })

  it('marks the last minute in the text and in the style of the time', async () => {
    const body = { ...ORDER, expires_in: 60 }
    const { payment_id } = await site.t.createPayment(shop.sandbox, body)
    const { page, close } = await site.open()
    // While a phone sleeps, the monotonic clock stands still.
    await page.addInitScript(() => {
      performance.now = () => 0
    })
    await page.goto(`/pay/${payment_id}`)
    await page.getByText('Less than a minute left').waitFor()
    const clock = page.locator('.time-last [data-clock]')
    await expect.poll(() => clock.textContent()).toMatch(/^00:([0-4]\d|5[0-7])$/)
    await close()
  })

  it('changes from paid to refunded', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'completed')
    await refund(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'refunded')
    expect(await announcementOf(page)).toContain('This payment was refunded.')
    await close()
  })

  it('shows the refunded amount large, with the paid amount and the fee', async () => {
    await changeStore(site.t, shop, { refund_fee: '0.50' })
    const { payment_id } = await createPayment()
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await refund(site.t, shop.sandbox, payment_id)
    await changeStore(site.t, shop, { refund_fee: '0.00' })
    const { page, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    expect(await page.locator('.outcome-amount').innerText()).toBe('9.50 USD')
    const facts = await page.locator('.facts > div').allInnerTexts()
    expect(facts.map((fact) => fact.replace(/\s+/g, ' '))).toEqual([
      'Paid 10.00 USD',
      'Refund fee 0.50 USD',
      expect.stringMatching(/^Time /),
      'Reference order-1',
      `Payment ${payment_id}`,
    ])
    await close()
  })

  it('links back to the shop after the outcome, without a redirect', async () => {
    const return_url = 'http://127.0.0.1:1/orders/7?a=1#top'
    const { payment_id } = await site.t.createPayment(shop.sandbox, { ...ORDER, return_url })
    const { page, problems, close } = await site.open()
    const requested: string[] = []
    await page.route('http://127.0.0.1:1/**', (route) => {
      requested.push(route.request().url())
      expect(route.request().headers()).not.toHaveProperty('referer')
      return route.fulfill({ contentType: 'text/html', body: '<h1>The shop</h1>' })
    })
    await page.goto(`/pay/${payment_id}`)
    expect(await page.getByRole('link', { name: 'Back to shop' }).count()).toBe(0)
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'completed')
    await expectAccessible(page)
    expect(requested).toEqual([])
    await page.setViewportSize({ width: 360, height: 640 })
    const back = (await page.getByRole('link', { name: 'Back to shop' }).boundingBox())!
    expect(back.y + back.height).toBeLessThanOrEqual(640)
    await page.getByRole('link', { name: 'Back to shop' }).click()
    await page.getByRole('heading', { name: 'The shop' }).waitFor()
    const query = `a=1&payment_id=${payment_id}&status=completed`
    expect(page.url()).toBe(`http://127.0.0.1:1/orders/7?${query}#top`)
    expect(requested).toEqual([`http://127.0.0.1:1/orders/7?${query}`])
    // Requests to another site are problems everywhere else.
    expect(problems).toEqual([`request: http://127.0.0.1:1/orders/7?${query}`])
    problems.length = 0
    await close()
  })

  it('changes the language', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    await page.getByRole('link', { name: 'Français' }).click()
    await page.getByText('Scannez le code QR.').waitFor()
    await close()
  })
})

describe('the page', () => {
  it('fits a laptop without scrolling in every language, before and after the payment', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open({ viewport: DESKTOP })
    for (const status of ['pending', 'completed']) {
      if (status === 'completed') await sandboxPay(site.t, shop.sandbox, payment_id)
      for (const locale of LOCALES) {
        await page.goto(`/pay/${payment_id}?lang=${locale}`)
        await untilStatus(page, status)
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        expect(height, `${status}, ${locale}`).toBeLessThanOrEqual(DESKTOP.height)
      }
    }
    await close()
  })

  it.each([
    { colorScheme: 'light', lang: 'en', viewport: DESKTOP, outcome: 'completed' },
    { colorScheme: 'dark', lang: 'en', viewport: PHONE, outcome: 'error' },
    { colorScheme: 'light', lang: 'ar', viewport: PHONE, outcome: 'error' },
    { colorScheme: 'dark', lang: 'ar', viewport: DESKTOP, outcome: 'completed' },
  ] as const)(
    'is accessible in $colorScheme, $lang, before and after the payment',
    async ({ colorScheme, lang, viewport, outcome }) => {
      const { payment_id } = await createPayment()
      const { page, close } = await site.open({ colorScheme, viewport })
      await page.goto(`/pay/${payment_id}?lang=${lang}`)
      await expectAccessible(page)
      await sandboxPay(site.t, shop.sandbox, payment_id, outcome)
      await untilStatus(page, outcome === 'error' ? 'failed' : outcome)
      await expectAccessible(page)
      await close()
    },
  )
})
