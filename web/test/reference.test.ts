import { REFUSALS } from '@florin/contract/refusals.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escapeHtml } from '../../server/src/core/text.ts'
import { type Examples, readExamples } from '../../server/src/pages/reference/examples.ts'
import { type Document, operationsOf, readDocument } from '../../server/test/openapi/contract.ts'
import { expectAccessible } from './setup/axe.ts'
import { type Site, startSite } from './setup/site.ts'

const PHONE = { width: 360, height: 780 }
const DESKTOP = { width: 1280, height: 900 }

let site: Site
let api: Document
let examples: Examples
let text: string
beforeAll(async () => {
  site = await startSite()
  api = await readDocument(site.t)
  examples = await readExamples()
  text = (await site.t.call('GET', '/docs')).text
})
afterAll(() => site.close())

/** The section of one operation. */
function sectionOf(operationId: string): string {
  const start = text.indexOf(`<section class="call" id="${operationId}"`)
  expect(start, operationId).toBeGreaterThan(0)
  return text.slice(start, text.indexOf('</section>', start))
}

const plain = (markup: string) => markup.replaceAll('<wbr>', '').replaceAll(/<\/?code>/g, '')

describe('page', () => {
  it('has every operation with its method, path, scope, fields and responses', () => {
    for (const operation of operationsOf(api)) {
      const { operationId, method, path, summary, parameters, responses } = operation
      const section = plain(sectionOf(operationId))
      for (const shown of [method, path, escapeHtml(summary!), ...Object.keys(responses)]) {
        expect(section, operationId).toContain(shown)
      }
      for (const { name } of parameters) expect(section, operationId).toContain(name)
      const scopes = (operation.security ?? []).flatMap((one) => Object.values(one).flat())
      for (const scope of scopes) expect(section).toContain(`with the scope ${scope}`)
      const body = operation.requestBody?.content['application/json']?.schema ?? {}
      for (const name of Object.keys((body.properties as object) ?? {})) {
        expect(section, operationId).toContain(`<th scope="row">${name}</th>`)
      }
      expect(text).toContain(`<li><a href="#${operationId}">`)
    }
  })

  it('has an example of every operation with its response, in four languages for merchants', () => {
    for (const { operationId, tags } of operationsOf(api)) {
      const { sources, answer } = examples.calls[operationId]!
      const section = sectionOf(operationId)
      const isMerchants = ['Merchant', 'Webhooks', 'Sandbox'].includes(tags![0]!)
      const languages = isMerchants ? ['curl', 'typescript', 'python', 'php'] : ['curl']
      expect(Object.keys(sources), operationId).toEqual(languages)
      for (const lines of [...Object.values(sources), answer.text]) {
        expect(section, operationId).toContain(escapeHtml(lines.join('\n')))
      }
    }
    expect(Object.keys(examples.calls).sort()).toEqual(
      operationsOf(api)
        .map(({ operationId }) => operationId)
        .sort(),
    )
  })

  it('has every error, and the webhooks with their verification', () => {
    for (const [, message] of Object.values(REFUSALS))
      expect(text).toContain(`<td>${escapeHtml(message)}</td>`)
    const { request, sources } = examples.webhook
    expect(Object.keys(sources)).toEqual(['typescript', 'python', 'php'])
    for (const lines of [request, ...Object.values(sources)]) {
      expect(text).toContain(escapeHtml(lines.join('\n')))
    }
    for (const type of ['completed', 'failed', 'expired', 'refunded']) {
      expect(text).toContain(`<code>payment.${type}</code>`)
    }
  })
})

const shownLanguage = (page: Page, id: string) =>
  page
    .locator(`#${id} pre[data-language]:visible`)
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.language))

describe('browser', () => {
  it('selects a language without JavaScript', async () => {
    const { page, close } = await site.open({ javaScriptEnabled: false, viewport: DESKTOP })
    await page.goto('/docs#getBalance')
    expect(await shownLanguage(page, 'getBalance')).toEqual(['curl'])
    await page.locator('#getBalance label', { hasText: 'Python' }).click()
    expect(await shownLanguage(page, 'getBalance')).toEqual(['python'])
    expect(await page.locator('.copy:visible').count()).toBe(0)
    await close()
  })

  it('selects and stores a language for all examples, and copies the visible one', async () => {
    const { page, close } = await site.open({
      viewport: DESKTOP,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.goto('/docs#getStore')
    await page.locator('#getStore label', { hasText: 'PHP' }).click()
    expect(await shownLanguage(page, 'refundPayment')).toEqual(['php'])
    expect(await shownLanguage(page, 'listStores')).toEqual(['curl'])
    await page.locator('#getStore .copy').click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(examples.calls.getStore!.sources.php!.join('\n'))
    await page.reload()
    expect(await shownLanguage(page, 'createPayment')).toEqual(['php'])
    await close()
  })

  it.each([
    ['phone', 'dark', PHONE],
    ['desktop', 'light', DESKTOP],
  ] as const)('fits a %s and is accessible in the %s theme', async (_, colorScheme, viewport) => {
    const { page, close } = await site.open({ viewport, colorScheme })
    await page.goto('/docs')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    // All operations are rendered alike, and checking each of them takes minutes.
    await page.evaluate(() => {
      const kept = '#redeliverEvents, #getQrImage'
      for (const call of document.querySelectorAll(`.call:not(${kept})`)) call.remove()
      for (const more of document.querySelectorAll(':is(tr, .rail li):nth-child(n + 4)'))
        more.remove()
    })
    await expectAccessible(page)
    await close()
  })
})
