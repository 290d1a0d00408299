import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newLink } from '../../server/test/setup/links.ts'
import { readWalletBalance } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { countDebits, openWallet, payButton, textOf } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())

const createPayment = () => site.t.createPayment(shop.live, { amount: 12.3 })

describe('a payment without a response', () => {
  it.each([true, false])(
    'is retried with the same key after a lost response (paid: %s)',
    async (wasPaid) => {
      const payer = await site.t.createWallet({ balance: '100' })
      const { qr_code, payment_id } = await createPayment()
      const { page, problems, close } = await openWallet(site, payer)
      const keys = new Set<string | undefined>()
      let isFirst = true
      await page.route('**/pay', async (route) => {
        keys.add(route.request().headers()['idempotency-key'])
        if (!isFirst) return route.continue()
        isFirst = false
        if (wasPaid) await route.fetch()
        await route.abort('connectionreset')
      })
      await page.goto(`/wallet#pay/${qr_code}`)
      await payButton(page).click()
      await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
      expect(await countDebits(site.t, payment_id)).toBe(1)
      expect(keys.size).toBe(1)
      await closeAfterFailures({ page, problems, close })
    },
  )

  it('shows an unknown outcome if no response arrives', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code, payment_id } = await createPayment()
    const { page, problems, close } = await openWallet(site, payer)
    const sent: string[] = []
    await page.route('**/pay', (route) => {
      const request = route.request()
      sent.push(`${request.headers()['idempotency-key']} ${request.postData()}`)
      return route.abort('connectionreset')
    })
    await page.goto(`/wallet#pay/${qr_code}`)
    await payButton(page).click()
    await page.getByRole('heading', { level: 1, name: 'Payment not confirmed yet' }).waitFor()
    const shown = await textOf(page, 'main')
    expect(shown).toContain('The payment may still go through.')
    expect(shown).toMatch(/12\.30\sUSD\s+to /)
    expect(shown).not.toMatch(/not charged/i)
    expect(sent.length).toBeGreaterThan(2)
    expect(new Set(sent).size).toBe(1)
    expect(await countDebits(site.t, payment_id)).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'All activity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
    await closeAfterFailures({ page, problems, close })
  })

  it('is sent again with the same key after an unknown outcome', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code, payment_id } = await createPayment()
    const { page, problems, close } = await openWallet(site, payer)
    const sent = new Set<string>()
    let isOffline = true
    await page.route('**/pay', (route) => {
      const request = route.request()
      sent.add(`${request.headers()['idempotency-key']} ${request.postData()}`)
      return isOffline ? route.abort('internetdisconnected') : route.continue()
    })
    await page.goto(`/wallet#pay/${qr_code}`)
    await page.getByText('Round up 0.70').click()
    await payButton(page).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Payment not confirmed yet' })
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await heading.waitFor()
    await tryAgain.click()
    await page.locator('[data-pending]').waitFor()
    await page.locator('[data-pending]').waitFor({ state: 'detached' })
    await heading.waitFor()
    isOffline = false
    await tryAgain.click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    expect(await textOf(page, '.outcome .money')).toBe('13.00 USD')
    expect(sent.size).toBe(1)
    expect(await countDebits(site.t, payment_id)).toBe(1)
    await closeAfterFailures({ page, problems, close })
  })

  it('shows the outcome when the network is back after an unknown one', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code, payment_id } = await createPayment()
    const { page, problems, close } = await openWallet(site, payer)
    await page.goto(`/wallet#pay/${qr_code}`)
    await payButton(page).waitFor()
    // The first request arrives. Its response and everything after it is lost.
    let isFirst = true
    await page.route('**/wallet/payment/**', async (route) => {
      if (isFirst) await route.fetch()
      isFirst = false
      await route.abort('connectionreset')
    })
    await payButton(page).click()
    await page.getByRole('heading', { level: 1, name: 'Payment not confirmed yet' }).waitFor()
    await page.unroute('**/wallet/payment/**')
    await page.getByRole('heading', { level: 1, name: 'You already paid this' }).waitFor()
    await page.getByRole('button', { name: 'See receipt' }).click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    expect(await countDebits(site.t, payment_id)).toBe(1)
    await closeAfterFailures({ page, problems, close })
  })

  it('is not replaced by an earlier request for the preview that fails later', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code } = await createPayment()
    const { page, problems, close } = await openWallet(site, payer)
    let previews = 0
    let fail = () => {}
    const hasFailed = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(`**/wallet/payment/${qr_code}`, async (route) => {
      previews += 1
      if (previews > 2) return route.continue()
      if (previews === 2) await hasFailed
      return route.abort('connectionreset')
    })
    await page.goto(`/wallet#pay/${qr_code}`)
    await page.getByRole('heading', { level: 1, name: 'Cannot reach the service' }).waitFor()
    await payButton(page).waitFor()
    const failed = page.waitForEvent('requestfailed')
    fail()
    await failed
    await page.waitForTimeout(300)
    expect(await payButton(page).count()).toBe(1)
    await closeAfterFailures({ page, problems, close })
  })

  it('asks to sign in if the session ends after an unknown outcome', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code } = await createPayment()
    const { page, problems, close } = await openWallet(site, payer)
    await page.route('**/pay', (route) => route.abort('connectionreset'))
    await page.goto(`/wallet#pay/${qr_code}`)
    await payButton(page).click()
    await page.getByRole('heading', { level: 1, name: 'Payment not confirmed yet' }).waitFor()
    await page.context().clearCookies()
    await page.getByLabel('Phone number').waitFor()
    await closeAfterFailures({ page, problems, close }, 401)
  })

  it('of a link is not sent again with a key that the service may have deleted', async () => {
    const payer = await site.t.createWallet({ balance: '20' })
    const linkId = await newLink(site.t, shop.live, { title: 'Tea', amount: 3 })
    const { page, problems, close } = await openWallet(site, payer)
    const readPaidCount = async (id: string) => {
      const { body } = await site.t.call('GET', `/merchant/links/${id}`, shop.live)
      return body.data.paid_count
    }
    const keys = new Set<string | undefined>()
    let isOffline = true
    let isFirst = true
    await page.route('**/pay', async (route) => {
      keys.add(route.request().headers()['idempotency-key'])
      if (!isOffline) return route.continue()
      // The first request arrives, and its response is lost.
      if (isFirst) await route.fetch()
      isFirst = false
      await route.abort('connectionreset')
    })
    await page.goto(`/wallet#link/${linkId}`)
    await payButton(page).click()
    await page.getByRole('heading', { level: 1, name: 'Payment not confirmed yet' }).waitFor()
    expect(await readPaidCount(linkId)).toBe(1)
    isOffline = false
    await site.t.database.transaction((tx) => tx.execute('delete from wallet_idempotency'))
    await page.evaluate(() => {
      const laterMs = Date.now() + 24 * 3_600_000
      Date.now = () => laterMs
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await payButton(page).waitFor()
    expect(await readPaidCount(linkId)).toBe(1)
    await payButton(page).click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    expect(keys.size).toBe(2)
    await closeAfterFailures({ page, problems, close })
  })
})

describe('a payment of a link without a response, after the app was closed', () => {
  const untilHeading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor()

  /** Pays with a donation of 0.50 and gets no response. Opens the link in a new tab, which has the storage of a new start of the app. */
  async function payAndReopen({ arrives, balance }: { arrives: boolean; balance: string }) {
    const payer = await site.t.createWallet({ balance })
    const linkId = await newLink(site.t, shop.live, { title: 'Tea', amount: 3.5 })
    const { page, problems, close } = await openWallet(site, payer)
    const route = `**/wallet/link/${linkId}/pay`
    await page.route(route, async (route) => {
      if (arrives) await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`/wallet#link/${linkId}`)
    await page.getByText('Round up 0.50').click()
    await payButton(page).click()
    await page.getByText('Still trying. You will only be charged once.').waitFor()
    const restarted = await page.context().newPage()
    await page.close()
    await restarted.goto(`/wallet#link/${linkId}`)
    const readBalance = () => readWalletBalance(site.t, payer)
    return { page: restarted, problems, close, linkId, readBalance }
  }

  it.each([true, false])('is charged once (arrived: %s)', async (arrives) => {
    const { page, readBalance, ...watched } = await payAndReopen({ arrives, balance: '20' })
    await page.getByText('Your last payment of this amount is not confirmed yet.').waitFor()
    expect(await page.getByText('Add a donation').count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Pay 4.00' }).click()
    await untilHeading(page, 'Paid')
    expect(await readBalance()).toBe('16.00')
    // The outcome is known, so the next payment is a new one.
    await page.goto(`/wallet#link/${watched.linkId}`)
    await page.getByText('Add a donation').waitFor()
    expect(await page.getByText('is not confirmed yet').count()).toBe(0)
    await page.getByRole('button', { name: 'Pay 3.50' }).click()
    await untilHeading(page, 'Paid')
    expect(await readBalance()).toBe('12.50')
    await closeAfterFailures({ page, ...watched })
  })

  it('is found if it used up the balance', async () => {
    const { page, readBalance, ...watched } = await payAndReopen({ arrives: true, balance: '5' })
    await untilHeading(page, 'Payment not confirmed yet')
    await page.getByRole('button', { name: 'Try again' }).click()
    await untilHeading(page, 'Paid')
    expect(await readBalance()).toBe('1.00')
    await closeAfterFailures({ page, ...watched })
  })

  it('is not paid again if another tab has found the outcome', async () => {
    const { page, readBalance, ...watched } = await payAndReopen({ arrives: true, balance: '20' })
    await page.getByText('is not confirmed yet').waitFor()
    const other = await page.context().newPage()
    await other.goto(`/wallet#link/${watched.linkId}`)
    await payButton(other).click()
    await untilHeading(other, 'Paid')
    await payButton(page).click()
    await page.getByText('Add a donation').waitFor()
    expect(await page.getByText('is not confirmed yet').count()).toBe(0)
    expect(await readBalance()).toBe('16.00')
    await closeAfterFailures({ page, ...watched })
  })

  it('is charged once if the next attempt is refused before its key is looked up', async () => {
    const { page, readBalance, ...watched } = await payAndReopen({ arrives: true, balance: '20' })
    const refused = { status: 429, json: { status: 429, message: 'Too many requests' } }
    await page.route('**/pay', (route) => route.fulfill(refused), { times: 1 })
    await page.getByRole('button', { name: 'Pay 4.00' }).click()
    await untilHeading(page, 'Too many failed payments')
    await page.reload()
    await page.getByRole('button', { name: 'Pay 4.00' }).click()
    await untilHeading(page, 'Paid')
    expect(await readBalance()).toBe('16.00')
    await closeAfterFailures({ page, ...watched }, 429)
  })

  it('is forgotten when the payer signs out', async () => {
    const { page, ...watched } = await payAndReopen({ arrives: false, balance: '20' })
    await page.getByText('is not confirmed yet').waitFor()
    await page.goto('/wallet#account')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Phone number').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('florin.wallet.attempts'))).toBeNull()
    await closeAfterFailures({ page, ...watched })
  })
})
