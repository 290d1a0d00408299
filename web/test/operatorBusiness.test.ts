import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findWallet } from '../../server/src/sql/wallets.ts'
import { createPaidPayment, refund, sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore, TestWallet } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop } from './setup/till.ts'

let site: Site
let shop: TestStore
let payer: TestWallet
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop', feeBps: 200 })
  payer = await site.t.createWallet({ balance: '500' })
  for (let n = 1; n <= 30; n++) {
    await createPaidPayment(site.t, shop.live, payer, { amount: 10, reference_id: `order-${n}` })
  }
  const refunded = await createPaidPayment(site.t, shop.live, payer, { amount: 100 })
  await refund(site.t, shop.live, refunded.payment_id)
  const cancelled = await site.t.createPayment(shop.live)
  await site.t.call('POST', `/merchant/payment/${cancelled.payment_id}/expire`, shop.live)
  const failed = await site.t.createPayment(shop.sandbox, { amount: 7 })
  await sandboxPay(site.t, shop.sandbox, failed.payment_id, 'error')
})
afterAll(() => site.close())

it('the overview shows volume, fees, outcomes, active stores and wallets, and the money held', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'overview', 'Overview')
  const card = page.getByRole('region', { name: 'USD' })
  await card.waitFor()
  const readCard = async () => (await card.innerText()).replaceAll(/\s+/g, ' ')
  const text = await readCard()
  expect(text).toContain('Volume 400.00 USD')
  expect(text).toContain('Fees earned 8.00 USD')
  expect(text).toContain('Paid payments 31')
  expect(text).toContain('Refunds 100.00 USD')
  expect(text).toContain('Paid 31 96.9% Failed 0 0% Expired 0 0% Cancelled 1 3.1%')
  const chart = card.getByRole('slider', { name: /^Volume, USD\./ })
  await expect.poll(() => chart.locator('.chart-bar').count()).toBe(7)
  await chart.focus()
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/, 400\.00\sUSD, 31 sales$/)
  await page.keyboard.press('ArrowLeft')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/, 0\.00\sUSD, 0 sales$/)
  await page.getByRole('link', { name: 'Active stores 1 of 1' }).waitFor()
  await page.getByRole('link', { name: 'Active wallets 1 of 1' }).waitFor()
  const held = page.getByRole('table', { name: 'Money held' })
  expect((await held.getByRole('row').nth(1).innerText()).split('\t')).toEqual([
    'USD',
    '292.00 USD',
    '200.00 USD',
    '492.00 USD',
  ])
  await expectAccessible(page)
  await page.getByText('Sandbox', { exact: true }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Sandbox' }).isChecked()).toBe(true)
  await page.getByText('30 days').click()
  await expect.poll(() => page.url()).toContain('days=30&mode=sandbox')
  await expect.poll(readCard).toContain('Failed 1 100%')
  await page.reload()
  await card.getByText('Failed').waitFor()
  await close()
})

/** Expects rows of one or two lines below the titles of the columns, instead of cards. */
async function expectTableOnTablet(page: Page, table: string, column: string): Promise<void> {
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 768, height: 1024 })
  const shown = page.getByRole('table', { name: table })
  await shown.getByRole('columnheader', { name: column }).waitFor()
  expect((await shown.locator('tbody tr').first().boundingBox())!.height).toBeLessThan(80)
  await page.setViewportSize(before)
}

it("a store's payments are filtered, opened, and the same after going back", async () => {
  const { page, close } = await openConsole(site)
  const path = `stores/${shop.store.storeId}/payments`
  await show(page, path, 'Corner Shop')
  const rows = page.getByRole('table', { name: 'Payments' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(32)
  await expectTableOnTablet(page, 'Payments', 'Payer')
  await page.getByLabel('Status').selectOption('Refunded')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByLabel('Status').selectOption('Any status')
  await expect.poll(() => rows.count()).toBe(32)
  await page.getByLabel('Payment ID, payment code or reference').fill('order-3')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('order-3').waitFor()
  await details.getByText('Net for the store').waitFor()
  await page.getByRole('region', { name: 'Timeline' }).getByText('Paid').waitFor()
  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await webhooks.getByText('This payment has no webhook URL.').waitFor()
  await expectAccessible(page)
  expect(await page.locator('.rail [aria-current]').innerText()).toBe('Stores')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  expect(page.url()).toContain('search=order-3')
  await rows.first().getByRole('link').click()
  await page.getByRole('region', { name: 'Payer' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: payer.wallet.name }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor()
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(1)
  expect(page.url()).toContain('search=order-3')
  await close()
})

it('a cancelled payment names the person of the store who cancelled it', async () => {
  const { live, people } = await openShop(site)
  const { payment_id: id } = await site.t.createPayment(live)
  const path = `/store/live/payments/${id}/expire`
  expect((await site.t.call('POST', path, people.owner.headers)).status).toBe(200)
  const { page, close } = await openConsole(site)
  await show(page, `payments/${id}`, 'Payment')
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('Cancelled by').waitFor()
  await details.getByText(people.owner.email).waitFor()
  await close()
})

it('lists payouts with their amounts, without a request for each store', async () => {
  for (let n = 0; n < 100; n++) await site.t.createStore()
  const { store } = await site.t.createStore({ name: 'Last Shop' })
  await site.t.fund(store, 'live', '50')
  const path = `/operator/stores/${store.storeId}/payout`
  const paid = await site.t.call('POST', path, site.t.operator, { mode: 'live', amount: '20' })
  expect(paid.status).toBe(200)
  const { page, close } = await openConsole(site)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await show(page, 'balances', 'Balances')
  await page.getByRole('row', { name: /Last Shop.*20\.00.USD/ }).waitFor()
  // The list has the currencies, so that each store needs no request of its own.
  expect(requests.filter((path) => path.startsWith('/operator/stores'))).toEqual([])
  await close()
})

it("a wallet's activity lists payments with a link, refunds and top-ups", async () => {
  const { page, close } = await openConsole(site)
  await show(page, `wallets/${payer.wallet.publicId}/activity`, payer.wallet.name)
  const rows = page.getByRole('table', { name: 'Activity' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(33)
  expect(await rows.first().innerText()).toMatch(/Refund\s+Corner Shop.*100\.00/s)
  expect(await rows.last().innerText()).toMatch(/Top-up.*500\.00/s)
  await expectTableOnTablet(page, 'Activity', 'Reference')
  await expectAccessible(page)
  await rows.nth(1).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor()
  await page.getByText('Refunded').first().waitFor()
  await close()
})

it('the built-in sandbox wallet has no actions that the service refuses', async () => {
  const { page, close } = await openConsole(site)
  const buttons = ['Lock', 'New activation code', 'Erase']
  const countButtons = async () => {
    await page.getByRole('button', { name: 'Top up' }).waitFor()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    return Promise.all(buttons.map((name) => button(name).count()))
  }
  const builtIn = await findWallet(site.t.database, shop.store.sandboxWalletId)
  await show(page, `wallets/${builtIn!.publicId}`, 'Sandbox Payer')
  expect(await countButtons()).toEqual([0, 0, 0])
  const other = { mode: 'sandbox', name: 'Ada', email: 'ada@example.com', phone: '+9997654321' }
  const created = await site.t.call('POST', '/operator/wallets', site.t.operator, other)
  await show(page, `wallets/${created.body.data.wallet_id}`, 'Ada')
  expect(await countButtons()).toEqual([1, 1, 1])
  await close()
})

/** Expects the first lines of all cells at one height, without `vertical-align: baseline`, which makes the rows too low in Firefox. */
async function expectFirstLinesInLine(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  const cells = page.locator('tbody tr').first().locator('td')
  const baselines = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()!
      const marker = document.createElement('span')
      marker.style.display = 'inline-block'
      text.parentNode!.insertBefore(marker, text)
      const { bottom } = marker.getBoundingClientRect()
      marker.remove()
      return bottom
    }),
  )
  expect(Math.max(...baselines) - Math.min(...baselines)).toBeLessThan(1.5)
  const alignments = await cells.evaluateAll((all) =>
    all.map((cell) => getComputedStyle(cell).verticalAlign),
  )
  expect(alignments).not.toContain('baseline')
}

it('the payout picker shows balances, and parts of words find entries of the audit log and wallets', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'balances', 'Balances')
  await page.getByRole('button', { name: 'Pay out' }).click()
  const store = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Corner Shop' })
  await store.getByText('292.00').waitFor()
  await page.keyboard.press('Escape')
  await show(page, 'log', 'Audit log')
  await page.getByLabel('Action').fill('TOP_')
  await page.getByLabel('Target').fill(payer.wallet.publicId.slice(4, 14))
  await page.getByRole('button', { name: 'Find' }).click()
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(1)
  expect(await rows.first().innerText()).toContain('wallet.top_up')
  expect(await rows.first().locator('time').innerText()).toMatch(/\d:\d\d/)
  await expectFirstLinesInLine(page, 1280)
  await expectFirstLinesInLine(page, 700)
  await expectTableOnTablet(page, 'Audit log', 'Target')
  await rows.first().getByRole('link', { name: payer.wallet.name }).click()
  await page.getByRole('heading', { level: 1, name: payer.wallet.name }).waitFor()
  await page.getByRole('link', { name: 'Wallets' }).click()
  await page.getByLabel('Name, email or phone of a wallet').fill(payer.wallet.email.slice(0, 7))
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: payer.wallet.name }).waitFor()
  await close()
})
