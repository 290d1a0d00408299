import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
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
    const { page, problems, close } = await site.open({ locale: 'es-ES' })
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.es }).waitFor()
    await page.getByRole('combobox').selectOption('ar')
    await page.getByRole('heading', { level: 1, name: titles.ar }).waitFor()
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: titles.ar }).waitFor()
    // The app asks for the session, which is refused with 401 before the sign-in.
    ignoreRefusals(problems, 401)
    await close()
  })

  it.each(['light', 'dark'] as const)('is accessible in %s', async (colorScheme) => {
    const { page, problems, close } = await site.open({ colorScheme })
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.en }).waitFor()
    await expectAccessible(page)
    // The app asks for the session, which is refused with 401 before the sign-in.
    ignoreRefusals(problems, 401)
    await close()
  })

  it('loads only the words of the current language', async () => {
    const { page, problems, close } = await site.open()
    const scripts: string[] = []
    page.on('response', (response) => scripts.push(new URL(response.url()).pathname))
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: titles.en }).waitFor()
    expect(scripts.filter((one) => /\/(es|fr|ar|zh)-/.test(one))).toEqual([])
    expect(scripts.filter((one) => /\/en-/.test(one)).length).toBeGreaterThan(0)
    // The app asks for the session, which is refused with 401 before the sign-in.
    ignoreRefusals(problems, 401)
    await close()
  })
})
