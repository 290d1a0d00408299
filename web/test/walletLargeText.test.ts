import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWallet } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

it('fits a narrow phone with text of double size', async () => {
  const { qr_code } = await site.t.createPayment(shop.live, { amount: 12.5 })
  const { page, close } = await openWallet(site, shop.wallet, {
    viewport: { width: 320, height: 640 },
    locale: 'fr-FR',
  })
  const expectFit = async () => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([page.url(), overflow]).toEqual([page.url(), 0])
  }
  await page.goto(`/wallet#pay/${qr_code}`)
  await page.getByRole('button', { name: /^Payer / }).waitFor()
  await expectFit()
  await page.getByRole('button', { name: /^Payer / }).click()
  await page.getByRole('heading', { level: 1, name: 'Payé' }).waitFor()
  await expectFit()
  for (const screen of ['', 'activity', 'shops', 'account']) {
    await page.goto(`/wallet#${screen}`)
    const account = page.getByRole('link', { name: 'Compte' })
    await account.waitFor()
    await page.locator('main h1').waitFor()
    await expectFit()
    // Every link of the bar is on the screen.
    const { x, width } = (await account.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(320)
  }
  await page.goto('/wallet#statement')
  await page.locator('.statement table').waitFor()
  await expectFit()
  await close()
})

it('does not break a large balance inside its number, and keeps digits on their keys', async () => {
  const wallet = await site.t.createWallet({ balance: '999987.5' })
  const { body } = await site.t.call('POST', '/merchant/links', shop.live, {
    title: 'Counter',
    currency: 'USD',
  })
  const { page, close } = await openWallet(site, wallet, {
    viewport: { width: 320, height: 640 },
    locale: 'fr-FR',
  })
  const enlarge = () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  await enlarge()
  const number = page.locator('.balance .money-large > span').first()
  expect(await number.evaluate((element) => element.getClientRects().length)).toBe(1)

  await page.goto(`/wallet#link/${body.data.link_id}`)
  await page.locator('.key').first().waitFor()
  await enlarge()
  const misplaced = await page.locator('.key').evaluateAll((keys) => {
    const centreOf = ({ top, height }: DOMRect) => top + height / 2
    return keys
      .filter((key) => {
        const text = document.createRange()
        text.selectNodeContents(key)
        const [box, digit] = [key.getBoundingClientRect(), text.getBoundingClientRect()]
        const fontPx = Number.parseFloat(getComputedStyle(key).fontSize)
        return Math.abs(centreOf(box) - centreOf(digit)) > 4 || box.height < fontPx
      })
      .map((key) => key.outerHTML)
  })
  expect(misplaced).toEqual([])
  await close()
})

it('has room for a whole date in half the width of a phone', async () => {
  const { page, close } = await openWallet(site, shop.wallet, {
    viewport: { width: 360, height: 640 },
  })
  await page.goto('/wallet#statement')
  const dates = page.locator('input[type=date]')
  await dates.first().waitFor()
  const [first, last] = [(await dates.first().boundingBox())!, (await dates.last().boundingBox())!]
  expect(first.y).toBe(last.y)
  const room = await dates.first().evaluate((element) => {
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element)
    return (
      element.clientWidth -
      Number.parseFloat(paddingInlineStart) -
      Number.parseFloat(paddingInlineEnd)
    )
  })
  // Firefox needs this for "mm / dd / yyyy" and its button.
  expect(room).toBeGreaterThanOrEqual(140)
  await close()
})

it('keeps most of the height of a phone in landscape', async () => {
  const { page, close } = await openWallet(site, shop.wallet, {
    viewport: { width: 568, height: 320 },
    locale: 'fr-FR',
  })
  for (const screen of ['', 'activity', 'shops', 'account']) {
    await page.goto(`/wallet#${screen}`)
    await page.locator('main h1').waitFor()
    for (const fontSize of ['100%', '200%']) {
      const { height, bottom, overflow } = await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize
        const bar = document.querySelector('.wallet-bar')!.getBoundingClientRect()
        const overflow = document.documentElement.scrollWidth - innerWidth
        return { height: bar.height, bottom: bar.bottom, overflow }
      }, fontSize)
      expect({ screen, fontSize, bottom, overflow }).toEqual({
        screen,
        fontSize,
        bottom: 320,
        overflow: 0,
      })
      expect(height).toBeLessThan(50)
    }
    // The end of the page scrolls above the bar.
    const [end, top] = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight)
      const last = document.querySelector('main')!.lastElementChild!.getBoundingClientRect()
      return [last.bottom, document.querySelector('.wallet-bar')!.getBoundingClientRect().top]
    })
    expect(end).toBeLessThanOrEqual(top!)
  }
  await close()
})
