import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo, WITH_MAIL } from '../../server/test/setup/mails.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures, ignoreRefusals } from './setup/browser.ts'
import { act, openConsole, show } from './setup/operator.ts'
import { createPayer, openWallet, PIN, signIn } from './setup/payers.ts'
import { pixelsOf } from './setup/pixels.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const env = { ...WITH_MAIL, FLORIN_WALLET_SIGNUP: 'email' }

let site: Site
beforeAll(async () => {
  site = await startSite({ env })
})
afterAll(() => site.close())

async function choosePin(page: Page, pin: string, again = pin): Promise<void> {
  await page.getByLabel('New PIN', { exact: true }).fill(pin)
  await page.getByLabel('Repeat the new PIN').fill(again)
  await page.getByRole('button', { name: 'Save PIN and sign in' }).click()
}

const hiddenWidth = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth

describe('activation', () => {
  it('goes from the QR code in the console to a signed-in wallet', async () => {
    const operatorConsole = await openConsole(site)
    await show(operatorConsole.page, 'wallets', 'Wallets')
    const name = `Ada ${'Donaudampfschiff'.repeat(4)}`
    const fields = { Name: name, Email: 'ada@example.com', Phone: '+447700900777' }
    await act(operatorConsole.page, 'New wallet', { fields, confirm: 'Create wallet' })
    const dialog = operatorConsole.page.getByRole('dialog', { name: 'Activation code' })
    await dialog.getByText('Also sent to ada@example.com.').waitFor()
    // A long word wraps, and the buttons stay in the dialog.
    expect(await operatorConsole.page.locator('.dialog').evaluate(hiddenWidth)).toBe(0)
    await expectAccessible(operatorConsole.page)
    const code = await dialog.locator('.activation-code').innerText()
    const picture = pixelsOf(await dialog.getByRole('img').screenshot())
    const link = decodeQR(picture, { timeLimit: 20_000 })
    expect(link).toBe(`${site.t.service.config.publicUrl}/wallet#activate/${code}`)
    // Paper shows the code and nothing else of the console.
    await operatorConsole.page.emulateMedia({ media: 'print' })
    expect(await dialog.locator('.activation-code').isVisible()).toBe(true)
    expect(await operatorConsole.page.locator('#app').isVisible()).toBe(false)
    expect(await dialog.getByText('Done').isVisible()).toBe(false)
    await operatorConsole.page.emulateMedia({ media: 'screen' })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await operatorConsole.page.getByRole('heading', { name: 'Ada' }).waitFor()
    await operatorConsole.page.getByText('Not activated').waitFor()

    const { page, problems, close } = await site.open(PHONE)
    await page.goto(link.replace(/^https?:\/\/[^/]+/, site.origin))
    await page.getByRole('heading', { name: 'Choose your PIN' }).waitFor()
    expect(await page.getByLabel('Activation code').inputValue()).toBe(code)
    await expectAccessible(page)
    await choosePin(page, '')
    await page.getByText('Enter 4 to 8 digits.').waitFor()
    await choosePin(page, '8052', '8053')
    await page.getByText('The two PINs differ. Enter the same PIN twice.').waitFor()
    await choosePin(page, '1234')
    await page.getByText('This PIN is too easy to guess').waitFor()
    await page.getByLabel('New PIN', { exact: true }).fill('8052')
    await page.getByText('This PIN is too easy to guess').waitFor({ state: 'detached' })
    await choosePin(page, '8052')
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    expect(page.url()).not.toContain(code)

    // The code is used up.
    await page.goto(`${site.origin}/wallet#activate/${code}`)
    await choosePin(page, '8052')
    await page.getByText('This code is wrong or has expired.').waitFor()
    await operatorConsole.page.reload()
    await operatorConsole.page.getByText('Active', { exact: true }).waitFor()
    ignoreRefusals(problems, 400, 401)
    await close()
    await operatorConsole.close()
  })

  it('starts again with a new code, which can end the sessions of a stolen phone', async () => {
    const payer = await createPayer(site.t)
    const thief = await site.open(PHONE)
    await signIn(thief.page, payer)
    const operatorConsole = await openConsole(site)
    await show(operatorConsole.page, `wallets/${payer.walletId}`, 'Ada Lovelace')
    await operatorConsole.page.getByRole('button', { name: 'New activation code' }).click()
    await operatorConsole.page.getByLabel('Sign the payer out everywhere').check()
    const dialog = operatorConsole.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'New activation code' }).click()
    await operatorConsole.page.locator('.activation-code').waitFor()
    await thief.page.reload()
    await thief.page.getByRole('button', { name: 'Sign in' }).waitFor()
    ignoreRefusals(thief.problems, 401)
    await thief.close()
    await operatorConsole.close()
  })
})

describe('sign-up', () => {
  it('opens a wallet with a code from the email', async () => {
    const { page, problems, close } = await site.open(PHONE)
    await page.goto('/wallet')
    await page.getByRole('link', { name: 'Open a wallet' }).click()
    await page.getByRole('heading', { name: 'Open a wallet' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(3)
    await page.getByLabel('Name').fill('Bo')
    await page.getByLabel('Email').fill('bo@example.com')
    await page.getByLabel('Phone number').fill('+447700900888')
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('We sent a code to bo@example.com.').waitFor()
    // A wrong address can be corrected without typing the rest again.
    await page.getByRole('button', { name: 'Use another email' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Bo')
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('We sent a code to bo@example.com.').waitFor()
    const [mail] = await mailsTo(site.t, 'bo@example.com')
    await page.getByRole('button', { name: 'Enter code' }).click()
    await page.getByLabel('Activation code').fill(mail!.code!.toUpperCase())
    await choosePin(page, '8052')
    await page.getByRole('heading', { level: 1, name: 'Bo' }).waitFor()
    ignoreRefusals(problems, 400)
    await close()
  })

  it('is not offered where it is disabled', async () => {
    const siteWithoutSignup = await startSite()
    const { page, close } = await siteWithoutSignup.open(PHONE)
    await page.goto('/wallet')
    await page.getByRole('link', { name: 'I have an activation code' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open a wallet' }).count()).toBe(0)
    await close()
    await siteWithoutSignup.close()
  })
})

describe('the account page', () => {
  it('says that devices and events could not be loaded, until they are', async () => {
    const payer = await site.t.createWallet()
    const { page, problems, close } = await openWallet(site, payer)
    let isFailing = true
    for (const path of ['sessions', 'security-events*']) {
      await page.route(`**/wallet/${path}`, (route) =>
        isFailing ? route.fulfill({ status: 503, json: { status: 503 } }) : route.continue(),
      )
    }
    await page.goto('/wallet#account')
    const failed = page.getByText('Something went wrong. Try again in a moment.')
    await expect.poll(() => failed.count()).toBe(2)
    isFailing = false
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(() => failed.count()).toBe(0)
    expect(await page.locator('.account-list').first().textContent()).toContain('This device')
    await closeAfterFailures({ page, problems, close }, 503)
  })

  it('keeps a setting that is changed while the change of another one is refused', async () => {
    const payer = await site.t.createWallet()
    const { page, problems, close } = await openWallet(site, payer)
    let refuse = () => {}
    const refused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await page.route('**/wallet/me', async (route) => {
      if (!route.request().postData()?.includes('mail_receipts')) return route.continue()
      await refused
      await route.fulfill({ status: 503, json: { status: 503 } })
    })
    await page.goto('/wallet#account')
    await page.locator('summary', { hasText: 'Email' }).click()
    const receipts = page.getByLabel('Send receipts and refund notices')
    const language = page.getByLabel('Language of emails')
    await receipts.check()
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.ok(),
    )
    await language.selectOption('fr')
    refuse()
    await saved
    await page.getByText('Something went wrong. Try again in a moment.').waitFor()
    expect([await receipts.isChecked(), await language.inputValue()]).toEqual([false, 'fr'])
    await closeAfterFailures({ page, problems, close }, 503)
  })

  it('changes PIN, limit and mail, and ends another session', async () => {
    const payer = await createPayer(site.t, { balance: '240' })
    const iphone = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/26.0 Safari/604.1' }
    const credentials = { phone: payer.phone, pin: PIN }
    const other = await site.t.call('POST', '/wallet/session', iphone, credentials)
    const { page, problems, close } = await site.open(PHONE)
    await signIn(page, payer)
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Account' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByText(payer.phone).waitFor()
    // Closed parts keep the page short: all of it fits on the screen of a phone.
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    await expect.poll(height).toBeLessThanOrEqual(PHONE.viewport.height)
    for (const summary of await page.locator('summary').all()) await summary.click()
    const end = page.getByRole('button', { name: 'Sign out device: Safari, iPhone' })
    await end.waitFor()
    await expectAccessible(page)
    await end.click()
    await end.waitFor({ state: 'detached' })
    const token = { authorization: `Bearer ${other.body.data.token}` }
    expect((await site.t.call('GET', '/wallet/me', token)).status).toBe(401)

    const save = page.getByRole('button', { name: 'Save' })
    await page.getByLabel('Limit in USD').fill('20')
    await save.click()
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Limit in USD').fill('')
    await save.click()
    await page.getByText('Enter your PIN to raise or remove the limit.').waitFor()
    await page.getByLabel('PIN', { exact: true }).fill('0000')
    await save.click()
    await page.getByText('Wrong PIN. Try again.').waitFor()

    await page.getByLabel('Send receipts and refund notices').check()
    await page.getByLabel('Language of emails').selectOption('fr')
    await page.getByLabel('Current PIN').fill(PIN)
    await page.getByLabel('New PIN', { exact: true }).fill('8052')
    await page.getByLabel('Repeat the new PIN').fill('8052')
    await page.getByRole('button', { name: 'Change PIN' }).click()
    await page.getByText('Your PIN is changed.').waitFor()
    const settings = () =>
      site.t.database.query(
        'select mail_receipts, locale, pin_limits from wallet where public_id = $1',
        [payer.walletId],
      )
    await expect
      .poll(settings)
      .toEqual([{ mail_receipts: true, locale: 'fr', pin_limits: { USD: '2000' } }])
    ignoreRefusals(problems, 428, 400)
    await close()
  })

  it('shows what a new PIN changes in the lists, and the sign-in page after the session was ended elsewhere', async () => {
    const payer = await createPayer(site.t)
    const credentials = { phone: payer.phone, pin: PIN }
    await site.t.call('POST', '/wallet/session', {}, credentials)
    const { page, problems, close } = await site.open(PHONE)
    await signIn(page, payer)
    await page.goto('/wallet#account')
    const sessions = page.locator('.account-list').first().locator('li')
    await expect.poll(() => sessions.count()).toBe(2)
    for (const summary of await page.locator('summary').all()) await summary.click()
    async function changePin(before: string, after: string): Promise<void> {
      await page.getByLabel('Current PIN').fill(before)
      await page.getByLabel('New PIN', { exact: true }).fill(after)
      await page.getByLabel('Repeat the new PIN').fill(after)
      await page.getByRole('button', { name: 'Change PIN' }).click()
    }
    await changePin(PIN, '8052')
    await page.getByText('Your PIN is changed.').waitFor()
    await expect.poll(() => sessions.count()).toBe(1)
    await page.locator('.account-list').last().getByText('PIN changed', { exact: true }).waitFor()

    await site.t.database.transaction((tx) =>
      tx.execute('delete from wallet_session where wallet_id = $1', [payer.number]),
    )
    site.t.service.walletSessions.forgetAll()
    await changePin('8052', '4937')
    await page.getByText('Your session has ended.').waitFor()
    ignoreRefusals(problems, 401)
    await close()
  })
})

describe('paying above the PIN limit', () => {
  it('asks for the PIN, refuses a wrong one, and pays with the right one', async () => {
    const shop = await site.t.createStore({ name: 'Corner Shop' })
    const limit = { currency: 'USD', amount: '50' }
    await site.t.call('PUT', '/operator/pin-limits', site.t.operator, limit)
    const payer = await createPayer(site.t, { balance: '240' })
    const { page, problems, close } = await site.open(PHONE)
    await signIn(page, payer)
    const large = await site.t.createPayment(shop.live, { amount: 60 })
    await page.goto(`/wallet#pay/${large.qr_code}`)
    const pay = page.getByRole('button', { name: /^Pay / })
    await page.getByText('This amount is above your PIN limit.').waitFor()
    await expectAccessible(page)
    expect(await pay.isDisabled()).toBe(true)
    // On a short screen, nothing is behind the buttons.
    await page.setViewportSize({ width: 360, height: 640 })
    const isAboveBar = async (selector: string) => {
      const box = (await page.locator(selector).boundingBox())!
      return box.y + box.height <= (await page.locator('.pay-bar').boundingBox())!.y
    }
    expect(await isAboveBar('.sums')).toBe(true)
    await page.getByText('Other', { exact: true }).click()
    await expect.poll(() => isAboveBar('.donation .field')).toBe(true)
    await page.getByText('None', { exact: true }).click()
    await page.getByLabel('Your PIN').fill('0000')
    await pay.click()
    await page.getByText('Wrong PIN. Try again.').waitFor()
    await page.getByLabel('Your PIN').fill(PIN)
    await pay.click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await page.locator('.proof').waitFor()
    expect(await isAboveBar('.proof')).toBe(true)

    // A donation can push the total above the limit.
    const small = await site.t.createPayment(shop.live, { amount: 49.5 })
    await page.goto(`/wallet#pay/${small.qr_code}`)
    await page.getByText('Other', { exact: true }).click()
    await page.getByLabel('Donation in USD').fill('1')
    await pay.click()
    await page.getByLabel('Your PIN').fill(PIN)
    await pay.click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    const [row] = await site.t.database.query<{ balance: bigint }>(
      'select balance from wallet_balance where wallet_id = $1',
      [payer.number],
    )
    expect(row!.balance).toBe(24_000n - 6_000n - 4_950n - 100n)
    ignoreRefusals(problems, 400, 428)
    await close()
  })
})
