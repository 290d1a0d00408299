import type { BrowserContextOptions } from 'playwright-core'
import { newSession, type TestPerson } from '../../../server/test/setup/people.ts'
import type { WatchedPage } from './browser.ts'
import type { Site } from './site.ts'

/** The dashboard with somebody at it, signed in without the page, since a password takes long to check. */
export async function openDesk(
  site: Site,
  { personId }: TestPerson,
  place: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await site.open(options)
  const { page } = watched
  const [name, value] = (await newSession(site.t, personId)).cookie!.split('=') as [string, string]
  const flags = { secure: true, httpOnly: true, sameSite: 'Strict' } as const
  // Playwright's own way names a domain, which such a cookie must not have.
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.setCookie', {
    ...{ name, value, url: `${site.origin}/`, path: '/', ...flags },
  })
  await page.goto(`/dashboard#/${place}`)
  await page.locator('h1').waitFor()
  return watched
}
