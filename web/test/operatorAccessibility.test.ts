import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let storeId: number
let walletId: string
beforeAll(async () => {
  site = await startSite()
  const { store } = await site.t.createStore({ name: 'Corner Shop' })
  storeId = store.storeId
  const { wallet } = await site.t.createWallet({ balance: '12.50' })
  walletId = wallet.publicId
  const { call, operator, service } = site.t
  await call('PUT', '/operator/rates/EUR/USD', operator, { rate: '1.1' })
  await call('POST', `/operator/stores/${storeId}/fund`, operator, { mode: 'live', amount: '9' })
  await call('POST', `/operator/stores/${storeId}/payout`, operator, { mode: 'live', amount: '2' })
  await call('POST', '/operator/ledger-audits', operator)
  await service.node.report()
  await call('POST', '/operator/tokens', operator, { label: 'nightly', scopes: ['read'] })
  const limit = { currency: 'EUR', amount: '50' }
  await call('PUT', '/operator/approval-limits', operator, limit)
  const large = { currency: 'EUR', amount: '60', note: 'A present' }
  await call('POST', `/operator/wallets/${walletId}/top-up`, operator, large)
})
afterAll(() => site.close())

const pages = () =>
  [
    ['overview', 'Overview'],
    ['stores', 'Stores'],
    [`stores/${storeId}/money`, 'Corner Shop'],
    [`stores/${storeId}/payments`, 'Corner Shop'],
    [`stores/${storeId}/settings`, 'Corner Shop'],
    [`stores/${storeId}/keys`, 'Corner Shop'],
    [`stores/${storeId}/people`, 'Corner Shop'],
    ['people', 'People'],
    ['wallets', 'Wallets'],
    [`wallets/${walletId}/details`, 'Payer 1'],
    [`wallets/${walletId}/activity`, 'Payer 1'],
    ['rates', 'Rates'],
    ['rates/EUR/USD', 'EUR → USD'],
    ['balances', 'Balances'],
    ['webhooks', 'Webhooks'],
    ['ledger', 'Ledger'],
    ['health', 'Health'],
    ['mail', 'Mail'],
    ['log', 'Audit log'],
    ['approvals', 'Approvals'],
    ['tokens', 'Tokens'],
    ['security', 'Security events'],
  ] as const

/** Names of actions that wrap, tables that must be scrolled, and labels of a chart's axis that touch. */
function brokenTexts(): (string | null)[] {
  const actions = [...document.querySelectorAll('summary code')]
  const broken = actions.filter((action) => action.getClientRects().length > 1)
  const labels = [...document.querySelectorAll('.chart-text[text-anchor=middle]')]
  const touching = labels.filter((label, n) => {
    const [box, nextBox] = [label, labels[n + 1]].map((text) => text?.getBoundingClientRect())
    return nextBox !== undefined && nextBox.top === box!.top && nextBox.left < box!.right + 4
  })
  const boxes = [...document.querySelectorAll('.table-box')]
  const cut = boxes.filter((box) => box.scrollWidth > box.clientWidth)
  return [...broken, ...cut, ...touching].map((element) => element.textContent)
}

// The accessibility of each page is checked in one of the two variants, alternating: both use the same colour tokens.
it.each([
  [
    'a laptop in light mode',
    0,
    { colorScheme: 'light' as const, viewport: { width: 1024, height: 768 } },
  ],
  [
    'a phone in dark mode',
    1,
    { colorScheme: 'dark' as const, viewport: { width: 320, height: 780 } },
  ],
])(
  'the pages fit on %s, and every second one is checked for accessibility',
  async (_, turn, options) => {
    const { page, close } = await openConsole(site, options)
    for (const [n, [path, heading]] of pages().entries()) {
      await show(page, path, heading)
      // All tabs of a store or wallet have the same heading.
      if (/^(stores|wallets)\/.+\//.test(path)) {
        await page.locator(`.tabs [aria-current][href="#/${path}"]`).waitFor()
      }
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      if (n % 2 === turn) await expectAccessible(page)
      const { scroll, width } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        width: document.documentElement.clientWidth,
      }))
      expect(scroll, `${path} is wider than the screen`).toBeLessThanOrEqual(width)
      expect(await page.evaluate(brokenTexts), path).toEqual([])
      // Without a mail server there is nothing to filter.
      if (path === 'mail') expect(await page.getByLabel('Recipient').count()).toBe(0)
    }
    await close()
  },
  120_000,
)

it('opens, sends and closes dialogs by keyboard, and returns the focus', async () => {
  const { page, close } = await openConsole(site)
  await show(page, `stores/${storeId}`, 'Corner Shop')
  await page.getByRole('button', { name: 'Add money' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await expectAccessible(page)
  await page.getByLabel('Amount in USD').focus()
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: /^10\.00/ }).waitFor()
  await page.getByRole('button', { name: 'Suspend' }).focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Suspend')
  await close()
})

it('names the mode on the buttons of API keys, because live and sandbox keys can share a label', async () => {
  const { page, close } = await openConsole(site)
  await show(page, `stores/${storeId}/keys`, 'Corner Shop')
  const names = await page
    .getByRole('button', { name: /^Revoke: / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  expect(names.length).toBeGreaterThan(1)
  expect(new Set(names).size).toBe(names.length)
  expect(names.join()).toContain('(Live)')
  await close()
})

it('shows Arabic from right to left', async () => {
  const { page, close } = await openConsole(site, { locale: 'ar' })
  await show(page, 'overview', 'نظرة عامة')
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await expectAccessible(page)
  await close()
})

it('shows a failed action, and completes it on retry', async () => {
  const { page, problems, close } = await openConsole(site)
  await show(page, `stores/${storeId}/people`, 'Corner Shop')
  await page.route('**/operator/stores/*/people', (route) => route.abort())
  await page.getByRole('button', { name: 'Add a person' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Bo')
  await page.getByRole('dialog').getByLabel('Email').fill('bo@shop.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click()
  await page.getByText('Cannot reach the service.').waitFor()
  await page.unroute('**/operator/stores/*/people')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click()
  await page.getByText('This is shown only once.').waitFor()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('row', { name: /bo@shop\.example/ }).waitFor()
  await closeAfterFailures({ page, problems, close })
})
