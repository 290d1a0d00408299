import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
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
  { name: 'checkout', path: ({ live }) => payment(live) },
  { name: 'checkout-sandbox', path: ({ sandbox }) => payment(sandbox) },
  { name: 'checkout-paid', path: ({ sandbox }) => payment(sandbox, 'pay') },
  { name: 'checkout-expired', path: ({ sandbox }) => payment(sandbox, 'expire') },
  { name: 'link', path: async ({ live }) => `/link/${(await counterCode(live)).link_id}` },
  { name: 'checkout-arabic', path: async ({ live }) => `${await payment(live)}?lang=ar` },
  {
    name: 'wallet-sign-in',
    path: () => '/wallet',
    ready: (page) => page.locator('h1').waitFor(),
  },
  { name: 'wallet', path: () => '/wallet', ready: walletHome },
  { name: 'wallet-type', path: () => '/wallet', ready: walletType },
  { name: 'wallet-preview', path: () => '/wallet', ready: walletPreview },
  { name: 'wallet-receipt', path: () => '/wallet', ready: walletReceipt },
  { name: 'wallet-link', path: () => '/wallet', ready: walletLink },
  { name: 'wallet-link-paid', path: () => '/wallet', ready: walletLinkPaid },
  { name: 'wallet-account', path: () => '/wallet', ready: walletAccount },
  { name: 'wallet-arabic', path: () => '/wallet?lang=ar', ready: walletHome },
  { name: 'till-sign-in', path: () => '/till', ready: (page) => page.locator('h1').waitFor() },
  { name: 'till', path: () => '/till', ready: tillSale },
  { name: 'till-code', path: () => '/till', ready: tillCode },
  { name: 'till-paid', path: () => '/till', ready: tillPaid },
  { name: 'till-sales', path: () => '/till#sales', ready: tillSales },
  { name: 'till-receipt', path: () => '/till', ready: tillReceipt },
  {
    name: 'dashboard-sign-in',
    path: () => '/dashboard',
    ready: (page) => page.locator('h1').waitFor(),
  },
  { name: 'dashboard', path: manyPayments('overview'), ready: dashboard('.chart-text') },
  { name: 'dashboard-payments', path: manyPayments('payments'), ready: dashboard('tbody tr') },
  { name: 'dashboard-payment', path: onePayment, ready: dashboard('.event') },
  { name: 'dashboard-links', path: linksPage(''), ready: dashboard('tbody tr') },
  { name: 'dashboard-link', path: linksPage('/link'), ready: dashboard('.stand-choice') },
  { name: 'stand', path: linksPage('/link?stand=a6'), ready: dashboard('.stand svg, .stand img') },
  { name: 'dashboard-balance', path: manyPayments('balance'), ready: dashboard('tbody tr') },
  { name: 'dashboard-developers', path: manyPayments('developers'), ready: dashboard('tbody tr') },
  {
    name: 'dashboard-settings',
    path: () => '/dashboard#/sandbox/settings',
    ready: dashboard('.shell-main form'),
  },
  {
    name: 'dashboard-account',
    path: () => '/dashboard#/sandbox/account',
    ready: dashboard('.shell-main form'),
  },
  {
    name: 'dashboard-arabic',
    path: () => '/dashboard?lang=ar#/sandbox/overview',
    ready: dashboard('.chart-text'),
  },
  { name: 'operator', path: () => '/operator', ready: operatorConsole },
  { name: 'operator-store', path: () => '/operator#/stores/1', ready: operatorConsole },
  { name: 'operator-settings', path: () => '/operator#/stores/1/settings', ready: operatorConsole },
  { name: 'operator-wallets', path: () => '/operator#/wallets', ready: operatorConsole },
  { name: 'operator-balances', path: () => '/operator#/balances', ready: operatorConsole },
  { name: 'operator-health', path: () => '/operator#/health', ready: operatorConsole },
  { name: 'operator-log', path: () => '/operator#/log', ready: operatorConsole },
  { name: 'operator-people', path: () => '/operator#/people', ready: operatorConsole },
  { name: 'operator-tokens', path: () => '/operator#/tokens', ready: operatorConsole },
  { name: 'operator-approvals', path: () => '/operator#/approvals', ready: operatorConsole },
  { name: 'operator-security', path: () => '/operator#/security', ready: operatorConsole },
  { name: 'operator-mail', path: () => '/operator#/mail', ready: operatorConsole },
  { name: 'operator-account', path: () => '/operator#/account', ready: operatorConsole },
  { name: 'operator-arabic', path: () => '/operator?lang=ar#/security', ready: operatorConsole },
  { name: 'reference', path: () => '/docs', ready: (page) => page.locator('h1').waitFor() },
]

async function payment(call, outcome) {
  const { payment_id: id } = await call('/merchant/payment/create', ORDER)
  if (outcome !== undefined) await call(`/sandbox/payment/${id}/${outcome}`)
  return `/pay/${id}`
}

async function walletHome(page) {
  await page.getByRole('button', { name: /^(Try the demo wallet|جرّب المحفظة التجريبية)$/ }).click()
  await page.locator('.activity-row').first().waitFor()
}

async function walletAccount(page) {
  await walletHome(page)
  await page.evaluate(() => location.assign('#account'))
  await page.locator('summary').first().waitFor()
}

async function walletType(page) {
  await walletHome(page)
  await page.getByText('Type number').click()
  await page.locator('input').fill('2123456789012345678901234')
}

async function walletPreview(page, { sandbox }) {
  const { qr_code } = await sandbox('/merchant/payment/create', ORDER)
  await walletHome(page)
  await page.evaluate((hash) => location.assign(hash), `#pay/${qr_code}`)
  await page.getByRole('button', { name: /^Pay / }).waitFor()
}

async function walletReceipt(page, setup) {
  await walletPreview(page, setup)
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.locator('.outcome-completed').waitFor()
}

const counterCode = (call) =>
  call('/merchant/links', {
    title: 'Counter',
    description: 'Corner Shop, open until 6',
    currency: 'USD',
  })

async function walletLink(page, { sandbox }) {
  const { link_id } = await counterCode(sandbox)
  await walletHome(page)
  await page.evaluate((hash) => location.assign(hash), `#link/${link_id}`)
  await page.getByRole('button', { name: 'Decimal point' }).waitFor()
  await page.keyboard.type('4.50')
}

async function walletLinkPaid(page, setup) {
  await walletLink(page, setup)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('heading', { level: 1, name: 'Paid' }).waitFor()
}

/** Creates two links. `/link` in the path becomes the path of the newer one. */
function linksPage(path) {
  return async ({ live }) => {
    await live('/merchant/links', {
      title: 'Concert ticket',
      amount: 18,
      currency: 'USD',
      max_payments: 80,
    })
    const { link_id } = await counterCode(live)
    return `/dashboard#/live/links${path.replace('/link', `/${link_id}`)}`
  }
}

async function signIn(page, { email, password }) {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
}

const signInAtTill = (page, { demo }) => signIn(page, demo.cashier)

async function operatorConsole(page, { demo }) {
  await signIn(page, demo.operator)
  await page.locator('.shell-main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.loading') === null)
}

async function tillSale(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.note input').fill('Table 4')
  await page.locator('h1').click()
  for (const item of ['Tea', 'Tea', 'Croissant', 'Still water']) {
    await page.locator('.item', { hasText: item }).click()
  }
}

async function tillCode(page, setup) {
  await tillSale(page, setup)
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
}

async function tillPaid(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.mode-sandbox').click()
  await page.keyboard.type('12.5')
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  await setup.sandbox(`/sandbox/payment/${page.url().split('/').at(-1)}/pay`)
  await page.locator('.outcome-screen').waitFor()
}

async function tillSales(page, setup) {
  await signInAtTill(page, setup)
  await page.locator('.sale-row').first().waitFor()
}

async function tillReceipt(page, setup) {
  await tillPaid(page, setup)
  await page.locator('.outcome-screen .button').last().click()
  await page.locator('.receipt').waitFor()
}

/** Signs in as the owner and waits for the selector. */
function dashboard(selector) {
  return async (page, { demo }) => {
    await signIn(page, demo.merchant)
    await page.locator(selector).first().waitFor()
  }
}

/** Creates a dozen payments with different outcomes. */
function manyPayments(pageName) {
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

async function onePayment({ sandbox }) {
  const client = { name: 'Grace Hopper', email: 'grace@example.com', phone: '5550123' }
  const order = { ...ORDER, client, webhook_url: 'http://127.0.0.1:9/hook' }
  const { payment_id: id } = await sandbox('/merchant/payment/create', order)
  await sandbox(`/sandbox/payment/${id}/pay`)
  return `/dashboard#/sandbox/payments/${id}`
}

/** Creates a function that calls the API with the keys of one mode and returns the data. */
function caller(origin, { api_key, api_secret }) {
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

const wanted = process.argv.slice(2)
prepare({ developer: true })
mkdirSync(FOLDER, { recursive: true })
const service = await startService()
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] })
try {
  const { origin, demo } = service
  const calls = { live: caller(origin, demo.live), sandbox: caller(origin, demo.sandbox) }
  for (const { name, path, ready } of PAGES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
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
