import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const line = (reference: string) => ({
  at: '2026-11-16 00:00:00',
  kind: 'payment',
  reference,
  amount: '1.00',
  balance: '1.00',
  note: null,
})

it('does not add the next page of one filter to the list of another', async () => {
  const { page, close } = await openSignedIn(site, shop.people.owner)
  let releasePage2 = () => {}
  const page2Released = new Promise<void>((resolve) => {
    releasePage2 = resolve
  })
  await page.route('**/store/live/statement*', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const isFiltered = query.has('from')
    const isPage2 = query.has('cursor')
    if (isPage2) await page2Released
    const reference = isFiltered ? 'filtered' : isPage2 ? 'unfiltered-2' : 'unfiltered-1'
    const data = {
      currency: 'USD',
      time_zone: 'UTC',
      balance: '1.00',
      lines: [line(reference)],
      next_cursor: isFiltered || isPage2 ? null : 'page2',
      archived_before: null,
    }
    await route.fulfill({ json: { message: 'OK', data } }).catch(() => {})
  })
  await page.goto('/dashboard#/live/balance')
  await page.getByText('unfiltered-1').waitFor()

  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByLabel('Start date').fill('2026-01-01')
  await page.getByText('filtered', { exact: true }).waitFor()
  releasePage2()
  // Time for the late response to arrive and to be rendered.
  await page.waitForTimeout(500)
  expect(await page.getByText('unfiltered-2').count()).toBe(0)
  expect(await page.locator('tbody tr').count()).toBe(1)
  await close()
})
