import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeLink, newLink } from '../../server/test/setup/links.ts'
import { changeStore } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Demo Store' })
})
afterAll(() => site.close())

it('shows the link and a code with its address, and opens the wallet', async () => {
  const fields = {
    title: 'Breakfast <script>alert(1)</script>',
    description: 'With coffee',
    amount: 9.5,
    products: [{ name: 'Coffee', quantity: 2, price: 4.75 }],
  }
  const id = await newLink(site.t, shop.sandbox, fields)
  const { page, close } = await site.open({
    viewport: { width: 320, height: 780 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(`/link/${id}`)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(fields.title)
  expect(await page.locator('.head').innerText()).toMatch(
    /Demo Store[\s\S]+9\.50[\s\S]+With coffee/,
  )
  expect(await page.locator('.products').innerText()).toContain('Coffee')
  expect(await page.locator('.ribbon').first().innerText()).toContain('SANDBOX')
  const code = page.locator('.qr svg')
  expect(decodeQR(pixelsOf(await code.screenshot()), { timeLimit: 20_000 })).toMatch(
    new RegExp(`^http.+/link/${id}$`),
  )
  await expectAccessible(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(320)
  // On a phone the button comes before the code.
  const wallet = page.getByRole('link', { name: 'Open in wallet' })
  expect((await wallet.boundingBox())!.y).toBeLessThan((await code.boundingBox())!.y)
  await wallet.click()
  await page.waitForURL((url) => url.pathname === '/wallet' && url.hash === `#link/${id}`)
  await close()
})

it('needs no script, says that the payer chooses the amount, and uses the language of the link', async () => {
  const id = await newLink(site.t, shop.live, { title: 'قهوة', locale: 'ar' })
  const { page, close } = await site.open({ javaScriptEnabled: false })
  await page.goto(`/link/${id}`)
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  expect(await page.locator('.link-open').innerText()).toBe('أنت تختار المبلغ')
  await page.goto(`/link/${id}?lang=en`)
  expect(await page.locator('.link-open').innerText()).toBe('You choose the amount')
  expect(await page.locator('.ribbon').count()).toBe(0)
  await close()
})

it('says why a link cannot be paid, without a code, and hides links of a suspended store', async () => {
  const paused = await newLink(site.t, shop.live, { title: 'Paused' })
  await changeLink(site.t, shop.live, paused, { active: false })
  const usedUp = await newLink(site.t, shop.live, { title: 'Used', max_payments: 1 })
  const expired = await newLink(site.t, shop.live, { title: 'Expired' })
  await site.t.database.transaction(async (tx) => {
    await tx.execute('update link set paid_count = 1 where link_id = $1', [usedUp])
    await tx.execute(`update link set expires_at = now() - interval '1 s' where link_id = $1`, [
      expired,
    ])
  })
  const closed = await site.t.createStore()
  const suspended = await newLink(site.t, closed.live)
  await changeStore(site.t, closed, { suspended: true })
  const { page, close } = await site.open()
  const read = async (id: string) => {
    await page.goto(`/link/${id}`)
    expect(await page.locator('.qr').count()).toBe(0)
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    return [await page.locator('main').getAttribute('data-status'), title]
  }
  expect(await read(paused)).toEqual(['paused', 'This link is paused.'])
  await expectAccessible(page)
  expect(await read(usedUp)).toEqual(['used_up', 'This link has been used up.'])
  expect(await read(expired)).toEqual(['expired', 'This link has expired.'])
  await close()
  for (const id of [suspended, 'lnk_x']) {
    const { status, text } = await site.t.call('GET', `/link/${id}`)
    expect(status).toBe(404)
    expect(text).toContain('<h1>Link not found.</h1>')
  }
})
