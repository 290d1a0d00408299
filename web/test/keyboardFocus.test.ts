import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard } from './setup/dashboard.ts'
import { openConsole, show } from './setup/operator.ts'
import { openWallet } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
  const items = ['Tea', 'Coffee', 'Cake', 'Juice'].map((name) => ({ name, price: '1.00' }))
  await site.t.call('PATCH', '/store/till', shop.people.owner.headers, { items })
})
afterAll(() => site.close())

const PHONE = { viewport: { width: 360, height: 640 } }

/** The name of the focused element. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    return element.getAttribute('aria-label') ?? element.textContent
  })

/** Presses the button by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

/** Presses the key until it leaves the page, and returns the elements of which less than half was visible. */
async function findCovered(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const covered: string[] = []
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press(key)
    const found = await page.evaluate(() => {
      const element = document.activeElement!
      if (element === document.body) return null
      // The visible part of a hidden radio button or checkbox.
      const shown = element.matches('[type=radio], [type=file]')
        ? element.closest('label')!
        : element
      const { left, width, top, height } = shown.getBoundingClientRect()
      const points = [0.3, 0.5, 0.7].map((part) =>
        document.elementFromPoint(left + width / 2, top + height * part),
      )
      const isSeen = points.filter((point) => shown.contains(point)).length > 1
      return { name: element.outerHTML.slice(0, 120), isSeen }
    })
    if (found === null) break
    if (!found.isSeen) covered.push(found.name)
  }
  return covered
}

it.each(['Tab', 'Shift+Tab'] as const)(
  'on a phone, no bar covers the control that %s focuses',
  async (key) => {
    const wallet = await openWallet(site, shop.wallet, PHONE)
    const { qr_code } = await site.t.createPayment(shop.live, { amount: 12.5 })
    for (const screen of ['account', `pay/${qr_code}`]) {
      await wallet.page.goto(`/wallet#${screen}`)
      await wallet.page.getByRole('main').getByRole('button').last().waitFor()
      await wallet.page.evaluate(() => (document.activeElement as HTMLElement).blur())
      expect(await findCovered(wallet.page, key), screen).toEqual([])
    }
    await wallet.close()

    const dashboard = await openDashboard(site, shop.people.owner, 'sandbox/settings/till', PHONE)
    await dashboard.page.getByRole('button', { name: 'Add item' }).waitFor()
    expect(await findCovered(dashboard.page, key)).toEqual([])
    await dashboard.close()
  },
)

it('skips the navigation of a console', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/overview')
  await page.keyboard.press('Tab')
  expect(await focusedName(page)).toBe('Skip to content')
  const box = (await page.locator('.skip').boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  expect(await focusedName(page)).toBe('Overview')
  expect(page.url()).toContain('#/live/overview')
  expect(await page.locator('.skip').isVisible()).toBe(true)
  await close()
})

it('keeps the focus in a list whose rows move and vanish', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/settings/till')
  await press(page, 'Move up: Coffee')
  expect(await focusedName(page)).toBe('Move up: Coffee')
  // It is the first row now. The button stays where it is, without effect.
  await page.keyboard.press('Enter')
  expect(await focusedName(page)).toBe('Move up: Coffee')
  expect(await page.getByLabel('Name').first().inputValue()).toBe('Coffee')
  await press(page, 'Remove: Cake')
  await expect.poll(() => focusedName(page)).toBe('Remove: Tea')
  await close()
})

it('focuses what replaces a pressed button', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/developers/keys')
  await press(page, 'Show')
  await page.getByText(/^whsec_/).waitFor()
  await expect.poll(() => focusedName(page)).toBe('Copy')
  await close()
})

it('focuses the last row when the button below a list has loaded the rest', async () => {
  for (let n = 0; n < 22; n++) {
    await site.t.call('POST', '/merchant/links', shop.live, { title: `Link ${n}`, currency: 'USD' })
  }
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/links')
  const links = page.getByRole('table').getByRole('link')
  await links.first().waitFor()
  const last = await links.last().getAttribute('href')
  await press(page, 'Show more')
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement!.getAttribute('href')))
    .toBe(last)
  await close()
})

it('keeps the focus on the page when a confirmed action removes its button', async () => {
  const { page, close } = await openConsole(site)
  await show(page, `stores/${shop.store.storeId}/keys`, 'Corner Shop')
  const revoke = page.getByRole('button', { name: /^Revoke: / }).first()
  await revoke.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Revoked').first().waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement!.tagName)).not.toBe('BODY')
  await close()
})

it('leaves the focus alone after a press with the mouse', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/settings/till')
  await page.getByRole('button', { name: 'Remove: Cake' }).click()
  await page.getByRole('button', { name: 'Remove: Cake' }).waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
  expect(await page.evaluate(() => document.activeElement!.tagName)).toBe('BODY')
  await close()
})

it('focuses the heading of each page of the wallet, also while its code loads', async () => {
  const { page, close } = await openWallet(site, shop.wallet, PHONE)
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  for (const [hash, heading] of [
    ['scan', 'Scan to pay'],
    ['account', 'Account'],
    ['shops', 'Shops'],
    ['statement', 'Statement'],
  ] as const) {
    await page.evaluate((next) => {
      location.hash = next
    }, hash)
    await expect.poll(() => focusedName(page)).toBe(heading)
  }
  await close()
})
