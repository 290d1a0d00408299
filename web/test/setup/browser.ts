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
]

/** One a test file. With `camera`, an MJPEG or Y4M file is what the browser's camera sees. */
export function launchBrowser({ camera }: { camera?: string } = {}): Promise<Browser> {
  const seeing = camera === undefined ? [] : [`--use-file-for-fake-video-capture=${camera}`]
  const device = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...FLAGS, ...device, ...seeing],
  })
}

export type WatchedPage = {
  readonly page: Page
  /** Everything that went wrong so far: refused by the policy, errors, requests to strangers. */
  readonly problems: string[]
  /** Closes the page; fails when anything went wrong on it. */
  readonly close: () => Promise<void>
}

/** A page in a context of its own that notes whatever a page of ours must never do. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  // What a worker has seen cannot be answered by a test, and it comes and goes when it likes.
  const still = { serviceWorkers: 'block', locale: 'en-US' } as const
  const context = await browser.newContext({ baseURL: origin, ...still, ...options })
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
  // The browser tells the page itself of what its policy refused; a script there passes it on.
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('florinRefused', (what: string) => problems.push(`policy: ${what}`))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const tell = (globalThis as { florinRefused?: (what: string) => void }).florinRefused
        tell?.(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
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

/** Takes refused calls with this status off the list: the browser notes each as an error. */
export function forgive(problems: string[], ...statuses: number[]): void {
  const isForgiven = (one: string) => statuses.some((status) => one.includes(`status of ${status}`))
  problems.splice(0, Infinity, ...problems.filter((one) => !isForgiven(one)))
}
