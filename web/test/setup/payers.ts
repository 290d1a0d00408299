import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestService, TestWallet } from '../../../server/test/setup/testService.ts'
import type { WatchedPage } from './browser.ts'
import { setSessionCookie } from './cookies.ts'
import type { Site } from './site.ts'

export const PIN = '246810'
type TestPayer = { phone: string; walletId: string; number: number }

let payerCount = 0

/** Creates a live wallet with a phone number and a PIN. */
export async function createPayer(
  t: TestService,
  { balance = '0' }: { balance?: string } = {},
): Promise<TestPayer> {
  const phone = `+4477009${String(++payerCount).padStart(5, '0')}`
  const fields = { mode: 'live', name: 'Ada Lovelace', email: 'ada@example.com', phone, pin: PIN }
  const { body } = await t.call('POST', '/operator/wallets', t.operator, fields)
  const { wallet_id: walletId, id: number } = body.data
  if (balance !== '0') {
    const money = { currency: 'USD', amount: balance }
    await t.call('POST', `/operator/wallets/${walletId}/top-up`, t.operator, money)
  }
  return { phone, walletId, number }
}

/** Signs in on the page. */
export async function signIn(page: Page, { phone }: TestPayer): Promise<void> {
  await page.goto('/wallet')
  await page.locator('input[type=tel]').fill(phone)
  await page.locator('input[type=password]').fill(PIN)
  await page.locator('form button').click()
  await page.locator('.balance').waitFor()
}

/** Opens a page with the session of a wallet, without the sign-in page. */
export async function openWallet(
  { open, origin }: Pick<Site, 'open' | 'origin'>,
  { headers }: TestWallet,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await open({ viewport: { width: 390, height: 844 }, ...options })
  const value = headers.authorization!.replace('Bearer ', '')
  await setSessionCookie(watched.page, { name: '__Host-florin_wallet', value, origin })
  await watched.page.addInitScript(() => {
    // An empty page has no storage.
    if (location.href !== 'about:blank') localStorage.setItem('florin.wallet', '1')
  })
  return watched
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / })

/** Waits for the title of a page. */
export const untilHeading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** The text of an element, with single spaces. */
export const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ')

/** How many times a payment was charged. */
export async function countDebits({ database }: TestService, paymentId: string): Promise<number> {
  const rows = await database.query<{ n: number }>(
    `select count(*)::int as n from transfer where reference = $1 and kind = 'payment'`,
    [paymentId],
  )
  return rows[0]!.n
}
