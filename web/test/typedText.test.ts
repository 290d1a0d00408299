import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard } from './setup/dashboard.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

it('stores the name of a store without pasted spaces, and shows it immediately', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/settings')
  await page.getByLabel('Name shown to payers').fill('  Tea & Cake  ')
  await page.getByLabel('Website').fill(' https://tea.example.com ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.locator('header').getByText('Tea & Cake').waitFor()
  const { body } = await site.t.call(
    'GET',
    `/operator/stores/${shop.store.storeId}`,
    site.t.operator,
  )
  expect(body.data).toMatchObject({ name: 'Tea & Cake', domain: 'https://tea.example.com' })
  await close()
})

it('filters payments by an amount with spaces and a comma, and finds an amount as it is shown', async () => {
  await site.t.createPayment(shop.live, { amount: 1234.56 })
  await site.t.createPayment(shop.live, { amount: 3 })
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/payments')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Minimum amount').fill(' 5,00 ')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  const amount = await page.locator('tbody .money').innerText()
  expect(amount).toMatch(/^1,234\.56\sUSD$/)
  await page.getByLabel('Minimum amount').fill('')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('searchbox').fill(amount)
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBe(1)
  expect(page.url()).toContain('search=1234.56')
  await close()
})

it('accepts a fee with a decimal comma', async () => {
  const { store } = await site.t.createStore({ name: 'Comma Shop' })
  const { page, close } = await openConsole(site)
  await show(page, `stores/${store.storeId}/settings`, 'Comma Shop')
  const fee = page.getByLabel('Fee in percent')
  await fee.fill(' 1,5 ')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await expect.poll(() => fee.inputValue()).toBe('1.50')
  const { body } = await site.t.call('GET', `/operator/stores/${store.storeId}`, site.t.operator)
  expect(body.data.fee_bps).toBe(150)
  await close()
})
