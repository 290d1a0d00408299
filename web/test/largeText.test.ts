import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaidPayment } from '../../server/test/setup/merchantCalls.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openConsole } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, openTill, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
  const { wallet } = await site.t.createWallet({ mode: 'sandbox' })
  site.t.service.markPrepared(wallet.walletId, [
    { app: 'till', user: 'till@example.com', secret: 'secret' },
  ])
})
afterAll(() => site.close())

const PHONE = { viewport: { width: 320, height: 640 }, locale: 'fr-FR' }

async function expectFit(page: Page, fontSize: string): Promise<void> {
  const overflow = await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
    return document.documentElement.scrollWidth - innerWidth
  }, fontSize)
  expect([page.url(), overflow]).toEqual([page.url(), 0])
}

it('the pages without a sign-in fit a narrow phone with text of double size', async () => {
  const { page, problems, close } = await site.open(PHONE)
  for (const path of ['/', '/pay/unknown', '/link/unknown', '/wallet', '/till', '/docs']) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    await expectFit(page, '200%')
  }
  await closeAfterFailures({ page, problems, close }, 404)
})

it('the consoles fit a narrow phone with text of double size', async () => {
  const { payment_id } = await createPaidPayment(site.t, shop.live, shop.wallet)
  const dashboard = await openSignedIn(site, shop.people.owner, PHONE)
  const operator = await openConsole(site, PHONE)
  for (const [{ page }, path] of [
    [dashboard, 'dashboard#/live/overview'],
    [dashboard, `dashboard#/live/payments/${payment_id}`],
    [dashboard, 'dashboard#/live/developers/webhooks'],
    [dashboard, 'dashboard#/live/settings'],
    [dashboard, 'dashboard#/live/settings/till'],
    [dashboard, 'dashboard#/live/account'],
    [operator, 'operator#/overview'],
    [operator, 'operator#/payments'],
    [operator, 'operator#/mail'],
  ] as const) {
    await page.goto(`/${path}`)
    await page.locator('.shell-main h1').waitFor()
    await expect.poll(() => page.locator('.loading').count()).toBe(0)
    await expectFit(page, '200%')
  }
  await dashboard.close()
  await operator.close()
})

it('pages with wide rows fit a narrow phone in French', async () => {
  const { body } = await site.t.call('POST', '/merchant/links', shop.live, {
    title: 'Comptoir',
    currency: 'USD',
  })
  const { page, close } = await openSignedIn(site, shop.people.owner, PHONE)
  await createPaidPayment(site.t, shop.live, shop.wallet, {
    webhook_url: 'http://127.0.0.1:9/hook',
  })
  for (const path of ['developers/webhooks', `links/${body.data.link_id}?stand=a4`]) {
    await page.goto(`/dashboard#/live/${path}`)
    await page.locator('h1').waitFor()
    await page.locator('.table, .stand').first().waitFor()
    await expectFit(page, '')
  }
  await close()
})

it('amounts and statuses in the lists of a narrow phone with text of double size are whole and apart', async () => {
  const english = { ...PHONE, locale: 'en-US' }
  await site.t.createPayment(shop.live)
  await createPaidPayment(site.t, shop.live, shop.wallet, { amount: 1234 })
  const { page, close } = await openSignedIn(site, shop.people.owner, english)
  const operator = await openConsole(site, english)
  for (const [of, path, parts] of [
    [page, 'till#sales', '.sale-row .status, .sale-row .money'],
    [page, 'dashboard#/live/payments', '.payment-rows .status, .payment-rows .money'],
    [operator.page, `operator#/stores/${shop.store.storeId}`, '.table td .money'],
    [operator.page, 'operator#/wallets', '.table td .money'],
  ] as const) {
    await of.goto(`/${path}`)
    await of.locator(parts).first().waitFor()
    await expectFit(of, '200%')
    const problems = await of.locator(parts).evaluateAll((elements) =>
      elements.flatMap((element, n) => {
        const box = element.getBoundingClientRect()
        const next = elements[n + 1]?.getBoundingClientRect()
        const isOver =
          next &&
          next.left < box.right &&
          box.left < next.right &&
          next.top < box.bottom &&
          box.top < next.bottom
        return isOver || box.right > innerWidth ? [element.textContent] : []
      }),
    )
    expect([path, problems]).toEqual([path, []])
  }
  await close()
  await operator.close()
})

it('the header of the dashboard names the store on a narrow phone with text of double size', async () => {
  const { page, close } = await openSignedIn(site, shop.people.owner, {
    ...PHONE,
    locale: 'en-US',
  })
  await page.goto('/dashboard#/live/settings')
  await page.locator('.shell-main h1').waitFor()
  await expectFit(page, '200%')
  expect((await page.locator('.shell-owner').boundingBox())!.width).toBeGreaterThan(100)
  await close()
})

/** The words of headings, labels and buttons of a sale that are broken into two lines. */
const brokenWords = (page: Page) =>
  page.locator('h1, h2, .field-label, .payment-actions .button').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const text = element.firstChild
      if (!(text instanceof Text)) return []
      return [...text.data.matchAll(/[\p{L}’]+/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        return lines.size > 1 ? [word] : []
      })
    }),
  )

it('does not break a short word in headings and labels', async () => {
  const operator = await openConsole(site, PHONE)
  const dashboard = await openSignedIn(site, shop.people.owner, PHONE)
  for (const [{ page }, path] of [
    [operator, 'operator#/overview'],
    [operator, 'operator#/people'],
    [operator, 'operator#/approvals'],
    [dashboard, 'dashboard#/live/settings/till'],
  ] as const) {
    await page.goto(`/${path}`)
    await page.locator('.shell-main h2').first().waitFor()
    await expect.poll(() => page.locator('.loading').count()).toBe(0)
    for (const width of [320, 375, 1024]) {
      await page.setViewportSize({ width, height: 640 })
      expect([path, width, await brokenWords(page)]).toEqual([path, width, []])
    }
    await page.setViewportSize(PHONE.viewport)
  }
  await operator.close()
  await dashboard.close()
})

it('does not break a short word in the buttons of a sale', async () => {
  const { payment_id } = await createPaidPayment(site.t, shop.live, shop.wallet)
  const { page, close } = await openSignedIn(site, shop.people.cashier, PHONE)
  await page.goto(`/till#payment/${payment_id}`)
  await page.getByRole('button', { name: 'Rembourser' }).waitFor()
  expect(await brokenWords(page)).toEqual([])
  await close()
})

it('the new sale of the till fits a narrow phone with text of double size', async () => {
  const items = [
    { name: 'Schokoladentorte', price: '123.45' },
    { name: 'Item', price: '123.45' },
  ]
  await site.t.call('PATCH', '/store/till', shop.people.owner.headers, { items })
  const { page, close } = await openTill(site, shop.people.cashier, PHONE)
  await expectFit(page, '200%')
  for (const item of await page.locator('.item').all()) await item.click()
  await page.getByRole('button', { name: 'Encaisser' }).waitFor()
  await expectFit(page, '200%')
  // The main part scrolls on its own, so the width of the page alone does not show what is cut off.
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.till-main, .till-head h1, .item-name, .charge .button')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => element.className || element.tagName),
  )
  expect(wide).toEqual([])
  const [name, price] = await Promise.all(
    ['.item-name', '.money'].map((part) => page.locator(`.item ${part}`).first().boundingBox()),
  )
  expect(name!.y + name!.height).toBeLessThanOrEqual(price!.y)
  await close()
})
