import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { webhooks } from '../../sdk/src/index.ts'
import { openShop, type Shop } from '../../sdk/test/shop.ts'
import { freePort, until } from '../../server/test/setup/started.ts'
import { expectAccessible } from './setup/axe.ts'
import { closePages, openPage, sharedBrowser, type WatchedPage } from './setup/browser.ts'

const script = fileURLToPath(new URL('../../examples/shop/shop.mjs', import.meta.url))
const httpCredentials = { username: 'shop', password: 'open sesame' }

let service: Shop
let browser: Browser
let folder: string
let origin: string
let shop: ChildProcess
let customer: WatchedPage
let merchant: WatchedPage
beforeAll(async () => {
  service = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'florin-shop-'))
  origin = `http://localhost:${await freePort()}`
  shop = await startShop()
  browser = await sharedBrowser()
  customer = await openPage(browser, origin)
  merchant = await openPage(browser, origin, { httpCredentials })
})
afterAll(async () => {
  if (browser) await closePages(browser)
  await stopShop()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the shop like its README: keys and secret in the environment, orders in a file. */
async function startShop(): Promise<ChildProcess> {
  const { baseUrl, apiKey, apiSecret } = service.keys
  const child = spawn(process.execPath, [script], {
    env: {
      PATH: process.env.PATH,
      PORT: new URL(origin).port,
      FLORIN_URL: baseUrl,
      FLORIN_API_KEY: apiKey,
      FLORIN_API_SECRET: apiSecret,
      FLORIN_WEBHOOK_SECRET: service.secret,
      SHOP_PASSWORD: httpCredentials.password,
      SHOP_ORDERS: join(folder, 'orders.json'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout!, 'data')
  expect(String(output)).toBe(`The shop is open at ${origin}\n`)
  return child
}

async function stopShop(): Promise<void> {
  const ended = once(shop, 'exit')
  shop.kill('SIGTERM')
  await ended
}

/** Orders two products for 18.50 and opens the order's page. */
async function order(): Promise<string> {
  const { page } = customer
  await page.goto('/')
  await page.getByLabel('Green tea').fill('1')
  await page.getByLabel('Cup').fill('1')
  await page.getByRole('button', { name: 'Order' }).click()
  await page.waitForSelector('#pending')
  return new URL(page.url()).pathname
}

async function paymentId(): Promise<string> {
  const link = customer.page.getByRole('link', { name: 'Open the payment page' })
  return new URL((await link.getAttribute('href'))!).pathname.replace('/pay/', '')
}

async function historyOf(path: string): Promise<string> {
  await merchant.page.goto('/orders')
  const row = merchant.page.getByRole('row').filter({ hasText: path.replace('/orders/', '') })
  return (await row.getByRole('cell').nth(3).textContent()) ?? ''
}

async function countAttempts(id: string): Promise<number> {
  const events = await service.florin.payments.webhooks(id)
  return events.flatMap((event) => event.attempts).length
}

it('takes an order from the checkout to paid and refunded, by webhooks', async () => {
  const { page } = customer
  const path = await order()
  await expectAccessible(page)
  const qr = await page.request.get(`${path}/qr.svg`)
  expect(qr.headers()['content-type']).toBe('image/svg+xml')

  const id = await paymentId()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open the payment page' }).click()
  const checkout = await opened
  await checkout.getByText('Cup').first().waitFor()
  expect(await checkout.title()).toContain('18.50')

  await service.florin.sandbox.pay(id)
  await checkout.getByText('Paid. Thank you.').first().waitFor()
  await page.waitForSelector('#completed')
  expect(await historyOf(path)).toBe('completed')
  await expectAccessible(merchant.page)

  // A repeated webhook is not a second sale, even after a restart of the shop.
  await stopShop()
  shop = await startShop()
  await service.florin.payments.redeliver(id)
  await until(async () => (await countAttempts(id)) === 2)
  expect(await historyOf(path)).toBe('completed')

  await merchant.page.getByRole('button', { name: 'Refund' }).click()
  await until(async () => (await historyOf(path)) === 'completed, refunded')
  await page.goto(path)
  await page.waitForSelector('#refunded')
  // Both events again: the older one must not change the order back to paid.
  const dayMs = 86_400_000
  const window = {
    created_from: new Date(Date.now() - dayMs),
    created_to: new Date(Date.now() + dayMs),
  }
  expect(await service.florin.events.redeliver(window)).toEqual({ events: 2 })
  await until(async () => (await countAttempts(id)) === 5)
  expect(await historyOf(path)).toBe('completed, refunded')
  expect(await service.t.auditFindings()).toEqual([])
})

it('offers another payment after a failure, and refuses forged webhooks', async () => {
  const { page } = customer
  const path = await order()
  const id = await paymentId()
  const sendEvent = async (secret: string, overrides: Record<string, string> = {}) => {
    const { body, headers } = await webhooks.signTestEvent({
      type: 'payment.completed',
      secret,
      data: { payment_id: id, reference: { id: path.replace('/orders/', ''), note: null } },
    })
    const post = { method: 'POST', headers: { ...headers, ...overrides }, body }
    return (await fetch(`${origin}/hook`, post)).status
  }
  expect(await sendEvent('whsec_AAAA')).toBe(400)
  expect(await sendEvent(service.secret, { 'webhook-timestamp': '1' })).toBe(400)
  expect(await historyOf(path)).toBe('')

  await service.florin.sandbox.fail(id)
  await page.waitForSelector('#failed')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForSelector('#pending')
  expect(await paymentId()).not.toBe(id)
  // As after a crash between the creation of a payment and its storage, with a webhook that arrives meanwhile.
  const lost = await paymentId()
  await page.goto('about:blank')
  await stopShop()
  const file = join(folder, 'orders.json')
  const stored = await readFile(file, 'utf8')
  const withoutPayment = stored.replace(
    /"attempts":2,"payment":\{[^}]*"pending"[^}]*\}/,
    '"attempts":1,"payment":null',
  )
  await writeFile(file, withoutPayment)
  shop = await startShop()
  await service.florin.sandbox.expire(lost)
  await until(async () => (await countAttempts(lost)) === 1)
  await page.goto(path)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForSelector('#expired')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForSelector('#pending')
  expect(await paymentId()).not.toBe(lost)
  // A webhook of the first payment has no effect now.
  expect(await sendEvent(service.secret)).toBe(204)
  expect(await historyOf(path)).toBe('failed')

  const refund = (headers: Record<string, string>) =>
    fetch(`${origin}${path}/refund`, { method: 'POST', headers })
  const authorization = `Basic ${btoa(`shop:${httpCredentials.password}`)}`
  expect((await refund({})).status).toBe(401)
  expect((await refund({ authorization, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const unpaidRefund = await refund({ authorization })
  expect(unpaidRefund.status).toBe(409)
  expect(await unpaidRefund.text()).toContain('role="alert"')
  await customer.close()
  await merchant.close()
})
