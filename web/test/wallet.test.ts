import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWalletBalance } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { countDebits, openWallet, payButton, textOf } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const ORDER = {
  amount: 12.3,
  reference_note: 'Table 4',
  products: [
    { name: 'Tea', quantity: 2, price: 3.15 },
    { name: 'Cup', quantity: 1, price: 6 },
  ],
}

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())

const createPayment = (body: object = ORDER) => site.t.createPayment(shop.live, { ...body })

it('a payment names its wallet, and leads to the sign-in if another one is signed in', async () => {
  const payer = await site.t.createWallet({ balance: '100' })
  const { qr_code, payment_id } = await createPayment()
  const { page, problems, close } = await openWallet(site, payer)
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  const me = await site.t.call('GET', '/wallet/me', payer.headers)
  await page.route('**/pay', (route) => {
    expect(route.request().headers()['x-florin-session']).toBe(me.body.data.wallet_id)
    return route.fulfill({ status: 401, json: { status: 401, message: 'x' } })
  })
  await page.goto(`/wallet#pay/${qr_code}`)
  await payButton(page).click()
  await page.getByText('Your session has ended.').waitFor()
  expect(await countDebits(site.t, payment_id)).toBe(0)
  await closeAfterFailures({ page, problems, close }, 401)
})

it.each(['en-US', 'ar'])('a phone shows a large amount on one line in %s', async (locale) => {
  const payer = await site.t.createWallet({ balance: '2000000' })
  const { qr_code } = await createPayment({ amount: 1_500_000 })
  const { page, close } = await openWallet(site, payer, {
    viewport: { width: 320, height: 740 },
    locale,
  })
  await page.goto(`/wallet#pay/${qr_code}`)
  const boxOf = async (selector: string) =>
    (await page.locator(`.amount-due${selector}`).boundingBox())!
  const card = await boxOf('')
  const major = await boxOf(' .money-large > span:first-child')
  const minor = await boxOf(' .money-minor')
  expect(major.height).toBeLessThan(80)
  expect(minor.x).toBeCloseTo(major.x + major.width, 0)
  expect(major.x).toBeGreaterThanOrEqual(card.x)
  expect(minor.x + minor.width).toBeLessThanOrEqual(card.x + card.width)
  if (locale === 'ar') expect(minor.x + minor.width).toBeCloseTo(card.x + card.width, 0)
  await close()
})

describe('number', () => {
  it('is typed in groups, shows a wrong digit, and leads to the preview', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code: code } = await createPayment()
    const { page, close } = await openWallet(site, payer)
    await page.goto('/wallet')
    await page.getByRole('button', { name: 'Type number' }).click()
    const field = page.getByLabel('Number under the QR code')
    await field.pressSequentially(code.slice(0, 26))
    await page.getByText('1 digit to go').waitFor()
    const continueButton = page.getByRole('button', { name: 'Continue' })
    expect(await continueButton.isDisabled()).toBe(true)
    await field.press(String((Number(code[26]) + 1) % 10))
    await page.getByText('A digit is wrong.').waitFor()
    await page.setViewportSize({ width: 360, height: 640 })
    const isCutOff = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
    expect(await field.evaluate(isCutOff)).toBe(false)
    await page.setViewportSize(PHONE.viewport)
    expect(await continueButton.isDisabled()).toBe(true)
    await field.press('Backspace')
    await field.press(code[26]!)
    expect(await field.inputValue()).toBe(code.match(/.{1,4}/g)!.join(' '))
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Pay Corner Shop' }).waitFor()
    expect(await textOf(page, '.amount-due')).toBe('12.30 USD')
    expect(await textOf(page, '.order')).toBe('2 × Tea 6.30 USD 1 × Cup 6.00 USD Table 4')
    expect(await textOf(page, '.sums')).toMatch(/^Balance after 87\.70 USD Time left 1[45]:\d\d$/)
    await close()
  })

  it('in a link is explained if it is for testing, has a wrong digit or is not a code', async () => {
    const { page, close } = await openWallet(site, await site.t.createWallet())
    const { qr_code } = await createPayment()
    const links = [
      [(await site.t.createPayment(shop.sandbox)).qr_code, 'This code is for testing'],
      [`9${qr_code.slice(1)}`, 'A digit is wrong'],
      ['hello', 'Not a payment code'],
    ]
    for (const [code, words] of links) {
      await page.goto(`/wallet#pay/${code}`)
      await page.getByText(words!).first().waitFor()
    }
    await close()
  })
})

describe('payment', () => {
  it.each([
    ['nothing', async () => {}, '0.00', '12.30'],
    [
      'the rounding difference',
      (page: Page) => page.getByText('Round up 0.70').click(),
      '0.70',
      '13.00',
    ],
    [
      'a typed amount',
      async (page: Page) => {
        await page.getByText('Other', { exact: true }).click()
        await page.getByLabel('Donation in USD').fill('abc')
        await page.getByText('Enter an amount such as 12.50.').waitFor()
        await page.getByLabel('Donation in USD').fill('87.71')
        await page.getByText('You have 87.70').waitFor()
        await page.getByLabel('Donation in USD').fill('1,05')
      },
      '1.05',
      '13.35',
    ],
  ])('with a donation of %s is exact to the cent', async (_, choose, donation, total) => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code, payment_id } = await createPayment()
    const { page, close } = await openWallet(site, payer)
    await page.goto(`/wallet#pay/${qr_code}`)
    await payButton(page).waitFor()
    await page.getByText('Goes to charity. Not refunded.').waitFor()
    await choose(page)
    await page.getByRole('button', { name: `Pay ${total}` }).click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    expect(await textOf(page, '.outcome .money')).toBe(`${total} USD`)
    const receivers = `12.30 USD to Corner Shop, ${donation} USD to charity`
    expect(await textOf(page, '.paid-to')).toBe(donation === '0.00' ? 'to Corner Shop' : receivers)
    expect(await page.locator('.store-logo').getAttribute('src')).toMatch(/^\/stores\/\d+\/logo/)
    expect(await textOf(page, '.reference')).toBe(payment_id)
    const left = (100 - Number(total)).toFixed(2)
    expect(await readWalletBalance(site.t, payer)).toBe(left)
    const details = await site.t.call('GET', `/merchant/payment/${payment_id}`, shop.live)
    expect(details.body.data).toMatchObject({ status: 'completed', donation_amount: donation })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Today').waitFor()
    await expect.poll(() => textOf(page, '.balance .money')).toBe(`${left} USD`)
    await page.getByText('Corner Shop').first().click()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    await close()
  })

  it('is sent once by a double tap', async () => {
    const payer = await site.t.createWallet({ balance: '100' })
    const { qr_code, payment_id } = await createPayment()
    const { page, close } = await openWallet(site, payer)
    let requestCount = 0
    let release = () => {}
    const tapped = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/pay', async (route) => {
      requestCount++
      await tapped
      await route.continue()
    })
    await page.goto(`/wallet#pay/${qr_code}`)
    await payButton(page).dblclick()
    await payButton(page).click({ force: true })
    expect(await payButton(page).getAttribute('aria-disabled')).toBe('true')
    release()
    await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    expect(requestCount).toBe(1)
    expect(await countDebits(site.t, payment_id)).toBe(1)
    expect(await readWalletBalance(site.t, payer)).toBe('87.70')
    await close()
  })

  it('is made by one of two wallets with the same code, and the other sees the reason', async () => {
    const payers = [
      await site.t.createWallet({ balance: '50' }),
      await site.t.createWallet({ balance: '50' }),
    ]
    const { qr_code, payment_id } = await createPayment()
    const opened = await Promise.all(payers.map((payer) => openWallet(site, payer)))
    for (const { page } of opened) {
      await page.goto(`/wallet#pay/${qr_code}`)
      await payButton(page).waitFor()
    }
    await payButton(opened[0]!.page).click()
    await opened[0]!.page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
    await payButton(opened[1]!.page).click()
    await opened[1]!.page.getByRole('heading', { name: 'Someone else already paid this' }).waitFor()
    expect(await countDebits(site.t, payment_id)).toBe(1)
    expect(await readWalletBalance(site.t, payers[1]!)).toBe('50.00')
    await opened[0]!.close()
    await closeAfterFailures(opened[1]!, 409)
  })

  it('explains a low balance, an ended payment, a failed request, a lock and a lost connection', async () => {
    const payer = await site.t.createWallet({ balance: '9.20' })
    const { page, problems, close } = await openWallet(site, payer)
    const expectText = async (code: string, words: string) => {
      await page.goto(`/wallet#pay/${code}`)
      await page.getByText(words).first().waitFor()
    }
    const leavePayment = async () => {
      await page.goto('/wallet#home')
      await page.locator('.balance').waitFor()
    }
    const small = { amount: 1 }
    await expectText(
      (await createPayment()).qr_code,
      'You have 9.20\u00a0USD. This payment is 12.30\u00a0USD. Top up or use another wallet.',
    )
    const overdue = await createPayment(small)
    await site.t.makeOverdue(overdue.payment_id)
    await expectText(overdue.qr_code, 'This code has expired')
    const paid = await createPayment(small)
    await expectText(paid.qr_code, 'Pay 1.00')
    await payButton(page).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expectText(paid.qr_code, 'You already paid this')
    await site.t.call('POST', `/merchant/payment/${paid.payment_id}/refund`, shop.live)
    await leavePayment()
    await expectText(paid.qr_code, 'This payment was refunded')

    const responses: [number, string][] = [
      [402, 'Your balance was too low'],
      [404, 'Payment not found'],
      [410, 'This code has expired'],
      [429, 'Too many failed payments'],
      [422, 'Something went wrong'],
      // The request may have reached the database.
      [503, 'The payment may still go through.'],
    ]
    const { qr_code } = await createPayment(small)
    for (const [status, words] of responses) {
      await page.route('**/pay', (route) => route.fulfill({ status, json: { status } }))
      await leavePayment()
      await expectText(qr_code, 'Pay 1.00')
      await payButton(page).click()
      await page.getByText(words).first().waitFor()
      await page.unroute('**/pay')
    }
    const locked = 'update wallet set locked_by_operator = true where wallet_id = $1'
    await site.t.database.transaction((tx) => tx.execute(locked, [payer.wallet.walletId]))
    await leavePayment()
    await expectText(qr_code, 'Your wallet is locked')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Cannot reach the service' }).waitFor()
    await closeAfterFailures({ page, problems, close }, 402, 404, 410, 422, 429, 503)
  })
})

describe('the pages', () => {
  it.each([
    ['light', 'en-US'],
    ['dark', 'en-US'],
    ['light', 'ar'],
  ] as const)('are accessible in %s, %s', async (colorScheme, locale) => {
    const payer = await site.t.createWallet({ balance: '100' })
    const signedOut = await site.open({ ...PHONE, colorScheme, locale })
    await signedOut.page.goto('/wallet')
    await signedOut.page.locator('form').waitFor()
    await expectAccessible(signedOut.page)
    await signedOut.close()
    const { page, close } = await openWallet(site, payer, { colorScheme, locale })
    await page.goto('/wallet')
    await page.locator('.balance').waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    await expectAccessible(page)
    const { qr_code } = await createPayment()
    const pages = [
      ['#type', '.number'],
      ['#scan', '.scan-frame'],
      [`#pay/${qr_code}`, '.amount-due'],
    ] as const
    for (const [hash, ready] of pages) {
      await page.goto(`/wallet${hash}`)
      await page.locator(ready).waitFor()
      await expectAccessible(page)
    }
    await page.locator('.choice').last().click()
    await expectAccessible(page)
    await page.locator('.pay-bar .button').first().click()
    await page.locator('.outcome-completed').waitFor()
    await expectAccessible(page)
    await page.goto('/wallet#activity')
    await page.locator('.activity-row').first().click()
    await page.locator('.outcome-completed').waitFor()
    await expectAccessible(page)
    await page.goto('/wallet#pay/1')
    await page.locator('.outcome-notFlorin').waitFor()
    await expectAccessible(page)
    await close()
  })
})
