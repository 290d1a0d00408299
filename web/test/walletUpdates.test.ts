import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaidPayment, pay } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore, TestWallet } from '../../server/test/setup/testService.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openWallet, textOf, untilHeading } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

const ORDER = { amount: 12.3, products: [{ name: 'Tea', quantity: 2, price: 6.15 }] }

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())

const topUp = ({ wallet }: TestWallet, amount: string) =>
  site.t.call('POST', `/operator/wallets/${wallet.publicId}/top-up`, site.t.operator, {
    currency: 'USD',
    amount,
  })

describe('an open page', () => {
  it('updates balance and activity by itself', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, close } = await openWallet(site, payer)
    const opened = page.waitForResponse('**/wallet/events')
    await page.goto('/wallet')
    await opened
    const balance = () => textOf(page, '.balance .money')
    await expect.poll(balance).toBe('100.00 USD')
    await topUp(payer, '5')
    await expect.poll(balance).toBe('105.00 USD')
    // The payer pays on another device.
    const { qr_code } = await site.t.createPayment(shop.live, ORDER)
    await pay(site.t, payer, qr_code)
    await expect.poll(balance).toBe('92.70 USD')
    const rows = () => page.locator('.activity-row').count()
    await expect.poll(rows).toBe(3)

    await page.getByRole('link', { name: 'All activity' }).click()
    await untilHeading(page, 'Activity')
    await topUp(payer, '1.50')
    await page.getByText('1.50').waitFor()
    await expect.poll(rows).toBe(4)
    await close()
  })

  it('ignores responses that arrive after those of a later read', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto('/wallet')
    await expect.poll(() => textOf(page, '.balance .money')).toBe('100.00 USD')
    await page.getByText('Top-up').waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = new Set<string>()
    for (const path of ['**/wallet/me', '**/wallet/activity?*']) {
      await page.route(path, async (route) => {
        if (held.has(path)) return route.continue()
        held.add(path)
        const response = await route.fetch()
        await released
        await (path.endsWith('me') ? route.fulfill({ response }) : route.abort())
      })
    }
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => held.size).toBe(2)
    await topUp(payer, '2')
    await expect.poll(() => textOf(page, '.balance .money')).toBe('102.00 USD')
    const failed = page.waitForEvent('requestfailed')
    const late = page.waitForResponse('**/wallet/me')
    release()
    await Promise.all([failed, late])
    // Time for the late responses to be rendered.
    await page.waitForTimeout(200)
    expect(await textOf(page, '.balance .money')).toBe('102.00 USD')
    expect(await page.getByText('These amounts may be out of date.').count()).toBe(0)
    await closeAfterFailures({ page, problems, close })
  })

  it.each([
    ['shops', '**/wallet/stores', '.shop-row'],
    ['activity', '**/wallet/activity?*', '.activity-row'],
  ])('shows no error of an earlier read: %s', async (hash, path, row) => {
    const payer = await site.t.createWallet({ balance: '100' })
    await createPaidPayment(site.t, shop.live, payer, { amount: 1 })
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto(`/wallet#${hash}`)
    await page.locator(row).first().waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let reads = 0
    await page.route(path, async (route) => {
      reads++
      if (reads > 1) return route.continue()
      await released
      await route.abort()
    })
    const readAgain = () => page.evaluate(() => dispatchEvent(new Event('online')))
    await readAgain()
    await expect.poll(() => reads).toBe(1)
    await Promise.all([page.waitForResponse(path), readAgain()])
    const failed = page.waitForEvent('requestfailed')
    release()
    await failed
    // Time for the late failure to be rendered.
    await page.waitForTimeout(200)
    expect(await page.getByText('Cannot reach the service.').count()).toBe(0)
    await closeAfterFailures({ page, problems, close })
  })

  it('says that the balance may be out of date if only the balance does not load', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto('/wallet')
    await expect.poll(() => textOf(page, '.balance .money')).toBe('100.00 USD')
    await page.getByText('Top-up').waitFor()
    await page.route('**/wallet/me', (route) => route.abort())
    await topUp(payer, '2')
    await page.getByText('These amounts may be out of date.').waitFor()
    await page.unroute('**/wallet/me')
    await expect.poll(() => textOf(page, '.balance .money')).toBe('102.00 USD')
    await page.getByText('These amounts may be out of date.').waitFor({ state: 'hidden' })
    await closeAfterFailures({ page, problems, close })
  })

  it('says that something went wrong if the service fails, and recovers', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { payment_id } = await createPaidPayment(site.t, shop.live, payer, ORDER)
    const { page, problems, close } = await openWallet(site, payer)
    const failing = { status: 503, json: { status: 503, message: 'x' } }
    for (const [path, hash, shown, recovered] of [
      ['**/wallet/me', 'home', 'This page could not be loaded.', '.balance'],
      ['**/wallet/payments/*', `payment/${payment_id}`, 'This page could not be loaded.', '.order'],
      ['**/wallet/activity?*', 'activity', 'Something went wrong.', '.activity-row'],
      ['**/wallet/activity?*', 'home', 'Something went wrong. These amounts', '.activity-row'],
    ] as const) {
      await page.goto('about:blank')
      await page.route(path, (route) => route.fulfill(failing))
      await page.goto(`/wallet#${hash}`)
      await page.getByText(shown).waitFor()
      expect(await page.getByText('Cannot reach the service').count(), hash).toBe(0)
      await page.unroute(path)
      await page.locator(recovered).first().waitFor()
      await page.getByText(shown).waitFor({ state: 'detached' })
    }
    await closeAfterFailures({ page, problems, close }, 503)
  })

  it('recovers when the network returns', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { payment_id, qr_code } = await site.t.createPayment(shop.live, ORDER)
    await pay(site.t, payer, qr_code)
    const { qr_code: unpaid } = await site.t.createPayment(shop.live, ORDER)
    const { page, problems, close } = await openWallet(site, payer)
    const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline)
    await page.goto('/wallet')
    await page.getByText('Corner Shop').first().waitFor()
    await setOffline(true)
    await page.goto('/wallet#activity')
    await page.getByText('Cannot reach the service.').waitFor()
    await page.goto('/wallet#home')
    await page.getByText('These amounts may be out of date.').waitFor()
    await topUp(payer, '2')
    await setOffline(false)
    await expect.poll(() => textOf(page, '.balance .money')).toBe('89.70 USD')
    await page.getByText('These amounts may be out of date.').waitFor({ state: 'hidden' })
    for (const [hash, title] of [
      [`payment/${payment_id}`, 'Paid'],
      [`pay/${unpaid}`, 'Pay Corner Shop'],
    ]) {
      await setOffline(true)
      await page.goto(`/wallet#${hash}`)
      await untilHeading(page, 'Cannot reach the service')
      await setOffline(false)
      await untilHeading(page, title!)
    }
    await closeAfterFailures({ page, problems, close })
  })
})
