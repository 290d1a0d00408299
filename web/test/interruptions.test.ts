import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaidPayment } from '../../server/test/setup/merchantCalls.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openDashboard } from './setup/dashboard.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import {
  charge,
  openShop,
  openTill,
  payAtTill,
  type Shop,
  show as showAtTill,
  signIn,
} from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

/** Holds the next POST request to the path. Once the returned function is called, the server carries it out, but the response is lost. */
async function loseResponse(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isFirst = true
  await page.route(path, async (route) => {
    if (!isFirst || route.request().method() !== 'POST') return route.continue()
    isFirst = false
    await released
    await route.fetch()
    await route.abort()
  })
  return release
}

/** Makes the payment appear to expire in two seconds. */
const shortenPayment = (page: Page) =>
  page.route(/\/store\/live\/payments\/pay_[0-9a-z]+$/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const at = new Date(Date.now() + 2_000).toISOString()
    body.data.expires_at = at.slice(0, 19).replace('T', ' ')
    await route.fulfill({ response, json: body })
  })

const STAYS_VALID = 'The code stays valid.'
const IS_OVER = 'The time for this code is over.'

describe('a pending payment without a connection', () => {
  it('says at the till whether the code can still be paid', async () => {
    const watched = await openTill(site, shop.people.cashier)
    const { page } = watched
    await charge(page, '3')
    await page.context().setOffline(true)
    await page.getByText(STAYS_VALID).waitFor()
    await page.context().setOffline(false)
    // Not only after the next long poll, which takes 25 seconds.
    await page.getByText(STAYS_VALID).waitFor({ state: 'detached', timeout: 15_000 })

    await shortenPayment(page)
    await page.reload()
    await page.locator('.qr').waitFor()
    await page.context().setOffline(true)
    await page.getByText(IS_OVER).waitFor()
    expect(await page.getByText(STAYS_VALID).count()).toBe(0)
    await closeAfterFailures(watched)
  })

  it('says on the dashboard that the code can still be paid', async () => {
    const { payment_id: id } = await site.t.createPayment(shop.live)
    const watched = await openDashboard(site, shop.people.owner, `live/payments/${id}`)
    const { page } = watched
    await page.locator('.pay-qr').waitFor()
    await page.context().setOffline(true)
    await page.getByText(STAYS_VALID).waitFor()
    await page.context().setOffline(false)
    await page.getByText(STAYS_VALID).waitFor({ state: 'detached' })
    await closeAfterFailures(watched)
  })
})

describe('a refund whose response is lost', () => {
  const NO_RESPONSE = /The refund may have gone through/

  it('at the till, cannot be dismissed while it runs, and says that it may have gone through until it is known', async () => {
    const { payment_id: id } = await createPaidPayment(site.t, shop.live, shop.wallet, {
      amount: 5,
    })
    const watched = await openTill(site, shop.people.owner)
    const { page } = watched
    await showAtTill(page, `refund/${id}`)
    const path = `**/payments/${id}/refund`
    const lose = await loseResponse(page, path)
    await page.getByRole('button', { name: /^Refund 4\.50/ }).click()
    const dialog = page.getByRole('dialog')
    let releasePreview = () => {}
    const previewReleased = new Promise<void>((resolve) => {
      releasePreview = resolve
    })
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET') await previewReleased
      await route.fallback()
    })
    await dialog.getByRole('button', { name: /^Refund 4\.50/ }).press('Enter')
    const keep = dialog.getByRole('button', { name: 'Keep the sale' })
    await expect.poll(() => keep.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    lose()
    await page.getByText(NO_RESPONSE).waitFor()
    releasePreview()
    await page.getByText('This sale has already been refunded.').waitFor()
    expect(await page.getByText(NO_RESPONSE).count()).toBe(0)
    expect(await page.getByText('The customer is charged only once.').count()).toBe(0)
    await closeAfterFailures(watched)
  })

  it('on the dashboard, cannot be dismissed while it runs, and is shown as refunded with the focus on the heading', async () => {
    const { payment_id: id } = await createPaidPayment(site.t, shop.live, shop.wallet, {
      amount: 5,
    })
    const watched = await openDashboard(site, shop.people.owner, `live/payments/${id}`)
    const { page } = watched
    const lose = await loseResponse(page, `**/payments/${id}/refund`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Refund 4\.50/ }).click()
    const keep = dialog.getByRole('button', { name: 'Keep the sale' })
    await expect.poll(() => keep.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    lose()
    await page.locator('.payment-top').getByText('Refunded').waitFor()
    // The dialog and its button are gone.
    const focusedTag = () => page.evaluate(() => document.activeElement?.tagName)
    await expect.poll(focusedTag).toBe('H1')
    await closeAfterFailures(watched)
  })
})

describe('a payout', () => {
  const openPayout = async (page: Page) => {
    await page.getByRole('button', { name: 'Pay out', exact: true }).click()
    return page.getByRole('dialog')
  }

  it('whose response is lost says that the money may have moved, and moves it once', async () => {
    const { store } = await site.t.createStore({ name: 'Lost Shop' })
    await site.t.fund(store, 'live', '100.00')
    const watched = await openConsole(site)
    const { page } = watched
    await show(page, `stores/${store.storeId}`, 'Lost Shop')
    const lose = await loseResponse(page, '**/payout')
    const dialog = await openPayout(page)
    await dialog.getByLabel('Amount in USD').fill('40')
    await dialog.getByRole('button', { name: /^Pay out 40/ }).click()
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    lose()
    await page.getByText(/The money may have moved/).waitFor()
    // Another amount would be another payout, in addition to the first one.
    await dialog.getByLabel('Amount in USD').fill('30')
    await dialog.getByRole('button', { name: /^Pay out 30/ }).click()
    await page.getByText(/already sent with other details/).waitFor()
    await dialog.getByLabel('Amount in USD').fill('40')
    await dialog.getByRole('button', { name: /^Pay out 40/ }).click()
    await page.getByText('The balance is now 60.00').waitFor()
    await closeAfterFailures(watched, 422)
  })

  it('starts with an empty note and in live mode each time', async () => {
    const { store } = await site.t.createStore({ name: 'Noted Shop' })
    const watched = await openConsole(site)
    const { page } = watched
    await show(page, `stores/${store.storeId}`, 'Noted Shop')
    const dialog = await openPayout(page)
    await dialog.getByLabel('Note').fill('Payout for March')
    await dialog.getByLabel('Mode').selectOption('sandbox')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await openPayout(page)
    expect(await dialog.getByLabel('Note').inputValue()).toBe('')
    expect(await dialog.getByLabel('Mode').inputValue()).toBe('live')
    await watched.close()
  })
})

/** Opens a till and its customer screen. */
async function openTillAndDisplay() {
  const watched = await openTill(site, shop.people.cashier)
  const { page } = watched
  const display = await page.context().newPage()
  await display.goto('/till#display')
  return { watched, page, display }
}

it('keeps the code on the customer screen when the till is opened in a second tab', async () => {
  const { watched, page, display } = await openTillAndDisplay()
  await charge(page, '6')
  await display.locator('.qr').waitFor()
  const second = await page.context().newPage()
  await second.goto('/till')
  await second.locator('.home').waitFor()
  expect(await display.locator('.qr').count()).toBe(1)
  // A display that is opened now asks both tabs.
  await display.reload()
  await display.locator('.qr').waitFor()
  await second.locator('.keypad').waitFor()
  await second.close()
  await page.getByRole('button', { name: 'Cancel this sale' }).click()
  await display.getByText('Welcome').waitFor()
  await watched.close()
})

it('replaces a paid sale on the customer screen once another tab opens a screen, and the sale of a tab that crashed', async () => {
  const { watched, page, display } = await openTillAndDisplay()
  const second = await page.context().newPage()
  await second.goto('/till')
  await second.locator('.keypad').waitFor()
  const id = await charge(page, '6')
  await display.locator('.qr').waitFor()
  await payAtTill(site, shop, id)
  await display.getByRole('heading', { name: 'Paid' }).waitFor()
  await showAtTill(second, 'sales')
  await display.getByText('Welcome').waitFor()

  // A state without the id of a tab, as tills opened before an update send it. The sender doesn't respond to the display later, as
  // if it had crashed.
  await second.evaluate(() => {
    new BroadcastChannel('florin.till').postMessage({
      kind: 'tip',
      store: 'Crashed Shop',
      logo: '',
      isSandbox: false,
      saleKey: '1',
      amount: '7.00',
      currency: 'USD',
      tips: [],
    })
  })
  await display.getByText('Crashed Shop').waitFor()
  await display.getByText('Welcome').waitFor({ timeout: 20_000 })
  await watched.close()
})

it('waits for a till on the customer screen once the last one is closed', async () => {
  const { watched, page, display } = await openTillAndDisplay()
  await charge(page, '6')
  await display.locator('.qr').waitFor()
  await page.goto('about:blank')
  await display.locator('.qr').waitFor({ state: 'detached', timeout: 20_000 })
  await display.getByText('Open the till in this browser to start.').waitFor()
  await watched.close()
})

it('keeps the sale that is being entered when another one is cancelled', async () => {
  const watched = await openTill(site, shop.people.cashier)
  const { page } = watched
  const id = await charge(page, '8')
  await showAtTill(page, 'home')
  await page.locator('.entry').waitFor()
  await page.keyboard.type('9')
  await expect.poll(() => page.locator('.entry').textContent()).toBe('9.00 USD')
  await showAtTill(page, `sale/${id}`)
  await page.getByRole('button', { name: 'Cancel this sale' }).click()
  await page.locator('.entry').waitFor()
  expect(await page.locator('.entry').textContent()).toBe('9.00 USD')
  await watched.close()
})

it('removes the error of a failed cancellation once the sale is paid', async () => {
  const watched = await openTill(site, shop.people.cashier)
  const { page } = watched
  const id = await charge(page, '4')
  await page.route('**/expire', (route) => route.abort())
  await page.getByRole('button', { name: 'Cancel this sale' }).click()
  await page.getByText('Cannot reach the service. Check the network and try again.').waitFor()
  await payAtTill(site, shop, id)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await closeAfterFailures(watched)
})

it.each(['till', 'dashboard'])('focuses the heading of the %s after signing in', async (app) => {
  const { page, close } = await site.open()
  await page.goto(`/${app}`)
  await signIn(page, shop.people.owner)
  const focusedTag = () => page.evaluate(() => document.activeElement?.tagName)
  await expect.poll(focusedTag).toBe('H1')
  await close()
})

it('disables the tip choices while the sale is created, and enables them if the response is lost', async () => {
  const tipping = await openShop(site)
  const settings = { tip_percentages: [10, 20] }
  await site.t.call('PATCH', '/store/till', tipping.people.owner.headers, settings)
  const watched = await openTill(site, tipping.people.cashier)
  const { page } = watched
  const lose = await loseResponse(page, '**/store/live/payments')
  await page.keyboard.type('50')
  await page.keyboard.press('Enter')
  const choices = page.locator('.tip-main .key')
  await page.getByRole('button', { name: /^10%/ }).click()
  await expect
    .poll(() => choices.evaluateAll((keys) => keys.map((key) => key.matches(':disabled'))))
    .toEqual([true, true, true])
  lose()
  await page.getByText('The customer is charged only once.').waitFor()
  await page.getByRole('button', { name: /^10%/ }).click()
  await page.getByRole('heading', { name: '55.00 USD' }).waitFor()
  await closeAfterFailures(watched)
})
