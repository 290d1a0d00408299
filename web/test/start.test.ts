import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './setup/axe.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
  site.t.service.markPrepared(null, [{ app: 'till', user: 'till@example.com', secret: 'secret' }])
})
afterAll(() => site.close())

describe('start page', () => {
  it('links every app and the reference, with the version and the sign-ins of the demo', async () => {
    const { page, close } = await site.open({ viewport: { width: 320, height: 700 } })
    await page.goto('/')
    const links = page.locator('.apps a')
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '/wallet',
      '/till',
      '/dashboard',
      '/operator',
      '/docs',
    ])
    const text = await page.locator('main').innerText()
    expect(text).toMatch(/Version \d+\.\d+\.\d+/)
    expect(text.replace(/\s+/g, ' ')).toContain('Till till@example.com secret')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await expectAccessible(page)
    await close()
  })

  it('shows no sign-ins without a demo', async () => {
    const live = await startSite()
    const { page, close } = await live.open({ locale: 'ar' })
    await page.goto('/')
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await page.locator('.demo').count()).toBe(0)
    await close()
    await live.close()
  })
})

describe('an unknown path', () => {
  it('is a page for a browser, with a link to the start page', async () => {
    const { page, problems, close } = await site.open()
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await expect.poll(() => problems).toEqual([expect.stringContaining('404')])
    problems.length = 0
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Start page' }).click()
    await page.getByRole('heading', { name: 'Florin payments' }).waitFor()
    await close()
  })

  it('is JSON for an API client, and for a browser under a path of the API', async () => {
    const notFound = { status: 404, body: { status: 404, message: 'Not found' } }
    expect(await site.t.call('GET', '/no/such/page')).toMatchObject(notFound)
    const html = { accept: 'text/html' }
    expect(await site.t.call('POST', '/no/such/page', html)).toMatchObject(notFound)
    const refused = { status: 401, body: { status: 401 } }
    expect(await site.t.call('GET', '/merchant/nothing', html)).toMatchObject(refused)
  })
})
