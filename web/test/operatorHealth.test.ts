import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WatchedPage } from './setup/browser.ts'
import { act, openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

describe('operator', () => {
  let site: Site
  let watched: WatchedPage
  let page: Page
  beforeAll(async () => {
    site = await startSite()
    await site.t.createStore()
    watched = await openConsole(site)
    page = watched.page
  })
  afterAll(async () => {
    await watched.close()
    await site.close()
  })

  it('audits the ledger, and sees errors on its page and on the overview', async () => {
    const corruptBalances = (by: number) =>
      site.t.database.transaction((tx) =>
        tx.execute('update store_balance set balance = balance + $1', [by]),
      )
    await show(page, 'ledger', 'Ledger')
    await act(page, 'Run audit')
    await page.getByText('All balances and payments are correct.').waitFor()
    await corruptBalances(1)
    await act(page, 'Run audit')
    await page.getByText('Some records are wrong.').waitFor()
    await corruptBalances(-1)
    await page.getByRole('cell', { name: 'store balance equals its transfers' }).first().waitFor()
    await page.getByRole('table', { name: 'Earlier audits' }).getByText('No errors').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: /The ledger audit found \d+ errors/ }).click()
    await page.getByRole('heading', { name: 'Ledger' }).waitFor()
  })

  it('sees failing webhook hosts, an untrusted proxy, the load and silent processes', async () => {
    const { store } = await site.t.createStore()
    await site.t.database.transaction((tx) =>
      tx.execute(
        `insert into delivery (store_id, payment_id, sequence, mode, url, host, attempts, created_at,
           due_at, last_error)
         values ($1, 'pay_x', 1, 'live', 'https://dead.example/', 'dead.example', 3, now(),
           now() + interval '1 hour', 'the connection was refused')`,
        [store.storeId],
      ),
    )
    await site.t.call('GET', '/health', { 'x-forwarded-for': '203.0.113.7' })
    await site.t.service.node.report()
    await show(page, 'overview', 'Overview')
    const untrusted = 'Requests arrive through a proxy, but FLORIN_TRUST_PROXY is 0.'
    await page.getByRole('link', { name: untrusted }).waitFor()
    await page.getByRole('link', { name: /1 webhook receiver is failing/ }).click()
    await page.getByRole('row', { name: /dead\.example.*The connection was refused/ }).waitFor()
    await page.route('**/operator/nodes', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      json.data.nodes[0].p95_ms = 12_345
      await route.fulfill({ response, json })
    })
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('row', { name: /Ready.*12,345/ }).waitFor()
    await page.unroute('**/operator/nodes')
    await page.getByText(untrusted).waitFor()
    const chart = page.getByRole('slider', { name: /^Load in the last hour\./ })
    await expect.poll(() => chart.locator('.chart-bar').count()).toBe(60)
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /^\d\d:\d\d [AP]M, Requests per second: [\d.]+, Errors per second: 0$/,
    )
    await page.getByText('Show as a table').first().click()
    const figures = page.getByRole('table', { name: 'Load in the last hour' })
    await expect.poll(() => figures.locator('tbody tr').count()).toBeGreaterThan(0)
    await site.t.database.transaction((tx) =>
      tx.execute(`update node set seen_at = now() - interval '1 hour'`),
    )
    await page.reload()
    await page.getByRole('row', { name: /Not reporting/ }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('is not reporting').waitFor()
  })
})
