import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeAfterFailures } from './setup/browser.ts'
import { createPayer, openWallet, PIN, signIn } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

describe('sign-in', () => {
  it('accepts the digits of an Arabic or Persian keyboard', async () => {
    const payer = await createPayer(site.t)
    const inDigitsFrom = (zero: number) => (text: string) =>
      text.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(zero + Number(digit)))
    for (const convert of [inDigitsFrom(0x660), inDigitsFrom(0x6f0)]) {
      const { page, close } = await site.open(PHONE)
      await page.goto('/wallet')
      await page.getByLabel('Phone number').fill(convert(payer.phone))
      await page.getByLabel('PIN').fill(convert(PIN))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
      await close()
    }
  })

  it('shows missing and wrong fields and a lock, and accepts the right PIN', async () => {
    const payer = await createPayer(site.t, { balance: '240' })
    const { page, problems, close } = await site.open(PHONE)
    await page.goto('/wallet')
    const signInButton = page.getByRole('button', { name: 'Sign in' })
    await signInButton.click()
    await page.getByText('Enter your phone number.').waitFor()
    await page.getByText('Enter your PIN.').waitFor()
    const fill = async (pin: string) => {
      await page.getByLabel('Phone number').fill(payer.phone)
      await page.getByLabel('PIN').fill(pin)
      await signInButton.click()
    }
    const signOut = async () => {
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signInButton.waitFor()
    }
    await fill('000000')
    await page.getByText('Wrong phone number or PIN.').waitFor()
    await fill(PIN)
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    expect(await page.locator('.balance .money').innerText()).toMatch(/^240\.00\sUSD$/)

    // Scripts can't read the session cookie, which is bound to this host.
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name }) => name)).toContain('__Host-florin_wallet')
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
        path: '/',
        domain: 'localhost',
      })
    }
    const stored = await page.evaluate(() => `${document.cookie}${JSON.stringify(localStorage)}`)
    expect(stored).not.toContain('flw_')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()

    await signOut()
    // The remaining cookie only marks a known device.
    const left = await page.context().cookies()
    expect(left.map(({ name }) => name)).not.toContain('__Host-florin_wallet')
    expect(left).toHaveLength(1)
    const { phone } = payer
    for (let i = 0; i < 5; i++) {
      await site.t.call('POST', '/wallet/session', {}, { phone, pin: '1' })
    }
    // Wrong PINs on other devices lock the wallet for those, but not for this device.
    await fill(PIN)
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await signOut()
    await page.context().clearCookies()
    await fill(PIN)
    await page.getByText('This wallet is locked').waitFor()
    await closeAfterFailures({ page, problems, close }, 401, 403)
  })

  it('survives when the browser deletes its storage but not its cookies, as Safari does after seven days without a visit', async () => {
    const { page, close } = await site.open(PHONE)
    await signIn(page, await createPayer(site.t))
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await close()
  })

  it('names the right address if the server expects pages of another one', async () => {
    const payer = await createPayer(site.t)
    const { page, problems, close } = await site.open(PHONE)
    await page.route('**/wallet/session', async (route) => {
      const headers = { ...route.request().headers(), origin: 'https://other.example' }
      await route.fulfill({ response: await route.fetch({ headers }) })
    })
    await page.goto('/wallet')
    await page.getByLabel('Phone number').fill(payer.phone)
    await page.getByLabel('PIN').fill(PIN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const text = await page.getByRole('alert').textContent()
    expect(text?.replaceAll(/[\u2066-\u2069]/g, '')).toBe(
      `This service cannot be used at this address. Open ${site.t.service.config.publicUrl} instead.`,
    )
    await closeAfterFailures({ page, problems, close }, 403)
  })

  it('shows the sign-in page after the session was ended elsewhere', async () => {
    const payer = await createPayer(site.t)
    const { page, problems, close } = await site.open(PHONE)
    await signIn(page, payer)
    await site.t.call('POST', `/operator/wallets/${payer.walletId}/pin`, site.t.operator, {
      pin: '1357',
    })
    site.t.service.walletSessions.forgetAll()
    // The page may notice it before that, when its stream of events ends.
    await page.goto('/wallet#activity')
    await page.getByText('Your session has ended.').waitFor()
    // After the next sign-in, no problem of the old session is shown.
    await page.route('**/wallet/me', () => {})
    await page.goto('/wallet#home')
    await page.getByLabel('Phone number').fill(payer.phone)
    await page.getByLabel('PIN').fill('1357')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.balance').waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
    await closeAfterFailures({ page, problems, close }, 401)
  })

  it('says what to do if the service fails during sign-in, or the network during sign-out', async () => {
    const payer = await createPayer(site.t)
    const { page, problems, close } = await site.open(PHONE)
    await page.goto('/wallet')
    await page.route('**/wallet/session', (route) => route.fulfill({ status: 503, json: {} }))
    await page.getByLabel('Phone number').fill(payer.phone)
    await page.getByLabel('PIN').fill(PIN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Something went wrong. Try again in a moment.').waitFor()
    await page.unrouteAll()
    await signIn(page, payer)
    await page.route('**/wallet/session', (route) => route.abort())
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Cannot reach the service. Check your network and try again.').waitFor()
    await closeAfterFailures({ page, problems, close }, 503)
  })
})

it('another wallet that signs in does not replace the wallet of this tab', async () => {
  const ownWallet = await site.t.createWallet({ balance: '100' })
  const otherWallet = await site.t.createWallet({ balance: '7' })
  const { page, close } = await openWallet(site, ownWallet)
  await page.goto('/wallet#type')
  await page.locator('.number').waitFor()
  await page.route('**/wallet/me', (route) => route.continue({ headers: otherWallet.headers }))
  await page.goto('/wallet#home')
  await page.getByText('Your session has ended.').waitFor()
  await close()
})

it('pastes the number of a code', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, close } = await openWallet(site, await site.t.createWallet(), { permissions })
  await page.goto('/wallet#type')
  const copy = (text: string) =>
    page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await copy('no number')
  await page.getByRole('button', { name: 'Paste' }).click()
  await page.getByText('Copy the number first').waitFor()
  await copy('1012 3456-7890')
  await page.getByRole('button', { name: 'Paste' }).click()
  await page.getByText('15 digits to go').waitFor()
  expect(await page.getByLabel('Number under the QR code').inputValue()).toBe('1012 3456 7890')
  expect(await page.getByText('Copy the number first').count()).toBe(0)
  await close()
})

it('offers no paste in a browser that cannot read the clipboard', async () => {
  const { page, close } = await openWallet(site, await site.t.createWallet())
  await page.addInitScript(() => Reflect.deleteProperty(Clipboard.prototype, 'readText'))
  await page.goto('/wallet#type')
  await page.getByLabel('Number under the QR code').waitFor()
  expect(await page.getByRole('button', { name: 'Paste' }).count()).toBe(0)
  await close()
})

it('shows the start page and the navigation at an unknown address', async () => {
  const payer = await site.t.createWallet({ balance: '100' })
  const { page, close } = await openWallet(site, payer)
  await page.goto('/wallet#nowhere')
  await page.locator('.balance').waitFor()
  const bar = page.getByRole('navigation', { name: 'Pages' })
  expect(await bar.locator('[aria-current=page]').innerText()).toBe('Wallet')
  // A payment has no navigation, so that nothing distracts from it.
  await page.goto('/wallet#type')
  await page.locator('.number').waitFor()
  expect(await bar.count()).toBe(0)
  await close()
})
