import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import { type Site, startSite } from './setup/site.ts'
import { XSS } from './setup/xss.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

it('has forty different attacks', () => {
  expect(new Set(XSS).size).toBe(40)
})

it("shows a merchant's text as text and runs none of it", async () => {
  const { page, problems, close } = await site.open()
  await page.exposeFunction('florinRan', () => problems.push('a script of a merchant ran'))
  for (const [n, text] of XSS.entries()) {
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
    if (n % 4 > 0) continue
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await page.locator('main[data-status=completed]').waitFor({ timeout: 5_000 })
    const outcome = [text, text, payment_id, text, text]
    expect(await page.locator('main bdi').allTextContents()).toEqual(outcome)
    expect(await page.title()).toBe(`Paid · ${text.replace(/\s+/g, ' ')}`)
  }
  await close()
})
