import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../server/src/core/currencies.ts'
import { startLoops } from '../../server/src/loops.ts'
import { sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import { createPerson, PASSWORD } from '../../server/test/setup/people.ts'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals, type WatchedPage } from './setup/browser.ts'
import { openDashboard, showPage } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
let receiver: Receiver
let stop: () => Promise<void>
let dashboard: WatchedPage
let page: Page

beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
  receiver = await startReceiver((_request, response) => {
    // Without this header, a retry after 5 seconds would change the list during a test.
    response.writeHead(500, { 'retry-after': '3600' }).end('no')
  })
  stop = startLoops(site.t.service)
  dashboard = await openDashboard(site, shop.people.owner, 'live/overview')
  page = dashboard.page
})
afterAll(async () => {
  await dashboard.close()
  await receiver.close()
  await stop()
  await site.close()
})

const countLines = (element: Element) => element.getClientRects().length
const button = (name: string | RegExp) => page.getByRole('button', { name })
const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
const go = (hash: string) => showPage(page, hash)

describe('developers', () => {
  it('create, rotate and revoke a key, whose secret is shown once', async () => {
    await go('live/developers')
    await button('New key').click()
    await page.getByLabel('Label').fill('Web shop')
    await page.getByLabel('Refund payments').uncheck()
    await page.getByLabel('Expires on').fill('2099-12-31')
    await expectAccessible(page)
    await button('Create key').click()
    await page.getByText('It is shown only once').waitFor()
    const [key, secret] = await page.locator('.dialog code').allInnerTexts()
    const headers = { 'api-key': key!, 'api-secret': secret! }
    expect((await site.t.call('GET', '/merchant/balance', headers)).status).toBe(200)
    const [credential] = await site.t.database.query<{ expiresAt: Date }>(
      'select expires_at as "expiresAt" from credential where api_key = $1',
      [key],
    )
    // The end of the day in New York, the shop's time zone.
    expect(credential!.expiresAt).toEqual(new Date('2100-01-01T05:00:00Z'))
    await expectAccessible(page)
    await button('I have saved it').click()
    const scopes = row('Web shop').getByText('Read payments · Create payments')
    await scopes.waitFor()
    // On a tablet, a key fits on one line.
    const { width, height } = page.viewportSize()!
    await page.setViewportSize({ width: 768, height: 1024 })
    expect(await row('Web shop').locator('bdi').evaluate(countLines)).toBe(1)
    await page.setViewportSize({ width: 360, height: 640 })
    expect(await scopes.isVisible()).toBe(true)
    await page.setViewportSize({ width, height })
    expect(await page.locator('body').innerText()).not.toContain(secret!)
    await expectAccessible(page)

    const confirm = page.locator('.dialog').getByRole('button', { name: 'New secret' })
    const oldestEnds = page.getByText('A new secret ends it immediately.')
    await button('New secret: Web shop').click()
    expect(await oldestEnds.count()).toBe(0)
    await confirm.click()
    await button('I have saved it').click()
    expect((await site.t.call('GET', '/merchant/balance', headers)).status).toBe(200)

    await button('New secret: Web shop').click()
    await oldestEnds.waitFor()
    await expectAccessible(page)
    await page.getByLabel('Disable the old secret').selectOption('0')
    await page.route('**/rotate', (route) => route.fulfill({ status: 504 }), { times: 1 })
    await confirm.click()
    await page.getByText('No response. Reload the page before you try again.').waitFor()
    await confirm.click()
    await button('I have saved it').click()
    expect((await site.t.call('GET', '/merchant/balance', headers)).status).toBe(401)
    await button('Revoke: Web shop').click()
    await page.getByText('refused within five seconds').waitFor()
    await page.locator('.dialog').getByRole('button', { name: 'Revoke' }).click()
    await row('Web shop').getByText('Revoked').waitFor()
    ignoreRefusals(dashboard.problems, 504)
  })

  it('confirm the password if the sign-in was long ago', async () => {
    await site.t.database.transaction((tx) =>
      tx.execute(`update person_session set created_at = now() - interval '1 hour'`),
    )
    site.t.service.personSessions.forgetAll()
    await button('Show').click()
    await page.getByText('Confirm that it is you').waitFor()
    await page.locator('.dialog input[type=password]').fill('wrong password')
    await button('Continue').click()
    await page.getByText('Wrong password.').waitFor()
    await expectAccessible(page)
    await page.locator('.dialog input[type=password]').fill(PASSWORD)
    await button('Continue').click()
    await page.getByText(/^whsec_/).waitFor()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
    })
    await button('Copy').click()
    await page.getByText('Not copied. Copy it by hand.').waitFor()
    ignoreRefusals(dashboard.problems, 428, 400)
  })

  it('find failing webhooks and resend them', async () => {
    for (let n = 0; n < 3; n++) {
      const { payment_id } = await site.t.createPayment(shop.sandbox, { webhook_url: receiver.url })
      await sandboxPay(site.t, shop.sandbox, payment_id)
    }
    await receiver.until(3)
    await go('sandbox/developers/webhooks')
    await page.getByLabel('State').selectOption('failing')
    await page.getByText('1 attempt').nth(2).waitFor()
    await expect.poll(() => row('Retrying').count()).toBe(3)
    expect(page.url()).toContain('state=failing')
    await expectAccessible(page)
    receiver.respondWith((_request, response) => response.end('ok'))
    const silent = await site.t.createPayment(shop.sandbox)
    await sandboxPay(site.t, shop.sandbox, silent.payment_id)
    // Events of payments without a URL are never sent. The page shows them only if their state is chosen.
    const list = page.waitForResponse((response) => response.url().includes('state=wanted'))
    await page.getByLabel('State').selectOption('')
    await list
    await row('Retrying').nth(2).waitFor()
    expect(await row('No URL').count()).toBe(0)
    await page.getByLabel('State').selectOption('not_wanted')
    await expect.poll(() => row('Delivered').or(row('Retrying')).count()).toBe(0)
    await row('No URL').waitFor()
    expect(await button('Resend these').count()).toBe(0)
    await page.getByLabel('State').selectOption('')
    await button('Resend these').click()
    await page.getByText('3 webhooks will be resent.').waitFor()
    await page.locator('.dialog').getByRole('button', { name: 'Resend' }).click()
    await page.getByText('Resending 3 webhooks.').waitFor()
    await button('Close').click()
    await receiver.until(6)
    await page.getByLabel('State').selectOption('delivered')
    await row('Delivered').nth(2).waitFor()
    await page.getByLabel('Payment ID').fill('unknown')
    await button('Clear all filters').click()
    await row('No URL').waitFor({ state: 'detached' })
    await row('Delivered').nth(2).waitFor()
    expect(page.url()).toMatch(/webhooks$/)
  })

  it('continue a failed resend with the page of events that failed', async () => {
    await go('sandbox/developers/webhooks')
    await button('Resend these').click()
    await page.getByText('3 webhooks will be resent.').waitFor()
    const cursors: unknown[] = []
    const data = [{ events: 100, next_cursor: 'next' }, null, { events: 20, next_cursor: null }]
    await page.route('**/webhooks/resend', async (route) => {
      cursors.push(route.request().postDataJSON().cursor)
      const page = data[cursors.length - 1]
      await (page
        ? route.fulfill({ json: { data: page } })
        : route.fulfill({ status: 503, json: { message: 'Try again later' } }))
    })
    const confirm = page.locator('.dialog').getByRole('button', { name: 'Resend' })
    await confirm.click()
    await page.locator('.dialog').getByRole('alert').waitFor()
    await confirm.click()
    await page.getByText('Resending 120 webhooks.').waitFor()
    await button('Close').click()
    await page.unroute('**/webhooks/resend')
    expect(cursors).toEqual([null, 'next', 'next'])
    ignoreRefusals(dashboard.problems, 503)
  })

  it('try a sandbox payment, from the request to the webhook', async () => {
    await go('live/developers/tryOut')
    await button('Switch to sandbox').click()
    await page.getByLabel('Amount').fill('7.25')
    const command = page.locator('pre')
    await page.getByLabel('Webhook URL').fill("https://shop.example/o'hook")
    expect(await command.innerText()).toContain(`"amount":7.25`)
    expect(await command.innerText()).toContain(String.raw`/o'\''hook"}'`)
    await page.getByLabel('Webhook URL').fill(receiver.url)
    await button('Send').click()
    await page.getByText('"payment_id"').waitFor()
    await expectAccessible(page)
    // Changes to the form don't affect what the page shows about the payment that was created.
    await page.getByLabel('Webhook URL').fill('')
    await button('Pay').click()
    await page.getByText(/^Response 200 in/).waitFor()
    await expectAccessible(page)
  })

  it('see an example amount without decimals in a store whose currency has none', async () => {
    const { store } = await site.t.createStore({ currency: 'JPY' as CurrencyCode })
    const owner = await createPerson(site.t, store)
    const { page, close } = await openDashboard(site, owner, 'sandbox/developers/tryOut')
    expect(await page.locator('pre').innerText()).toContain('"amount":12,"currency":"JPY"')
    await close()
  })
})
