import { afterAll, beforeAll, expect, it } from 'vitest'
import { setupCode } from '../../server/src/core/secrets.ts'
import { createPerson, PASSWORD } from '../../server/test/setup/people.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { setSessionCookie } from './setup/cookies.ts'
import { openConsole, show } from './setup/operator.ts'
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

it('the overview of a new service leads to creating the first store, and the page of balances says that there are none', async () => {
  const auditor = await openConsole(site, {}, 'auditor')
  await show(auditor.page, 'overview', 'Overview')
  await auditor.page.getByRole('heading', { name: 'No stores yet.' }).waitFor()
  expect(await auditor.page.getByRole('link', { name: 'Create store' }).count()).toBe(0)
  await show(auditor.page, 'stores', 'Stores')
  await auditor.page.getByRole('heading', { name: 'No stores yet.' }).waitFor()
  expect(await auditor.page.getByText('Create the first store').count()).toBe(0)
  await auditor.close()

  const { page, close } = await openConsole(site)
  await show(page, 'balances', 'Balances')
  await page.getByRole('heading', { name: 'No balances yet.' }).waitFor()
  expect(await page.getByText('External').count()).toBe(0)
  await show(page, 'overview', 'Overview')
  await page.getByText('Create the first store, then add API keys and people.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Create store' }).click()
  const form = page.getByRole('dialog', { name: 'New store' })
  await form.getByLabel('Name', { exact: true }).fill('First Shop')
  await form.getByLabel('Currency').selectOption('USD')
  await form.getByRole('button', { name: 'Create store' }).click()
  await page.getByRole('heading', { level: 1, name: 'First Shop' }).waitFor()
  // The form is not opened again.
  await page.goBack()
  await page.getByRole('link', { name: 'First Shop' }).waitFor()
  expect(await form.count()).toBe(0)
  await show(page, 'overview', 'Overview')
  await page.getByRole('heading', { name: 'No payments in this period.' }).waitFor()
  await close()
})

it('a dialog shows the same problem once', async () => {
  const { page, problems, close } = await openConsole(site)
  const errors = ['odd', 'even'].map((field) => ({ field, message: `${field} is odd` }))
  await page.route('**/operator/stores', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { status: 400, message: 'Validation failed', errors } })
      : route.continue(),
  )
  await page.goto('/operator#/stores?new=1')
  const form = page.getByRole('dialog', { name: 'New store' })
  await form.getByLabel('Name', { exact: true }).fill('First Shop')
  await form.getByLabel('Currency').selectOption('USD')
  await form.getByRole('button', { name: 'Create store' }).click()
  const note = form.getByRole('alert').filter({ hasText: 'This was not accepted.' })
  await note.waitFor()
  expect(await note.locator('p').allInnerTexts()).toEqual([
    'This was not accepted. Change it and try again.',
  ])
  ignoreRefusals(problems, 400)
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
