import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillPayments } from '../../server/test/setup/manyPayments.ts'
import { createPaidPayment, pay } from '../../server/test/setup/merchantCalls.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openDashboard } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, paymentId, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const rows = '.payment-rows tbody tr'
const badge = (page: Page, text: string) => page.locator('.payment-top .status', { hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('creates a payment, shows its code, and follows it until it is paid', async () => {
  const grant = { permissions: ['clipboard-read', 'clipboard-write'] }
  const { page, close } = await openDashboard(site, shop.people.cashier, 'live/payments', grant)
  await button(page, 'New payment').first().click()
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByLabel('Amount (USD)')
  await amount.fill('0')
  await dialog.getByRole('button', { name: 'Create payment' }).click()
  await dialog.getByText('Enter an amount above zero.').waitFor()
  await expect.poll(() => amount.evaluate((input) => input === document.activeElement)).toBe(true)
  await amount.fill('12,50')
  await dialog.getByLabel('Reference (optional)').fill('invoice-31')
  await dialog.getByLabel('Note (optional)').fill('Two teas')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create payment of 12.50 USD' }).click()

  await badge(page, 'Waiting for payment').waitFor()
  const id = paymentId(page)
  const { data } = (await site.t.call('GET', `/merchant/payment/${id}`, shop.live)).body
  expect(data.reference).toEqual({ id: 'invoice-31', note: 'Two teas' })
  await page.getByRole('img', { name: `QR code ${data.qr_code.slice(0, 4)}` }).waitFor()
  await expectAccessible(page)
  await button(page, 'Copy link').click()
  await button(page, 'Copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${site.origin}/pay/${id}`)
  await pay(site.t, shop.wallet, data.qr_code)
  await badge(page, 'Paid').waitFor()
  expect(await page.locator('.pay-card').count()).toBe(0)
  await close()

  const viewer = await openDashboard(site, shop.people.viewer, 'live/payments')
  await viewer.page.locator(rows).first().waitFor()
  expect(await button(viewer.page, 'New payment').count()).toBe(0)
  await viewer.close()
})

it('cancels a payment, which the dashboard, the checkout and the till then show as cancelled', async () => {
  const store = await openShop(site)
  const { payment_id: id } = await site.t.createPayment(store.live, { amount: 3 })
  await createPaidPayment(site.t, store.live, store.wallet, { amount: 4 })
  const viewer = await openDashboard(site, store.people.viewer, `live/payments/${id}`)
  await badge(viewer.page, 'Waiting for payment').waitFor()
  expect(await button(viewer.page, 'Cancel payment').count()).toBe(0)

  const { page, close } = await openDashboard(site, store.people.owner, `live/payments/${id}`)
  await button(page, 'Cancel payment').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The customer can no longer pay 3.00 USD with this code.').waitFor()
  await button(page, 'Keep payment').click()
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Cancel payment').click()
  await dialog.getByRole('button', { name: 'Cancel payment' }).click()
  await badge(page, 'Cancelled').waitFor()
  await page.getByText('Cancelled by the shop').waitFor()
  await page
    .locator('.facts', { hasText: 'Cancelled by' })
    .getByText(store.people.owner.email, { exact: true })
    .first()
    .waitFor()
  // Another open page updates too.
  await badge(viewer.page, 'Cancelled').waitFor()
  await viewer.close()

  await page.goto('/dashboard#/live/payments')
  await button(page, 'Expired').click()
  await page.getByText('No matching payments').waitFor()
  await button(page, 'Cancelled').click()
  await expect.poll(() => page.locator(rows).allInnerTexts()).toHaveLength(1)
  await page.locator(rows).getByText('Cancelled').waitFor()
  await page.goto('/dashboard#/live/overview')
  await page.locator('section[aria-label="Success rate"]').getByText('100%').waitFor()
  await page.goto(`/pay/${id}`)
  await page.getByRole('heading', { name: 'The shop cancelled this payment.' }).waitFor()
  await page.goto('/till#sales')
  await page.locator('.sale-row', { hasText: 'Cancelled' }).click()
  await page.locator('.payment-head .status', { hasText: 'Cancelled' }).waitFor()
  await page.goto(`/till#sale/${id}`)
  await page.getByRole('heading', { name: 'Sale cancelled' }).waitFor()
  await close()
})

it('downloads the payments that match the filters, and remembers the chosen columns', async () => {
  const store = await openShop(site)
  const paid = await createPaidPayment(site.t, store.live, store.wallet, { amount: 25 })
  await site.t.createPayment(store.live, { amount: 3, reference_note: 'Window seat' })
  const { page, close } = await openDashboard(
    site,
    store.people.viewer,
    'live/payments?status=completed',
  )
  await expect.poll(() => page.locator(rows).count()).toBe(1)
  await button(page, 'Download CSV').click()
  await page.getByText('The file has the payments that match your filters').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download').click(),
  ])
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(head).toMatch(/^payment_id,status,/)
  expect(lines.map((line) => line.split(',')[0])).toEqual([paid.payment_id])
  await page.getByText('Download complete. Rows: 1').waitFor()
  await button(page, 'Close').click()

  await button(page, 'Any status').click()
  await button(page, 'Columns').click()
  const heads = () => page.locator('.payment-rows th').allInnerTexts()
  await expect.poll(heads).toEqual(['Time', 'Status', 'Reference', 'Payer', 'Amount'])
  for (const name of ['Note', 'Reference', 'Fee']) {
    await page.getByRole('checkbox', { name }).click()
  }
  const chosen = ['Time', 'Status', 'Note', 'Payer', 'Fee', 'Amount']
  await expect.poll(heads).toEqual(chosen)
  await page.locator(rows).getByText('Window seat').waitFor()
  await expectAccessible(page)
  expect(await page.locator(`${rows} time`).first().innerText()).toMatch(/^\d\d:\d\d [AP]M$/)
  // A tablet shows a table, with all statuses in view.
  await page.setViewportSize({ width: 768, height: 1024 })
  const height = await page
    .locator(rows)
    .first()
    .evaluate((element) => element.clientHeight)
  expect(height).toBeLessThan(70)
  const widths = await page
    .locator('.filters fieldset.chips')
    .evaluate((element) => [element.scrollWidth, element.clientWidth])
  expect(widths[0]).toBe(widths[1])
  await page.reload()
  await page.locator(rows).first().waitFor()
  expect(await heads()).toEqual(chosen)
  await close()

  const cashier = await openDashboard(site, store.people.cashier, 'live/payments')
  await cashier.page.locator(rows).first().waitFor()
  expect(await button(cashier.page, 'Download CSV').count()).toBe(0)
  await cashier.close()
})

it('finds payments by a name, email, note or amount', async () => {
  const store = await openShop(site)
  const client = { name: 'Zoë O’Neil', email: 'zoe@example.com', phone: '1' }
  await site.t.createPayment(store.live, { amount: 31.25, client, reference_note: 'Window seat' })
  await createPaidPayment(site.t, store.live, store.wallet, { amount: 4 })
  const { page, close } = await openDashboard(site, store.people.cashier, 'live/payments')
  const search = page.getByRole('searchbox')
  for (const text of ['ZOE', 'zoe@exa', 'window', '31.25']) {
    await search.fill(text)
    if (text === 'ZOE') await button(page, 'Find').click()
    else await search.press('Enter')
    await page.locator('.chip-active', { hasText: text }).waitFor()
    await expect.poll(() => page.locator(rows).count(), { message: text }).toBe(1)
    await page.locator(rows).getByText('Zoë O’Neil').waitFor()
  }
  await close()
})

it('keeps filters and scroll position while a payment is open', async () => {
  const store = await openShop(site)
  await fillPayments(site.t, store.store, 70, (n) => ({
    status: n % 2 === 0 ? 'failed' : 'completed',
    walletId: store.wallet.wallet.walletId,
  }))
  const { page, close } = await openDashboard(
    site,
    store.people.owner,
    'live/payments?status=failed',
  )
  await expect.poll(() => page.locator(rows).count()).toBe(25)
  await button(page, 'Search older payments').click()
  await expect.poll(() => page.locator(rows).count()).toBe(35)
  const top = () => page.evaluate(() => Math.round(scrollY))
  const entry = page.locator(`${rows} a`).nth(30)
  const href = await entry.getAttribute('href')
  for (const goBack of [
    () => page.getByRole('link', { name: 'Back' }).click(),
    () => page.goBack(),
  ]) {
    await entry.scrollIntoViewIfNeeded()
    const before = await top()
    expect(before).toBeGreaterThan(300)
    await entry.click()
    await badge(page, 'Failed').waitFor()
    await goBack()
    await expect.poll(() => page.locator(rows).count()).toBe(35)
    expect(page.url()).toContain('status=failed')
    await expect.poll(top).toBe(before)
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('href'))
    expect(focused).toBe(href)
  }
  await close()
})

it('updates by itself, and recovers when the connection is back', async () => {
  const store = await openShop(site)
  const { page, problems, close } = await openDashboard(site, store.people.owner, 'live/payments')
  await page.getByText('No payments yet').waitFor()
  expect(await button(page, 'New payment').count()).toBe(2)
  const links = page.locator('.empty a')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '#/live/links',
    '/till',
  ])
  await expectAccessible(page)
  const { qr_code } = await site.t.createPayment(store.live, { reference_id: 'walk-in' })
  await page.locator(rows, { hasText: 'walk-in' }).getByText('Waiting for payment').waitFor()
  // On a tablet, the status and a short reference each fit on one line.
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 768, height: 1024 })
  for (const selector of ['.status', '.cell-code bdi']) {
    const { height } = (await page.locator(`${rows} ${selector}`).boundingBox())!
    expect(height, selector).toBeLessThan(34)
  }
  await page.setViewportSize(size)
  await pay(site.t, store.wallet, qr_code)
  await page.locator(rows, { hasText: 'walk-in' }).getByText('Paid').waitFor()

  await page.context().setOffline(true)
  await button(page, 'Paid').click()
  await page.getByText('Cannot reach the service.').waitFor()
  await page.context().setOffline(false)
  await page.locator(rows, { hasText: 'walk-in' }).waitFor()
  await page.getByText('Cannot reach the service.').waitFor({ state: 'detached' })
  await closeAfterFailures({ page, problems, close })
})

it('stacks the rows on a phone, in every language', async () => {
  const store = await openShop(site)
  const client = { name: 'Zoë O’Neil', email: 'zoe@example.com', phone: '1' }
  const fields = { amount: 123456.78, reference_id: 'r'.repeat(255), client }
  await site.t.createPayment(store.live, fields)
  const width = 320
  for (const locale of ['en', 'es', 'fr', 'ar', 'zh']) {
    const { page, close } = await openDashboard(site, store.people.owner, 'live/payments', {
      viewport: { width, height: 640 },
      locale,
    })
    const row = page.locator(rows)
    await row.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), locale).toBe(width)
    const box = (selector: string) =>
      row.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON())
    const [status, amount, time] = [await box('.status'), await box('.money'), await box('time')]
    expect(time.top, locale).toBeGreaterThan(status.bottom - 1)
    const isRightToLeft = locale === 'ar'
    expect(status.left < amount.left, locale).toBe(!isRightToLeft)
    for (const { left, right } of [status, amount, time]) {
      expect(left).toBeGreaterThan(0)
      expect(right).toBeLessThan(width)
    }
    // A Latin name ends where the Arabic texts of its column end.
    const name = await box('td:nth-child(4) bdi')
    expect(isRightToLeft ? name.left : width - name.right, locale).toBeLessThan(width / 4)
    // Nothing is cut off: no text is wider than its box.
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.rail span, .chip, .button, .status, th')]
        .filter(
          (element) =>
            element.scrollWidth > element.clientWidth + 1 &&
            getComputedStyle(element).overflow !== 'visible',
        )
        .map((element) => element.innerText),
    )
    expect(cut, locale).toEqual([])
    const owner = page.locator('.shell-owner')
    expect(
      await owner.evaluate((element) => element.scrollHeight - element.clientHeight),
      locale,
    ).toBe(0)
    const spareWidth = await page.getByRole('searchbox').evaluate((input: HTMLInputElement) => {
      const context = document.createElement('canvas').getContext('2d')!
      context.font = getComputedStyle(input).font
      const { paddingLeft, paddingRight } = getComputedStyle(input)
      const room =
        input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return room - context.measureText(input.placeholder).width
    })
    expect(spareWidth, locale).toBeGreaterThan(0)
    // The filters leave room for the first payment.
    expect(status.bottom, locale).toBeLessThan(580)
    // The chosen status is in view.
    await page.goto('/dashboard#/live/payments?status=refunded')
    await page.reload()
    const chip = await page
      .locator('.chip[aria-pressed=true]')
      .evaluate((element) => element.getBoundingClientRect().toJSON())
    expect(chip.left, locale).toBeGreaterThanOrEqual(0)
    expect(chip.right, locale).toBeLessThanOrEqual(width)
    await close()
  }
})

it('shows all digits of a payload', async () => {
  const store = await openShop(site)
  const { page, close } = await openSignedIn(site, store.people.owner)
  const body = '{"amount":1,"currency":"USD","payload":{"id":9007199254740993}}'
  const created = await site.t.call('POST', '/merchant/payment/create', store.live, body)
  await page.goto(`/dashboard#/live/payments/${created.body.data.payment_id}`)
  await page.locator('.raw summary').click()
  await page.getByText('"id": 9007199254740993').waitFor()
  await close()
})
