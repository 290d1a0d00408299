import { SECURITY_EVENT_KINDS } from '@florin/contract/values.js'
import { timeText } from '@florin/shared/time.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordSecurityEvent } from '../../server/src/ops/securityEvents.ts'
import { refund } from '../../server/test/setup/merchantCalls.ts'
import { PASSWORD } from '../../server/test/setup/people.ts'
import { expectAccessible } from './setup/axe.ts'
import { openDashboard } from './setup/dashboard.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openTill, type Shop } from './setup/till.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
const PHONE = { viewport: { width: 390, height: 844 } }

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
  await site.t.database.transaction((tx) => tx.execute('delete from security_event'))
  const { cashier, owner } = shop.people
  const { storeId } = shop.store
  const record = (name: string, address: string, kinds: readonly string[]) =>
    site.t.database.transaction(async (tx) => {
      const actor = { name, requestId: null, source: { address, device: CHROME } }
      const at = new Date()
      for (const kind of SECURITY_EVENT_KINDS.filter((kind) => kinds.includes(kind))) {
        const details = kind.startsWith('api_key') ? { label: 'Web shop' } : {}
        const event = { kind, accountId: cashier.personId, storeId, details }
        await recordSecurityEvent(tx, actor, event, at)
      }
    })
  await record(`${cashier.email} (store ${storeId})`, '198.51.100.7', SECURITY_EVENT_KINDS)
  await record(`${owner.email} (store ${storeId})`, '198.51.100.8', ['role_changed'])
})
afterAll(() => site.close())

it('an operator finds events by kind, account and address', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'security', 'Security events')
  const rows = page.getByRole('list', { name: 'Security events' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(SECURITY_EVENT_KINDS.length + 1)
  const find = () => page.getByRole('button', { name: 'Find' }).click()
  await page.getByLabel('Event', { exact: true }).selectOption('Role changed')
  await find()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Account', { exact: true }).fill(shop.people.owner.email)
  await find()
  await page.getByText('No security events').waitFor()
  await page.getByLabel('Account', { exact: true }).fill(shop.people.cashier.email)
  await find()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('IP address').fill('198.51.100.8')
  await find()
  await expect.poll(() => rows.count()).toBe(1)
  const text = await rows.innerText()
  for (const part of [
    'Role changed',
    shop.people.cashier.email,
    shop.people.owner.email,
    'Chrome on Android',
    '198.51.100.8',
  ])
    expect(text).toContain(part)
  expect(page.url()).toContain('kind=role_changed')
  await page.getByLabel('IP address').fill('192.0.2.1')
  await find()
  await page.getByText('No security events').waitFor()
  await close()
})

it('an owner sees the events of the store, page by page, in its time zone', async () => {
  const { page, close } = await openDashboard(site, shop.people.owner, 'live/settings/security')
  const events = page.getByRole('list', { name: 'Security events' }).getByRole('listitem')
  // One page has 20 events.
  await expect.poll(() => events.count()).toBe(20)
  expect(await events.first().innerText()).toMatch(
    /^Role changed\n.*\d\d:\d\d [AP]M\n.*\nChrome on Android · 198\.51\.100\.8\nBy [^(]+$/,
  )
  const time = events.first().locator('time')
  const at = new Date((await time.getAttribute('datetime'))!)
  const exact = timeText(at, { locale: 'en', timeZone: 'America/New_York' })
  expect(await time.getAttribute('title')).toBe(exact)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => events.count()).toBe(SECURITY_EVENT_KINDS.length + 1)
  await events.filter({ hasText: 'API key revoked: Web shop' }).waitFor()
  await expectAccessible(page)
  await close()
})

it('a cashier sees their own events at the till, page by page', async () => {
  const { page, close } = await openTill(site, shop.people.cashier)
  await page.goto('/till#you')
  const events = page.getByRole('list', { name: 'Security events' }).getByRole('listitem')
  await expect.poll(() => events.count()).toBe(20)
  await page.getByRole('button', { name: 'Show more', exact: true }).click()
  await expect.poll(() => events.count()).toBeGreaterThan(SECURITY_EVENT_KINDS.length)
  await close()
})

it('a new password is among the events and leaves one session, without a reload', async () => {
  const { page, close } = await openTill(site, shop.people.manager)
  await page.goto('/till#you')
  const sessions = page.locator('.sessions .session')
  // The session created with the person, and this one.
  await expect.poll(() => sessions.count()).toBe(2)
  await page.getByLabel('Current password').fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill('a longer battery staple')
  await page.getByLabel('Repeat the new password').fill('a longer battery staple')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('list', { name: 'Security events' }).getByText('Password changed').waitFor()
  await expect.poll(() => sessions.count()).toBe(1)
  await close()
})

it('a payment names the API key that created and refunded it', async () => {
  const payment = await site.t.createPayment(shop.live, { amount: 5 })
  await site.t.call('POST', `/wallet/payment/${payment.qr_code}/pay`, shop.wallet.headers, {})
  await refund(site.t, shop.live, payment.payment_id)
  const { page, close } = await openDashboard(
    site,
    shop.people.owner,
    `live/payments/${payment.payment_id}`,
  )
  const facts = page.getByRole('region', { name: 'Details' })
  const key = `API key \u2068test\u2069 (\u2068${shop.live['api-key']}\u2069)`
  await expect.poll(() => facts.innerText()).toContain(`Created by\n${key}`)
  expect(await facts.innerText()).toContain(`Refunded by\n${key}`)
  await close()
})

it('the pages fit on a desktop and on phones, in several languages', async () => {
  const variants = [
    [
      'desktop-light',
      { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en' },
    ],
    ['phone-light', { ...PHONE, colorScheme: 'light', locale: 'en' }],
    ['phone-dark-ar', { ...PHONE, colorScheme: 'dark', locale: 'ar' }],
    ['narrow', { viewport: { width: 320, height: 640 }, locale: 'fr' }],
  ] as const
  for (const [name, options] of variants) {
    const dashboard = await openDashboard(
      site,
      shop.people.owner,
      'live/settings/security',
      options,
    )
    const operatorConsole = await openConsole(site, options)
    await operatorConsole.page.goto('/operator#/security')
    for (const [app, { page, close }] of Object.entries({ dashboard, operatorConsole })) {
      await page.locator('.event-list').waitFor()
      const { scroll, width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        width: document.documentElement.clientWidth,
      }))
      expect(scroll, `${app} ${name} is wider than the screen`).toBeLessThanOrEqual(width)
      await close()
    }
  }
})
