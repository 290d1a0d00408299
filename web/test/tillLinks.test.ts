import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newLink, payLink } from '../../server/test/setup/links.ts'
import { mailsTo, WITH_MAIL } from '../../server/test/setup/mails.ts'
import { expectAccessible } from './setup/axe.ts'
import { type Site, startSite } from './setup/site.ts'
import {
  charge,
  countNotes,
  notesOf,
  openShop,
  openSignedIn,
  openTill,
  paymentId,
  type Shop,
  show,
} from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite({ env: WITH_MAIL })
  shop = await openShop(site)
})
afterAll(() => site.close())

const viewport = { width: 320, height: 640 }

/** Opens the till, and waits until it knows the earlier payments and follows changes. */
const untilFollowing = (page: Page, open: () => Promise<unknown>) =>
  Promise.all([
    page.waitForResponse((response) => response.url().includes('status=completed')),
    page.waitForResponse('**/store/changes'),
    open(),
  ])

it("announces a payment of a link, with sound unless muted, and with the payer's name unless another customer is paying", async () => {
  const id = await newLink(site.t, shop.live, { title: 'Counter' })
  const { page, close } = await openSignedIn(site, shop.people.cashier, { viewport })
  await countNotes(page)
  await untilFollowing(page, () => page.goto('/till'))
  await page.locator('.home').waitFor()
  await page.getByRole('button', { name: '1', exact: true }).click()
  const arrival = page.locator('.arrival')
  expect(await notesOf(page)).toBe(0)
  const { body } = await payLink(site.t, shop.wallet, id, { amount: 4.5 })
  const paidMs = Date.now()
  await arrival.waitFor()
  expect(Date.now() - paidMs).toBeLessThan(10_000)
  const payer = (await site.t.call('GET', '/wallet/me', shop.wallet.headers)).body.data.name
  expect(await arrival.textContent()).toBe(`4.50\u00a0USD from \u2068${payer}\u2069`)
  await expect.poll(() => notesOf(page)).toBe(2)
  await expectAccessible(page)
  await arrival.click()
  await expect.poll(() => paymentId(page)).toBe(body.data.payment_id)
  await arrival.waitFor({ state: 'hidden' })

  await show(page, 'sales')
  await page.locator('.sale-row', { hasText: payer }).getByText('4.50 USD').waitFor()
  await page.getByRole('button', { name: 'Turn sounds off' }).click()
  await untilFollowing(page, () => page.reload())
  await page.getByRole('button', { name: 'Turn sounds on' }).waitFor()
  await page.locator('.sale-row').first().waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await payLink(site.t, shop.wallet, id, { amount: 2 })
  await arrival.getByText(`2.00 USD from \u2068${payer}\u2069`).waitFor()
  expect(await notesOf(page)).toBe(0)
  await show(page, 'you')
  expect(await page.getByLabel('Play sounds').isChecked()).toBe(false)

  // While another customer pays, the notice doesn't name the payer and doesn't cover the code.
  await show(page, 'home')
  await page.locator('.home').waitFor()
  await charge(page, '3')
  await payLink(site.t, shop.wallet, id, { amount: 6 })
  await arrival.getByText('6.00 USD received', { exact: true }).waitFor()
  for (const size of [
    { width: 1024, height: 600 },
    { width: 360, height: 640 },
  ]) {
    await page.setViewportSize(size)
    const notice = (await arrival.boundingBox())!
    const code = (await page.locator('.code-card').boundingBox())!
    const isBeside = notice.x >= code.x + code.width || notice.y + notice.height <= code.y
    expect({ size, isBeside }).toEqual({ size, isBeside: true })
  }
  await close()
})

it('an earlier payment that enters the list of the newest paid sales after a refund is not announced', async () => {
  const id = await newLink(site.t, shop.live, { title: 'Counter' })
  const pay = async (amount: number) => {
    const { body } = await payLink(site.t, shop.wallet, id, { amount })
    return body.data.payment_id as string
  }
  // The till loads the newest ten payments.
  let newest = ''
  for (let n = 1; n <= 11; n++) newest = await pay(n)
  const { page, close } = await openSignedIn(site, shop.people.cashier, { viewport })
  await countNotes(page)
  await untilFollowing(page, () => page.goto('/till#sales'))
  await page.locator('.sale-row').first().getByText('11.00 USD').waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  const refunded = await site.t.call('POST', `/merchant/payment/${newest}/refund`, shop.live)
  expect(refunded.status).toBe(200)
  await page.locator('.sale-row').first().getByText('Refunded').waitFor()
  await pay(12)
  const arrivals = page.locator('.arrival')
  await arrivals.getByText('12.00 USD').waitFor()
  await expect.poll(() => notesOf(page)).toBe(2)
  expect(await arrivals.count()).toBe(1)
  await close()
})

it('the till sends a request that is valid for a day, by email and by the share menu', async () => {
  const { page, close } = await openTill(site, shop.people.cashier, { viewport })
  await page.evaluate(() => {
    Object.assign(navigator, {
      share: async (data: ShareData) => {
        document.title = JSON.stringify(data)
      },
    })
  })
  await page.keyboard.type('7.5')
  await page.getByRole('button', { name: 'Send a payment request' }).click()
  await page.locator('.qr').waitFor()
  const id = paymentId(page)
  const { data } = (await site.t.call('GET', `/merchant/payment/${id}`, shop.live)).body
  const seconds = (Date.parse(`${data.expires_at}Z`) - Date.parse(`${data.created_at}Z`)) / 1000
  expect(seconds).toBe(86_400)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect
    .poll(() => page.title())
    .toBe(JSON.stringify({ title: 'Corner Shop: 7.50\u00a0USD', url: `${site.origin}/pay/${id}` }))
  await page.getByRole('button', { name: 'Email request' }).press('Enter')
  await page.getByRole('button', { name: 'Send request' }).press('Enter')
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('The request is on its way to ada@example.com.').waitFor()
  expect(await mailsTo(site.t, 'ada@example.com')).toMatchObject([
    { template: 'payment_request', amount: '7.50\u00a0USD' },
  ])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBe(0)
  // The till is free for the next customer, and the request stays open.
  await page.getByRole('button', { name: 'Next sale' }).press('Enter')
  await page.locator('.home').waitFor()
  await show(page, `sale/${id}`)
  await page.getByText('Payment request', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.home').waitFor()
  const after = (await site.t.call('GET', `/merchant/payment/${id}`, shop.live)).body.data
  expect(after.status).toBe('pending')
  await close()
})

it('the dashboard copies the link of a request on a device without a share menu', async () => {
  const { page, close } = await openSignedIn(site, shop.people.manager)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard#/live/payments')
  await page.getByRole('button', { name: 'New payment' }).click()
  await page.getByLabel('Amount (USD)').fill('9')
  await page.getByLabel('Valid for 24 hours').check()
  await page.getByRole('button', { name: 'Create payment of 9.00 USD' }).click()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Copied').waitFor()
  const id = paymentId(page)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${site.origin}/pay/${id}`)
  await page.getByText(/^23:59:\d\d$|^24:00:00$/).waitFor()
  await close()
})
