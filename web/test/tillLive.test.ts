import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeStore,
  createPaidPayment,
  pay as payCode,
  refund,
} from '../../server/test/setup/merchantCalls.ts'
import { closeAfterFailures, type WatchedPage } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'
import { countStreams, setVisibility, streamsOf } from './setup/streams.ts'
import {
  charge,
  countNotes,
  notesOf,
  openShop,
  openSignedIn,
  openTill,
  payAtTill,
  type Shop,
  show,
} from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const pay = async (amount: number) =>
  (await createPaidPayment(site.t, shop.live, shop.wallet, { amount })).payment_id

it('recovers from a lost connection without a tap, at the start, in the list and on a sale, and starts a new day', async () => {
  const id = await pay(7)
  const { page, problems, close } = await openTill(site, shop.people.cashier)
  await page.clock.install()
  /** Loses the connection, waits for the message, and expects the content after the next attempt. */
  async function expectRecovery(open: () => Promise<unknown>, shown: string): Promise<void> {
    await page.route('**/store/**', (route) => route.abort())
    await open()
    await page.getByText('Cannot reach the service.').waitFor()
    await page.unroute('**/store/**')
    await page.clock.fastForward(5_000)
    await page.locator(shown).first().waitFor()
    await page.getByText('Cannot reach the service.').waitFor({ state: 'detached' })
  }
  await expectRecovery(() => page.reload(), '.keypad')
  await show(page, 'you')
  await page.locator('.session').first().waitFor()
  await expectRecovery(() => show(page, 'sales'), '.sale-row')
  await expectRecovery(() => show(page, `sale/${id}`), '.outcome-completed')
  // A reload shows the sale again.
  await page.reload()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  // The browser reports that the network is back, so the page does not wait.
  await show(page, 'you')
  await page.locator('.session').first().waitFor()
  await page.context().setOffline(true)
  await show(page, 'sales')
  await page.getByText('Cannot reach the service.').waitFor()
  await page.context().setOffline(false)
  await page.locator('.sale-row').waitFor()
  // A new day begins without a sale.
  await page.route('**/live/today', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, data: { ...data, day: '2030-01-02' } } })
  })
  await page.clock.fastForward(61_000)
  await page.getByText('Wednesday, January 2').waitFor()
  await closeAfterFailures({ page, problems, close })
})

it('shows new and changed sales by itself, beside the keypad and in the totals', async () => {
  const viewport = { width: 1280, height: 800 }
  const { page, close } = await openTill(site, shop.people.cashier, { viewport })
  const newest = page.locator('.sale-row').first()
  await newest.waitFor()
  const { payment_id: id, qr_code: code } = await site.t.createPayment(shop.live, { amount: 41 })
  await newest.getByText('41.00 USD').waitFor()
  await newest.getByText('Waiting for payment').waitFor()
  await payCode(site.t, shop.wallet, code)
  await newest.getByText('Paid').waitFor()
  await expect.poll(() => page.locator('.totals .money-large').textContent()).toBe('48.00 USD')
  // An open sale changes too, if another device refunds it.
  await show(page, `payment/${id}`)
  await page.getByText('You receive').waitFor()
  await refund(site.t, shop.live, id)
  await page.getByText('Refunded on').waitFor()
  await close()
})

it('shows and plays the outcome of a sale, also if the poll of its status hangs, and a refund afterwards', async () => {
  const { page, close } = await openSignedIn(site, shop.people.cashier)
  await countNotes(page)
  await page.route('**/status?*', () => {})
  await page.goto('/till')
  const display = await page.context().newPage()
  await display.goto('/till#display')
  await page.bringToFront()
  const id = await charge(page, '3')
  expect(await notesOf(page)).toBe(0)
  await payAtTill(site, shop, id)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await expect.poll(() => notesOf(page)).toBe(2)
  await refund(site.t, shop.live, id)
  await page.getByRole('heading', { name: 'Refunded' }).waitFor()
  await expect.poll(() => notesOf(page)).toBe(4)
  // The payer got back the amount without the refund fee.
  for (const screen of [page, display]) {
    await screen.locator('.outcome-refunded').getByText('2.50 USD').waitFor()
  }
  await close()
})

it.each([
  ['dashboard', '0'],
  ['till', '1'],
])('open streams of the hidden %s: %s', async (app, count) => {
  const { page, close } = await openSignedIn(site, shop.people.manager)
  await countStreams(page)
  await page.goto(`/${app}`)
  await expect.poll(() => streamsOf(page)).toBe('1')
  await setVisibility(page, 'hidden')
  expect(await streamsOf(page)).toBe(count)
  await setVisibility(page, 'visible')
  expect(await streamsOf(page)).toBe('1')
  await close()
})

it('reopens a stream that sends no heartbeats, and shows what it missed', async () => {
  const { page, close } = await openSignedIn(site, shop.people.cashier)
  await page.clock.install()
  await page.addInitScript(() => {
    const counts = Object.assign(globalThis, { streams: 0, heartbeats: 0 })
    class CountedStream extends EventSource {
      constructor(url: string) {
        super(url)
        counts.streams++
        this.addEventListener('heartbeat', () => counts.heartbeats++)
        // Drop changes, as if the connection were lost after a heartbeat.
        this.addEventListener('message', (event) => event.stopImmediatePropagation())
      }
    }
    Object.assign(globalThis, { EventSource: CountedStream })
  })
  const streams = () => page.evaluate('streams')
  const heartbeats = () => page.evaluate('heartbeats')
  await page.goto('/till#sales')
  await page.locator('.totals').waitFor()
  expect(await streams()).toBe(1)
  await page.clock.fastForward(15_000)
  await page.evaluate('heartbeats = 0')
  // One is sent every 15 seconds.
  await expect.poll(heartbeats, { timeout: 40_000 }).toBeGreaterThan(0)
  // More than 40 seconds after the first event, and less after the heartbeat.
  await page.clock.fastForward(30_000)
  expect(await streams()).toBe(1)
  await site.t.createPayment(shop.live, { amount: 47 })
  await page.clock.fastForward(41_000)
  await page.locator('.sale-row').first().getByText('47.00 USD').waitFor()
  expect(await streams()).toBe(2)
  await close()
})

it('shows a new name of the store without a reload, at the till and in the dashboard', async () => {
  const other = await openShop(site)
  const till = await openTill(site, other.people.cashier)
  const dashboard = await openSignedIn(site, other.people.manager)
  for (const { page } of [till, dashboard]) await page.clock.install()
  await till.page.reload()
  await till.page.getByText('Corner Shop').waitFor()
  await dashboard.page.goto('/dashboard')
  await dashboard.page.getByText('Corner Shop').first().waitFor()
  await changeStore(site.t, other, { name: 'Harbour Shop' })
  await till.page.clock.fastForward(61_000)
  await till.page.getByText('Harbour Shop').waitFor()
  // A hidden page is updated when it becomes visible.
  await setVisibility(dashboard.page, 'hidden')
  await dashboard.page.clock.fastForward(61_000)
  expect(await dashboard.page.getByText('Corner Shop').count()).toBeGreaterThan(0)
  await setVisibility(dashboard.page, 'visible')
  await dashboard.page.getByText('Harbour Shop').first().waitFor()
  await till.close()
  await dashboard.close()
})

it('shows a sale that arrives between the first read and the opening of the stream', async () => {
  const viewport = { width: 1280, height: 800 }
  const connected = await openTill(site, shop.people.cashier, { viewport })
  await connected.page.locator('.sale-row').first().waitFor()
  const connecting = await openSignedIn(site, shop.people.cashier, { viewport })
  let openStream = () => {}
  const opened = new Promise<void>((resolve) => {
    openStream = resolve
  })
  await connecting.page.route('**/store/changes', async (route) => {
    await opened
    await route.continue()
  })
  await connecting.page.goto('/till')
  await connecting.page.locator('.sale-row').first().waitFor()
  await site.t.createPayment(shop.live, { amount: 43 })
  const newest = ({ page }: WatchedPage) => page.locator('.sale-row').first().getByText('43.00 USD')
  await newest(connected).waitFor()
  expect(await newest(connecting).count()).toBe(0)
  openStream()
  await newest(connecting).waitFor()
  await connected.close()
  await connecting.close()
})

it('shows a sale that arrives while the first read is in flight', async () => {
  const { page, close } = await openSignedIn(site, shop.people.cashier, {
    viewport: { width: 1280, height: 800 },
  })
  await page.addInitScript(() => {
    const Original = EventSource
    class Observed extends Original {
      constructor(url: string) {
        super(url)
        this.addEventListener('open', () => Object.assign(globalThis, { isStreamOpen: true }))
      }
    }
    Object.assign(globalThis, { EventSource: Observed })
  })
  let isFirst = true
  await page.route('**/store/live/payments?*', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    await site.t.createPayment(shop.live, { amount: 44 })
    await page.waitForFunction('globalThis.isStreamOpen')
    await route.fulfill({ response })
  })
  await page.goto('/till')
  await page.locator('.sale-row').first().getByText('44.00 USD').waitFor()
  await close()
})

it.each(['5 minutes', '2 days'])(
  'shows the time of payment in the list and on the sale (created %s before)',
  async (before) => {
    const id = await pay(6)
    await site.t.database.transaction((tx) =>
      tx.execute(
        'update payment set created_at = created_at - $2::interval where payment_id = $1',
        [id, before],
      ),
    )
    const { page, close } = await openTill(site, shop.people.cashier)
    await show(page, 'sales')
    const row = page.locator(`.sale-row[href="#payment/${id}"]`)
    const listed = await row.locator('.sale-time').innerText()
    await row.click()
    const time = page.locator('dt', { hasText: 'Time' }).locator('xpath=following-sibling::dd[1]')
    const shown = await time.innerText()
    if (before === '2 days') expect(listed).toBe(shown)
    else expect(shown).toContain(listed)
    await close()
  },
)
