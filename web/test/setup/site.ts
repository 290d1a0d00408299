import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startTestService, type TestService } from '../../../server/test/setup/testService.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'

export type Site = {
  readonly t: TestService
  readonly origin: string
  readonly browser: Browser
  readonly open: (options?: BrowserContextOptions) => Promise<WatchedPage>
  readonly close: () => Promise<void>
}

/** Starts a service on a free port, and a browser. */
export async function startSite({
  env,
  ...options
}: {
  camera?: string
  env?: Record<string, string>
} = {}): Promise<Site> {
  const t = await startTestService(env)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  // A host name: browsers allow the camera on localhost, as with TLS.
  const origin = `http://localhost:${(t.app.server.address() as AddressInfo).port}`
  const browser = await launchBrowser(options)
  return {
    t,
    origin,
    browser,
    open: (context) => openPage(browser, origin, context),
    close: async () => {
      await browser.close()
      t.service.beginStop()
      await t.close()
    },
  }
}
