import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urlQrPng } from '../../server/src/platform/qrImages.ts'
import { changeLink, newLink, payLink } from '../../server/test/setup/links.ts'
import { changeStore } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { LOCALES } from '../../shared/src/locales.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openWallet, untilHeading } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())

describe('a link that cannot be paid', () => {
  it('shows the reason', async () => {
    const payer = await site.t.createWallet({ balance: '10' })
    const { page, problems, close } = await openWallet(site, payer)
    const id = await newLink(site.t, shop.live, { title: 'Tea', amount: 1 })
    await page.goto('/wallet#scan')
    const scan = async (address: string) => {
      const buffer = await urlQrPng(address, 600)
      const picture = { name: 'a.png', mimeType: 'image/png', buffer }
      await page.locator('input[type=file]').setInputFiles(picture)
    }
    for (const address of [
      `https://pay.evil.example/link/${id}`,
      `${site.origin}@evil.example/link/${id}`,
      `${site.origin}/other/link/${id}`,
    ]) {
      await scan('https://evil.example/')
      await page.getByText('This is not a payment code').waitFor()
      await scan(address)
      await page.getByText('This link belongs to another service').waitFor()
    }
    await scan(`${site.origin}/link/${id}`)
    await untilHeading(page, 'Pay Corner Shop')

    const paused = await newLink(site.t, shop.live, { amount: 1 })
    await changeLink(site.t, shop.live, paused, { active: false })
    const usedUp = await newLink(site.t, shop.live, { amount: 1, max_payments: 1 })
    await payLink(site.t, payer, usedUp)
    const closed = await site.t.createStore({ name: 'Closed' })
    const suspended = await newLink(site.t, closed.live, { amount: 1 })
    await changeStore(site.t, closed, { suspended: true })
    for (const [link, words] of [
      [paused, 'This link is paused'],
      [usedUp, 'This link is used up'],
      [suspended, 'This shop cannot take payments right now'],
      [await newLink(site.t, shop.sandbox, { amount: 1 }), 'This is a sandbox code'],
      [await newLink(site.t, shop.live, { amount: 40 }), 'Not enough balance'],
      ['lnk_nothing', 'Link not found'],
    ] as const) {
      await page.goto(`/wallet#link/${link}`)
      await untilHeading(page, words)
    }
    await closeAfterFailures({ page, problems, close }, 404, 409)
  })
})

describe('the link page', () => {
  it('has all keys above the buttons on a short screen', async () => {
    const id = await newLink(site.t, shop.live, { title: 'Counter', description: 'Open until 6' })
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, close } = await openWallet(site, payer)
    await page.goto(`/wallet#link/${id}`)
    for (const height of [640, 780, 844]) {
      await page.setViewportSize({ width: 360, height })
      const key = await page.getByRole('button', { name: 'Decimal point' }).boundingBox()
      const bar = await page.locator('.pay-bar').boundingBox()
      expect(key!.y + key!.height, `height ${height}`).toBeLessThanOrEqual(bar!.y)
    }
    await close()
  })

  it('fits a screen of 320 pixels in every language, with the keypad and with the receipt', async () => {
    const id = await newLink(site.t, shop.live, {
      title: `Tea ${'<b>long</b>'.repeat(9)}`,
      description: 'x'.repeat(200),
    })
    const payer = await site.t.createWallet({ balance: '40' })
    const { page, close } = await openWallet(site, payer, { viewport: { width: 320, height: 640 } })
    for (const locale of LOCALES) {
      await page.goto(`/wallet?lang=${locale}#link/${id}`)
      await page.evaluate((language) => localStorage.setItem('florin.language', language), locale)
      await page.reload()
      await page.locator(`html[lang=${locale}] .keypad`).waitFor()
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      expect(await width(), locale).toBe(320)
      await page.keyboard.type('1.50')
      await page.keyboard.press('Enter')
      await page.locator('.donation').waitFor()
      expect(await width(), locale).toBe(320)
      await page.locator('.pay-bar .button').first().click()
      await page.locator('.proof').waitFor()
      expect(await width(), locale).toBe(320)
    }
    const paid = 'select payment_id from payment where link_id = $1'
    expect(await site.t.database.query(paid, [id])).toHaveLength(LOCALES.length)
    await close()
  })
})
