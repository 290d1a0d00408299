import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import type { WatchedPage } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'
import { XSS } from './setup/xss.ts'

let site: Site
let watched: WatchedPage
beforeAll(async () => {
  site = await startSite()
  watched = await site.open()
  const { page, problems } = watched
  await page.exposeFunction('florinRan', () => problems.push('a script of a merchant ran'))
})
afterAll(() => site.close())

it('the list has forty different attacks', () => {
  expect(new Set(XSS).size).toBe(40)
})

it.each(XSS)("shows a merchant's text %j as text and runs none of it", async (text) => {
  const { page, problems } = watched
  const shop = await site.t.createStore({ name: text })
  const { payment_id } = await site.t.createPayment(shop.sandbox, {
    products: [{ name: text, quantity: 1, price: 1 }],
    reference_id: text,
    reference_note: text,
    client: { name: text, email: 'a@b.cd', phone: text.slice(0, 32) },
    payload: { text },
  })
  await page.goto(`/pay/${payment_id}`)
  const written = await page.locator('main bdi').allTextContents()
  expect(written).toEqual([text, text, text, text])
  expect(await page.locator('main script, main img:not(.store img), main iframe').count()).toBe(0)
  // The outcome is inserted into the open page by a script, which is another attack path.
  if (XSS.indexOf(text) % 4 === 0) {
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await page.locator('main[data-status=completed]').waitFor()
    const outcome = [text, text, payment_id, text, text]
    expect(await page.locator('main bdi').allTextContents()).toEqual(outcome)
    expect(await page.title()).toBe(`Paid · ${text.replace(/\s+/g, ' ')}`)
  }
  expect(problems).toEqual([])
})
