import { REFUSALS } from '@florin/contract/refusals.js'
import { EVENT_TYPES } from '@florin/contract/values.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escapeHtml } from '../../server/src/core/text.ts'
import { type Examples, readExamples } from '../../server/src/pages/reference/examples.ts'
import { type Document, operationsOf, readDocument } from '../../server/test/openapi/contract.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1440, height: 900 }

let site: Site
let api: Document
let examples: Examples
let indexHtml: string
beforeAll(async () => {
  site = await startSite()
  api = await readDocument(site.t)
  examples = await readExamples()
  indexHtml = (await site.t.call('GET', '/docs')).text
})
afterAll(() => site.close())

/** The page of an operation, without the markup that highlights its code. */
async function pageOf(operationId: string): Promise<string> {
  const page = await site.t.call('GET', `/docs/${operationId}`)
  expect(page.status, operationId).toBe(200)
  expect(page.text).toContain(`<section class="call" id="${operationId}"`)
  return removeMarkup(page.text)
}

const removeMarkup = (html: string) => html.replaceAll(/<wbr>|<\/?code>|<\/?span[^>]*>/g, '')

describe('the API reference', () => {
  it('lists every operation, and the page of each has its method, path, scope, fields and responses', async () => {
    for (const operation of operationsOf(api)) {
      const { operationId, method, path, summary, parameters, responses } = operation
      const title = escapeHtml(summary!)
      expect(indexHtml).toContain(
        `<li><a href="#${operationId}" data-method="${method}">${title}</a></li>`,
      )
      expect(indexHtml).toContain(`<h3><a href="/docs/${operationId}">${title}</a></h3>`)
      expect(indexHtml).toContain(`${method}</span> ${path}</p>`)
      const section = await pageOf(operationId)
      for (const shown of [`${method} ${path}`, title, ...Object.keys(responses)]) {
        expect(section, operationId).toContain(shown)
      }
      for (const { name } of parameters) expect(section, operationId).toContain(name)
      const scopes = (operation.security ?? []).flatMap((requirement) =>
        Object.values(requirement).flat(),
      )
      for (const scope of scopes) expect(section).toContain(`with the scope ${scope}`)
      const body = operation.requestBody?.content['application/json']?.schema ?? {}
      for (const name of Object.keys((body.properties as object) ?? {})) {
        expect(section, operationId).toContain(`<th scope="row">${name}</th>`)
      }
    }
  })

  it('has an example of every operation with its response, in four languages for merchants', async () => {
    for (const { operationId, tags } of operationsOf(api)) {
      const { sources, answer } = examples.calls[operationId]!
      const section = await pageOf(operationId)
      const isForMerchants = ['Merchant', 'Webhooks', 'Sandbox'].includes(tags![0]!)
      const languages = isForMerchants ? ['curl', 'typescript', 'python', 'php'] : ['curl']
      expect(Object.keys(sources), operationId).toEqual(languages)
      for (const lines of [...Object.values(sources), answer.text]) {
        expect(section, operationId).toContain(escapeHtml(lines.join('\n')))
      }
      expect(section.includes('Try it in the sandbox'), operationId).toBe(isForMerchants)
    }
    expect(Object.keys(examples.calls).sort()).toEqual(
      operationsOf(api)
        .map(({ operationId }) => operationId)
        .sort(),
    )
  })

  it('has every error, and the webhooks with their verification', async () => {
    for (const [code, [, message]] of Object.entries(REFUSALS)) {
      expect(indexHtml).toContain(`<tr id="error-${code}">`)
      expect(indexHtml).toContain(`<td>${escapeHtml(message)}</td>`)
    }
    const { request, sources } = examples.webhook
    expect(Object.keys(sources)).toEqual(['typescript', 'python', 'php'])
    for (const lines of [request, ...Object.values(sources)]) {
      expect(removeMarkup(indexHtml)).toContain(escapeHtml(lines.join('\n')))
    }
    for (const type of EVENT_TYPES) expect(indexHtml).toContain(`<code>${type}</code>`)
  })

  it('has no page for an unknown operation', async () => {
    for (const name of ['nothing', '__proto__', '%2e%2e%2fopenapi.json']) {
      const page = await site.t.call('GET', `/docs/${name}`)
      expect([page.status, page.body]).toEqual([404, { status: 404, message: 'Not found' }])
    }
  })
})

const shownLanguage = (page: Page, id: string) =>
  page
    .locator(`#${id} pre[data-language]:visible`)
    .evaluateAll((all) => all.map((element) => (element as HTMLElement).dataset.language))

const countElements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

/** Where the top of a section is on the screen. */
const topOf = (page: Page, id: string) =>
  page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().top))

const currentLinks = (page: Page) =>
  page
    .locator('#contents [aria-current=location]')
    .evaluateAll((all) =>
      all.map((element) => [element.textContent, getComputedStyle(element, '::after').content]),
    )

describe('the API reference in a browser', () => {
  it('is a list of links without JavaScript', async () => {
    const { page, close } = await site.open({ javaScriptEnabled: false, viewport: DESKTOP })
    await page.goto('/docs#getBalance')
    for (const hidden of ['.to-search', '.copy', '.try']) {
      expect(await page.locator(`${hidden}:visible`).count(), hidden).toBe(0)
    }
    await page.locator('#getBalance a').click()
    await page.waitForURL('/docs/getBalance')
    expect(await shownLanguage(page, 'getBalance')).toEqual(['curl'])
    const group = page.getByRole('navigation', { name: 'Merchant' })
    expect(await group.locator('[aria-current=page]').innerText()).toBe('Get the store balance')
    // Beside the text, and not below it.
    expect((await group.boundingBox())!.y).toBeLessThan(100)
    await page.locator('#getBalance label', { hasText: 'Python' }).click()
    expect(await shownLanguage(page, 'getBalance')).toEqual(['python'])
    expect(await page.locator('.try:visible').count()).toBe(0)
    await close()
  })

  it('loads the details of a section shortly before it is visible, and marks the current section', async () => {
    const { page, close } = await site.open({ viewport: DESKTOP })
    await page.goto('/docs')
    await page.locator('#contents [aria-current]').waitFor()
    expect(await currentLinks(page)).toEqual([['Base URL and examples', 'none']])
    // Details that the page loads too early would be here by now.
    await page.waitForLoadState('networkidle')
    expect(await countElements(page)).toBeLessThan(3000)
    expect(await page.locator('.call[data-drawn]').count()).toBe(0)

    await page.goto('/docs#refundPayment')
    await page.locator('#refundPayment .token-string').first().waitFor()
    await page.locator('#getPaymentStatus[data-drawn]').waitFor()
    await expect.poll(() => currentLinks(page)).toEqual([['Refund a payment', '"POST"']])
    // Sections above it have grown, and it is still at its place.
    await expect.poll(() => topOf(page, 'refundPayment')).toBe(72)
    expect(await countElements(page)).toBeLessThan(6000)

    await page.locator('#createOperatorToken').evaluate((section) => section.scrollIntoView())
    await page.locator('#createOperatorToken[data-drawn]').waitFor()
    await page.locator('#contents [aria-current]', { hasText: 'token' }).waitFor()
    // The URL has followed, so that a reload returns to the section.
    await page.waitForURL(/Token/)
    await page.reload()
    const current = page.locator('#contents [aria-current]', { hasText: 'token' })
    await current.waitFor()
    // The list of contents scrolls to its current link.
    const isOnScreen = () =>
      current.evaluate((link) => {
        const { top, bottom } = link.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expect.poll(isOnScreen).toBe(true)
    await close()
  })

  it('selects and stores a language for all examples, and copies the visible one', async () => {
    const { page, close } = await site.open({
      viewport: DESKTOP,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto('/docs#getStore')
    await page.locator('#getStore label', { hasText: 'PHP' }).click()
    expect(await shownLanguage(page, 'webhooks')).toEqual(['php'])
    await page.locator('#getStore .copy').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(examples.calls.getStore!.sources.php!.join('\n'))
    await page.goto('/docs/createPayment')
    expect(await shownLanguage(page, 'createPayment')).toEqual(['php'])
    await close()
  })

  it('finds endpoints, fields and errors with the keyboard, despite typing errors', async () => {
    const { page, close } = await site.open({ viewport: DESKTOP })
    await page.goto('/docs')
    const resultTexts = () => page.getByRole('option').allInnerTexts()
    const input = page.getByRole('combobox', { name: 'Search the reference' })
    await page.keyboard.press('/')
    await page.getByText('Type the name of an endpoint').waitFor()
    await input.fill('REFNUD paymnt')
    expect((await resultTexts())[0]).toBe('Refund a payment\n/merchant/payment/{paymentId}/refund')
    await input.fill('unique_references')
    expect((await resultTexts()).join()).toContain('/operator/stores')
    await input.fill('too many wrong pins')
    expect((await resultTexts())[0]).toBe(`${REFUSALS.pin_locked[1]}\nErrors`)
    await input.fill('xyzzy')
    await page.getByText('Nothing found').waitFor()
    await input.fill('getBalance')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('/docs#getBalance')
    await page.locator('#getBalance[data-drawn]').waitFor()
    await input.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await input.waitFor()
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'hidden' })
    await close()
  })

  it('sends requests with a sandbox key, stores neither the key nor its secret, and refuses a live key', async () => {
    const { store, live, sandbox } = await site.t.createStore({ name: 'Try it' })
    const { page, problems, close } = await site.open({ viewport: DESKTOP })
    await page.goto('/docs#createPayment')
    const create = page.locator('#createPayment .try')
    await create.getByText('Try it in the sandbox').click()
    await create.getByLabel('API key').fill(live['api-key']!)
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByText('This is a live key.').waitFor()
    await create.getByText('Enter the secret of the key.').waitFor()
    expect(
      await create.getByLabel('API key').evaluate((element) => element === document.activeElement),
    ).toBe(true)

    await create.getByLabel('API key').fill(sandbox['api-key']!)
    await create.getByLabel('API secret').fill('wrong')
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByText('401 Unauthorized').waitFor()
    await create.getByText('Invalid API credentials').waitFor()

    await create.getByLabel('API secret').fill(sandbox['api-secret']!)
    await create
      .getByLabel('Body')
      .fill('{"amount": 7.25, "currency": "USD", "payload": {"n": 12345678901234567890}}')
    await create.getByRole('button', { name: 'Send' }).click()
    await create.getByText('200 OK').waitFor()
    const listed = await site.t.call('GET', '/merchant/payments', sandbox)
    const [payment] = listed.body.data.payments
    expect(await create.locator('.try-response code').innerText()).toContain(payment.payment_id)

    const read = page.locator('#getPayment .try')
    await page.goto('/docs#getPayment')
    await read.getByText('Try it in the sandbox').click()
    expect(await read.getByLabel('paymentId').inputValue()).toBe(payment.payment_id)
    await read.getByRole('button', { name: 'Send' }).click()
    await read.getByText('"7.25"').first().waitFor()
    expect(await read.locator('.try-response code').innerText()).toContain(
      '"n": 12345678901234567890',
    )
    expect(await read.locator('.try-response code').innerText()).toContain(store.name)

    const image = page.locator('#getQrImage .try')
    await page.goto('/docs#getQrImage')
    await image.getByText('Try it in the sandbox').click()
    await image.getByRole('button', { name: 'Send' }).click()
    await image.getByRole('img', { name: 'The image of the response' }).waitFor()

    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(stored).not.toMatch(/fl[ks]_/)
    await page.reload()
    for (const label of ['API key', 'API secret'])
      expect(await image.getByLabel(label).inputValue(), label).toBe('')
    ignoreRefusals(problems, 401)
    await close()
  })

  it('shows an invalid or incomplete response as what it is', async () => {
    const { sandbox } = await site.t.createStore()
    const { page, problems, close } = await site.open({ viewport: DESKTOP })
    await page.goto('/docs/getBalance')
    const form = page.locator('#getBalance .try')
    await form.getByText('Try it in the sandbox').click()
    await form.getByLabel('API key').fill(sandbox['api-key']!)
    await form.getByLabel('API secret').fill(sandbox['api-secret']!)
    const responseTo = async (script: string) => {
      await page.evaluate(script)
      await form.getByRole('button', { name: 'Send' }).click()
      return form.locator('.try-response')
    }
    const headers = `{ headers: { 'content-type': 'application/json' } }`
    const invalid = await responseTo(
      `fetch = async () => new Response('<p>Maintenance</p>', ${headers})`,
    )
    await invalid.getByText('The body is not valid JSON.').waitFor()
    await invalid.getByText('<p>Maintenance</p>').waitFor()
    await invalid.getByText(/^200/).waitFor()
    const failing = `new ReadableStream({ pull: (stream) => stream.error(new TypeError()) })`
    const incomplete = await responseTo(`fetch = async () => new Response(${failing}, ${headers})`)
    await incomplete.getByText('The response is incomplete.').waitFor()
    const missing = await responseTo('fetch = () => Promise.reject(new TypeError())')
    await missing.getByText('No response.').waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('fits a phone and is accessible in the dark theme', async () => {
    const { page, close } = await site.open({ viewport: PHONE, colorScheme: 'dark' })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    await page.goto('/docs')
    expect(await width()).toBe(PHONE.width)
    await page.getByRole('link', { name: 'Contents' }).click()
    await page.locator('#contents').getByRole('link', { name: 'Get the store balance' }).click()
    await page.waitForURL('/docs#getBalance')
    await page.locator('#contents').waitFor({ state: 'hidden' })
    await page.goto('/docs/listPayments')
    await page.locator('.try summary').click()
    expect(await width()).toBe(PHONE.width)
    await expectAccessible(page)
    await close()
  })

  it('is accessible with the search in the light theme', async () => {
    const { page, close } = await site.open({ viewport: DESKTOP, colorScheme: 'light' })
    await page.goto('/docs')
    // Rows and examples have the same markup, and checking all of them takes minutes.
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('tr:nth-child(n + 4), pre')) element.remove()
    })
    await page.keyboard.press('/')
    await page.getByRole('combobox').fill('refund')
    await page.getByRole('option').first().waitFor()
    await expectAccessible(page)
    await close()
  })
})
