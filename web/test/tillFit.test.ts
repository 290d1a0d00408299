import { LOCALES } from '@florin/shared/locales.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openTill, payAtTill, paymentId, type Shop, show } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
  const items = Array.from({ length: 24 }, (_, n) => ({
    name: n % 2 ? `Item ${n}` : `Hausgemachte Schokoladentorte ${n}`,
    price: '123.45',
  }))
  const body = { items, tip_percentages: [10, 15, 20] }
  await site.t.call('PATCH', '/store/till', shop.people.owner.headers, body)
})
afterAll(() => site.close())

/** Expects that the whole element is on the screen without scrolling. */
async function expectOnScreen(page: Page, selector: string): Promise<void> {
  const box = (await page.locator(selector).boundingBox())!
  const { width, height } = page.viewportSize()!
  expect({ selector, left: box.x >= 0, top: box.y >= 0 }).toEqual({
    selector,
    left: true,
    top: true,
  })
  expect({ selector, bottom: box.y + box.height }).toSatisfy(
    ({ bottom }: { bottom: number }) => bottom <= height,
  )
  expect(box.x + box.width).toBeLessThanOrEqual(width)
}

it.each([
  [1024, 600],
  [1024, 768],
  [1440, 900],
  [360, 640],
  [768, 1024],
])('in the sandbox at %s x %s, the main action is on the screen', async (width, height) => {
  const { page, close } = await openTill(site, shop.people.cashier)
  await page.setViewportSize({ width, height })
  await page.getByText('Sandbox', { exact: true }).first().click()
  await page.locator('.till > .ribbon').waitFor()
  for (const selector of ['.charge .button', '.entry']) await expectOnScreen(page, selector)
  await expectOnScreen(page, '.till-head .store-logo')
  const name = await page.locator('.till-head h1').boundingBox()
  expect(name!.height).toBeLessThan(32)
  // Two rows of items, and the next one to show that there are more.
  const items = (await page.locator('.items').boundingBox())!
  expect(items.height).toBeGreaterThan(200)
  await page.locator('.item').first().click()
  await page.getByRole('button', { name: 'Show number pad' }).click()
  for (const selector of ['.charge .button', '.keypad', '.entry']) {
    await expectOnScreen(page, selector)
  }
  const popup = page.context().waitForEvent('page')
  await page.evaluate(() => void open('/till#display', 'florin-display'))
  const display = await popup
  await display.setViewportSize({ width, height })

  await page.keyboard.press('Enter')
  for (const screen of [page, display]) {
    await screen.locator('.tips').waitFor()
    await expectOnScreen(screen, '.tip-main')
    await expectOnScreen(screen, '.tip-none')
  }
  await expectOnScreen(page, '.tip-main .button')
  await page.getByRole('button', { name: 'No tip' }).click()
  await page.locator('.qr').waitFor()
  for (const selector of ['.code-foot .button', '.qr', '.code-head']) {
    await expectOnScreen(page, selector)
  }
  await display.locator('.qr').waitFor()
  for (const selector of ['.qr', '.code-head', '.code-state']) {
    await expectOnScreen(display, selector)
  }

  const id = paymentId(page)
  await site.t.call('POST', `/sandbox/payment/${id}/pay`, shop.sandbox)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  for (const button of await page.locator('.outcome-actions .button').all()) {
    const box = (await button.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(height)
  }
  await expectOnScreen(page, '.receipt-code')
  await display.locator('.receipt-qr').waitFor()
  await expectOnScreen(display, '.receipt-qr')
  await expectOnScreen(display, '.outcome-body')
  await show(page, `payment/${id}`)
  await page.locator('.facts').waitFor()
  await expectOnScreen(page, '.payment-actions')

  await show(page, 'home')
  await page.locator('.keypad').waitFor()
  await page.keyboard.type('7')
  await page.getByRole('button', { name: 'Send a payment request' }).click()
  await page.getByText('Payment request', { exact: true }).waitFor()
  for (const selector of ['.code-head', '.code-card', '.code-state', '.code-foot']) {
    await expectOnScreen(page, selector)
  }
  await close()
})

/** Texts that are wider than their box, except in lists that shorten them, and by how many pixels the page is too wide. */
const findCutOff = (page: Page) =>
  page.evaluate(() => {
    const overflow = document.documentElement.scrollWidth - innerWidth
    const cut = [
      ...document.querySelectorAll('button, a, .status, h1, h2, p, dt, dd, label, legend'),
    ]
      .filter(
        (element) =>
          !element.closest('.visually-hidden, .sale-row, .items') && element.clientWidth > 0,
      )
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent)
    return { overflow: Math.max(0, overflow), cut }
  })

it.each(LOCALES)('at 320 px, no label is cut off in %s', async (locale) => {
  const viewport = { width: 320, height: 640 }
  const { page, close } = await openTill(site, shop.people.cashier, { viewport, locale })
  const expectNothingCut = async (screen: string) =>
    expect({ screen, ...(await findCutOff(page)) }).toEqual({ screen, overflow: 0, cut: [] })
  await page.locator('.segment-sandbox').click()
  await page.locator('.till > .ribbon').waitFor()
  await page.locator('.item').first().click()
  await expectNothingCut('items')
  await page.locator('.basket-open').click()
  await page.getByRole('dialog').waitFor()
  await expectNothingCut('basket')
  await page.keyboard.press('Escape')
  await page.locator('.segment-live').click()
  await page.locator('.till > .ribbon').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.locator('.tips').waitFor()
  await expectNothingCut('tip')
  await page.locator('.tip').last().click()
  await page.locator('.qr').waitFor()
  await expectNothingCut('code')
  const id = paymentId(page)
  await payAtTill(site, shop, id)
  await page.locator('.outcome-completed').waitFor()
  await expectNothingCut('outcome')
  for (const [screen, shown] of [
    ['sales', '.sale-row'],
    [`payment/${id}`, '.facts'],
    [`receipt/${id}`, '.receipt-qr'],
    [`refund/${id}`, '.payment-head'],
    ['you', '.session'],
  ] as const) {
    await show(page, screen)
    await page.locator(shown).first().waitFor()
    await expectNothingCut(screen)
  }
  await close()
})

// 195 x 422 is a phone of 390 x 844 with a zoom of 200%, and 333 x 187 one of 667 x 375.
it.each([
  [333, 187],
  [568, 320],
  [1280, 320],
  [195, 422],
  [195, 844],
  [320, 480],
  [844, 390],
])('at %s x %s, no key of the keypad is cut off or covered', async (width, height) => {
  const viewport = { width, height }
  const { page, close } = await openTill(site, shop.people.cashier, { viewport })
  await page.getByRole('button', { name: 'Show number pad' }).click()
  await page.locator('.keypad').waitFor()
  for (const amount of ['', '12.50', '123456789012.34']) {
    await page.keyboard.press('Escape')
    await page.keyboard.type(amount)
    const unreachable = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          '.till-head a, .till-head label, .note input, .note button, .key, .charge > *, .today-link',
        ),
      ]
        .filter((element) => {
          element.scrollIntoView({ block: 'center' })
          const { left, right, top, bottom } = element.getBoundingClientRect()
          const isCovered = [top + 3, bottom - 3].some(
            (y) => !element.contains(document.elementFromPoint((left + right) / 2, y)),
          )
          return left < 0 || right > innerWidth || isCovered
        })
        .map((element) => element.outerHTML),
    )
    expect({ amount, unreachable }).toEqual({ amount, unreachable: [] })
    expect({ amount, ...(await findCutOff(page)) }).toEqual({ amount, overflow: 0, cut: [] })
  }
  await page.keyboard.press('Enter')
  await page.locator('.tips').waitFor()
  expect(await findCutOff(page)).toEqual({ overflow: 0, cut: [] })
  await close()
})

it('lists sales by their items, with straight lines between the rows and the status on one line', async () => {
  const products = [
    { name: 'Espresso', quantity: 2, price: 1 },
    { name: 'Tea', quantity: 1, price: 1 },
  ]
  await site.t.createPayment(shop.live, { amount: 3, products })
  const { page, close } = await openTill(site, shop.people.cashier)
  await show(page, 'sales')
  const rows = page.locator('.day li')
  await rows.nth(1).waitFor()
  expect(await rows.first().locator('.sale-what').textContent()).toBe('2 × Espresso, Tea')
  const line = await rows.nth(1).evaluate((element) => {
    const lined = [element, ...element.querySelectorAll('*')].filter(
      (part) => Number.parseFloat(getComputedStyle(part).borderTopWidth) > 0,
    )
    return lined.map((part) => getComputedStyle(part).borderTopLeftRadius)
  })
  expect(line).toEqual(['0px'])
  // On a phone the status still fits on one line.
  await page.setViewportSize({ width: 360, height: 740 })
  const heights = await page
    .locator('.sale-row .status')
    .evaluateAll((all) => all.map((element) => element.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(36)
  await close()
})
