import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo, WITH_MAIL } from '../../server/test/setup/mails.ts'
import { readDetails, statusOf } from '../../server/test/setup/merchantCalls.ts'
import { expectAccessible } from './setup/axe.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'
import { charge, openShop, openTill, payAtTill, paymentId, type Shop } from './setup/till.ts'

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true }
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const ITEMS = [
  { name: 'Tea', price: '3.50' },
  { name: 'Chocolate cake with whipped cream', price: '12.00' },
]

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite({ env: WITH_MAIL })
  shop = await openShop(site)
  await changeTill(shop, { items: ITEMS })
})
afterAll(() => site.close())

const changeTill = ({ people }: Shop, body: object) =>
  site.t.call('PATCH', '/store/till', people.owner.headers, body)

describe('quick items', () => {
  it('are added by touch, changed in the list, charged as products and restored by a cancellation', async () => {
    const { page, close } = await openTill(site, shop.people.cashier, PHONE)
    const tea = page.getByRole('button', { name: /^Tea/ })
    await tea.tap()
    await tea.tap()
    await page.getByRole('button', { name: /^Chocolate cake/ }).tap()
    await expectAccessible(page)
    expect(await page.locator('.entry-amount').textContent()).toBe('19.00 USD')
    await page.getByRole('button', { name: '3 items' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Current sale' })
    await dialog.getByRole('button', { name: 'Add one: Tea' }).tap()
    await dialog.getByRole('button', { name: /^Remove one: Chocolate/ }).tap()
    expect(await dialog.locator('.basket li').allTextContents()).toEqual(['Tea310.50 USD'])
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Close' }).tap()

    await page.getByRole('button', { name: 'Show number pad' }).tap()
    await page.locator('.keypad').getByText('2', { exact: true }).tap()
    await page.getByRole('button', { name: 'Charge 12.50 USD' }).tap()
    await page.locator('.qr').waitFor()
    const id = paymentId(page)
    expect(await readDetails(site.t, shop.live, id)).toMatchObject({
      request_amount: { amount: '12.50' },
      products: [
        { name: 'Tea', quantity: 3, price: '3.50' },
        { name: 'Custom amount', quantity: 1, price: '2.00' },
      ],
    })
    await page.getByRole('button', { name: 'Cancel this sale' }).tap()
    await page.getByRole('button', { name: '3 items' }).waitFor()
    expect(await page.locator('.entry-amount').textContent()).toBe('12.50 USD')
    // The keypad is still chosen, even after a reload.
    await page.reload()
    await page.locator('.keypad').waitFor()
    await page.getByRole('button', { name: 'Clear' }).tap()
    expect(await page.locator('.entry-amount').textContent()).toBe('0.00 USD')
    expect(await statusOf(site.t, shop.live, id)).toBe('expired')
    await close()
  })

  it('are listed beside their buttons on a wide screen, and renewed with the code', async () => {
    const { page, close } = await openTill(site, shop.people.cashier, DESKTOP)
    await page.getByRole('button', { name: /^Tea/ }).click()
    const sale = page.getByRole('region', { name: 'Current sale' })
    await sale.getByRole('button', { name: 'Add one: Tea' }).click()
    // A tap keeps the focus on the page, so Enter charges.
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    const first = paymentId(page)
    await site.t.call('POST', `/merchant/payment/${first}/expire`, shop.live)
    await page.getByRole('button', { name: 'New code' }).click()
    await page.locator('.qr').waitFor()
    const second = paymentId(page)
    expect(second).not.toBe(first)
    expect((await readDetails(site.t, shop.live, second)).products).toEqual([
      { name: 'Tea', quantity: 2, price: '3.50' },
    ])
    await page.getByRole('button', { name: 'Cancel this sale' }).click()
    await sale.getByText('Tea').waitFor()
    await close()
  })
})

it('says that a total is too large to charge, until it is smaller', async () => {
  const dealer = await openShop(site)
  const items = [{ name: 'Car', price: '999999999999.99' }]
  await changeTill(dealer, { items, tip_percentages: [10] })
  const { page, close } = await openTill(site, dealer.people.cashier, DESKTOP)
  await page.getByRole('button', { name: /^Car/ }).click()
  await page.getByRole('button', { name: /^Charge 999/ }).waitFor()
  await page.getByRole('button', { name: /^Car/ }).click()
  const note = page.getByText('This total is too large to charge.')
  await note.waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('button', { name: 'Charge', exact: true }).isDisabled()).toBe(true)
  // The page of the tip does not open either.
  await page.goto('/till#tip')
  await page.locator('.home').waitFor()
  await page.getByRole('button', { name: 'Remove one: Car' }).click()
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Charge 999/ }).waitFor()
  await close()
})

describe('tip', () => {
  it('is chosen on the customer screen and is a line of the payment', async () => {
    const tipping = await openShop(site)
    await changeTill(tipping, { items: ITEMS, tip_percentages: [10, 15, 20] })
    const { page, close } = await openTill(site, tipping.people.cashier, DESKTOP)
    const opened = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Open the customer screen' }).click()
    const display = await opened
    await page.getByRole('button', { name: /^Chocolate/ }).click()
    await page.keyboard.type('.5')
    await page.getByRole('button', { name: 'Charge 12.50 USD' }).click()
    await display.getByRole('heading', { name: 'Would you like to add a tip?' }).waitFor()
    await expectAccessible(display)
    expect(await display.locator('.tip-main .key').allTextContents()).toEqual([
      '10%1.25 USD',
      '15%1.88 USD',
      '20%2.50 USD',
      'No tip',
    ])
    // The cashier can go back and change the sale.
    await page.getByRole('button', { name: 'Back' }).click()
    await display.getByText('Welcome').waitFor()
    await page.getByRole('button', { name: 'Charge 12.50 USD' }).click()
    await display.getByRole('button', { name: /^15%/ }).click()
    await page.locator('.qr').waitFor()
    await display.getByText('14.38 USD').waitFor()
    const payment = await readDetails(site.t, tipping.live, paymentId(page))
    expect(payment).toMatchObject({
      request_amount: { amount: '14.38' },
      products: [
        { name: 'Chocolate cake with whipped cream', quantity: 1, price: '12.00' },
        { name: 'Custom amount', quantity: 1, price: '0.50' },
        { name: 'Tip', quantity: 1, price: '1.88' },
      ],
    })
    // Back from the code opens the keypad.
    await page.goBack()
    await page.locator('.home').waitFor()
    // Without a tip there is no line for it.
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'No tip' }).click()
    await page.locator('.qr').waitFor()
    expect(await readDetails(site.t, tipping.live, paymentId(page))).toMatchObject({
      request_amount: { amount: '5.00' },
      products: [],
    })
    await close()
  })

  it('keeps the question open while the sale is charged, so that it is charged once', async () => {
    const tipping = await openShop(site)
    await changeTill(tipping, { tip_percentages: [10] })
    const { page, close } = await openTill(site, tipping.people.cashier, DESKTOP)
    let respond = () => {}
    const isAllowed = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/store/live/payments', async (route) => {
      await isAllowed
      await route.continue()
    })
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^10%/ }).click()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Back' }).isDisabled()).toBe(true)
    await page.getByRole('heading', { name: 'Would you like to add a tip?' }).waitFor()
    respond()
    await page.locator('.qr').waitFor()
    await close()
  })

  it('is not asked for if it would round to zero, and Back from the code opens the keypad', async () => {
    const tipping = await openShop(site)
    await changeTill(tipping, { tip_percentages: [10] })
    const { page, close } = await openTill(site, tipping.people.cashier, DESKTOP)
    await charge(page, '.04')
    await page.goBack()
    await page.locator('.home').waitFor()
    await close()
  })

  it('is not asked for with a payment request, and Back from the request opens the keypad', async () => {
    const tipping = await openShop(site)
    await changeTill(tipping, { tip_percentages: [10] })
    const { page, close } = await openTill(site, tipping.people.cashier, DESKTOP)
    await page.keyboard.type('7')
    await page.getByRole('button', { name: 'Send a payment request' }).click()
    await page.getByText('Payment request', { exact: true }).waitFor()
    await page.goBack()
    await page.locator('.home').waitFor()
    await close()
  })
})

describe('receipt', () => {
  it('is opened by the code on both screens, and emailed to the customer', async () => {
    const { page, close } = await openTill(site, shop.people.cashier, DESKTOP)
    const display = await page.context().newPage()
    await display.goto('/till#display')
    await page.getByRole('button', { name: /^Tea/ }).click()
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    const id = paymentId(page)
    await payAtTill(site, shop, id)
    for (const screen of [display, page]) {
      await screen.getByText('Scan for your receipt').waitFor()
      await expectAccessible(screen)
      const picture = pixelsOf(await screen.locator('.receipt-qr').screenshot())
      expect(decodeQR(picture, { timeLimit: 20_000 })).toBe(`${site.origin}/pay/${id}`)
    }

    await page.bringToFront()
    await page.getByRole('button', { name: 'Receipt' }).click()
    await page.getByRole('button', { name: 'Email receipt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('ada')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter an email address').waitFor()
    await dialog.getByLabel('Email').fill('ada@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('The receipt is on its way to ada@example.com.').waitFor()
    expect(await mailsTo(site.t, 'ada@example.com')).toMatchObject([
      { template: 'receipt', paymentId: id, amount: '3.50\u00a0USD' },
    ])
    // The page that the code opens shows the items.
    await display.goto(`/pay/${id}`)
    await display.getByText('Tea').waitFor()
    await close()
  })
})
