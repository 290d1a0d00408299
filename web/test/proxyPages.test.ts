import { LOCALES, type Locale } from '@florin/shared/locales.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeAfterFailures } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openTill, type Shop } from './setup/till.ts'

// A proxy answers with a page of its own while the service is down. The network works, so no text may say that it doesn't.

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const TEXTS: Readonly<Record<Locale, { staff: string; wallet: string }>> = {
  en: {
    staff: 'Cannot reach the service. Check the network and try again.',
    wallet: 'Cannot reach the service. Check your network and try again.',
  },
  es: {
    staff: 'No se puede conectar con el servicio. Revisa la red e inténtalo de nuevo.',
    wallet: 'No se puede conectar con el servicio. Revisa tu red e inténtalo de nuevo.',
  },
  fr: {
    staff: 'Impossible de joindre le service. Vérifiez le réseau et réessayez.',
    wallet: 'Impossible de joindre le service. Vérifiez votre réseau et réessayez.',
  },
  ar: {
    staff: 'تعذّر الوصول إلى الخدمة. تحقق من الشبكة وحاول مجددًا.',
    wallet: 'تعذّر الوصول إلى الخدمة. تحقق من شبكتك وحاول مرة أخرى.',
  },
  zh: {
    staff: '无法连接到服务。请检查网络后重试。',
    wallet: '无法连接到服务。请检查网络后重试。',
  },
}

const answerAsProxy = (page: Page, url: string, status: number) =>
  page.route(url, (route) =>
    route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  )

it.each(LOCALES)(
  'till, dashboard and wallet say in %s that the service can’t be reached',
  async (locale) => {
    const { page, problems, close } = await site.open({ locale })
    for (const [path, status] of [
      ['/till', 502],
      ['/dashboard', 503],
    ] as const) {
      await page.goto(path)
      await answerAsProxy(page, '**/session', status)
      await page.locator('input[type=email]').fill('bo@shop.example')
      await page.locator('input[type=password]').fill('correct horse battery')
      await page.locator('button[type=submit]').click()
      await page.getByText(TEXTS[locale].staff).waitFor()
      await page.unrouteAll()
    }
    await page.goto('/wallet')
    await answerAsProxy(page, '**/wallet/session', 502)
    await page.locator('input[type=tel]').fill('+447700900123')
    await page.locator('input[type=password]').fill('4711')
    await page.locator('button[type=submit]').click()
    await page.getByText(TEXTS[locale].wallet).waitFor()
    await closeAfterFailures({ page, problems, close }, 502, 503)
  },
)

it('the till keeps the sale and its key, and shows the code', async () => {
  const { page, problems, close } = await openTill(site, shop.people.cashier)
  const keys = new Set<string | undefined>()
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/live/payments')) {
      keys.add(request.headers()['idempotency-key'])
    }
  })
  await answerAsProxy(page, '**/store/live/payments', 502)
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  const text =
    'Cannot reach the service. Check the network and try again. The customer is charged only once.'
  await page.getByText(text).waitFor()
  await page.unrouteAll()
  await page.keyboard.press('Enter')
  await page.locator('.qr').waitFor()
  expect(keys.size).toBe(1)

  await answerAsProxy(page, '**/status?wait=*', 502)
  const codeText =
    'Cannot reach the service. The code stays valid. The result will show when the connection is back.'
  await page.getByText(codeText).waitFor()
  await closeAfterFailures({ page, problems, close }, 502)
})
