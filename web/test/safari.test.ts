import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newLink } from '../../server/test/setup/links.ts'
import { createPaidPayment } from '../../server/test/setup/merchantCalls.ts'
import { openDashboard } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

// What all versions of Safari do differently, simulated in Chromium.

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

/** Positions nothing relative to table rows, like Safari. Rows that a narrow screen shows as blocks are not affected. */
const disableRowPositioning = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    const rows = [...document.querySelectorAll('tr')]
    for (const [n, row] of rows.entries()) {
      if (getComputedStyle(row).display === 'table-row') row.dataset.row = String(n)
    }
    sheet.replaceSync('[data-row] { position: static !important }')
    document.adoptedStyleSheets.push(sheet)
  })

it.each([1280, 390])('opens the link whose row is pressed, on a screen of %d px', async (width) => {
  const title = `Tea ${width}`
  await newLink(site.t, shop.live, { title, amount: 3, currency: 'USD' })
  await newLink(site.t, shop.live, { title: `Coffee ${width}`, amount: 4, currency: 'USD' })
  const viewport = { width, height: 800 }
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/links', { viewport })
  await page.getByText(title).waitFor()
  await disableRowPositioning(page)
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.dialog').waitFor({ state: 'detached' })
  await page.getByRole('row', { name: title }).getByText('Active').click({ force: true })
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await close()
})

it('opens the payment whose line of the statement is pressed, on a phone', async () => {
  const payments = [2, 5]
  for (const amount of payments) {
    await createPaidPayment(site.t, shop.live, shop.wallet, { amount, reference_id: `o-${amount}` })
  }
  const viewport = { width: 390, height: 800 }
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/balance', { viewport })
  await page.getByText('o-2').first().waitFor()
  await disableRowPositioning(page)
  const sale = page.getByRole('row', { name: /Sale.*o-5/ })
  await sale.getByRole('cell').last().click({ force: true })
  await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor()
  await page.getByText('o-5').first().waitFor()
  await close()
})

it('shows no message that would move a pressed button, although the button does not get the focus', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/payments')
  await page.evaluate(() =>
    addEventListener(
      'mousedown',
      (event) => {
        if (!(event.target as Element).closest('button')) return
        event.preventDefault()
        ;(document.activeElement as HTMLElement).blur()
      },
      { capture: true },
    ),
  )
  await page.getByRole('button', { name: 'New payment' }).click()
  await page.getByLabel('Amount (USD)').fill('abc')
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  const before = await cancel.boundingBox()
  await cancel.hover()
  await page.mouse.down()
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)))
  expect(await page.locator('.field-problem').count()).toBe(0)
  expect(await cancel.boundingBox()).toEqual(before)
  await page.mouse.up()
  await page.locator('.dialog').waitFor({ state: 'detached' })
  await close()
})
