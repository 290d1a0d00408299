import type { Locator, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../server/src/core/currencies.ts'
import {
  createPaidPayment,
  readDetails,
  sandboxPay,
  statusOf,
} from '../../server/test/setup/merchantCalls.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'
import {
  charge,
  openShop,
  openTill,
  payAtTill,
  paymentId,
  type Shop,
  show,
  signIn,
} from './setup/till.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(async () => {
  const findings = await site.t.auditFindings()
  await site.close()
  expect(findings).toEqual([])
})

it('charges and refunds a sale by touch', async () => {
  const { page, close } = await openTill(site, shop.people.cashier, PHONE)
  for (const name of ['1', '2', 'Decimal point', '5', '5', 'Delete last digit']) {
    await page.getByRole('button', { name, exact: true }).tap()
  }
  await page.getByRole('textbox', { name: 'Note' }).fill('Table 4')
  await page.getByRole('button', { name: 'Charge 12.50 USD' }).tap()
  await page.locator('.qr').waitFor()
  const id = paymentId(page)
  const payment = await readDetails(site.t, shop.live, id)
  expect(payment).toMatchObject({ status: 'pending', reference: { note: 'Table 4' } })

  const picture = pixelsOf(await page.screenshot())
  expect(decodeQR(picture, { timeLimit: 20_000 })).toBe(payment.qr_code)
  const number = await page.locator('.digits').textContent()
  expect(number).toMatch(/^(\d{4} ){6}\d{3}$/)
  expect(number!.replaceAll(' ', '')).toBe(payment.qr_code)
  expect(await page.getByRole('timer').textContent()).toMatch(/^14:[0-5]\d$|^15:00$/)

  await payAtTill(site, shop, id)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.getByRole('button', { name: 'Next sale' }).tap()
  await page.getByRole('link', { name: /Today/ }).tap()
  await page.getByRole('link', { name: /12.50 USD/ }).tap()
  await page.getByRole('button', { name: 'Refund' }).tap()
  await page.getByText('The payer gets').waitFor()
  const facts = await page.locator('.facts > div').allTextContents()
  // Cashiers don't see the balance of the store.
  expect(facts).toEqual(['Paid12.50 USD', 'Refund fee0.50 USD'])
  await page.getByRole('button', { name: 'Refund 12.00 USD' }).tap()
  expect(await statusOf(site.t, shop.live, id)).toBe('completed')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund 12.00 USD' }).tap()
  await page.getByText('Refunded. The payer has the money back.').waitFor()
  expect(await readDetails(site.t, shop.live, id)).toMatchObject({
    status: 'refunded',
    refund: { refund_amount: '12.00' },
  })
  await page.getByRole('button', { name: 'Next sale' }).tap()
  await page.getByRole('link', { name: /Today/ }).tap()
  const totals = page.locator('.totals dl > div')
  await expect
    .poll(() => totals.allTextContents())
    .toEqual(['1 sale12.50 USD', '1 refund12.00 USD'])
  // The rows and the totals come from different requests.
  const rows = page.locator('.sale-row .status')
  await expect.poll(() => rows.allTextContents()).toEqual(['Refunded'])
  expect(await page.locator('.totals').textContent()).toContain('America/New York')
  await close()
})

it('charges and refunds a sale by keyboard only', async () => {
  const { page, close } = await openTill(site, shop.people.manager)
  const { keyboard } = page
  /** Presses Tab until an element with this name has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let n = 0; n < 40; n++) {
      await keyboard.press('Tab')
      const text = await page.evaluate(() => document.activeElement?.textContent ?? '')
      const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      if (name.test(label ?? text)) return
    }
    throw new Error(`${name} is not reached by keyboard`)
  }
  await keyboard.type('9999')
  await keyboard.press('Escape')
  await keyboard.type('7,255')
  await keyboard.press('Backspace')
  await expect.poll(() => page.locator('.entry').textContent()).toBe('7.20 USD')
  await keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  const id = paymentId(page)
  await payAtTill(site, shop, id)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await keyboard.press('Enter')
  await page.locator('.keypad').waitFor()
  await tabTo(/7\.20/)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sale' }).waitFor()
  await tabTo(/^Refund$/)
  await keyboard.press('Enter')
  await page.getByText('Store balance after').waitFor()
  await tabTo(/^Refund 6\.70/)
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await statusOf(site.t, shop.live, id)).toBe('completed')
  // The focus is back on the button.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toMatch(/^Refund 6\.70/)
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await keyboard.press('Enter')
  await page.getByText('Refunded. The payer has the money back.').waitFor()
  await keyboard.press('Enter')
  await page.locator('.keypad').waitFor()
  expect(await statusOf(site.t, shop.live, id)).toBe('refunded')
  await close()
})

it('starts at the keypad in live mode after somebody signed out in the sandbox', async () => {
  const { page, close } = await openTill(site, shop.people.cashier)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.locator('.segment-sandbox').click()
  await page.locator('.ribbon').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, shop.people.manager)
  await page.locator('.keypad').waitFor()
  expect(await page.locator('.ribbon').count()).toBe(0)
  await close()
})

describe('unpaid code', () => {
  it('is renewed by one tap, once, with the same amount and note', async () => {
    const { page, close } = await openTill(site, shop.people.cashier, PHONE)
    await page.locator('.segment-sandbox').tap()
    await page.getByText('No real money moves here.').first().waitFor()
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('Two teas')
    // Cancels composed text, such as Chinese, not the sale.
    await note.dispatchEvent('keydown', { key: 'Escape', isComposing: true })
    await page.getByRole('heading').tap()
    const first = await charge(page, '3.25')
    await site.t.call('POST', `/sandbox/payment/${first}/expire`, shop.sandbox)
    await page.getByRole('heading', { name: 'Code expired' }).waitFor()
    await page.getByRole('button', { name: 'New code' }).tap()
    await page.locator('.qr').waitFor()
    const second = paymentId(page)
    expect(second).not.toBe(first)
    expect(await readDetails(site.t, shop.sandbox, second)).toMatchObject({
      status: 'pending',
      amount: '3.22',
      reference: { note: 'Two teas' },
      is_sandbox_transaction: true,
    })
    // Renewing the old code again returns the same new one.
    await show(page, `sale/${first}`)
    await page.getByRole('button', { name: 'New code' }).press('Enter')
    await page.locator('.qr').waitFor()
    expect(paymentId(page)).toBe(second)

    await sandboxPay(site.t, shop.sandbox, second, 'error')
    await page.getByRole('heading', { name: 'Not paid' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    expect([first, second]).not.toContain(paymentId(page))
    await close()
  })

  it("expires on the screen by the server's clock", async () => {
    const { page, close } = await openTill(site, shop.people.cashier)
    // The clock of the device is two hours off.
    await page.clock.install({ time: Date.now() + 7_200_000 })
    await page.reload()
    await page.locator('.keypad').waitFor()
    await charge(page, '1')
    expect(await page.getByRole('timer').textContent()).toMatch(/^14:[0-5]\d$|^15:00$/)
    await site.t.makeOverdue(paymentId(page))
    await page.getByRole('heading', { name: 'Code expired' }).waitFor()
    await close()
  })

  it('is cancelled, and the sale is back on the keypad', async () => {
    const { page, close } = await openTill(site, shop.people.cashier)
    const id = await charge(page, '4.5')
    await page.getByRole('button', { name: 'Cancel this sale' }).click()
    await page.locator('.keypad').waitFor()
    expect(await page.locator('.entry').textContent()).toBe('4.50 USD')
    expect(await statusOf(site.t, shop.live, id)).toBe('expired')
    await close()
  })
})

it.each([
  ['JPY', '1250', '1,250 JPY', '1250.00'],
  ['KWD', '1.255', '1.255 KWD', '1.255'],
])('accepts the decimals of %s', async (currency, keys, shown, gross) => {
  const other = await openShop(site, { currency: currency as CurrencyCode, refundFeeMinor: 0n })
  const { page, close } = await openTill(site, other.people.owner)
  await page.keyboard.type(keys)
  await expect.poll(() => page.locator('.entry').textContent()).toBe(shown)
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  const { request_amount } = await readDetails(site.t, other.live, paymentId(page))
  expect(request_amount).toMatchObject({ amount: gross, currency })
  await close()
})

it('ignores the second tap of a double tap if the first tap opened something in its place', async () => {
  const options = { viewport: { width: 1024, height: 768 }, hasTouch: true }
  const { payment_id: id } = await createPaidPayment(site.t, shop.live, shop.wallet, { amount: 5 })
  const { page, close } = await openTill(site, shop.people.owner, options)
  const setTime = (ms: number) =>
    page.evaluate((now) => {
      performance.now = () => now
    }, ms)
  /** Taps twice while the clock of the page stands still. After the first tap, the other button must be below the finger. */
  async function doubleTap(button: Locator, other: Locator): Promise<void> {
    const { x, y, width, height } = (await button.boundingBox())!
    const point = [x + width / 2, y + height / 2] as const
    await page.touchscreen.tap(...point)
    await other.waitFor()
    const isBelow = (element: Element, [left, top]: typeof point) =>
      element.contains(document.elementFromPoint(left, top))
    await expect.poll(() => other.evaluate(isBelow, point)).toBe(true)
    await page.touchscreen.tap(...point)
  }

  await show(page, `refund/${id}`)
  const refund = page.getByRole('button', { name: 'Refund 4.50 USD' })
  await refund.waitFor()
  await setTime(1_000)
  const dialog = page.getByRole('dialog')
  await doubleTap(refund, dialog.getByRole('button', { name: 'Refund 4.50 USD' }))
  await setTime(2_000)
  await dialog.getByRole('button', { name: 'Keep the sale' }).tap()
  await dialog.waitFor({ state: 'detached' })
  expect(await statusOf(site.t, shop.live, id)).toBe('completed')

  await show(page, `sale/${id}`)
  const next = page.getByRole('button', { name: 'Next sale' })
  await next.waitFor()
  await setTime(3_000)
  await doubleTap(next, page.locator('.keypad').getByText('9', { exact: true }))
  await setTime(4_000)
  await page.locator('.keypad').getByText('2', { exact: true }).tap()
  expect(await page.locator('.entry').textContent()).toBe('2.00 USD')
  await close()
})

it('types each digit if two keys are tapped quickly, close to the edge between them', async () => {
  const { page, close } = await openTill(site, shop.people.cashier, PHONE)
  const { x, y } = (await page.locator('.keypad').getByText('8', { exact: true }).boundingBox())!
  await page.evaluate('performance.now = () => 1_000')
  await page.touchscreen.tap(x + 10, y - 13)
  await page.touchscreen.tap(x + 10, y + 5)
  await expect.poll(() => page.locator('.entry').textContent()).toBe('58.00 USD')
  await close()
})

describe('after the screen of a request was left', () => {
  /** Holds the first POST request to the path until the returned function is called. */
  async function hold(page: Page, path: string): Promise<() => Promise<unknown>> {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isFirst = true
    await page.route(path, async (route) => {
      if (isFirst && route.request().method() === 'POST') {
        isFirst = false
        await released
      }
      await route.continue()
    })
    return async () => {
      const response = page.waitForResponse(path)
      release()
      await (await response).finished()
      // After the page has handled the response.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    }
  }

  it('the response to a cancellation does not close the code of the next sale', async () => {
    const { page, close } = await openTill(site, shop.people.cashier)
    const id = await charge(page, '3')
    const release = await hold(page, '**/expire')
    await page.getByRole('button', { name: 'Cancel this sale' }).click()
    await page.goBack()
    const next = await charge(page, '9')
    await release()
    expect(await statusOf(site.t, shop.live, id)).toBe('expired')
    expect(paymentId(page)).toBe(next)
    expect(await page.locator('.code-head .money').textContent()).toBe('9.00 USD')
    await close()
  })

  it('the response to a charge does not open its code in place of the sale that was changed meanwhile', async () => {
    const { page, close } = await openTill(site, shop.people.cashier)
    const release = await hold(page, '**/store/live/payments')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await show(page, 'sales')
    await page.locator('.totals').waitFor()
    await show(page, 'home')
    await page.locator('.entry').waitFor()
    await page.keyboard.type('7')
    await release()
    expect(await page.locator('.entry').textContent()).toBe('57.00 USD')
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    expect(await page.locator('.code-head .money').textContent()).toBe('57.00 USD')
    await close()
  })
})

it('keeps the sale across a reload, on the keypad and on the code', async () => {
  const { page, close } = await openTill(site, shop.people.cashier)
  await page.keyboard.type('8')
  await expect.poll(() => page.locator('.entry').textContent()).toBe('8.00 USD')
  await page.reload()
  await page.locator('.keypad').waitFor()
  expect(await page.locator('.entry').textContent()).toBe('8.00 USD')
  const id = await charge(page, '.5')
  await page.reload()
  await page.locator('.qr').waitFor()
  expect(paymentId(page)).toBe(id)
  await close()
})
