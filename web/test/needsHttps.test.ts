import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

it('says that signing in needs https', async () => {
  const { page, close } = await site.open()
  // As on a page without https that is not on localhost.
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false })
    Object.defineProperty(crypto, 'randomUUID', { value: undefined })
  })
  for (const app of ['till', 'wallet']) {
    await page.goto(`/${app}`)
    await page.getByText('This address does not start with https').waitFor()
  }
  await close()
})

it('asks for another browser if this one does not keep secure cookies at localhost, such as Safari', async () => {
  const { page, close } = await site.open()
  await page.goto('/till')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.context().cookies()).toEqual([])
  await page.addInitScript(() => {
    const ignore = { get: () => '', set: () => {} }
    Object.defineProperty(Document.prototype, 'cookie', ignore)
  })
  for (const app of ['till', 'wallet']) {
    await page.goto(`/${app}`)
    await page.getByRole('alert').getByText('Use Chrome, Edge or Firefox').waitFor()
  }
  await close()
})
