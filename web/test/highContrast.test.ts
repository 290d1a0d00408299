import type { Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard } from './setup/dashboard.ts'
import { openWallet } from './setup/payers.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const HIGH_CONTRAST = { forcedColors: 'active' } as const

const backgroundOf = (element: Locator) =>
  element.evaluate((found) => getComputedStyle(found).backgroundColor)

it('marks what is current and chosen in high contrast', async () => {
  const dashboard = await openDashboard(site, shop.people.owner, 'live/payments?status=failed', {
    ...HIGH_CONTRAST,
  })
  const { page } = dashboard
  for (const [chosen, other] of [
    ['.segment-live', '.segment-sandbox'],
    ['.rail-item[aria-current]', '.rail-item:not([aria-current])'],
    ['.chip[aria-pressed=true]', '.chip[aria-pressed=false]'],
  ] as const) {
    const background = await backgroundOf(page.locator(chosen).first())
    expect([chosen, background]).not.toEqual([
      chosen,
      await backgroundOf(page.locator(other).first()),
    ])
  }
  await dashboard.close()

  const wallet = await openWallet(site, shop.wallet, HIGH_CONTRAST)
  await wallet.page.goto('/wallet#statement')
  const preset = (pressed: boolean) =>
    wallet.page.locator(`.presets [aria-pressed=${pressed}]`).first()
  expect(await backgroundOf(preset(true))).not.toBe(await backgroundOf(preset(false)))
  await wallet.close()
})

it('shows a payment code that can be scanned in high contrast', async () => {
  const { payment_id, qr_code } = await site.t.createPayment(shop.live, { amount: 12.5 })
  const { page, close } = await site.open({ ...HIGH_CONTRAST, colorScheme: 'dark' })
  await page.goto(`/pay/${payment_id}`)
  const picture = await page.locator('.qr svg').screenshot()
  expect(decodeQR(pixelsOf(picture), { timeLimit: 20_000 })).toContain(qr_code)
  await close()
})
