import type { BrowserContextOptions, Page } from 'playwright-core'
import { ROLES, type Role } from '../../../server/src/core/person.ts'
import type { StoreSettings } from '../../../server/src/core/store.ts'
import { createPerson, PASSWORD, type TestPerson } from '../../../server/test/setup/people.ts'
import type { TestStore, TestWallet } from '../../../server/test/setup/testService.ts'
import type { WatchedPage } from './browser.ts'
import type { Site } from './site.ts'

export type Shop = TestStore & { people: Record<Role, TestPerson>; wallet: TestWallet }

/** A store with somebody in every role, money to refund from, and a customer who can pay. */
export async function openShop(site: Site, settings: Partial<StoreSettings> = {}): Promise<Shop> {
  const { t } = site
  const shop = await t.createStore({
    ...{ name: 'Corner Shop', feeBps: 100, refundFeeMinor: 50n, timeZone: 'America/New_York' },
    ...{ refundCapCashierMinor: 2000n, refundCapManagerMinor: 50_000n },
    ...settings,
  })
  const people = await Promise.all(ROLES.map((role) => createPerson(t, shop.store, role)))
  await t.fund(shop.store, 'live', '1000')
  await t.fund(shop.store, 'sandbox', '1000')
  const wallet = await t.createWallet({ balance: '10000', currency: shop.store.currency })
  const byRole = Object.fromEntries(ROLES.map((role, n) => [role, people[n]!]))
  return { ...shop, wallet, people: byRole as Record<Role, TestPerson> }
}

/** Takes refused calls with this status off the list: the browser notes each as an error. */
export function forgive(problems: string[], ...statuses: number[]): void {
  const isForgiven = (one: string) => statuses.some((status) => one.includes(`status of ${status}`))
  problems.splice(0, Infinity, ...problems.filter((one) => !isForgiven(one)))
}

export async function signIn(page: Page, { email }: TestPerson): Promise<void> {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
}

/** The till with somebody at it. */
export async function openTill(
  site: Site,
  person: TestPerson,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await site.open(options)
  await watched.page.goto('/till')
  await signIn(watched.page, person)
  await watched.page.locator('.home').waitFor()
  // Whether somebody is signed in already can only be asked.
  forgive(watched.problems, 401)
  return watched
}
