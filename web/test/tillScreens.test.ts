import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeLogo } from '../../server/src/ops/logos.ts'
import { plainPng } from '../../server/test/hostile/pictures.ts'
import { changeStore } from '../../server/test/setup/merchantCalls.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'
import {
  charge,
  openShop,
  openTill,
  payAtTill,
  paymentId,
  type Shop,
  show,
  signIn,
} from './setup/till.ts'
import { XSS } from './setup/xss.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site, { domain: 'corner.example', phone: '+1 555 0100' })
})
afterAll(() => site.close())

/** Expects no horizontal scrolling, and touch targets at least 48 pixels high. */
async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('.button, .tool, .key, .segment, .field-input, .sale-row')]
      .map((element) => ({
        name: element.textContent,
        height: element.getBoundingClientRect().height,
      }))
      .filter(({ height }) => height > 0 && height < 48),
  )
  expect(small).toEqual([])
}

it.each([
  { locale: 'en', colorScheme: 'light' },
  { locale: 'ar', colorScheme: 'dark' },
] as const)('the screens are accessible and fit in $locale, $colorScheme', async (options) => {
  const viewport = { width: 360, height: 740 }
  const { page, problems, close } = await site.open({
    ...options,
    reducedMotion: 'reduce',
    viewport,
  })
  async function checkScreen(): Promise<void> {
    await expectFits(page)
    await expectAccessible(page)
  }
  const openAndCheck = async (screen: string, selector: string) => {
    await show(page, screen)
    await page.locator(selector).first().waitFor()
    await checkScreen()
  }
  await page.goto('/till')
  await page.locator('input[type=email]').waitFor()
  await checkScreen()
  await signIn(page, shop.people.cashier)
  await page.locator('.keypad').waitFor()
  await page.keyboard.type('123456789012.34')
  await checkScreen()
  await page.keyboard.press('Escape')
  const id = await charge(page, '12.5')
  await checkScreen()
  await payAtTill(site, shop, id)
  await page.locator('.outcome-screen').waitFor()
  await checkScreen()
  await openAndCheck('sales', '.sale-row')
  await openAndCheck(`payment/${id}`, '.facts')
  await openAndCheck(`refund/${id}`, '.button-danger')
  await page.locator('.button-danger').click()
  await page.getByRole('dialog').waitFor()
  await checkScreen()
  await page.getByRole('dialog').locator('.button-danger').click()
  await page.locator('.tone-refunded').waitFor()
  await checkScreen()
  await openAndCheck(`receipt/${id}`, '.receipt')
  await openAndCheck('you', '.session')
  await show(page, 'home')
  await page.locator('.segment-sandbox').click()
  await page.locator('.ribbon').waitFor()
  await checkScreen()
  await charge(page, '1')
  await site.t.call('POST', `/sandbox/payment/${paymentId(page)}/expire`, shop.sandbox)
  await page.locator('.outcome-expired').waitFor()
  await checkScreen()
  await openAndCheck('display', '.welcome')
  ignoreRefusals(problems, 401)
  await close()
})

it('the payer and the reference keep their own direction', async () => {
  const reference = 'Order (7)'
  const { payment_id: id } = await site.t.createPayment(shop.live, { reference_id: reference })
  await payAtTill(site, shop, id)
  const { page, close } = await openTill(site, shop.people.cashier, { locale: 'ar' })
  await show(page, `payment/${id}`)
  const payer = shop.wallet.wallet.name
  for (const text of [payer, reference]) await page.locator('dd > bdi', { hasText: text }).waitFor()
  await show(page, `receipt/${id}`)
  await page.locator('.receipt dd > bdi', { hasText: reference }).waitFor()
  await close()
})

it('the customer screen follows the till from sale to sale', async () => {
  const { page, close } = await openTill(site, shop.people.cashier)
  await page.context().addInitScript(() => {
    navigator.wakeLock.request = (type) => {
      document.documentElement.dataset.awake = type!
      return new Promise(() => {})
    }
  })
  const opened = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Open the customer screen' }).click()
  const display = await opened
  await display.getByText('Welcome').waitFor()
  expect(await display.getByRole('heading').textContent()).toBe('Corner Shop')
  expect(await display.locator('html').getAttribute('data-awake')).toBe('screen')
  const first = await charge(page, '3')
  await display.locator('.qr').waitFor()
  expect(await display.locator('.digits').textContent()).toBe(
    await page.locator('.digits').textContent(),
  )
  expect(await display.getByRole('button').count()).toBe(0)
  await payAtTill(site, shop, first)
  await display.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.bringToFront()
  await page.keyboard.press('Enter')
  await display.getByText('Welcome').waitFor()
  await charge(page, '4')
  await display.getByText('4.00 USD').waitFor()
  // After a reload during a sale, it gets the current state from the till.
  await display.reload()
  await display.locator('.qr').waitFor()
  await page.getByRole('button', { name: 'Cancel this sale' }).click()
  await display.getByText('Welcome').waitFor()
  await close()
})

it('shows the uploaded logo on the till, the customer screen and the receipt', async () => {
  const branded = await openShop(site)
  const { t } = site
  const actor = { name: 'test', requestId: null }
  const { storeId } = branded.store
  const { logo } = await changeLogo(t.database, actor, storeId, plainPng(8, 8))
  t.service.stores.forget(storeId)
  const { page, close } = await openTill(site, branded.people.cashier)
  const display = await page.context().newPage()
  await display.goto('/till#display')
  /** Expects that the page shows the uploaded logo, which is 8 pixels wide. */
  async function expectLogo(on: Page): Promise<void> {
    const image = on.locator('.store-logo')
    await expect
      .poll(() =>
        image.evaluate((element: HTMLImageElement) => element.naturalWidth).catch(() => 0),
      )
      .toBe(8)
    expect(await image.getAttribute('src')).toBe(logo)
  }
  await display.getByText('Welcome').waitFor()
  await expectLogo(display)
  await expectLogo(page)
  const id = await charge(page, '3')
  await display.locator('.qr').waitFor()
  await expectLogo(display)
  await expectLogo(page)
  await payAtTill(site, branded, id)
  await show(page, `receipt/${id}`)
  await page.locator('.receipt').waitFor()
  await expectLogo(page)
  await close()
})

it("prints a receipt on one page of 80 mm paper, without the store's fees, and other screens on wider paper", async () => {
  const { payment_id: id } = await site.t.createPayment(shop.live, {
    amount: 12.5,
    reference_note: 'Table 4',
    reference_id: 'bill-7',
    products: [{ name: 'Tea', quantity: 2, price: 6.25 }],
  })
  await payAtTill(site, shop, id)
  const { page, close } = await openTill(site, shop.people.cashier)
  await show(page, `receipt/${id}`)
  await page.locator('.receipt').waitFor()
  const text = (await page.locator('.receipt').innerText()).replaceAll(/\s+/g, ' ')
  const expected = ['Corner Shop', 'corner.example', '2 × Tea 12.50 USD', 'Paid', 'Table 4']
  for (const part of [...expected, 'bill-7', id, 'EST']) {
    // Daylight saving time changes the name of the zone.
    expect(text.replace(/\bEDT\b/, 'EST')).toContain(part)
  }
  expect(text).not.toContain('0.13')
  expect(text).not.toContain('12.37')

  const print = async () =>
    (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1')
  const sizeOf = (pdf: string) => {
    const [, ...points] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!
    const [width, height] = points.map((text) => (Number(text) / 72) * 25.4)
    return { width, height }
  }
  const pdf = await print()
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1)
  const { width, height } = sizeOf(pdf)
  expect(width).toBeCloseTo(80, 0)
  expect(height).toBeGreaterThan(60)
  expect(height).toBeLessThan(200)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 302, height: 900 })
  const paper = (await page.locator('.receipt').boundingBox())!
  expect([Math.round(Math.abs(paper.x)), paper.y]).toEqual([0, 0])
  expect(Math.round(paper.width)).toBe(302)
  expect(await page.locator('button:visible, header.till-head:visible').count()).toBe(0)
  // Nothing is higher than the receipt: Firefox takes `dvh` from the printer's paper, not from `@page`.
  expect((await page.locator('body').boundingBox())!.height).toBe(paper.height)

  await show(page, 'sales')
  await page.locator('.receipt').waitFor({ state: 'detached' })
  expect(sizeOf(await print()).width).toBeGreaterThan(200)
  await close()
})

it('shows when a sale was paid, not when its code was created', async () => {
  const { payment_id: id } = await site.t.createPayment(shop.live, { amount: 2 })
  await site.t.database.transaction((tx) =>
    tx.execute("update payment set created_at = '2026-01-05 15:30Z' where payment_id = $1", [id]),
  )
  const { page, close } = await openTill(site, shop.people.cashier)
  const time = page.locator('.facts > div', { hasText: 'Time' })
  await show(page, `payment/${id}`)
  expect(await time.textContent()).toContain('Jan 5, 2026')
  await payAtTill(site, shop, id)
  for (const screen of ['payment', 'receipt']) {
    await show(page, 'home')
    await page.locator('.keypad').waitFor()
    await show(page, `${screen}/${id}`)
    await page.getByText('Paid', { exact: true }).waitFor()
    expect(await time.textContent()).not.toContain('Jan 5, 2026')
  }
  await close()
})

it('shows text of customers and merchants as text and runs none of it', async () => {
  const renamed = await openShop(site)
  const ids: string[] = []
  for (const text of XSS) {
    const products = [{ name: text, quantity: 1, price: 1 }]
    const body = { products, reference_id: text, reference_note: text }
    ids.push((await site.t.createPayment(renamed.live, body)).payment_id)
  }
  const { page, problems, close } = await openTill(site, renamed.people.cashier)
  await page.exposeFunction('florinRan', () => problems.push('a script in the text ran'))
  const display = await page.context().newPage()
  await display.goto('/till#display')
  for (const [n, text] of XSS.entries()) {
    await changeStore(site.t, renamed, { name: text })
    await page.goto(`/till?n=${n}#receipt/${ids[n]}`)
    await page.locator('.receipt').waitFor()
    expect(await page.locator('.receipt h2').textContent()).toBe(text)
    expect(await page.locator('.receipt dd bdi').first().textContent()).toBe(text)
    expect(await page.locator('.receipt-items').textContent()).toContain(text)
    expect(
      await page.locator('#app script, #app img:not(.store-logo), #app iframe, #app style').count(),
    ).toBe(0)
    if (n % 4 > 0) continue
    await show(page, `sale/${ids[n]}`)
    await page.locator('.qr').waitFor()
    expect(await page.locator('.code-store').textContent()).toBe(text)
    expect(await page.locator('.code-note').textContent()).toBe(text)
    await expect.poll(() => display.locator('.code-store').textContent()).toBe(text)
  }
  await show(page, 'sales')
  await page.getByRole('button', { name: 'Show earlier sales' }).click()
  await expect.poll(() => page.locator('.sale-note').count()).toBe(XSS.length)
  const notes = await page.locator('.sale-note').allTextContents()
  expect(notes.sort()).toEqual([...XSS].sort())
  await close()
})
