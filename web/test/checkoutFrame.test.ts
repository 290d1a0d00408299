import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeStore } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore()
})
afterAll(() => site.close())

// Both sites have host names, because browsers don't let a public site frame a local one.
const PAY = 'https://pay.example.com'
const isShownOn = async (origin: string, id: string) => {
  const { page } = await site.open({ javaScriptEnabled: false })
  await page.route(`${PAY}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: site.origin + pathname }) })
  })
  const body = `<!doctype html><iframe src="${PAY}/pay/${id}"></iframe>`
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${origin}/`)
  const count = await page.frameLocator('iframe').locator('.qr').count()
  await page.context().close()
  return count === 1
}

it('a frame shows the checkout only on sites that the store allows', async () => {
  const { payment_id } = await site.t.createPayment(shop.sandbox)
  expect(await isShownOn('https://tea.example', payment_id)).toBe(false)
  await changeStore(site.t, shop, { embed_origins: ['https://tea.example'] })
  expect(await isShownOn('https://tea.example', payment_id)).toBe(true)
  expect(await isShownOn('https://evil.example', payment_id)).toBe(false)
  await changeStore(site.t, shop, { embed_origins: [] })
})
