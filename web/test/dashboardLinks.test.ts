import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newLink, payLink } from '../../server/test/setup/links.ts'
import { ICONS } from '../../shared/src/icons.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { decodePdf, pageSizes } from './setup/pdf.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site, { locale: 'es' })
})
afterAll(() => site.close())

const readLinks = async () =>
  (await site.t.call('GET', '/merchant/links', shop.live)).body.data.links
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('a manager creates a link, changes it, pauses it and activates it', async () => {
  const viewport = { width: 320, height: 780 }
  const { page, close } = await openSignedIn(site, shop.people.manager, { viewport })
  await page.goto('/dashboard#/live/links')
  await page.getByRole('heading', { name: 'Sell without a website' }).waitFor()
  await expectAccessible(page)
  await button(page, 'New link').click()
  const dialog = page.getByRole('dialog')
  const problems = dialog.locator('.field-problem')
  // The button is in view, even with all fields.
  const isInView = async (name: string) => {
    const box = await button(page, name).boundingBox()
    return box !== null && box.y > 0 && box.y + box.height <= viewport.height
  }
  expect(await isInView('Create link')).toBe(true)
  await button(page, 'More options').click()
  const description = dialog.getByLabel('Description')
  await expect
    .poll(() => description.evaluate((input) => input === document.activeElement))
    .toBe(true)
  expect(await isInView('Create link')).toBe(true)
  await dialog.getByLabel('Amount (USD)').fill('0')
  await dialog.getByLabel('Maximum number').fill('1,5')
  await dialog.getByLabel('Last day').fill('2020-01-31')
  await button(page, 'Create link').click()
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      'Fill in this field.',
      'Enter an amount above zero.',
      'Enter a whole number.',
      'Choose a day in the future.',
    ])
  expect(await readLinks()).toEqual([])
  await dialog.getByLabel('Title').fill('Yoga class')
  await dialog.getByLabel('Amount (USD)').fill('12,5')
  await dialog.getByLabel('Maximum number').fill('20')
  await dialog.getByLabel('Last day').fill('2099-01-31')
  await expectAccessible(page)
  await button(page, 'Create link').click()
  await page.getByRole('heading', { level: 1, name: 'Yoga class' }).waitFor()
  // The last day ends at midnight in the time zone of the store, New York.
  const [created] = await readLinks()
  expect(created).toMatchObject({
    title: 'Yoga class',
    amount: '12.50',
    currency: 'USD',
    description: null,
    max_payments: 20,
    expires_at: '2099-02-01 05:00:00',
    locale: null,
    active: true,
  })
  await page.getByText('0 of 20').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await expectAccessible(page)

  await button(page, 'Change').click()
  expect(await dialog.getByLabel('Last day').inputValue()).toBe('2099-01-31')
  expect(await dialog.getByLabel('Amount').count()).toBe(0)
  await dialog.getByLabel('Description').fill('Every Monday')
  await dialog.getByLabel('Language').selectOption('fr')
  await button(page, 'Save').click()
  await page.getByText('Every Monday').waitFor()
  await button(page, 'Pause').click()
  await dialog.getByText('Nobody can pay it until you activate it again.').waitFor()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  const state = page.locator('.payment-top .status', { hasText: 'Paused' })
  await state.waitFor()
  // The icon is not the clock of "Waiting for payment".
  expect(await state.locator('path').getAttribute('d')).toBe(ICONS.pause)
  const changed = { ...created, description: 'Every Monday', locale: 'fr' }
  expect(await readLinks()).toEqual([{ ...changed, active: false, state: 'paused' }])
  await button(page, 'Activate').click()
  await dialog.getByRole('button', { name: 'Activate' }).click()
  await button(page, 'Pause').waitFor()
  expect(await readLinks()).toEqual([changed])
  await close()
})

it('shows what was paid with each link and its payments, and downloads a CSV file', async () => {
  const id = await newLink(site.t, shop.live, { title: 'Counter', amount: null })
  const { page, close } = await openSignedIn(site, shop.people.owner)
  await page.goto('/dashboard#/live/links')
  const row = page.getByRole('row', { name: /Counter/ })
  await row.getByText('The customer chooses').waitFor()
  const { body } = await payLink(site.t, shop.wallet, id, { amount: 4.5 })
  // The row changes without a reload.
  await expect
    .poll(() => row.locator('td').allTextContents())
    .toEqual(['CounterThe customer chooses', 'Active', '1', '4.50 USD'])
  await button(page, 'Download CSV').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download').click(),
  ])
  expect(file.suggestedFilename()).toBe('links-live.csv')
  await button(page, 'Close').click()
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'Show payments' }).click()
  await page.getByRole('button', { name: `Link: ${id}` }).waitFor()
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.waitForURL((url) => url.hash.includes(body.data.payment_id))
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Counter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Counter' }).waitFor()
  await close()
})

it('a cashier sees links, and cannot change them', async () => {
  const { page, close } = await openSignedIn(site, shop.people.cashier)
  await page.goto('/dashboard#/live/links')
  const link = page.getByRole('link', { name: 'Counter' })
  await link.waitFor()
  expect(await button(page, 'New link').count()).toBe(0)
  await link.click()
  await page.getByRole('link', { name: 'Poster (A4)' }).waitFor()
  for (const name of ['Change', 'Pause']) {
    expect(await button(page, name).count()).toBe(0)
  }
  await close()
})

it('shows the total of a link with a long word in its title on a phone', async () => {
  const other = await openShop(site)
  await newLink(site.t, other.live, { title: 'Donaudampfschifffahrtsgesellschaft' })
  const viewport = { width: 360, height: 640 }
  const { page, close } = await openSignedIn(site, other.people.cashier, { viewport })
  await page.goto('/dashboard#/live/links')
  const total = page.getByRole('cell', { name: '0.00 USD' })
  await total.waitFor()
  const { x, width } = (await total.boundingBox())!
  expect(x + width).toBeLessThanOrEqual(viewport.width)
  await close()
})

it('leads back to the list from a link that does not exist', async () => {
  const watched = await openSignedIn(site, shop.people.manager)
  const { page } = watched
  await page.goto('/dashboard#/live/links/unknown')
  await page.locator('.empty').getByRole('link', { name: 'Back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
  await closeAfterFailures(watched, 404)
})

it('shows HTML for other websites: a button and a picture, without a script', async () => {
  const id = await newLink(site.t, shop.live, { title: '"Tea" & <b>cake</b>', amount: 3 })
  const { page, close } = await openSignedIn(site, shop.people.owner)
  await page.goto(`/dashboard#/live/links/${id}`)
  const codes = page.getByRole('region', { name: 'On your website' }).locator('code')
  await codes.first().waitFor()
  const html = (await codes.allTextContents()).join('\n')
  const { url } = (await site.t.call('GET', `/merchant/links/${id}`, shop.live)).body.data
  await close()
  const other = await site.browser.newPage()
  await other.setContent(html)
  const link = other.getByRole('link', { name: 'Pagar 3,00 USD' })
  expect(await link.getAttribute('href')).toBe(url)
  const picture = other.getByRole('img', { name: 'Código QR: "Tea" & <b>cake</b>' })
  expect(await picture.getAttribute('src')).toBe(`${url}/qr.svg`)
  expect(await other.locator('script, b, iframe').count()).toBe(0)
  await other.close()
})

it.each([
  { stand: 'a6', size: '105 x 148', locale: null, scan: 'Escanea para pagar', amount: null },
  { stand: 'a4', size: '210 x 297', locale: 'ar', scan: 'امسح الرمز للدفع', amount: 12.5 },
])(
  'prints a stand in the format $stand, and its QR code can be read from the PDF',
  async ({ stand, size, locale, scan, amount }) => {
    const title = 'Flowers and plants for every season of the year'
    const id = await newLink(site.t, shop.live, { title, amount, locale })
    const viewport = { width: 320, height: 700 }
    const { page, close } = await openSignedIn(site, shop.people.viewer, {
      viewport,
      colorScheme: 'dark',
    })
    await page.goto(`/dashboard#/live/links/${id}`)
    await page
      .getByRole('link', { name: stand === 'a6' ? 'Table tent (A6)' : 'Poster (A4)' })
      .click()
    await page.getByText(scan).waitFor()
    expect(await page.locator('.stand').innerText()).toContain(title)
    expect(await page.locator('.stand-amount').count()).toBe(amount === null ? 0 : 1)
    expect(await page.locator('.shell').count()).toBe(0)
    expect(await overflowOf(page)).toBe(0)
    await expectAccessible(page)
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
    expect(pageSizes(pdf)).toEqual([size])
    const { url } = (await site.t.call('GET', `/merchant/links/${id}`, shop.live)).body.data
    expect(decodePdf(pdf).text).toBe(url)
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await close()
  },
)
