import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeStore, createPaidPayment, refund } from '../../server/test/setup/merchantCalls.ts'
import { createPerson } from '../../server/test/setup/people.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { zoneFarFromMidnight } from '../../server/test/setup/timeZones.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals, type WatchedPage } from './setup/browser.ts'
import { openDashboard, showPage } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'
import { XSS } from './setup/xss.ts'

// Each time zone with another one that always has the same day: a store can change its time zone only to such a one.
const ZONES: Record<string, string> = {
  'America/New_York': 'America/Toronto',
  'Asia/Tokyo': 'Asia/Seoul',
}

let site: Site
let shop: Shop
let other: TestStore
let dashboard: WatchedPage
let page: Page

beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site, { timeZone: zoneFarFromMidnight(...Object.keys(ZONES)) })
  other = await site.t.createStore({ name: 'Other Store' })
  await createPaidPayment(site.t, other.live, shop.wallet, { amount: 777.77 })
  dashboard = await openDashboard(site, shop.people.owner, 'live/balance')
  page = dashboard.page
})
afterAll(async () => {
  await dashboard.close()
  await site.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
const go = (hash: string) => showPage(page, hash)

it('prints pages without navigation and buttons', async () => {
  await go('live/balance/days')
  await page.locator('.shell-main').getByRole('link').last().click()
  const close = page.getByLabel('Daily close')
  await close.waitFor()
  await page.emulateMedia({ media: 'print' })
  const shown = page.locator('.shell :is(nav, button, .button, .tool, .shell-owner):visible')
  expect(await shown.allInnerTexts()).toEqual(['Corner Shop'])
  await close.getByText('Opening').waitFor()
  await page.emulateMedia({ media: null })
})

describe('balance', () => {
  it('shows each line with the balance after it, and links to the payment', async () => {
    const { payment_id } = await createPaidPayment(site.t, shop.live, shop.wallet, {
      amount: 50,
      reference_id: 'order-7',
    })
    await refund(site.t, shop.live, payment_id)
    await go('sandbox/balance')
    await go('live/balance')
    await row('Refund fee').waitFor()
    const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
    const shown = rows.slice(1).map((text) => text.match(/−?[\d,]+\.\d\d/g)!)
    expect(shown.toReversed()).toEqual([
      ['1,000.00', '1,000.00'],
      ['50.00', '1,050.00'],
      ['−0.50', '1,049.50'],
      ['−49.50', '1,000.00'],
      ['−0.50', '999.50'],
    ])
    expect(await page.locator('.money-large').innerText()).toBe('999.50 USD')
    const link = row('Refund fee').getByRole('link', { name: `order-7 ${payment_id}` })
    expect(await link.getAttribute('href')).toBe(`#/live/payments/${payment_id}`)
    expect(await page.locator('body').innerText()).not.toContain('777.77')
    await expectAccessible(page)
    // A phone has no room for the reference: the link is below the type.
    const { width, height } = page.viewportSize()!
    await page.setViewportSize({ width: 360, height: 740 })
    await row('Refund fee').getByRole('link').click()
    await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
    expect(page.url()).toContain(payment_id)
    await page.setViewportSize({ width, height })
    await go('live/balance')
  })

  it('keeps the chosen days in the URL', async () => {
    const start = page.getByLabel('Start date')
    await start.fill('2020-01-01')
    await expect.poll(() => start.inputValue()).toBe('2020-01-01')
    await page.getByLabel('End date').fill('2020-01-31')
    await page.getByText('Choose other days').waitFor()
    expect(page.url()).toContain('from=2020-01-01&to=2020-01-31')
    await button('All days').click()
    await row('Money added').waitFor()
  })

  it('shows the daily closes, and one day from opening to closing', async () => {
    await page.getByRole('link', { name: 'Daily close' }).click()
    await row('In progress').waitFor()
    await expectAccessible(page)
    await row('In progress').getByRole('link').click()
    await page.getByText('Refund fees (1)').waitFor()
    const facts = await page.locator('.facts > div').allInnerTexts()
    expect(facts.map((fact) => fact.replace(/\s+/g, ' ')).slice(0, 8)).toEqual([
      'Opening 0.00 USD',
      'Sales (1) 50.00 USD',
      'Fees (1) −0.50 USD',
      'Refunds (1) −49.50 USD',
      'Refund fees (1) −0.50 USD',
      'Money added (1) 1,000.00 USD',
      'Payouts (0) 0.00 USD',
      'Closing 999.50 USD',
    ])
    await expectAccessible(page)
  })

  it.each(['close', '2026-02-31', '2026-13-01'])('has no page for the day %s', async (day) => {
    const { page, close } = await openDashboard(site, shop.people.owner, `live/balance/${day}`)
    await page.getByRole('heading', { name: 'Page not found.' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Daily close' }).click()
    await page.getByRole('table', { name: 'Daily close' }).waitFor()
    await close()
  })

  it('downloads a CSV file and counts its rows', async () => {
    await button('Download CSV').click()
    await expectAccessible(page)
    const [download, request] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForRequest(/\/statement\.csv\?/),
      button('Download').and(page.locator('.dialog button')).first().click(),
    ])
    expect(request.headers()['x-florin-session']).toMatch(/^ses_/)
    await page.getByText('Download complete. Rows: 5').waitFor()
    expect(download.suggestedFilename()).toMatch(/^statement-live-[\d-]+\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')).toHaveLength(7)
    expect(text).not.toContain('777.77')
    await button('Close').click()
  })
})

describe('settings', () => {
  it('are changed and saved, with a logo', async () => {
    await go('live/settings')
    await page.getByLabel('Name shown to payers').fill('Corner Café')
    const timeZone = ZONES[shop.store.timeZone]!
    await page.getByLabel('Time zone').selectOption(timeZone)
    await page.getByLabel('Each reference can be paid once').check()
    await page.getByText('1% + 0.00').waitFor()
    // The button is in view while the form continues below, on a desktop and above the bar of a phone.
    const { width, height } = page.viewportSize()!
    for (const phone of [null, { width: 360, height: 640 }]) {
      if (phone) await page.setViewportSize(phone)
      await page.getByLabel('Name shown to payers').scrollIntoViewIfNeeded()
      const box = await button('Save').boundingBox()
      const bar = phone ? (await page.locator('.rail').boundingBox())!.y : height
      expect(box!.y + box!.height).toBeLessThanOrEqual(bar)
    }
    const tabs = await page
      .locator('.tabs')
      .evaluate((element) => [element.scrollWidth, element.clientWidth])
    expect(tabs[0]).toBe(tabs[1])
    await page.setViewportSize({ width, height })
    await expectAccessible(page)
    await button('Save').click()
    await page.getByText('Saved.').waitFor()
    const { body } = await site.t.call('GET', '/merchant/store', shop.live)
    expect(body.data).toMatchObject({
      name: 'Corner Café',
      time_zone: timeZone,
      unique_references: true,
      fee_bps: 100,
    })
    const picture = PNG.sync.write(new PNG({ width: 32, height: 32 }))
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: picture }
    await page.locator('input[type=file]').setInputFiles(file)
    await button('Remove').waitFor()
    expect(await page.locator('.logo-now img').getAttribute('src')).toMatch(/\/logo\/\w{32}\.png$/)
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...file, buffer: Buffer.from('no picture') })
    await page.getByText('This file is not a PNG or JPEG picture.').waitFor()
    ignoreRefusals(dashboard.problems, 415)
  })

  it('show the default logo if the operator has set one of another host', async () => {
    const logo = 'https://cdn.shop.example/logo.png'
    const { store } = await site.t.createStore({ logo })
    const owner = await createPerson(site.t, store)
    const { page, close } = await openDashboard(site, owner, 'live/settings')
    const src = await page.locator('.logo-now img').getAttribute('src')
    expect(src).toBe(`/stores/${store.storeId}/logo.svg`)
    await close()
  })

  it('let the owner manage the team', async () => {
    await page.getByRole('link', { name: 'Team' }).click()
    await button('Add a person').click()
    await page.getByLabel('Name', { exact: true }).fill('Dana')
    await page.getByLabel('Email').fill('dana@shop.example')
    await page.getByLabel('Role').selectOption('viewer')
    await expectAccessible(page)
    await button('Add').last().click()
    await page.getByText('Password for Dana').waitFor()
    // The title also wraps within a long word.
    const title = page.locator('.dialog-title')
    await title.evaluate((element) => element.append('Donaudampfschiff'.repeat(4)))
    const hidden = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
    expect(await page.locator('.dialog').evaluate(hidden)).toBe(0)
    await button('Done').click()
    await row('Dana').getByText('Viewer').waitFor()
    await row('Dana').locator('.status', { hasText: 'Active' }).waitFor()
    await expectAccessible(page)
    await button('More: Dana').click()
    await button('Disable: Dana').waitFor()
    await expectAccessible(page)
    expect(await button('Remove second factors').count()).toBe(0)
    await button('Disable: Dana').click()
    await page.locator('.dialog').getByRole('button', { name: 'Disable' }).click()
    await row('Dana').getByText('Disabled').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await row(shop.people.owner.email)
      .getByRole('button', { name: /^Change/ })
      .click()
    await page.getByLabel('Role').selectOption('viewer')
    await page.locator('.dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('A store needs an owner').waitFor()
    await button('Cancel').click()
    await button('Add a person').click()
    await page.getByLabel('Name', { exact: true }).fill('Olga')
    await page.getByLabel('Email').fill('olga@shop.example')
    await page.getByLabel('Role').selectOption('owner')
    await button('Add').last().click()
    await button('Done').click()
    await button('Change: Olga').click()
    await page.getByLabel('Role').selectOption('viewer')
    await page.locator('.dialog').getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('Only the operator of the service can change the role of an owner.')
      .waitFor()
    await button('Cancel').click()
    ignoreRefusals(dashboard.problems, 409)
  })

  it('let the owner require a second factor from a role, and show that this is saved', async () => {
    await go('live/settings')
    await page.getByRole('link', { name: 'Team' }).click()
    const card = page.getByRole('region', { name: 'Second factor' })
    await card.getByLabel('Viewer').check()
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Saved.').waitFor()
    await card.getByLabel('Viewer').uncheck()
    await expect.poll(() => card.getByText('Saved.').count()).toBe(0)
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Saved.').waitFor()
  })

  it('are collapsed into sections on a phone, and a section with an invalid field opens', async () => {
    const viewport = { width: 360, height: 640 }
    const phone = await openDashboard(site, shop.people.owner, 'live/settings?open=logo', {
      viewport,
    })
    const part = (name: string) => phone.page.locator('summary', { hasText: name })
    await phone.page.getByText('Choose a picture').waitFor()
    await part('Logo').click()
    const last = (await part('Fees and limits').boundingBox())!
    const bar = (await phone.page.locator('.rail').boundingBox())!
    expect(last.y + last.height).toBeLessThan(bar.y)
    const cap = phone.page.getByLabel('Cashier refund limit')
    expect(await cap.isVisible()).toBe(false)
    await part('Refunds').click()
    await cap.fill('many')
    await part('Refunds').click()
    await expectAccessible(phone.page)
    await phone.page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => cap.evaluate((element) => element === document.activeElement))
      .toBe(true)
    await expectAccessible(phone.page)
    await phone.close()
  })

  it('show a validity of codes in seconds that the operator has set', async () => {
    const store = await openShop(site)
    await changeStore(site.t, store, { expires_after_seconds: 90 })
    const owner = await openDashboard(site, store.people.owner, 'live/settings')
    const validity = owner.page.getByLabel('Codes are valid for')
    await validity.waitFor()
    expect(await validity.locator('option').allInnerTexts()).toEqual([
      '1 minute',
      '01:30',
      '5 minutes',
      '15 minutes',
      '30 minutes',
      '1 hour',
      '2 hours',
      '12 hours',
      '24 hours',
    ])
    await owner.close()
  })

  it('have a profile that is read-only for a manager, and are hidden from a cashier', async () => {
    const manager = await openDashboard(site, shop.people.manager, 'live/settings')
    await manager.page.getByText('Only the owner can change these settings.').waitFor()
    expect(await manager.page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await manager.close()
    const cashier = await openDashboard(site, shop.people.cashier, 'live/settings')
    await cashier.page.getByText('Your role cannot open this page').waitFor()
    expect(await cashier.page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await cashier.close()
  })
})

describe('list and payment', () => {
  it('run no script from text of customers and merchants', async () => {
    const { t } = site
    const store = await openShop(site)
    const { page, close } = await openSignedIn(site, store.people.owner)
    const ran: string[] = []
    await page.exposeFunction('florinRan', () => ran.push('ran'))
    const ids: string[] = []
    for (const text of XSS.filter((_, n) => n % 4 === 0)) {
      const { payment_id } = await t.createPayment(store.live, {
        reference_id: text.slice(0, 255),
        reference_note: text,
        client: { name: text.slice(0, 255), email: 'a@example.com', phone: '1' },
        payload: { text },
      })
      ids.push(payment_id)
    }
    await page.goto('/dashboard#/live/payments')
    await expect.poll(() => page.locator('.shell-main .table tbody tr').count()).toBe(ids.length)
    for (const id of ids.slice(0, 3)) {
      await page.goto(`/dashboard#/live/payments/${id}`)
      await page.locator('.raw', { hasText: id }).locator('summary').click()
    }
    expect(ran).toEqual([])
    await close()
  })
})
