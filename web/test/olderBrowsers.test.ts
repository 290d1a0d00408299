import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { qrPng } from '../../server/src/platform/qrImages.ts'
import { newLink, payLink } from '../../server/test/setup/links.ts'
import { createPaidPayment, sandboxPay } from '../../server/test/setup/merchantCalls.ts'
import { createPerson } from '../../server/test/setup/people.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { openWallet } from './setup/payers.ts'
import { type Site, startSite } from './setup/site.ts'
import { openSignedIn } from './setup/till.ts'

const BUILD = new URL('../dist/public/', import.meta.url)

let site: Site
let shop: TestStore
beforeAll(async () => {
  site = await startSite()
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())

/** The files of the last build. The folder also keeps those of earlier ones. */
async function builtFiles(): Promise<string[]> {
  const manifest = await readFile(new URL('manifest.json', BUILD), 'utf8')
  return (JSON.parse(manifest) as { files: string[] }).files
}

/** Removes functions, properties and constructors that Safari 15.4 doesn't have. */
const removeFunctions = (page: Page) =>
  page.addInitScript(() => {
    Reflect.deleteProperty(AbortSignal, 'timeout')
    Reflect.deleteProperty(URL, 'canParse')
    Reflect.deleteProperty(URLSearchParams.prototype, 'size')
    for (const name of ['toSorted', 'with']) Reflect.deleteProperty(Array.prototype, name)
    Reflect.deleteProperty(Document.prototype, 'adoptedStyleSheets')
    Object.defineProperty(window, 'CSSStyleSheet', {
      value: class {
        constructor() {
          throw new TypeError('Illegal constructor')
        }
      },
    })
  })

it('shows the outcome of a payment in Safari 15', async () => {
  const { payment_id } = await site.t.createPayment(shop.sandbox, { amount: 6.5 })
  const { page, close } = await site.open()
  await removeFunctions(page)
  await page.goto(`/pay/${payment_id}`)
  await sandboxPay(site.t, shop.sandbox, payment_id)
  await page.locator('main[data-status=completed]').waitFor()
  await close()
})

it('lists the shops of a wallet in Safari 15', async () => {
  const payer = await site.t.createWallet({ balance: '10' })
  await createPaidPayment(site.t, shop.live, payer, { amount: 2 })
  const { page, close } = await openWallet(site, payer)
  await removeFunctions(page)
  await page.goto('/wallet#shops')
  await page.getByText('Corner Shop').waitFor()
  await close()
})

it('pays a scanned code in Safari 15', async () => {
  const payer = await site.t.createWallet({ balance: '10' })
  const { qr_code } = await site.t.createPayment(shop.live, { amount: 3 })
  const { page, close } = await openWallet(site, payer)
  await removeFunctions(page)
  await page.goto('/wallet#scan')
  const picture = { name: 'a.png', mimeType: 'image/png', buffer: await qrPng(qr_code, 900) }
  await page.locator('input[type=file]').setInputFiles(picture)
  await page.getByRole('button', { name: 'Pay 3.00 USD' }).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await close()
})

it('opens the till in Safari 15', async () => {
  const { page, close } = await site.open()
  await removeFunctions(page)
  await page.goto('/till')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await close()
})

it('filters the statement by days in Safari 15', async () => {
  const payer = await site.t.createWallet({ balance: '10' })
  await createPaidPayment(site.t, shop.live, payer, { amount: 4 })
  const { page, close } = await openSignedIn(site, await createPerson(site.t, shop.store))
  await removeFunctions(page)
  await page.goto('/dashboard#/live/balance?from=2020-01-01&to=2020-01-01')
  await page.getByText('No transactions on these days').waitFor()
  await page.getByRole('button', { name: 'All days' }).click()
  await page.getByRole('cell', { name: '4.00 USD' }).first().waitFor()
  await close()
})

/** Disables color-mix, which Safari supports from version 16.2. */
const disableColorMix = (page: Page) =>
  page.route('**/*.css', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('color-mix(', 'unknown-mix(')
    await route.fulfill({ response, body })
  })

const colorsOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const { fill, backgroundColor } = getComputedStyle(element)
    return { fill, backgroundColor }
  })

it('draws charts in colour in Safari 15', async () => {
  const { page, close } = await openSignedIn(site, await createPerson(site.t, shop.store))
  await disableColorMix(page)
  await page.goto('/dashboard#/live/overview')
  expect((await colorsOf(page.locator('.chart-bar').last())).fill).toContain('oklch')
  await close()
})

it('shows an arriving payment on an opaque card in Safari 15', async () => {
  const link = await newLink(site.t, shop.live, { title: 'Counter' })
  const payer = await site.t.createWallet({ balance: '10' })
  const { page, close } = await openSignedIn(site, await createPerson(site.t, shop.store))
  await disableColorMix(page)
  await Promise.all([page.waitForResponse('**/store/changes'), page.goto('/till')])
  await page.locator('.home').waitFor()
  await payLink(site.t, payer, link, { amount: 4.5 })
  expect((await colorsOf(page.locator('.arrival'))).backgroundColor).toContain('oklch')
  await close()
})

it('has no lookbehind in the built scripts, which Safari before version 16.4 cannot parse', async () => {
  const scripts = (await builtFiles()).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(5)
  for (const name of scripts) {
    const text = await readFile(new URL(name, BUILD), 'utf8')
    expect(/\(\?<[=!]/.test(text), name).toBe(false)
  }
})

it('has no media queries with comparisons in the built styles, which Safari ignores before version 16.4', async () => {
  const styles = (await builtFiles()).filter((name) => name.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(5)
  for (const name of styles) {
    const text = await readFile(new URL(name, BUILD), 'utf8')
    expect(text.match(/@media[^{]*[<>][^{]*\{/)?.[0], name).toBeUndefined()
  }
})
