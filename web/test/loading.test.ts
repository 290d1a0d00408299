import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeAfterFailures } from './setup/browser.ts'
import { openDashboard } from './setup/dashboard.ts'
import { openWallet } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const RELOAD = 'Try again'

it('offers to reload if a page of the wallet does not load, and other pages still open', async () => {
  const { page, problems, close } = await openWallet(site, shop.wallet)
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  await page.route(/\/ShopsPage-[^/]+\.js$/, (route) => route.abort())
  const shops = page.getByRole('link', { name: 'Shops', exact: true })
  await shops.click()
  await page.getByRole('button', { name: RELOAD }).waitFor()
  expect(await page.getByRole('alert').textContent()).toBe('The page did not load.')
  await page.goBack()
  await page.locator('.balance').waitFor()
  await shops.click()
  await page.unroute(/\/ShopsPage-[^/]+\.js$/)
  await page.getByRole('button', { name: RELOAD }).click()
  await page.getByRole('heading', { name: 'Shops', level: 1 }).waitFor()
  problems.splice(0, Infinity, ...problems.filter((problem) => !problem.includes('ShopsPage')))
  await closeAfterFailures({ page, problems, close })
})

it('says that a page of the wallet is still loading', async () => {
  const { page, close } = await openWallet(site, shop.wallet)
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  let load = () => {}
  const isLoaded = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route(/\/Scan-[^/]+\.js$/, async (route) => {
    await isLoaded
    await route.continue()
  })
  await page.getByRole('button', { name: 'Scan to pay' }).click()
  await page.getByText('One moment').waitFor()
  load()
  await page.getByRole('heading', { name: 'Scan to pay' }).waitFor()
  expect(await page.getByText('One moment').count()).toBe(0)
  await close()
})

it('says after 20 seconds or more that the script did not start, such as in an old browser', async () => {
  const { page, problems, close } = await site.open({ locale: 'en' })
  for (const app of ['wallet', 'till', 'dashboard', 'operator']) {
    await page.route(`**/assets/${app}-*.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'this is not a script' }),
    )
    await page.goto(`/${app}`)
    const note = page.getByText('update your browser')
    expect(await note.isVisible()).toBe(false)
    const delays = await page.evaluate(() => {
      const animations = document.getAnimations()
      for (const animation of animations) animation.finish()
      return animations.map((animation) => animation.effect!.getTiming().delay!)
    })
    // A slow phone needs many seconds.
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(20_000)
    expect(await note.isVisible()).toBe(true)
    // Screen readers announce an alert when it becomes visible.
    expect(await page.getByRole('alert').textContent()).toBe(await note.textContent())
  }
  problems.splice(
    0,
    Infinity,
    ...problems.filter((problem) => !/SyntaxError|Unexpected/.test(problem)),
  )
  await closeAfterFailures({ page, problems, close })
})

it('reloads by itself when the network is back', async () => {
  const { page, problems, close } = await openWallet(site, shop.wallet)
  await page.goto('/wallet')
  await page.locator('.balance').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: RELOAD }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  problems.splice(0, Infinity, ...problems.filter((problem) => !/AccountPage/.test(problem)))
  await closeAfterFailures({ page, problems, close })
})

it('shows the figures of the dashboard without a chart that does not load', async () => {
  const dashboard = await openDashboard(site, shop.people.owner, 'live/payments')
  const { page } = dashboard
  await page.route(/\/BarChart-[^/]+\.js$/, (route) => route.abort())
  const refused = page.waitForEvent('requestfailed')
  await page.goto('/dashboard#/live/overview')
  await refused
  await page.getByText('Show as a table').first().waitFor()
  expect(await page.getByRole('button', { name: RELOAD }).count()).toBe(0)
  await closeAfterFailures(dashboard)
})
