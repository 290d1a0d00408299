import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaidPayment, refund } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore, TestWallet } from '../../server/test/setup/testService.ts'
import { zoneOfNoon } from '../../server/test/setup/timeZones.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openWallet, untilHeading } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let corner: TestStore
let bakery: TestStore
let payer: TestWallet
beforeAll(async () => {
  site = await startSite()
  corner = await site.t.createStore({
    name: 'Corner Shop',
    email: 'hello@corner.example',
    phone: '+15550100',
    refundFeeMinor: 25n,
  })
  bakery = await site.t.createStore({ name: 'Bakery' })
  await site.t.fund(corner.store, 'live', '50.00')
  payer = await site.t.createWallet({ balance: '100' })
  const { payment_id } = await createPaidPayment(site.t, corner.live, payer, { amount: 20 })
  await refund(site.t, corner.live, payment_id)
  await createPaidPayment(site.t, bakery.live, payer, { amount: 3.5 })
})
afterAll(() => site.close())

const textsOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

it('marks a shop as a favourite, and shows the payments there', async () => {
  const { page, close } = await openWallet(site, payer)
  await page.goto('/wallet')
  await page.getByRole('link', { name: 'All shops' }).click()
  await untilHeading(page, 'Shops')
  await expect.poll(() => textsOf(page, '.shop-row bdi')).toEqual(['Bakery', 'Corner Shop'])
  const star = page.getByRole('button', { name: 'Favourite: Corner Shop' })
  expect(await star.getAttribute('aria-pressed')).toBe('false')
  await star.click()
  await expect.poll(() => textsOf(page, '.shop-row bdi')).toEqual(['Corner Shop', 'Bakery'])
  expect(await star.getAttribute('aria-pressed')).toBe('true')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await page.getByRole('heading', { name: 'Favourites' }).waitFor()
  expect(await textsOf(page, '.favourites bdi')).toEqual(['Corner Shop'])
  await expectAccessible(page)
  await page.locator('.favourites a').click()
  await untilHeading(page, 'Corner Shop')
  await page.getByRole('link', { name: 'hello@corner.example' }).waitFor()
  await page.locator('.activity-row').first().waitFor()
  expect(await textsOf(page, '.activity-what')).toEqual([
    expect.stringMatching(/^Corner Shop Refund · .* Fee 0\.25 USD$/),
    expect.stringMatching(/^Corner Shop Payment · /),
  ])
  await expectAccessible(page)
  await star.click()
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false')
  await page.goto('/wallet#shop/999')
  await untilHeading(page, 'Shop not found')
  await page.getByRole('button', { name: 'All activity' }).click()
  await untilHeading(page, 'Activity')
  await close()
})

it('makes a statement to print and to download', async () => {
  // The statement begins with the month, which must not end during the test.
  const { page, close } = await openWallet(site, payer, { timezoneId: zoneOfNoon() })
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto('/wallet#activity')
  await page.getByRole('link', { name: 'Statement' }).click()
  await page.locator('.statement tbody tr').first().waitFor()
  const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y
  expect(await top('.back')).toBeLessThan(await top('h1'))
  expect(await textsOf(page, '.statement .sums > div')).toEqual([
    'Opening balance 0.00 USD',
    'Money in 119.75 USD',
    'Money out 23.50 USD',
    'Closing balance 96.25 USD',
  ])
  expect(await textsOf(page, '.statement tbody td:nth-child(2)')).toEqual([
    expect.stringMatching(/^Bakery Payment /),
    expect.stringMatching(/^Corner Shop Refund · Fee 0\.25 USD /),
    expect.stringMatching(/^Corner Shop Payment /),
    expect.stringMatching(/^Top-up /),
  ])
  await expectAccessible(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    '\ufeffat_utc,at_local,time_zone,kind,store,reference,note,money_in,money_out,refund_fee,currency',
  )
  expect(lines.slice(1).map((line) => line.split(',').filter((_, n) => n === 3 || n > 6))).toEqual([
    ['payment', '', '3.50', '', 'USD'],
    ['refund', '19.75', '', '0.25', 'USD'],
    ['payment', '', '20.00', '', 'USD'],
    ['top_up', '100.00', '', '', 'USD'],
  ])
  await page.getByRole('button', { name: 'Print or PDF' }).click()
  await page.locator('html[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.locator('.statement table').isVisible()).toBe(true)
  // Where the dates have a column, they are not repeated below the descriptions.
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 800, height: 600 })
  expect(await page.locator('td.statement-date:visible').count()).toBe(4)
  expect(await page.locator('.statement-day:visible').count()).toBe(0)
  await page.setViewportSize(before)
  await page.emulateMedia({ media: 'screen' })

  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByText('A statement has at most 2,000 entries').waitFor()
  await page.getByLabel('Last day').fill('2020-01-31')
  await page.getByText('No money moved in this period.').waitFor()
  await page.reload()
  await page.getByText('No money moved in this period.').waitFor()
  await page.getByLabel('Last day').fill('2019-12-31')
  await page.getByText('Choose a last day that is not before the first.').waitFor()
  await close()
})

it('shows the statement of the chosen period, even if the retry of an earlier one responds later', async () => {
  const { page, problems, close } = await openWallet(site, payer)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // The page retries when it is online again, and at an interval, so there can be several retries.
  let earlierReads = 0
  const isChosenPeriod = (url: string) => url.includes('to=2020-')
  await page.route('**/wallet/statement?*', async (route) => {
    if (isChosenPeriod(route.request().url())) return route.continue()
    earlierReads++
    if (earlierReads === 1) return route.abort()
    await released
    await route.continue()
  })
  await page.goto('/wallet#statement')
  await page.getByText('Cannot reach the service.').waitFor()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => earlierReads).toBeGreaterThan(1)
  await page.goto('/wallet#statement?first=2020-01-01&last=2020-01-31')
  await page.getByText('No money moved in this period.').waitFor()
  const late = page.waitForResponse('**/wallet/statement?*')
  release()
  await (await late).finished()
  // Time for the late response to be rendered.
  await page.waitForTimeout(200)
  await page.getByText('No money moved in this period.').waitFor()
  await closeAfterFailures({ page, problems, close })
})

it('hides the statement of the previous period while that of the chosen period loads', async () => {
  const { page, close } = await openWallet(site, payer)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/wallet/statement?*', async (route) => {
    if (route.request().url().includes('to=2020-')) await released
    await route.continue()
  })
  await page.goto('/wallet#statement')
  await page.locator('.statement').waitFor()
  const download = page.getByRole('button', { name: 'Download CSV' })
  expect(await download.isDisabled()).toBe(false)
  await page.goto('/wallet#statement?first=2020-01-01&last=2020-01-31')
  await page.locator('.statement').waitFor({ state: 'detached' })
  expect(await download.isDisabled()).toBe(true)
  release()
  await page.getByText('No money moved in this period.').waitFor()
  await close()
})

it('keeps left-to-right names and amounts in order in Arabic', async () => {
  const order = { amount: 12.5 }
  const { payment_id } = await createPaidPayment(site.t, bakery.live, payer, order, 0.5)
  const { page, close } = await openWallet(site, payer, { locale: 'ar' })
  await page.goto('/wallet#activity')
  const name = page.locator('.activity-what', { hasText: 'Bakery' }).first()
  await name.waitFor()
  // Both end at the right, where the line starts.
  const [box, line] = await Promise.all([name.locator('bdi').boundingBox(), name.boundingBox()])
  expect(box!.x + box!.width).toBeCloseTo(line!.x + line!.width, 0)
  await page.goto(`/wallet#payment/${payment_id}`)
  const isolated = (amount: string) => `\u2068\u2066${amount}\u00a0USD\u2069\u2069`
  expect(await page.locator('.paid-to').innerText()).toBe(
    `${isolated('12.50')} إلى \u2068Bakery\u2069 و${isolated('0.50')} للعمل الخيري`,
  )
  const { qr_code } = await site.t.createPayment(bakery.live, { amount: 1 })
  await page.goto(`/wallet#pay/${qr_code}`)
  await page.locator('.choice').last().click()
  await page.locator('.donation .field-input').fill('abc')
  expect(await page.locator('.donation .field-problem').innerText()).toBe(
    'أدخل مبلغًا مثل \u206812.50\u2069.',
  )
  await close()
})
