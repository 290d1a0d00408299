import type { Page } from 'playwright-core'

/** Replaces the streams of the page with silent ones, and counts those that are open. */
export const countStreams = (page: Page) =>
  page.addInitScript(() => {
    let count = 0
    const change = (by: 1 | -1) => {
      count += by
      document.documentElement.dataset.streams = String(count)
    }
    class CountedStream {
      static readonly OPEN = 1
      readonly readyState = 1
      constructor() {
        change(1)
      }
      addEventListener() {}
      close() {
        change(-1)
      }
    }
    Object.assign(globalThis, { EventSource: CountedStream })
  })

export const streamsOf = (page: Page) => page.locator('html').getAttribute('data-streams')

export const setVisibility = (page: Page, value: 'hidden' | 'visible') =>
  page.evaluate((visibility) => {
    Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, value)
