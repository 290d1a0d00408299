import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './setup/axe.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const readSettings = async () =>
  (await site.t.call('GET', '/store/till', shop.people.cashier.headers)).body.data

it('a manager saves quick items and tips, with errors at their fields', async () => {
  const viewport = { width: 360, height: 780 }
  const { page, close } = await openSignedIn(site, shop.people.manager, { viewport })
  await page.goto('/dashboard#/live/settings/till')
  const items = page.getByRole('region', { name: 'Quick items' })
  const save = items.getByRole('button', { name: 'Save' })
  const names = items.getByLabel('Name')
  const prices = items.getByLabel('Price (USD)')
  async function add(name: string, price: string): Promise<void> {
    await items.getByRole('button', { name: 'Add item' }).click()
    await names.last().fill(name)
    await prices.last().fill(price)
  }
  await add('Tea', '3.5')
  await add('Tea', '0')
  await add('Cake', '12,00')
  await save.click()
  // Both items with the same name are marked.
  await expect
    .poll(() => items.locator('.field-problem').allTextContents())
    .toEqual([
      'This name is already in the list. Choose another one.',
      'This name is already in the list. Choose another one.',
      'Enter an amount above zero.',
    ])
  expect(await readSettings()).toEqual({ items: [], tip_percentages: [] })
  await names.nth(1).fill('Coffee')
  await prices.nth(1).fill('2.80')
  await items.getByRole('button', { name: 'Remove: Coffee' }).click()
  await items.getByRole('button', { name: 'Move up: Cake' }).click()
  await save.click()
  await items.getByText('Saved.').waitFor()
  const expected = [
    { name: 'Cake', price: '12.00' },
    { name: 'Tea', price: '3.50' },
  ]
  expect(await readSettings()).toEqual({ items: expected, tip_percentages: [] })

  const tips = page.getByRole('region', { name: 'Tips' })
  await tips.getByLabel('Tip 1 (%)').fill('10')
  await tips.getByLabel('Tip 2 (%)').fill('150')
  await tips.getByRole('button', { name: 'Save' }).click()
  await tips.getByText('Enter 100 or less.').waitFor()
  await tips.getByLabel('Tip 2 (%)').fill('15')
  await tips.getByRole('button', { name: 'Save' }).click()
  await tips.getByText('Saved.').waitFor()
  expect(await readSettings()).toEqual({ items: expected, tip_percentages: [10, 15] })

  await page.reload()
  await expect.poll(() => names.count()).toBe(2)
  expect(await prices.last().inputValue()).toBe('3.50')
  expect(await tips.getByLabel('Tip 2 (%)').inputValue()).toBe('15')
  await expectAccessible(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBe(0)
  await close()
})
