import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startService } from '../bench/lib/service.mjs'
import { prepare, root } from './prepare.mjs'
import { findBrowser } from './tools.mjs'

const FOLDER = join(root, 'docs/pictures')
const SIZES = {
  phone: { width: 360, height: 780, deviceScaleFactor: 2 },
  desktop: { width: 1280, height: 800, deviceScaleFactor: 1 },
}
const THEMES = ['light', 'dark']

const ORDER = {
  amount: 12.5,
  currency: 'USD',
  reference_id: 'order-1041',
  products: [
    { name: 'Darjeeling, 100 g', quantity: 2, price: 3.25 },
    { name: 'Porcelain cup', quantity: 1, price: 6 },
  ],
}

/**
 * All screenshots. `path` prepares the data through the API of the demo store and returns the path of the page;
 * `ready` signs in, opens the screen and waits until it is complete.
 */
const PAGES = [
  { name: 'start', path: () => '/' },
  { name: 'checkout', path: ({ live }) => createPayment(live) },
  { name: 'checkout-sandbox', path: ({ sandbox }) => createPayment(sandbox) },
  { name: 'checkout-paid', path: ({ sandbox }) => createPayment(sandbox, 'pay') },
  { name: 'checkout-expired', path: ({ sandbox }) => createPayment(sandbox, 'expire') },
  { name: 'link', path: async ({ live }) => `/link/${(await createCounterLink(live)).link_id}` },
  { name: 'checkout-arabic', path: async ({ live }) => `${await createPayment(live)}?lang=ar` },
  {
    name: 'wallet-sign-in',
    path: () => '/wallet',
    ready: (page) => page.locator('h1').waitFor(),
  },
  { name: 'wallet', path: () => '/wallet', ready: openWallet },
  { name: 'wallet-type', path: () => '/wallet', ready: typeNumberInWallet },
  { name: 'wallet-preview', path: () => '/wallet', ready: previewInWallet },
  { name: 'wallet-receipt', path: () => '/wallet', ready: payInWallet },
  { name: 'wallet-link', path: () => '/wallet', ready: openLinkInWallet },
  { name: 'wallet-link-paid', path: () => '/wallet', ready: payLinkInWallet },
  { name: 'wallet-account', path: () => '/wallet', ready: openWalletAccount },
  { name: 'wallet-arabic', path: () => '/wallet?lang=ar', ready: openWallet },
  { name: 'till-sign-in', path: () => '/till', ready: (page) => page.locator('h1').waitFor() },
  { name: 'till', path: () => '/till', ready: enterSale },
  { name: 'till-code', path: () => '/till', ready: showCodeAtTill },
  { name: 'till-paid', path: () => '/till', ready: payAtTill },
  { name: 'till-sales', path: createSale, ready: openSales },
  { name: 'till-receipt', path: () => '/till', ready: openReceiptAtTill },
  {
    name: 'dashboard-sign-in',
    path: () => '/dashboard',
    ready: (page) => page.locator('h1').waitFor(),
  },
  { name: 'dashboard', path: createPayments('overview'), ready: openDashboard('.chart-text') },
  {
    name: 'dashboard-payments',
    path: createPayments('payments'),
    ready: openDashboard('tbody tr'),
  },
  { name: 'dashboard-payment', path: createPaidPayment, ready: openDashboard('.event') },
  { name: 'dashboard-links', path: createLinks(''), ready: openDashboard('tbody tr') },
  { name: 'dashboard-link', path: createLinks('/link'), ready: openDashboard('.stand-choice') },
  {
    name: 'stand',
    path: createLinks('/link?stand=a6'),
    ready: openDashboard('.stand svg, .stand img'),
  },
  { name: 'dashboard-balance', path: createPayments('balance'), ready: openDashboard('tbody tr') },
  {
    name: 'dashboard-developers',
    path: createPayments('developers'),
    ready: openDashboard('tbody tr'),
  },
  {
    name: 'dashboard-settings',
    path: () => '/dashboard#/sandbox/settings',
    ready: openDashboard('.shell-main form'),
  },
  {
    name: 'dashboard-account',
    path: () => '/dashboard#/sandbox/account',
    ready: openDashboard('.shell-main form'),
  },
  {
    name: 'dashboard-arabic',
    path: () => '/dashboard?lang=ar#/sandbox/overview',
    ready: openDashboard('.chart-text'),
  },
  { name: 'operator', path: () => '/operator', ready: openConsole },
  { name: 'operator-store', path: () => '/operator#/stores/1', ready: openConsole },
  { name: 'operator-settings', path: () => '/operator#/stores/1/settings', ready: openConsole },
  { name: 'operator-wallets', path: () => '/operator#/wallets', ready: openConsole },
  { name: 'operator-balances', path: () => '/operator#/balances', ready: openConsole },
  { name: 'operator-health', path: () => '/operator#/health', ready: openConsole },
  { name: 'operator-log', path: () => '/operator#/log', ready: openConsole },
  { name: 'operator-people', path: () => '/operator#/people', ready: openConsole },
  { name: 'operator-tokens', path: () => '/operator#/tokens', ready: openConsole },
  { name: 'operator-approvals', path: () => '/operator#/approvals', ready: openConsole },
  { name: 'operator-security', path: () => '/operator#/security', ready: openConsole },
  { name: 'operator-mail', path: () => '/operator#/mail', ready: openConsole },
  { name: 'operator-account', path: () => '/operator#/account', ready: openConsole },
  { name: 'operator-arabic', path: () => '/operator?lang=ar#/security', ready: openConsole },
  { name: 'reference', path: () => '/docs', ready: (page) => page.locator('h1').waitFor() },
]

async function createPayment(call, outcome) {
  const { payment_id: id } = await call('/merchant/payment/create', ORDER)
  if (outcome !== undefined) await call(`/sandbox/payment/${id}/${outcome}`)
  return `/pay/${id}`
}

async function openWallet(page) {
  await page.getByRole('button', { name: /^(Try the demo wallet|جرّب المحفظة التجريبية)$/ }).click()
  await page.locator('.activity-row').first().waitFor()
}

async function openWalletAccount(page) {
  await openWallet(page)
  await page.evaluate(() => location.assign('#account'))
  await page.locator('summary').first().waitFor()
}

async function typeNumberInWallet(page) {
  await openWallet(page)
  await page.getByText('Type number').click()
  await page.locator('input').fill('2123456789012345678901234')
}

async function previewInWallet(page, { sandbox }) {
  const { qr_code } = await sandbox('/merchant/payment/create', ORDER)
  await openWallet(page)
  await page.evaluate((hash) => location.assign(hash), `#pay/${qr_code}`)
  await page.getByRole('button', { name: /^Pay / }).waitFor()
}

async function payInWallet(page, setup) {
  await previewInWallet(page, setup)
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.locator('.outcome-completed').waitFor()
}

const createCounterLink = (call) =>
  call('/merchant/links', {
    title: 'Counter',
    description: 'Corner Shop, open until 6',
    currency: 'USD',
  })

async function openLinkInWallet(page, { sandbox }) {
  const { link_id } = await createCounterLink(sandbox)
  await openWallet(page)
  await page.evaluate((hash) => location.assign(hash), `#link/${link_id}`)
  await page.getByRole('button', { name: 'Decimal point' }).waitFor()
  await page.keyboard.type('4.50')
}

async function payLinkInWallet(page, setup) {
  await openLinkInWallet(page, setup)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
}

/** Creates two links. `/link` in the path becomes the path of the newer one. */
function createLinks(path) {
  return async ({ live }) => {
    await live('/merchant/links', {
      title: 'Concert ticket',
      amount: 18,
      currency: 'USD',
      max_payments: 80,
    })
    const { link_id } = await createCounterLink(live)
    return `/dashboard#/live/links${path.replace('/link', `/${link_id}`)}`
  }
}

async function signIn(page, { email, password }) {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
}

const signInAtTill = (page, { demo }) => signIn(page, demo.cashier)

async function openConsole(page, { demo }) {
  await signIn(page, demo.operator)
  await page.locator('.shell-main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.loading') === null)
}

async function enterSale(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.note input').fill('Table 4')
  await page.locator('h1').click()
  for (const item of ['Tea', 'Tea', 'Croissant', 'Still water']) {
    await page.locator('.item', { hasText: item }).click()
  }
}

async function showCodeAtTill(page, setup) {
  await enterSale(page, setup)
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
}

async function payAtTill(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.segment-sandbox').click()
  await page.keyboard.type('12.5')
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  await setup.sandbox(`/sandbox/payment/${page.url().split('/').at(-1)}/pay`)
  await page.locator('.outcome-screen').waitFor()
}

async function createSale({ live }) {
  await createPayment(live)
  return '/till#sales'
}

async function openSales(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.sale-row').first().waitFor()
}

async function openReceiptAtTill(page, setup) {
  await payAtTill(page, setup)
  await page.locator('.outcome-screen .button').last().click()
  await page.locator('.receipt').waitFor()
}

/** Signs in as the owner and waits for the selector. */
function openDashboard(selector) {
  return async (page, { demo }) => {
    await signIn(page, demo.merchant)
    await page.locator(selector).first().waitFor()
  }
}

/** Creates a dozen payments with different outcomes. */
function createPayments(pageName) {
  return async ({ sandbox }) => {
    for (let n = 0; n < 12; n++) {
      const order = { ...ORDER, amount: 5 + n * 3.5, reference_id: `order-${1042 + n}` }
      const { payment_id: id } = await sandbox('/merchant/payment/create', order)
      if (n % 5 < 3) await sandbox(`/sandbox/payment/${id}/pay`)
      if (n % 5 === 3) await sandbox(`/sandbox/payment/${id}/expire`)
      if (n % 5 === 1) await sandbox(`/merchant/payment/${id}/refund`)
    }
    return `/dashboard#/sandbox/${pageName}`
  }
}

async function createPaidPayment({ sandbox }) {
  const client = { name: 'Grace Hopper', email: 'grace@example.com', phone: '5550123' }
  const order = { ...ORDER, client, webhook_url: 'http://127.0.0.1:9/hook' }
  const { payment_id: id } = await sandbox('/merchant/payment/create', order)
  await sandbox(`/sandbox/payment/${id}/pay`)
  return `/dashboard#/sandbox/payments/${id}`
}

/** Creates a function that calls the API with the keys of one mode and returns the data. */
function createCaller(origin, { api_key, api_secret }) {
  return async (path, body = {}) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'api-key': api_key, 'api-secret': api_secret, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
    return (await response.json()).data
  }
}

const names = process.argv.slice(2)
prepare({ withDev: true })
mkdirSync(FOLDER, { recursive: true })
// After `prepare`, which installs it.
const { chromium } = await import('playwright-core')
const service = await startService()
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
try {
  const { origin, demo } = service
  const calls = {
    live: createCaller(origin, demo.live),
    sandbox: createCaller(origin, demo.sandbox),
  }
  for (const { name, path, ready } of PAGES) {
    if (names.length > 0 && !names.includes(name)) continue
    const url = origin + (await path({ ...calls, demo }))
    for (const [size, { deviceScaleFactor, ...viewport }] of Object.entries(SIZES)) {
      for (const colorScheme of THEMES) {
        const context = await browser.newContext({ viewport, deviceScaleFactor, colorScheme })
        const page = await context.newPage()
        await page.goto(url)
        await ready?.(page, { ...calls, demo })
        const file = `${name}-${size}-${colorScheme}.png`
        await page.screenshot({ path: join(FOLDER, file), fullPage: true, animations: 'disabled' })
        await context.close()
        console.log(`docs/pictures/${file}`)
      }
    }
  }
} finally {
  await browser.close()
  await service.stop()
}
