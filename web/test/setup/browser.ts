import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Playwright makes Chromium record a stack for each request. It would compile the page's whole script again for that.
  '--js-flags=--no-enable-lazy-source-positions',
  `--disable-features=${[
    // Chromium renders the suggestions of its hidden address bar for each window, which takes longer than our page.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'PreloadTopChromeWebUI',
    'SpareRendererForSitePerProcess',
    // This flag replaces the one of Playwright, which disables these.
    'AimEnabled',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
  ].join()}`,
]

const shared = globalThis as { florinBrowser?: Browser }

/** The browser of this process, which its test files use in turn, because starting one takes seconds of CPU time. */
export async function sharedBrowser(): Promise<Browser> {
  if (!shared.florinBrowser?.isConnected()) shared.florinBrowser = await launchBrowser()
  return shared.florinBrowser
}

/** Closes the pages that a test file has left open in the shared browser. */
export async function closePages(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close()
}

/** Starts a browser. `camera` is an MJPEG or Y4M file for the fake camera. */
export function launchBrowser({ camera }: { camera?: string } = {}): Promise<Browser> {
  const cameraFlags = camera === undefined ? [] : [`--use-file-for-fake-video-capture=${camera}`]
  const fakeCamera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...FLAGS, ...fakeCamera, ...cameraFlags],
  })
}

export type WatchedPage = {
  readonly page: Page
  /** The problems so far: policy violations, errors, dialogs, requests to other sites. */
  readonly problems: string[]
  /** Closes the page and expects that it had no problems. */
  readonly close: () => Promise<void>
}

/** Opens a page in its own context and records its problems. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: origin,
    // Tests can't intercept the requests of a service worker.
    serviceWorkers: 'block',
    locale: 'en-US',
    ...options,
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:'
    if (!isOwn) problems.push(`request: ${url}`)
  })
  // The browser reports policy violations to the page. A script passes them on.
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('reportPolicyViolation', (what: string) =>
      problems.push(`policy: ${what}`),
    )
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const report = (globalThis as { reportPolicyViolation?: (what: string) => void })
          .reportPolicyViolation
        report?.(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
      })
    })
  }
  return {
    page,
    problems,
    close: async () => {
      await context.close()
      expect(problems).toEqual([])
    },
  }
}

/** Removes the errors that the browser logs for requests that were refused with these statuses. */
export function ignoreRefusals(problems: string[], ...statuses: number[]): void {
  removeProblems(problems, (problem) =>
    statuses.some((status) => problem.includes(`status of ${status}`)),
  )
}

/** Closes a page on which requests failed on purpose, or were refused with these statuses. */
export async function closeAfterFailures(
  { page, problems, close }: WatchedPage,
  ...statuses: number[]
): Promise<void> {
  await page.context().setOffline(false)
  // An empty page sends no requests, so none can fail after the problems are removed.
  await page.goto('about:blank')
  removeProblems(problems, (problem) => problem.includes('net::ERR_'))
  ignoreRefusals(problems, ...statuses)
  await close()
}

function removeProblems(problems: string[], isExpected: (problem: string) => boolean): void {
  problems.splice(0, Infinity, ...problems.filter((problem) => !isExpected(problem)))
}
