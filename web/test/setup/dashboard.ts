import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPerson } from '../../../server/test/setup/people.ts'
import type { WatchedPage } from './browser.ts'
import type { Site } from './site.ts'
import { openSignedIn, show } from './till.ts'

/** Opens a page of the dashboard, such as `live/payments`, with a session of the person. */
export async function openDashboard(
  site: Site,
  person: TestPerson,
  hash: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openSignedIn(site, person, options)
  await watched.page.goto(`/dashboard#/${hash}`)
  await watched.page.locator('.shell-main h1').waitFor()
  return watched
}

/** Opens a page of the navigation or of its tabs, without a reload. */
export async function showPage(page: Page, hash: string): Promise<void> {
  await show(page, `#/${hash}`)
  await page.locator(`a[href="#/${hash}"][aria-current]`).first().waitFor()
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
}
