import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, startSite } from './setup/site.ts'
import { charge, openShop, openTill, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site, {})
})
afterAll(() => site.close())

/** Whether the whole element is on the screen without scrolling. */
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
  await expectOnScreen(page, '.charge .button')
  await expectOnScreen(page, '.entry')

  await charge(page, '12.5')
  await expectOnScreen(page, '.code-foot .button')
  await expectOnScreen(page, '.qr')
  await expectOnScreen(page, '.code-head')

  const popup = page.context().waitForEvent('page')
  await page.evaluate(() => void open('/till#display', 'florin-display'))
  const display = await popup
  await display.setViewportSize({ width, height })
  await display.locator('.qr').waitFor()
  for (const selector of ['.qr', '.code-head', '.code-state'])
    await expectOnScreen(display, selector)
  await close()
})
