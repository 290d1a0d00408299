import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOCALES } from '../../shared/src/locales.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const PAGES = [
  'overview',
  'stores',
  'wallets',
  'balances',
  'approvals',
  'rates',
  'people',
  'tokens',
  'security',
  'log',
  'health',
  'webhooks',
  'mail',
  'ledger',
]

/** Labels of the navigation that are cut off or outside the screen. */
const cutOffLabels = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((labels) =>
    labels
      .filter((label) => label.checkVisibility())
      .filter((label) => {
        const { left, right } = label.getBoundingClientRect()
        const isOutside = left < 0 || right > document.documentElement.clientWidth
        const [labelWidth, boxWidth] = [label, label.parentElement!].map(
          (element) => element.scrollWidth,
        )
        return (
          isOutside ||
          labelWidth! > label.clientWidth + 1 ||
          boxWidth! > label.parentElement!.clientWidth
        )
      })
      .map((label) => label.textContent),
  )

it('reaches every page on a phone and marks the current one', async () => {
  const { page, close } = await openConsole(site, { viewport: { width: 320, height: 640 } })
  await show(page, 'overview', 'Overview')
  const bar = page.getByRole('navigation', { name: 'Pages' })
  expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Stores', 'Wallets'])
  const more = bar.getByRole('button', { name: 'More' })
  expect(await more.getAttribute('aria-current')).toBeNull()
  await more.click()
  const menu = page.getByRole('dialog', { name: 'Pages' })
  await menu.waitFor()
  const links = await menu
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  // The bar below has the first three.
  expect(links).toEqual(PAGES.slice(3).map((name) => `#/${name}`))
  expect(await menu.locator('[aria-current]').count()).toBe(0)
  await expectAccessible(page)
  await menu.getByRole('link', { name: 'Audit log' }).click()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  expect(await more.getAttribute('aria-current')).toBe('true')
  await more.click()
  await menu.waitFor()
  expect(await menu.locator('[aria-current]').allInnerTexts()).toEqual(['Audit log'])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => more.evaluate((own) => own === document.activeElement)).toBe(true)
  await close()
})

it('opens filters on request on a phone, and keeps them open while they are set', async () => {
  const { page, close } = await openConsole(site, { viewport: { width: 320, height: 640 } })
  await show(page, 'log', 'Audit log')
  const filters = page.getByRole('button', { name: 'Filters' })
  expect(await filters.getAttribute('aria-expanded')).toBe('false')
  expect(await page.getByLabel('Action').isVisible()).toBe(false)
  await filters.click()
  await page.getByLabel('Action').fill('operator')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Find' }).click()
  await expect.poll(() => page.url()).toContain('action=operator')
  await page.reload()
  await filters.waitFor()
  expect(await filters.getAttribute('aria-expanded')).toBe('true')
  await close()
})

it('cuts off no label in any language, on a phone and on a desktop', async () => {
  const { page, close } = await openConsole(site, { viewport: { width: 320, height: 640 } })
  await show(page, 'overview', 'Overview')
  for (const locale of LOCALES) {
    await page.evaluate((language) => localStorage.setItem('florin.language', language), locale)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.reload()
    await page.locator(`html[lang=${locale}] .rail-more`).click()
    await page.getByRole('dialog').waitFor()
    expect(await cutOffLabels(page, '.rail-item span'), locale).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.locator('.rail-title').first().waitFor()
    expect(await page.locator('.rail-title').count()).toBe(3)
    expect(await cutOffLabels(page, '.rail-item span'), locale).toEqual([])
    // Every page is in reach without scrolling.
    const last = await page
      .locator('.rail .rail-item')
      .nth(PAGES.length - 1)
      .boundingBox()
    expect(last!.y + last!.height, locale).toBeLessThanOrEqual(768)
  }
  await close()
})

it('shows all tabs of a store on a phone that is 390 pixels wide', async () => {
  const { store } = await site.t.createStore({ name: 'Corner Shop' })
  const { page, close } = await openConsole(site, { viewport: { width: 390, height: 844 } })
  await show(page, `stores/${store.storeId}`, 'Corner Shop')
  const tabs = page.getByRole('navigation', { name: 'Corner Shop' })
  await tabs.getByRole('link', { name: 'People' }).waitFor()
  expect(await tabs.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
  await close()
})

it('fades the tabs on the side where more of them are hidden', async () => {
  const { store } = await site.t.createStore({ name: 'Corner Shop' })
  const { page, close } = await openConsole(site, { viewport: { width: 320, height: 640 } })
  const tabs = page.getByRole('navigation', { name: 'Corner Shop' })
  const more = () => tabs.getAttribute('data-more')
  for (const [locale, [start, end]] of [
    ['en', ['right', 'left']],
    ['ar', ['left', 'right']],
  ] as const) {
    await page.goto(`/operator?lang=${locale}#/stores/${store.storeId}/money`)
    await expect.poll(more, { message: locale }).toBe(start)
    await tabs.getByRole('link').last().scrollIntoViewIfNeeded()
    await expect.poll(more, { message: locale }).toBe(end)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(more).toBe('')
  await close()
})

it('says that a page, store, wallet or payment does not exist, and links back', async () => {
  const { page, problems, close } = await openConsole(site)
  for (const [path, heading, back, list] of [
    ['stores/999/keys', 'Store', 'Back', 'Stores'],
    ['wallets/wal_0', 'Wallet', 'Back', 'Wallets'],
    ['payments/pay_0', 'Payment', 'Back', 'Stores'],
    ['nope', 'Operator', 'Overview', 'Overview'],
  ] as const) {
    await show(page, path, heading)
    await page
      .locator('.empty')
      .getByText(/ not found|^Not found/)
      .waitFor()
    expect(await page.locator('.tabs').count()).toBe(0)
    await page.locator('.empty').getByRole('link', { name: back }).click()
    await page.getByRole('heading', { level: 1, name: list }).waitFor()
  }
  ignoreRefusals(problems, 404)
  await close()
})
