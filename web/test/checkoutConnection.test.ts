import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'
import { countStreams, setVisibility, streamsOf } from './setup/streams.ts'

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Demo Store' })
})
afterAll(() => site.close())

const createPayment = () => site.t.createPayment(shop.sandbox, { amount: 6.5 })
/** The timeout is shorter than the poll interval of a page with an open stream. */
const untilStatus = (page: Page, status: string) =>
  page.locator(`main[data-status=${status}]`).waitFor({ timeout: 20_000 })
const announcementOf = (page: Page) => page.locator('[role=status]').textContent()

describe('an open page', () => {
  it('says that there is no connection, until there is one', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    const note = page.locator('[data-offline]')
    expect(await note.isVisible()).toBe(false)
    await page.context().setOffline(true)
    await note.waitFor()
    expect(await announcementOf(page)).toBe(
      'Cannot reach the service. The result shows here when the connection is back.',
    )
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await page.context().setOffline(false)
    await untilStatus(page, 'completed')
    await expect.poll(() => announcementOf(page)).toMatch(/^Paid\./)
    expect(await note.isVisible()).toBe(false)
    await closeAfterFailures({ page, problems, close })
  })

  it('notices within seconds that the connection is back, also while the stream is open', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    await page.route('**/state', (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    const note = page.locator('[data-offline]')
    await note.waitFor()
    await page.unroute('**/state')
    await note.waitFor({ state: 'hidden', timeout: 15_000 })
    await closeAfterFailures({ page, problems, close })
  })

  it('polls while the browser is offline, although a request of that time got a response', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    const polled = page.waitForResponse('**/state')
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
      dispatchEvent(new Event('offline'))
    })
    await polled
    await page.route('**/state', (route) => route.abort())
    // The next poll of a page with an open stream would be after 30 seconds.
    await page.locator('[data-offline]').waitFor({ timeout: 15_000 })
    await closeAfterFailures({ page, problems, close })
  })

  it('says that the service cannot be reached while a proxy reports that, until it can', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    await page.route('**/state', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    const note = page.locator('[data-offline]')
    await note.waitFor()
    await page.unroute('**/state')
    await note.waitFor({ state: 'hidden', timeout: 15_000 })
    await closeAfterFailures({ page, problems, close }, 502)
  })

  it('shows the outcome after a proxy responded with an error page', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.goto(`/pay/${payment_id}`)
    let refusals = 0
    await page.route(`**/pay/${payment_id}`, async (route) => {
      if (++refusals > 1) return route.continue()
      const body = '<!doctype html><title>Bad Gateway</title><main><h1>Bad Gateway</h1></main>'
      return route.fulfill({ status: 502, contentType: 'text/html', body })
    })
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'completed')
    expect(refusals).toBeGreaterThan(1)
    await closeAfterFailures({ page, problems, close }, 502)
  })

  it('polls every few seconds without a stream', async () => {
    const { payment_id } = await createPayment()
    const { page, problems, close } = await site.open()
    await page.route('**/events', (route) => route.abort())
    await page.goto(`/pay/${payment_id}`)
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'completed')
    await closeAfterFailures({ page, problems, close })
  })

  it('has no stream while it is hidden, because browsers open only six connections to a host', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open()
    await countStreams(page)
    await page.goto(`/pay/${payment_id}`)
    expect(await streamsOf(page)).toBe('1')
    await setVisibility(page, 'hidden')
    expect(await streamsOf(page)).toBe('0')
    await setVisibility(page, 'visible')
    expect(await streamsOf(page)).toBe('1')
    await close()
  })

  it('also polls while an open stream is silent', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open()
    await page.clock.install()
    await page.addInitScript(() => {
      class Silent {
        static readonly OPEN = 1
        readonly readyState = 1
        close() {}
      }
      Object.assign(globalThis, { EventSource: Silent })
    })
    await page.goto(`/pay/${payment_id}`)
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await page.clock.fastForward(31_000)
    await untilStatus(page, 'completed')
    await close()
  })

  it('works without JavaScript by reloading itself', async () => {
    const { payment_id } = await createPayment()
    const { page, close } = await site.open({ javaScriptEnabled: false })
    await page.goto(`/pay/${payment_id}`)
    expect(await page.locator('[data-copy]').isVisible()).toBe(false)
    await sandboxPay(site.t, shop.sandbox, payment_id)
    await untilStatus(page, 'completed')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Paid. Thank you.')
    await close()
  })
})
