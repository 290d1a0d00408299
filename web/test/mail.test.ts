import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  linkTokenOf,
  type MailServer,
  mailSettings,
  startMailServer,
} from '../../server/test/setup/mailServer.ts'
import { createPerson, PASSWORD } from '../../server/test/setup/people.ts'
import { expectAccessible } from './setup/axe.ts'
import { closeAfterFailures, ignoreRefusals } from './setup/browser.ts'
import { setSessionCookie } from './setup/cookies.ts'
import { openDashboard } from './setup/dashboard.ts'
import { act, openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

let server: MailServer
let site: Site
beforeAll(async () => {
  server = await startMailServer()
  site = await startSite({ env: mailSettings(server) })
  site.t.service.mailSender!.start()
})
afterAll(async () => {
  await site.t.service.mailSender!.stop()
  await site.close()
  await server.close()
})

const NEW_PASSWORD = 'a fresh password 42'

it('a forgotten password is reset through the email, and the link works once', async () => {
  const { store } = await site.t.createStore()
  const { email } = await createPerson(site.t, store)
  const { page, problems, close } = await site.open({ viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Email').inputValue()).toBe(email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await dialog.getByText('an email is on its way').waitFor()
  await server.untilReceived(1)
  const token = linkTokenOf(server.received.at(-1)!)

  await page.goto('about:blank')
  await page.goto(`/dashboard#reset/${token}`)
  await page.getByText(`This password is for ${email}.`).waitFor()
  await expectAccessible(page)
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  // The first response is lost.
  await page.route(
    '**/password/reset',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Cannot reach the service.').waitFor()
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Your password is saved.').waitFor()
  // The token is gone from the URL, and the email is filled in.
  expect(new URL(page.url()).hash).toBe('#/')
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong email or password.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await page.goto('about:blank')
  await page.goto(`/dashboard#reset/${token}`)
  await page.getByText('This link has expired or was already used.').waitFor()
  await expectAccessible(page)
  await closeAfterFailures({ page, problems, close }, 401, 410)
})

it('the link in the email of a cashier opens the till, which mentions the new password once', async () => {
  const { store } = await site.t.createStore()
  const { email } = await createPerson(site.t, store, 'cashier')
  const count = server.received.length
  await site.t.call('POST', '/store/password/forgot', {}, { email })
  await server.untilReceived(count + 1)
  const [path] = /\/till#reset\/\S+/.exec(server.received.at(-1)!.parsed.text!)!
  const { page, problems, close } = await site.open()
  await page.goto(path)
  await page.getByText(`This password is for ${email}.`).waitFor()
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('Your password is saved.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Charge' }).waitFor()
  await page.goto('/till#you')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').waitFor()
  expect(await page.getByText('Your password is saved.').count()).toBe(0)
  ignoreRefusals(problems, 401)
  await close()
})

it('an operator invites another one, who chooses a password', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'people', 'People')
  const fields = { Name: 'Grace', Email: 'grace@florin.example' }
  await page.getByRole('button', { name: 'Add an operator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('They get an email with a link to choose a password.').waitFor()
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  const count = server.received.length
  await dialog.getByRole('button', { name: 'Add an operator' }).click()
  await page.getByText('An invitation was sent to grace@florin.example.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('Invited', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add an operator' }).click()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await server.untilReceived(count + 1)
  const first = linkTokenOf(server.received.at(-1)!)
  await page.getByRole('button', { name: 'More: Grace' }).click()
  await page.getByRole('button', { name: 'Resend invitation: Grace' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Resend invitation: Grace' })
  await confirmation.getByRole('button', { name: 'Resend invitation' }).click()
  await server.untilReceived(count + 2)
  const token = linkTokenOf(server.received.at(-1)!)
  expect(token).not.toBe(first)
  await close()

  const fresh = await site.open()
  await fresh.page.goto(`/operator#invitation/${token}`)
  await fresh.page.getByLabel('New password').fill(NEW_PASSWORD)
  await fresh.page.getByRole('button', { name: 'Save password' }).click()
  await fresh.page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await fresh.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await fresh.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  ignoreRefusals(fresh.problems, 401)
  await fresh.close()
})

it('the dashboard says that an invitation was sent only after it sent one', async () => {
  const { store } = await site.t.createStore()
  const owner = await createPerson(site.t, store)
  const { page, close } = await openDashboard(site, owner, 'live/settings/team')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Dana')
  await dialog.getByLabel('Email').fill('dana@shop.example')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const note = page.getByText('An invitation was sent to dana@shop.example.')
  await note.waitFor()
  await page.getByRole('button', { name: 'Change: Dana' }).click()
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Dana/ }).getByText('Viewer').waitFor()
  expect(await note.count()).toBe(0)
  await page.getByRole('button', { name: 'More: Dana' }).click()
  await page.getByRole('button', { name: 'Resend invitation: Dana' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Resend invitation: Dana' })
  await confirmation.getByRole('button', { name: 'Resend invitation' }).click()
  await note.waitFor()
  await close()
})

it('the console sends a test email and queues a failed one again', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'mail', 'Mail')
  const count = server.received.length
  await act(page, 'Send test email', { fields: { Recipient: 'ops@example.com' } })
  await server.untilReceived(count + 1)
  const row = page.getByRole('row').filter({ hasText: 'ops@example.com' })
  const findUnsent = () =>
    site.t.database.query(
      `select from mail where recipient = 'ops@example.com' and sent_at is null`,
    )
  await expect.poll(findUnsent).toEqual([])
  await site.t.database.transaction((tx) =>
    tx.execute(
      `update mail set sent_at = null, content = '\\x00', failed_at = now(), last_error = '550 No such user'
       where recipient = 'ops@example.com'`,
    ),
  )
  await page.reload()
  await row.getByText('Failed').waitFor()
  await row.getByText('550 No such user').waitFor()
  await row.getByRole('button', { name: 'Resend: ops@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await row.getByText('Queued').waitFor()
  await close()
})

it('an owner turns receipts and the daily close on', async () => {
  const { store } = await site.t.createStore()
  const owner = await createPerson(site.t, store)
  const { page, close } = await site.open()
  const [name, value] = owner.headers.cookie!.split('=') as [string, string]
  await setSessionCookie(page, { name, value, origin: site.origin })
  await page.goto('/dashboard#/live/settings')
  await page.getByText('Email a receipt to the customer').click()
  await page.getByText('Email the daily close to the owners').click()
  await page.getByLabel('Language of emails to customers').selectOption('fr')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  const settings = await site.t.call('GET', '/store/settings', owner.headers)
  expect(settings.body.data).toMatchObject({
    locale: 'fr',
    mail_receipts: true,
    mail_daily_close: true,
  })
  await close()
})

it('without mail, the sign-in page says how to get a new password', async () => {
  const plain = await startSite()
  try {
    const { page, problems, close } = await plain.open()
    await page.goto('/dashboard')
    await page.getByText('Forgot your password? Ask the store owner for a new one.').waitFor()
    expect(await page.getByRole('button', { name: 'Forgot your password?' }).count()).toBe(0)
    ignoreRefusals(problems, 401)
    await close()
  } finally {
    await plain.close()
  }
})
