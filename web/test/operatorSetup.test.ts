import { afterAll, beforeAll, expect, it } from 'vitest'
import { setupCode } from '../../server/src/core/secrets.ts'
import { createPerson, PASSWORD } from '../../server/test/setup/people.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { setSessionCookie } from './setup/cookies.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

it("setup asks for the server's code, creates the first operator, and is then closed", async () => {
  const { page, problems, close } = await site.open()
  await page.goto('/operator')
  await page.getByRole('heading', { name: 'Set up Florin' }).waitFor()
  await page.getByLabel('Code', { exact: true }).fill('0000-0000-0000-0000')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Email').fill('ada@florin.example')
  await page.getByLabel('Password').fill(PASSWORD)
  const createButton = page.getByRole('button', { name: 'Create account' })
  await createButton.click()
  await page.getByText('Wrong code.').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(setupCode(site.t.service.secretKey))
  await createButton.click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('input[type=email]').fill('ada@florin.example')
  await page.locator('input[type=password]').fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong email or password.').waitFor()
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  ignoreRefusals(problems, 401, 403)
  await close()
})

it('the console refuses people of stores', async () => {
  const { store } = await site.t.createStore()
  const owner = await createPerson(site.t, store, 'owner')
  const { page, problems, close } = await site.open()
  const [name, value] = owner.headers.cookie!.split('=') as [string, string]
  await setSessionCookie(page, { name, value, origin: site.origin })
  await setSessionCookie(page, { name: '__Host-florin_operator', value, origin: site.origin })
  await page.goto('/operator#/stores')
  await page.locator('input[type=email]').fill(owner.email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong email or password.').waitFor()
  expect(await page.locator('.rail').count()).toBe(0)
  ignoreRefusals(problems, 401)
  await close()
})
