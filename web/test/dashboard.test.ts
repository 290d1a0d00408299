import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_SCANNED } from '../../server/src/ops/findByWords.ts'
import { fillPayments } from '../../server/test/setup/manyPayments.ts'
import { createPaidPayment, pay, sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openDashboard } from './setup/dashboard.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop, signIn } from './setup/till.ts'

let site: Site
let shop: Shop
let receiver: Receiver
beforeAll(async () => {
  site = await startSite()
  site.t.service.dispatcher.start()
  shop = await openShop(site)
  receiver = await startReceiver()
})
afterAll(async () => {
  await site.t.service.dispatcher.stop()
  await receiver.close()
  await site.close()
})

const PHONE = { viewport: { width: 360, height: 740 } }

const rows = '.shell-main .table tbody tr'
const sectionOf = (name: string) => `section[aria-label="${name}"]`

describe('the app', () => {
  it('signs people in, and shows the owner all pages and a cashier two', async () => {
    const { page, close } = await site.open()
    await page.goto('/dashboard')
    await signIn(page, shop.people.owner)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await page.locator('.rail a').allInnerTexts()).toEqual([
      'Overview',
      'Payments',
      'Links',
      'Balance',
      'Developers',
      'Settings',
    ])
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText(shop.people.owner.email).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[type=email]').waitFor()
    await close()

    const cashier = await openDashboard(site, shop.people.cashier, '')
    await cashier.page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    expect(await cashier.page.locator('.rail a').allInnerTexts()).toEqual(['Payments', 'Links'])
    await cashier.page.goto('/dashboard#/live/overview')
    await cashier.page.getByText('Your role cannot open this page.').waitFor()
    await cashier.close()
  })

  it('shows a ribbon in the sandbox, and keeps the mode in the URL', async () => {
    const tried = await site.t.createPayment(shop.sandbox, { reference_id: 'only-a-try' })
    const { page, close } = await openDashboard(site, shop.people.viewer, 'live/payments')
    expect(await page.locator('.ribbon').count()).toBe(0)
    await page.getByText('Sandbox', { exact: true }).click()
    await page.locator('.ribbon').getByText('No real money moves here.').waitFor()
    await page.locator(rows).getByText('only-a-try').waitFor()
    expect(page.url()).toContain('#/sandbox/payments')
    await page.reload()
    await page.locator(`${rows} a`).click()
    await page.getByText(tried.payment_id).first().waitFor()
    await page.getByText('Live', { exact: true }).click()
    await page.locator('.ribbon').waitFor({ state: 'detached' })
    await page.getByText('No payments yet').waitFor()
    expect(await page.getByText('only-a-try').count()).toBe(0)
    await close()
  })

  it('keeps the tab when the mode changes', async () => {
    const { page, close } = await openDashboard(site, shop.people.owner, 'live/developers/webhooks')
    await page.getByText('Sandbox', { exact: true }).click()
    await page.locator('a[href="#/sandbox/developers/webhooks"][aria-current]').waitFor()
    await close()
  })
})

describe('overview', () => {
  it("refreshes today's sales, the balance and what needs attention, and shows other periods as tables", async () => {
    const store = await openShop(site, { dailyLimitMinor: 2000n })
    const { page, close } = await openDashboard(site, store.people.manager, 'live/overview')
    await page.clock.install()
    await page.reload()
    const sales = page.locator(sectionOf('Sales today'))
    await sales.getByText('0 sales').waitFor()
    await page.getByText('Nothing needs your attention.').waitFor()
    // Without a change, the page does not read the overview again within half a minute.
    let reads = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/live/overview')) reads++
    })
    await page.clock.fastForward(30_000)
    // A round trip to the page, after which its requests are known here.
    await page.evaluate(() => document.title)
    expect(reads).toBe(0)
    const dead = 'http://127.0.0.1:1/hook'
    const wallet = await site.t.createWallet({ balance: '100' })
    await createPaidPayment(site.t, store.live, wallet, { amount: 18, webhook_url: dead })
    // The page refreshes without interaction.
    await sales.getByText('1 sale', { exact: true }).waitFor()
    expect(await sales.locator('.money').innerText()).toMatch(/18\s*\.00\s*USD/)
    const balance = page.locator(sectionOf('Balance')).locator('.money')
    expect(await balance.innerText()).toMatch(/1,017\s*\.82\s*USD/)
    expect(await page.locator(sectionOf('Success rate')).innerText()).toContain('100%')
    const attention = page.locator(sectionOf('Needs attention'))
    await attention.getByText('90% of the daily limit is used. 2.00 USD is left').waitFor()
    // A webhook fails without a change of the payment. The page refreshes every minute.
    await expect
      .poll(async () => {
        await page.clock.fastForward(60_000)
        return attention.getByText('1 webhook is failing.').count()
      })
      .toBe(1)

    await page.getByRole('button', { name: 'Today' }).click()
    await page.waitForURL(/days=1\b/)
    // The closed table is in the document as soon as the period is loaded.
    await page.locator('th', { hasText: 'Hour' }).waitFor({ state: 'attached' })
    await page.getByText('Show as a table').click()
    await page.getByRole('columnheader', { name: 'Hour' }).waitFor()
    await page.getByRole('button', { name: '30 days' }).click()
    await expect.poll(() => page.locator(rows).count()).toBe(30)
    await page.getByText('Show as a table').click()
    await page.getByRole('columnheader', { name: 'Day' }).waitFor()
    expect(await page.locator(rows).first().innerText()).toMatch(
      /1\s+18\.00 USD\s+0\.00 USD\s+100%/,
    )
    const bars = page.locator('.chart-box').first().locator('.chart-bar')
    await expect.poll(() => bars.count()).toBe(30)
    await close()
  })
})

describe('payments', () => {
  it('are found by filters and searches, which are in the URL', async () => {
    const store = await openShop(site)
    const paid = await createPaidPayment(site.t, store.live, store.wallet, { amount: 25 })
    const pending = await site.t.createPayment(store.live, {
      amount: 3,
      reference_id: 'order-9',
      client: { name: 'Zoë Quinn', email: 'zoe@example.com', phone: '1' },
    })
    const { page, close } = await openDashboard(site, store.people.cashier, 'live/payments')
    const count = () => page.locator(rows).count()
    await expect.poll(count).toBe(2)

    await page.getByRole('button', { name: 'Paid', exact: true }).click()
    await expect.poll(count).toBe(1)
    expect(page.url()).toContain('status=completed')
    await page.reload()
    await expect.poll(count).toBe(1)
    await page.getByRole('button', { name: 'Any status' }).click()
    await expect.poll(count).toBe(2)

    const search = page.getByRole('searchbox')
    for (const text of [pending.payment_id, pending.qr_code, 'order-9']) {
      await search.fill(text)
      await search.press('Enter')
      await page.locator('.chip-active', { hasText: text }).waitFor()
      await expect.poll(count).toBe(1)
      await page.locator(rows).getByText('Zoë Quinn').waitFor()
    }
    await search.fill('no such thing')
    await search.press('Enter')
    await page.getByText('No matching payments').waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await expect.poll(count).toBe(2)

    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Minimum amount').fill('20,5')
    await page.getByLabel('Payer').fill('payer')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(count).toBe(1)
    expect(page.url()).toContain('min=20.5&payer=payer')
    await page.getByRole('button', { name: /Payer: payer/ }).click()
    await page.getByRole('button', { name: /Minimum amount: 20.5/ }).click()
    await expect.poll(count).toBe(2)
    await page.goto('/dashboard#/live/payments?from=2020-01-01&to=2020-01-31')
    await page.getByText('No matching payments').waitFor()

    // From the list to the payment by keyboard only.
    await page.goto('/dashboard#/live/payments?status=completed')
    await expect.poll(count).toBe(1)
    await page.locator(`${rows} a`).focus()
    await page.keyboard.press('Enter')
    await page.getByText(paid.payment_id).first().waitFor()
    await page.goBack()
    await expect.poll(count).toBe(1)
    await close()
  })

  it('are searched further back while few match, and the page shows how far', async () => {
    const store = await openShop(site)
    await fillPayments(site.t, store.store, MAX_SCANNED + 100, (n) => ({
      status: n === 5 ? 'completed' : 'expired',
      walletId: store.wallet.wallet.walletId,
    }))
    const hash = 'live/payments?status=completed'
    const { page, close } = await openDashboard(site, store.people.owner, hash)
    await expect.poll(() => page.locator(rows).count()).toBe(1)
    await page.goto('/dashboard#/live/payments?status=expired')
    await page.getByText(/^Searched back to /).waitFor()
    await page.getByRole('button', { name: 'Search older payments' }).click()
    await expect.poll(() => page.locator(rows).count()).toBe(50)
    await close()
  })
})

describe('the page of a payment', () => {
  it('follows a payment from pending to paid to refunded, with its ledger and webhooks', async () => {
    receiver.respondWith((_request, response) => {
      response.statusCode = 500
      response.end('out of order')
    })
    const { t } = site
    const { payment_id: id, qr_code } = await t.createPayment(shop.live, {
      amount: 12.5,
      reference_id: 'order-77',
      webhook_url: receiver.url,
      products: [{ name: 'Tea', quantity: 2, price: 3.25 }],
    })
    const grant = { permissions: ['clipboard-read', 'clipboard-write'] }
    const { page, close } = await openDashboard(
      site,
      shop.people.owner,
      `live/payments/${id}`,
      grant,
    )
    await page.locator('.payment-top').getByText('Waiting for payment').waitFor()
    await page.getByText('No money has moved.').waitFor()
    await pay(t, shop.wallet, qr_code)
    await page.locator('.payment-top').getByText('Paid').waitFor()
    const facts = () => page.locator(sectionOf('Details')).locator('.facts > div').allInnerTexts()
    const factLines = async () => (await facts()).map((fact) => fact.replaceAll(/\s+/g, ' '))
    await expect.poll(factLines).toContain('2 × Tea 6.50 USD')
    await expect.poll(factLines).toContain('You receive 12.37 USD')
    const timeline = page.locator(sectionOf('Timeline'))
    await timeline.getByText('Paid').waitFor()
    const money = page.locator(sectionOf('Transfers')).locator('tbody tr')
    await expect.poll(() => money.count()).toBe(2)
    expect(await money.first().innerText()).toMatch(/Payment\s+Payer\s+Store.*12\.50 USD/s)

    const webhooks = page.locator(sectionOf('Webhooks'))
    await webhooks.locator('summary').getByText('500').first().click()
    await webhooks.getByText('out of order').first().waitFor()
    receiver.respondWith((_request, response) => response.end('fine'))
    await webhooks.getByRole('button', { name: 'Resend' }).click()
    await webhooks.getByText('Delivered').waitFor()

    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain(`curl -s ${site.origin}/merchant/payment/${id}`)
    expect(curl).not.toMatch(/fl[ks]_/)
    const checkout = page.getByRole('link', { name: 'Checkout page' })
    expect(await checkout.getAttribute('href')).toBe(`/pay/${id}`)

    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The payer gets 12.00 USD. 12.50 USD is taken').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Keep the sale' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByRole('button', { name: 'Refund 12.00 USD' }).click()
    await page.locator('.payment-top').getByText('Refunded').waitFor()
    expect((await factLines()).join()).not.toContain('You receive')
    await expect.poll(() => money.count()).toBe(4)
    await timeline.getByText('Refunded').waitFor()
    await close()
  })

  it('limits the ledger, refunds and resends by role, and hides the payments of other stores', async () => {
    const paid = await createPaidPayment(site.t, shop.live, shop.wallet, {
      amount: 30,
      webhook_url: receiver.url,
    })
    const hash = `live/payments/${paid.payment_id}`
    const cashier = await openDashboard(site, shop.people.cashier, hash)
    await cashier.page.locator('.payment-top').waitFor()
    expect(await cashier.page.locator(sectionOf('Transfers')).count()).toBe(0)
    await cashier.page.getByRole('button', { name: 'Refund', exact: true }).click()
    await cashier.page.getByText('You can refund up to 20.00 USD.').waitFor()
    await cashier.close()
    const viewer = await openDashboard(site, shop.people.viewer, hash)
    await viewer.page.locator(sectionOf('Webhooks')).getByText('payment.completed').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Resend' }).count()).toBe(0)
    await viewer.close()
    const other = await openShop(site)
    const stranger = await openDashboard(site, other.people.owner, hash)
    await stranger.page.getByText('Not found.').waitFor()
    expect(await stranger.page.locator('.payment-top').count()).toBe(0)
    // The page asks again when the live updates are connected.
    await closeAfterFailures(stranger, 404)
  })
})

describe('overview, list and payment', () => {
  it('are accessible in both themes, and fit a phone in every language', async () => {
    const { t } = site
    const store = await openShop(site)
    const { owner } = store.people
    const { payment_id: id } = await t.createPayment(store.sandbox, {
      amount: 123456.78,
      reference_id: 'r'.repeat(255),
      webhook_url: receiver.url,
      client: { name: 'W'.repeat(200), email: 'a@example.com', phone: '1' },
    })
    await sandboxPay(t, store.sandbox, id)
    const pages = [
      ['sandbox/overview', '.chart-box'],
      ['sandbox/payments', '.payment-rows'],
      [`sandbox/payments/${id}`, '.payment-top'],
    ] as const
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await openDashboard(site, owner, pages[0][0], { colorScheme })
      for (const [hash, content] of pages) {
        await page.goto(`/dashboard#/${hash}`)
        await page.locator(content).first().waitFor()
        await expectAccessible(page)
      }
      await close()
    }
    for (const locale of ['en', 'es', 'fr', 'ar', 'zh']) {
      const { page, close } = await openDashboard(site, owner, pages[0][0], { ...PHONE, locale })
      for (const [hash, content] of pages) {
        await page.goto(`/dashboard#/${hash}`)
        await page.locator(content).first().waitFor()
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, `${locale} ${hash}`).toBeLessThanOrEqual(PHONE.viewport.width)
      }
      await close()
    }
  })
})
