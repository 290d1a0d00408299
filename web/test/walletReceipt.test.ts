import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeLogo } from '../../server/src/ops/logos.ts'
import { plainPng } from '../../server/test/hostile/pictures.ts'
import { createPaidPayment, refund } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openWallet, textOf, untilHeading } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

const ORDER = {
  amount: 12.3,
  reference_id: 'order-7',
  reference_note: 'Table 4',
  products: [
    { name: 'Tea', quantity: 2, price: 3.15 },
    { name: 'Cup', quantity: 1, price: 6 },
  ],
}
const ORDER_TEXT = '2 × Tea 6.30 USD 1 × Cup 6.00 USD Table 4'
const RETURN_URL = 'http://127.0.0.1:1/orders/7'
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

let site: Site
let shop: TestStore
let logo: string
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop', refundFeeMinor: 25n })
  await site.t.fund(shop.store, 'live', '50.00')
  const actor = { name: 'test', requestId: null }
  const { store } = shop
  logo = (await changeLogo(site.t.database, actor, store.storeId, plainPng(8, 8))).logo!
  site.t.service.stores.forget(store.storeId)
})
afterAll(() => site.close())

const factsOf = async (page: Page) =>
  (await page.locator('.facts > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
const logosOf = (page: Page) =>
  page
    .locator('main img')
    .evaluateAll((images: HTMLImageElement[]) => images.map((image) => new URL(image.src).pathname))

describe('receipt', () => {
  it('leads from the checkout through the wallet back to the shop, and survives a reload', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const order = { ...ORDER, return_url: RETURN_URL }
    const { payment_id } = await site.t.createPayment(shop.live, order)
    const { page, close } = await openWallet(site, payer, PHONE)
    await page.goto(`/pay/${payment_id}`)
    await page.getByRole('link', { name: 'Open in wallet' }).click()
    await untilHeading(page, 'Pay Corner Shop')
    expect(await logosOf(page)).toEqual([logo])
    await page.getByRole('button', { name: 'Pay 12.30' }).click()
    await untilHeading(page, 'Paid')
    const link = page.getByRole('link', { name: 'Back to shop' })
    const href = `${RETURN_URL}?payment_id=${payment_id}&status=completed`
    const expectComplete = async () => {
      expect(await link.getAttribute('href')).toBe(href)
      expect(await link.getAttribute('rel')).toBe('noreferrer')
      expect(await textOf(page, '.order')).toBe(ORDER_TEXT)
      expect(await textOf(page, '.outcome .money')).toBe('12.30 USD')
      expect(await logosOf(page)).toEqual([logo])
    }
    await expectComplete()
    await expectAccessible(page)
    expect(new URL(page.url()).hash).toBe(`#payment/${payment_id}`)

    await page.reload()
    await untilHeading(page, 'Paid')
    await expectComplete()
    expect(await factsOf(page)).toEqual([
      expect.stringMatching(/^Time /),
      'Reference order-7',
      `Payment ${payment_id}`,
    ])
    // The checkout is still one step back, and knows the outcome.
    await page.goBack()
    await page.locator('main[data-status=completed]').waitFor()
    await close()
  })

  it('keeps the clock above the buttons, also with a donation and on a short screen', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const order = { ...ORDER, return_url: RETURN_URL }
    const { qr_code } = await site.t.createPayment(shop.live, order)
    const { page, close } = await openWallet(site, payer, PHONE)
    await page.goto(`/wallet#pay/${qr_code}`)
    await page.getByText('Round up 0.70').click()
    await page.getByRole('button', { name: 'Pay 13.00' }).click()
    await untilHeading(page, 'Paid')
    const bottomOfProof = async () => {
      const box = (await page.locator('.proof').boundingBox())!
      return box.y + box.height
    }
    for (const height of [568, 640, 700, 740, 780, 844]) {
      await page.setViewportSize({ width: 360, height })
      const bar = (await page.locator('.pay-bar').boundingBox())!
      expect(await bottomOfProof(), `at a height of ${height}`).toBeLessThanOrEqual(bar.y)
    }
    await close()
  })

  it('opens from the activity, and follows a refund: its amount is the large one', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { payment_id } = await createPaidPayment(site.t, shop.live, payer, ORDER, 0.7)
    const { page, close } = await openWallet(site, payer)
    await page.goto('/wallet#activity')
    await page.getByText('Corner Shop').first().click()
    await untilHeading(page, 'Paid')
    expect(await textOf(page, '.outcome .money')).toBe('13.00 USD')
    expect(await textOf(page, '.paid-to')).toBe('12.30 USD to Corner Shop, 0.70 USD to charity')
    expect(await textOf(page, '.order')).toBe(ORDER_TEXT)

    await refund(site.t, shop.live, payment_id)
    await untilHeading(page, 'Refunded')
    expect(await textOf(page, '.outcome .money')).toBe('12.05 USD')
    expect(await textOf(page, '.paid-to')).toBe('back from Corner Shop')
    expect(await factsOf(page)).toEqual([
      'Paid 12.30 USD',
      'Refund fee 0.25 USD',
      'Donation, not refunded 0.70 USD',
      expect.stringMatching(/^Refunded at /),
      expect.stringMatching(/^Paid at /),
      'Reference order-7',
      `Payment ${payment_id}`,
    ])
    await expectAccessible(page)

    await page.getByRole('link', { name: 'All activity' }).click()
    await page.getByText('Fee 0.25').waitFor()
    const rows = await page.locator('.activity-row').allInnerTexts()
    expect(rows.map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Corner Shop Refund · .* Fee 0\.25 USD \+12\.05 USD$/),
      expect.stringMatching(/^Corner Shop Payment · .* −12\.30 USD$/),
      expect.stringMatching(/^Corner Shop Donation · .* −0\.70 USD$/),
      expect.stringMatching(/^Top-up .* \+100\.00 USD$/),
    ])
    expect(await logosOf(page)).toEqual([logo, logo, logo])
    await expectAccessible(page)
    await page.getByText('Top-up').click()
    await page.getByRole('dialog', { name: 'Top-up' }).waitFor()
    await close()
  })

  it('is only for the wallet that paid, and a second scan leads to it', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { payment_id, qr_code } = await createPaidPayment(site.t, shop.live, payer, ORDER)
    const other = await openWallet(site, await site.t.createWallet())
    await other.page.goto(`/wallet#payment/${payment_id}`)
    await untilHeading(other.page, 'Receipt not found')
    await other.page.getByRole('button', { name: 'All activity' }).waitFor()
    await other.page.goto('/wallet#pay/hello')
    await untilHeading(other.page, 'Not a payment code')
    await other.page.getByRole('button', { name: 'Scan to pay' }).waitFor()
    await closeAfterFailures(other, 404)
    const { page, close } = await openWallet(site, payer)
    await page.goto(`/wallet#pay/${qr_code}`)
    await untilHeading(page, 'You already paid this')
    await page.getByRole('button', { name: 'See receipt' }).click()
    await untilHeading(page, 'Paid')
    await close()
  })

  it('links back to the shop after a payment that failed', async () => {
    const payer = await site.t.createWallet({ balance: '20' })
    const order = { ...ORDER, return_url: RETURN_URL }
    const { payment_id, qr_code } = await site.t.createPayment(shop.live, order)
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto(`/wallet#pay/${qr_code}`)
    await page.getByRole('button', { name: 'Pay 12.30' }).waitFor()
    await createPaidPayment(site.t, shop.live, payer, { amount: 19 })
    await page.getByRole('button', { name: 'Pay 12.30' }).click()
    await untilHeading(page, 'Not enough balance')
    const link = page.getByRole('link', { name: 'Back to shop' })
    const href = `${RETURN_URL}?payment_id=${payment_id}&status=failed`
    expect(await link.getAttribute('href')).toBe(href)
    expect(await logosOf(page)).toEqual([logo])
    expect(await textOf(page, '.order')).toBe(ORDER_TEXT)
    await closeAfterFailures({ page, problems, close }, 402)
  })
})
