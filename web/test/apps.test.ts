import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

describe.each([
  { path: '/wallet', titles: { en: 'Wallet', es: 'Cartera', ar: 'المحفظة' } },
  { path: '/dashboard', titles: { en: 'Dashboard', es: 'Panel', ar: 'لوحة التحكم' } },
  { path: '/till', titles: { en: 'Till', es: 'Caja', ar: 'صندوق البيع' } },
])('$path', ({ path, titles }) => {
  it("opens in the browser's language and stores a manual choice", async () => {
    const { page, close } = await site.open({ locale: 'es-ES' })
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.es }).waitFor()
    await page.getByRole('combobox').selectOption('ar')
    await page.getByRole('heading', { level: 1, name: titles.ar }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: titles.ar }).waitFor()
    await close()
  })

  it.each(['light', 'dark'] as const)('is accessible in %s', async (colorScheme) => {
    const { page, close } = await site.open({ colorScheme })
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.en }).waitFor()
    await expectAccessible(page)
    await close()
  })

  it('loads one script, one style and the words of the current language', async () => {
    const { page, close } = await site.open()
    const files: string[] = []
    page.on('response', (response) => files.push(new URL(response.url()).pathname))
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.en }).waitFor()
    const filesOf = (type: string) => files.filter((file) => file.endsWith(type))
    expect(filesOf('.css').length).toBe(1)
    const scripts = filesOf('.js').map((file) => file.split('-')[0])
    expect(scripts.sort()).toEqual([`/assets${path}`, '/assets/en'].sort())
    await close()
  })
})

it('an app says that it needs JavaScript, offers to reload if its words did not load, and loads a language again if it failed', async () => {
  const plain = await site.open({ javaScriptEnabled: false, locale: 'fr-FR' })
  await plain.page.goto('/till')
  const text = plain.page.locator('noscript')
  expect(await text.textContent()).toContain('a besoin de JavaScript')
  // In the middle of the window, without the text of an app that did not load.
  const { x, y, width, height } = await text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element.firstElementChild!)
    return range.getBoundingClientRect()
  })
  const viewport = plain.page.viewportSize()!
  expect(x).toBeGreaterThan(10)
  expect(Math.abs(x + width / 2 - viewport.width / 2)).toBeLessThan(2)
  expect(Math.abs(y + height / 2 - viewport.height / 2)).toBeLessThan(2)
  expect(await plain.page.locator('.not-loaded').isVisible()).toBe(false)
  await plain.close()

  const { page, problems, close } = await site.open()
  await page.route(/\/en-[^/]+\.js$/, (route) => route.abort())
  await page.goto('/till')
  const reload = page.getByRole('button', { name: 'Try again' })
  await reload.waitFor()
  await page.unroute(/\/en-[^/]+\.js$/)
  await reload.click()
  await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()

  await page.route(/\/fr-[^/]+\.js$/, (route) => route.abort())
  const language = page.getByRole('combobox')
  const failed = page.waitForEvent('requestfailed')
  await language.selectOption('fr')
  await failed
  expect(await language.inputValue()).toBe('en')
  await page.unroute(/\/fr-[^/]+\.js$/)
  await language.selectOption('fr')
  await page.getByRole('heading', { level: 1, name: 'Caisse' }).waitFor()
  await closeAfterFailures({ page, problems, close })
})

it('the apps are built with React for production', async () => {
  const folder = fileURLToPath(new URL('../dist/public/', import.meta.url))
  const { files }: { files: string[] } = JSON.parse(
    await readFile(`${folder}manifest.json`, 'utf8'),
  )
  const scripts = files.filter((file) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(10)
  const texts = await Promise.all(scripts.map((file) => readFile(folder + file, 'utf8')))
  // Only warnings for developers contain these links.
  expect(scripts.filter((_, n) => texts[n]!.includes('react.dev/link/'))).toEqual([])
})
