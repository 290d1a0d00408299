import { ROLES } from '@florin/contract/values.js'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../../server/src/core/person.ts'
import type { StoreSettings } from '../../../server/src/core/store.ts'
import { pay } from '../../../server/test/setup/merchantCalls.ts'
import {
  createPerson,
  newSession,
  PASSWORD,
  type TestPerson,
} from '../../../server/test/setup/people.ts'
import type { TestStore, TestWallet } from '../../../server/test/setup/testService.ts'
import type { WatchedPage } from './browser.ts'
import { setSessionCookie } from './cookies.ts'
import type { Site } from './site.ts'

export type Shop = TestStore & { people: Record<Role, TestPerson>; wallet: TestWallet }

/** Creates a store with a person in every role, a balance for refunds, and a wallet that can pay. */
export async function openShop(site: Site, settings: Partial<StoreSettings> = {}): Promise<Shop> {
  const { t } = site
  const shop = await t.createStore({
    name: 'Corner Shop',
    feeBps: 100,
    refundFeeMinor: 50n,
    timeZone: 'America/New_York',
    refundCapCashierMinor: 2000n,
    refundCapManagerMinor: 50_000n,
    ...settings,
  })
  const people = await Promise.all(ROLES.map((role) => createPerson(t, shop.store, role)))
  await t.fund(shop.store, 'live', '1000')
  await t.fund(shop.store, 'sandbox', '1000')
  const wallet = await t.createWallet({ balance: '10000', currency: shop.store.currency })
  const byRole = Object.fromEntries(ROLES.map((role, n) => [role, people[n]!]))
  return { ...shop, wallet, people: byRole as Record<Role, TestPerson> }
}

export async function signIn(page: Page, { email }: TestPerson): Promise<void> {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
}

/** Opens a page with a session of the person, without the sign-in page. */
export async function openSignedIn(
  site: Site,
  { personId }: TestPerson,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await site.open(options)
  const { page } = watched
  const [name, value] = (await newSession(site.t, personId)).cookie!.split('=') as [string, string]
  await setSessionCookie(page, { name, value, origin: site.origin })
  return watched
}

export async function openTill(
  site: Site,
  person: TestPerson,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openSignedIn(site, person, options)
  await watched.page.goto('/till')
  await watched.page.locator('.home').waitFor()
  return watched
}

/** Opens a screen by its hash, without a reload. */
export const show = (page: Page, screen: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, screen)

/** The id of the payment in the URL. */
export const paymentId = (page: Page) => page.url().split('/').at(-1)!

/** Types the amount on the home screen, charges it, and returns the id of the payment. */
export async function charge(page: Page, amount: string): Promise<string> {
  await page.locator('.entry').waitFor()
  await page.keyboard.type(amount)
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  return paymentId(page)
}

/** Pays a payment with the customer's wallet. */
export async function payAtTill({ t }: Site, shop: Shop, id: string): Promise<void> {
  const { qr_code } = (await t.call('GET', `/merchant/payment/${id}`, shop.live)).body.data
  await pay(t, shop.wallet, qr_code)
}

/** Counts the notes of the sounds that the page plays. */
export const countNotes = (page: Page) =>
  page.addInitScript(() => {
    const played = globalThis as unknown as { notes: number }
    played.notes = 0
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      played.notes++
      start.call(this, when)
    }
  })
export const notesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { notes: number }).notes)
