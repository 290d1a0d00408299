import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { freePort } from '../../../server/test/setup/started.ts'
import { startTestService, type TestService } from '../../../server/test/setup/testService.ts'
import { closePages, openPage, sharedBrowser, type WatchedPage } from './browser.ts'

export type Site = {
  readonly t: TestService
  readonly origin: string
  readonly browser: Browser
  readonly open: (options?: BrowserContextOptions) => Promise<WatchedPage>
  readonly close: () => Promise<void>
}

/**
 * Starts a service on a free port, whose pages open in the shared browser. With `isPublic`, the address of the site is also the
 * public one, which passkeys need.
 */
export async function startSite({
  env,
  isPublic = false,
}: {
  env?: Record<string, string>
  isPublic?: boolean
} = {}): Promise<Site> {
  const port = isPublic ? await freePort() : 0
  const t = await startTestService({
    ...env,
    ...(isPublic && { FLORIN_PUBLIC_URL: `http://localhost:${port}` }),
  })
  await t.app.listen({ port, host: '127.0.0.1' })
  // Browsers treat localhost like a site with TLS. Passkeys need a host name instead of an address.
  const origin = `http://localhost:${(t.app.server.address() as AddressInfo).port}`
  const browser = await sharedBrowser()
  return {
    t,
    origin,
    browser,
    open: (context) => openPage(browser, origin, context),
    close: async () => {
      await closePages(browser)
      t.service.beginStop()
      await t.close()
    },
  }
}
