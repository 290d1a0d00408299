import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urlQrPng } from '../../server/src/platform/qrImages.ts'
import { createLink, newLink } from '../../server/test/setup/links.ts'
import { readWalletBalance, setRate } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures, launchBrowser, openPage } from './setup/browser.ts'
import { cameraVideo } from './setup/cameraVideo.ts'
import { createPayer, openWallet, PIN, signIn, textOf, untilHeading } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-link-'))

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({
    name: 'Corner Shop',
    minAmountMinor: 100n,
    maxAmountMinor: 5_000n,
  })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
async function type(page: Page, amount: string): Promise<void> {
  for (const key of amount) {
    await page
      .getByRole('button', { name: key === '.' ? 'Decimal point' : key, exact: true })
      .click()
  }
}
async function paymentsOf(linkId: string): Promise<{ gross: string; donation: string }[]> {
  return site.t.database.query(
    `select gross::text, donation::text from payment where link_id = $1 order by payment_id`,
    [linkId],
  )
}

describe('a counter code', () => {
  it('can be scanned from its public address, asks for the amount within the limits, and is paid with a donation', async () => {
    const { body } = await createLink(site.t, shop.live, {
      title: 'Counter',
      description: 'Thank you',
      return_url: 'http://127.0.0.1:1/thanks',
    })
    const { url, link_id } = body.data
    const camera = join(folder, 'camera.mjpeg')
    writeFileSync(camera, await cameraVideo(site, await urlQrPng(url, 300)))
    const browserWithCamera = await launchBrowser({ camera })
    const payer = await site.t.createWallet({ balance: '30' })
    const { page, close } = await openWallet(
      {
        origin: site.origin,
        open: (options = {}) => openPage(browserWithCamera, site.origin, options),
      },
      payer,
    )
    await page.goto('/wallet')
    await button(page, 'Scan to pay').click()
    await untilHeading(page, 'Pay Corner Shop')
    expect(new URL(page.url()).hash).toBe(`#link/${link_id}`)
    await page.getByText('From 1.00 USD to 50.00 USD').waitFor()
    expect(await textOf(page, '.link-title')).toBe('Counter Thank you')
    const next = button(page, 'Continue')
    expect(await next.isDisabled()).toBe(true)
    await expectAccessible(page)
    await type(page, '.5')
    await page.getByText('At least 1.00 USD').waitFor()
    expect(await next.isDisabled()).toBe(true)
    await button(page, 'Delete last digit').click()
    await button(page, 'Delete last digit').click()
    await button(page, 'Delete last digit').click()
    // A keyboard works too.
    await page.keyboard.type('31')
    await page.getByText('You have 30.00 USD. Enter that or less.').waitFor()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await type(page, '4.50')
    expect(await textOf(page, '.entry-amount')).toBe('4.50 USD')
    expect(await textOf(page, '.sums')).toBe('Balance after 25.50 USD')
    await next.click()
    await page.getByText('Add a donation').first().waitFor()
    expect(await textOf(page, '.amount-due .money')).toBe('4.50 USD')
    await button(page, 'Change amount').click()
    expect(await textOf(page, '.entry-amount')).toBe('4.50 USD')
    await page.keyboard.press('Enter')
    await page.setViewportSize({ width: 360, height: 640 })
    // All choices fit in one row.
    expect((await page.locator('.donation-choices').boundingBox())!.height).toBe(48)
    await page.getByText('Round up 0.50').click()
    await button(page, 'Pay 5.00').click()
    await untilHeading(page, 'Paid')
    expect(await textOf(page, '.paid-to')).toBe('4.50 USD to Corner Shop, 0.50 USD to charity')
    expect(await textOf(page, '.paid-for')).toBe('Counter')
    expect(await paymentsOf(link_id)).toEqual([{ gross: '450', donation: '50' }])
    expect(await readWalletBalance(site.t, payer)).toBe('25.00')
    // The receipt keeps the title, and links to the shop.
    await page.reload()
    await untilHeading(page, 'Paid')
    expect(await textOf(page, '.paid-for')).toBe('Counter')
    await page.getByRole('link', { name: 'Back to shop' }).waitFor()
    expect(await page.locator('.proof').count()).toBe(0)
    await close()
    await browserWithCamera.close()
  })

  it('in another currency shows what is paid; a refused amount can be changed, and a new rate is shown first', async () => {
    await setRate(site.t, 'EUR', 'USD', '1.1')
    const limited = await site.t.createStore({ name: 'Stall', dailyLimitMinor: 2_000n })
    const id = await newLink(site.t, limited.live, { title: 'Stall', currency: 'EUR' })
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto(`/wallet#link/${id}`)
    await untilHeading(page, 'Pay Stall')
    await type(page, '20')
    expect(await textOf(page, '.sums')).toBe('You pay 22.00 USD Balance after 78.00 USD')
    await button(page, 'Continue').click()
    await button(page, 'Pay 22.00').click()
    await page.getByText('The shop cannot take this amount right now.').waitFor()
    await button(page, 'Delete last digit').click()
    await type(page, '.5')
    await button(page, 'Continue').click()
    await page.getByText('2.50 EUR at a rate of 1.1000').waitFor()
    await setRate(site.t, 'EUR', 'USD', '1.2')
    await button(page, 'Pay 2.75').click()
    await page.getByText('The exchange rate has changed. Check the new amount.').waitFor()
    await button(page, 'Pay 3.00').click()
    await untilHeading(page, 'Paid')
    expect(await paymentsOf(id)).toEqual([{ gross: '300', donation: '0' }])
    await closeAfterFailures({ page, problems, close }, 400)
  })

  /** Pays 11.00 without a response, then presses "Pay 12.00" at a new rate after a reload. */
  async function payAgainAtNewRate({ arrives }: { arrives: boolean }) {
    await setRate(site.t, 'EUR', 'USD', '1.1')
    const id = await newLink(site.t, shop.live, { title: 'Tea set', amount: 10, currency: 'EUR' })
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, problems, close } = await openWallet(site, payer)
    let isLost = true
    await page.route('**/pay', async (route) => {
      if (!isLost) return route.continue()
      if (arrives) await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`/wallet#link/${id}`)
    await button(page, 'Pay 11.00').click()
    await page.getByText('Still trying. You will only be charged once.').waitFor()
    await setRate(site.t, 'EUR', 'USD', '1.2')
    await page.reload()
    isLost = false
    await button(page, 'Pay 12.00').click()
    await untilHeading(page, 'Paid')
    return { id, payer, page, problems, close }
  }

  it('is paid once if the response is lost and the rate has changed when the payer tries again', async () => {
    const { id, payer, ...watched } = await payAgainAtNewRate({ arrives: true })
    expect(await paymentsOf(id)).toEqual([{ gross: '1100', donation: '0' }])
    expect(await readWalletBalance(site.t, payer)).toBe('89.00')
    expect(await textOf(watched.page, '.outcome .money')).toBe('11.00 USD')
    await closeAfterFailures(watched)
  })

  it('is paid once at the new rate if the request never arrived', async () => {
    const { id, payer, ...watched } = await payAgainAtNewRate({ arrives: false })
    expect(await paymentsOf(id)).toEqual([{ gross: '1200', donation: '0' }])
    expect(await readWalletBalance(site.t, payer)).toBe('88.00')
    await closeAfterFailures(watched, 400)
  })
})

describe('a link with an amount', () => {
  it('asks for the PIN above the limit', async () => {
    const id = await newLink(site.t, shop.live, { title: 'Tea set', amount: 12.5 })
    const payer = await createPayer(site.t, { balance: '40' })
    const { page, problems, close } = await site.open()
    await signIn(page, payer)
    await page.goto('/wallet#account')
    await page.getByText('PIN limit', { exact: true }).click()
    await page.getByLabel('Limit in USD').fill('10')
    await button(page, 'Save').first().click()
    await page.getByText('Saved.').waitFor()
    await page.goto(`/wallet#link/${id}`)
    await untilHeading(page, 'Pay Corner Shop')
    expect(await button(page, 'Pay 12.50').isDisabled()).toBe(true)
    await page.getByLabel('Your PIN').fill('000001')
    await button(page, 'Pay 12.50').click()
    await page.getByText('Wrong PIN. Try again.').waitFor()
    expect(await paymentsOf(id)).toEqual([])
    await page.getByLabel('Your PIN').fill(PIN)
    await button(page, 'Pay 12.50').click()
    await untilHeading(page, 'Paid')
    expect(await paymentsOf(id)).toEqual([{ gross: '1250', donation: '0' }])
    await closeAfterFailures({ page, problems, close }, 400)
  })

  it('is paid once by a double tap, and once after a lost response', async () => {
    const id = await newLink(site.t, shop.live, { title: 'Tea set', amount: 12.5 })
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, problems, close } = await openWallet(site, payer)
    const keys = new Set<string | undefined>()
    let requests = 0
    await page.route('**/pay', async (route) => {
      keys.add(route.request().headers()['idempotency-key'])
      if (requests++ > 0) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`/wallet#link/${id}`)
    await button(page, 'Pay 12.50').dblclick()
    await untilHeading(page, 'Paid')
    expect({ keys: keys.size, requests }).toEqual({ keys: 1, requests: 2 })
    expect(await paymentsOf(id)).toHaveLength(1)
    expect(await readWalletBalance(site.t, payer)).toBe('87.50')

    // A page that is reloaded before the response arrives sends the same key again.
    let isLost = true
    await page.unroute('**/pay')
    await page.route('**/pay', async (route) => {
      if (!isLost) return route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`/wallet#link/${id}`)
    await button(page, 'Pay 12.50').click()
    await page.getByText('Still trying. You will only be charged once.').waitFor()
    isLost = false
    await page.reload()
    await button(page, 'Pay 12.50').click()
    await untilHeading(page, 'Paid')
    expect(await paymentsOf(id)).toHaveLength(2)
    expect(await readWalletBalance(site.t, payer)).toBe('75.00')
    await closeAfterFailures({ page, problems, close })
  })

  it('shows the age of a payment whose response was lost, if the payer pays the same again', async () => {
    const id = await newLink(site.t, shop.live, { title: 'Tea set', amount: 1 })
    const payer = await site.t.createWallet({ balance: '10' })
    const { page, close } = await openWallet(site, payer)
    // As after a lost response: the same Idempotency-Key returns the payment of two hours ago.
    await page.route('**/pay', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const twoHoursAgo = Date.parse(`${body.data.paid_at.replace(' ', 'T')}Z`) - 2 * 3_600_000
      body.data.paid_at = new Date(twoHoursAgo).toISOString().slice(0, 19).replace('T', ' ')
      await route.fulfill({ response, json: body })
    })
    await page.goto(`/wallet#link/${id}`)
    await button(page, 'Pay 1.00').click()
    await untilHeading(page, 'Paid')
    expect(await textOf(page, '.proof-age')).toBe('2 hours ago')
    await close()
  })

  it('shows the cashier the payer and a clock that ticks, even with reduced motion', async () => {
    const id = await newLink(site.t, shop.live, { title: 'Tea set', amount: 1 })
    const payer = await site.t.createWallet({ balance: '10' })
    const { body } = await site.t.call('GET', '/wallet/me', payer.headers)
    const { page, close } = await openWallet(site, payer, { reducedMotion: 'reduce' })
    await page.goto(`/wallet#link/${id}`)
    await button(page, 'Pay 1.00').click()
    await untilHeading(page, 'Paid')
    expect(await textOf(page, '.proof-name')).toContain(body.data.name)
    const clock = () => textOf(page, '.proof-clock')
    const first = await clock()
    expect(first).toMatch(/^\d\d:\d\d:\d\d$/)
    await expect.poll(clock).not.toBe(first)
    await expect.poll(() => textOf(page, '.proof-age')).toMatch(/^[1-9]\d* seconds? ago$/)
    const motion = () =>
      page.locator('.paid').evaluate((paid) => getComputedStyle(paid, '::after').animationName)
    expect(await motion()).toBe('none')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await motion()).toBe('cross')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await close()
  })
})
