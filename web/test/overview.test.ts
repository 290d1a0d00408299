import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaidPayment, refund, sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import { createPerson } from '../../server/test/setup/people.ts'
import { expectAccessible } from './setup/axe.ts'
import { openDashboard } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'

const DAY_MS = 24 * 3_600_000
const PHONE = { viewport: { width: 320, height: 700 } }

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site, { timeZone: 'UTC' })
  for (const [amount, daysAgo] of [
    [10, 0],
    [30, 1],
    [20, 8],
  ] as const) {
    const { payment_id } = await createPaidPayment(site.t, shop.live, shop.wallet, { amount })
    const at = new Date(Date.now() - daysAgo * DAY_MS)
    await site.t.database.transaction((tx) =>
      tx.execute('update event set created_at = $2 where payment_id = $1', [payment_id, at]),
    )
  }
})
afterAll(() => site.close())

const chart = (page: Page) => page.getByRole('slider', { name: /^Sales volume/ })
const isoDay = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

describe('charts', () => {
  it('have values on their axis, and show each point by pointer and by arrow keys', async () => {
    const { page, close } = await openDashboard(site, shop.people.owner, 'live/overview')
    await chart(page).locator('.chart-bar').last().waitFor()
    const volume = page.locator('figure', { hasText: 'Sales volume' })
    expect(await volume.locator('.money').innerText()).toMatch(/40\s*\.00\s*USD/)
    await volume.getByText('+100% compared with the previous period').waitFor()
    const ticks = await chart(page).locator('.chart-grid text').allTextContents()
    expect(ticks).toEqual(['0', '10', '20', '30'])

    await chart(page).locator('.chart-column').last().hover()
    const tip = chart(page).locator('.chart-tip')
    await tip.getByText('10.00 USD', { exact: true }).waitFor()
    await tip.getByText('1 sale', { exact: true }).waitFor()
    await page.mouse.move(0, 0)
    await tip.waitFor({ state: 'detached' })
    await chart(page).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await chart(page).getAttribute('aria-valuetext')).toMatch(
      /30\.00.USD, 1 sale, Previous period: 20\.00.USD$/,
    )
    await tip.getByText('Previous period: 20.00 USD').waitFor()
    const method = page.locator('.methods > div', { hasText: 'API' })
    expect(await method.innerText()).toMatch(/40\.00 USD\s+2 sales · 100%/)
    await expectAccessible(page)
    // At each width, the figures and the charts fill their rows.
    for (const [width, figuresInRow, columnsOfMethods] of [
      [1440, 4, 1],
      [1024, 2, 2],
      [768, 2, 2],
      [390, 1, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const columns = await page.evaluate(() => {
        const tops = [...document.querySelectorAll('.figures > *')].map(
          (element) => element.getBoundingClientRect().top,
        )
        const [last, second] = ['.series > :last-child', '.series > :nth-child(2)'].map(
          (selector) => document.querySelector(selector)!.getBoundingClientRect().width,
        )
        return [tops.filter((top) => top === tops[0]).length, Math.round(last! / second!)]
      })
      expect(columns, String(width)).toEqual([figuresInRow, columnsOfMethods])
    }
    await close()
  })

  it('keep the shown bar when the pointer leaves a focused chart, and when a finger is lifted', async () => {
    const { page, close } = await openDashboard(site, shop.people.owner, 'live/overview')
    await chart(page).locator('.chart-bar').last().waitFor()
    const tip = chart(page).locator('.chart-tip')
    await chart(page).focus()
    await page.keyboard.press('ArrowLeft')
    await chart(page).locator('.chart-column').last().hover()
    await tip.getByText('10.00 USD', { exact: true }).waitFor()
    await page.mouse.move(0, 0)
    await page.keyboard.press('ArrowLeft')
    await tip.getByText('30.00 USD', { exact: true }).waitFor()
    await close()

    const touch = { ...PHONE, hasTouch: true }
    const phone = await openDashboard(site, shop.people.owner, 'live/overview', touch)
    const bars = chart(phone.page).locator('.chart-column')
    await bars.last().waitFor()
    const last = (await bars.count()) - 1
    for (const [bar, amount] of [
      [last - 1, '30.00 USD'],
      [last, '10.00 USD'],
      [last - 1, '30.00 USD'],
    ] as const) {
      await bars.nth(bar).tap()
      const shown = chart(phone.page).locator('.chart-tip')
      await shown.getByText(amount, { exact: true }).waitFor()
    }
    await phone.page.locator('h1').tap()
    await chart(phone.page).locator('.chart-tip').waitFor({ state: 'detached' })
    await phone.close()
  })

  it('show a chosen period, and refuse one that ends before it starts', async () => {
    const { page, close } = await openDashboard(site, shop.people.owner, 'live/overview')
    await page.getByRole('button', { name: 'Custom' }).click()
    await page.getByLabel('Start date').fill(isoDay(1))
    await page.getByLabel('End date').fill(isoDay(2))
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The end must not be before the start.').waitFor()
    await page.getByLabel('End date').fill(isoDay(1))
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('figure .money', { hasText: '30' }).waitFor()
    const hash = () => page.evaluate(() => location.hash)
    expect(await hash()).toContain(`from=${isoDay(1)}&to=${isoDay(1)}`)
    // Pressed again, the button keeps the period that the form shows.
    await page.getByRole('button', { name: 'Custom' }).click()
    expect(await hash()).toContain(`from=${isoDay(1)}&to=${isoDay(1)}`)
    await close()
  })

  it('start at the right in Arabic, fit a small phone, and are coloured in dark mode and in print', async () => {
    const options = { ...PHONE, locale: 'ar', colorScheme: 'dark' as const }
    const { page, close } = await openDashboard(site, shop.people.owner, 'live/overview', options)
    const box = page.locator('.chart-box').first()
    await box.locator('.chart-bar').first().waitFor({ state: 'attached' })
    // The number of "16 نوفمبر" is on the right, where an Arabic text begins.
    const day = box.locator('.visx-axis-bottom text', { hasText: /^\d+ \S+/ }).first()
    const [start, end] = await day.evaluate((element) => {
      const text = element as SVGTextElement
      const at = (n: number) => text.getExtentOfChar(n).x
      return [at(0), at(text.getNumberOfChars() - 1)]
    })
    expect(start).toBeGreaterThan(end!)
    const [first, last, axis] = await box.evaluate((element) => {
      const bars = element.querySelectorAll('.chart-bar')
      const parts = [bars[0], bars[bars.length - 1], element.querySelector('.chart-grid text')]
      return parts.map((part) => part!.getBoundingClientRect().left)
    })
    expect(axis).toBeGreaterThan(first!)
    expect(first).toBeGreaterThan(last!)
    const fill = () =>
      box.evaluate((element) => {
        const { fill: bar } = getComputedStyle(element.querySelector('.chart-bar')!)
        return [bar, getComputedStyle(document.body).color]
      })
    const [dark, ink] = await fill()
    expect(dark).not.toBe(ink)
    await page.emulateMedia({ media: 'print' })
    const [printed, black] = await fill()
    expect(printed).not.toBe(black)
    expect(printed).not.toBe('rgb(0, 0, 0)')
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).toBe(clientWidth)
    await close()
  })
})

it('a row of the daily close adds up, and its refunds are those of the overview', async () => {
  const { payment_id } = await site.t.createPayment(shop.sandbox, { amount: 50 })
  await sandboxPay(site.t, shop.sandbox, payment_id)
  await refund(site.t, shop.sandbox, payment_id)
  const { page, close } = await openDashboard(site, shop.people.owner, 'sandbox/overview')
  const refunds = page.getByRole('region', { name: 'Refunds today' }).locator('.money')
  expect(await refunds.innerText()).toMatch(/49\s*\.50\s*USD/)
  await page.goto('/dashboard#/sandbox/balance/days')
  const row = page.getByRole('row').filter({ hasText: 'In progress' })
  await row.waitFor()
  const cells = await row.locator('td.cell-end:not(.cell-brief)').allInnerTexts()
  const amounts = cells.map((text) => Number(text.replace('−', '-').replace(/[^\d.-]/g, '')))
  expect(amounts).toEqual([0, 50, -1, -49.5, 1000, 999.5])
  expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount)).toBe(amounts.at(-1))
  await page.setViewportSize({ width: 360, height: 700 })
  expect(await row.locator('td:visible').allInnerTexts()).toEqual([
    expect.stringContaining('In progress'),
    '999.50',
    '999.50',
  ])
  await close()
})

it('a new store has a checklist, which goes away when everything is done', async () => {
  const { store } = await site.t.createStore({ name: 'New Shop' })
  const owner = await createPerson(site.t, store, 'owner')
  const { page, close } = await openSignedIn(site, owner)
  await page.goto('/dashboard')
  const list = page.getByRole('region', { name: 'Set up your store' })
  await list.getByText('1 of 5 done').waitFor()
  await expectAccessible(page)
  await list.getByRole('link', { name: 'Upload your logo' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(page.url()).toContain('settings?open=logo')

  const { call } = site.t
  const png = PNG.sync.write(new PNG({ width: 8, height: 8 }))
  const picture = { ...owner.headers, 'content-type': 'image/png' }
  expect((await call('PUT', '/store/logo', picture, png)).status).toBe(200)
  const path = '/store/sandbox/console/payments'
  const body = { amount: 5, currency: 'USD', webhook_url: 'https://shop.example.com/hook' }
  const { payment_id } = (await call('POST', path, owner.headers, body)).body.data
  await call('POST', `${path}/${payment_id}/pay`, owner.headers, { outcome: 'completed' })
  await page.goto('/dashboard#/live/overview')
  await list.getByText('4 of 5 done').waitFor()
  // A phone shows only the steps that are not done.
  await page.setViewportSize({ width: 360, height: 640 })
  expect(await list.locator('li:visible').count()).toBe(1)
  await createPerson(site.t, store, 'cashier')
  await page.reload()
  await page.getByRole('region', { name: 'Sales today' }).waitFor()
  await chart(page).waitFor()
  expect(await list.count()).toBe(0)
  await close()
})
