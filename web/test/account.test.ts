import { Secret, TOTP } from 'otpauth'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createOperator } from '../../server/test/setup/operators.ts'
import { createPerson, PASSWORD } from '../../server/test/setup/people.ts'
import type { TestStore } from '../../server/test/setup/testService.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals, type WatchedPage } from './setup/browser.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let shop: TestStore
let watched: WatchedPage
let page: Page
let devtools: CDPSession
let authenticatorId: string
beforeAll(async () => {
  site = await startSite({ isPublic: true })
  shop = await site.t.createStore({ name: 'Corner Shop' })
})
afterAll(() => site.close())
beforeEach(async () => {
  watched = await site.open()
  page = watched.page
  devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  authenticatorId = await addAuthenticator()
})

/** Adds a virtual authenticator, like that of a laptop with a fingerprint reader. */
async function addAuthenticator(): Promise<string> {
  const added = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return added.authenticatorId
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await press('Sign in')
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const untilHeading = (name: string) => page.getByRole('heading', { name }).waitFor()

/** Adds a passkey on the account page, and returns the recovery codes. */
async function addPasskey(): Promise<string[]> {
  await press('Add a passkey')
  await page.getByLabel('Name of the passkey').fill('Work laptop')
  await press('Continue')
  await page.getByText('Save these codes now.').waitFor()
  await expectAccessible(page)
  const codes = await page.locator('.recovery-codes li').allTextContents()
  // Each code fits on one line.
  const lines = await page
    .locator('.recovery-codes li')
    .evaluateAll((all) => all.map((li) => [li.clientHeight < 30, li.scrollWidth - li.clientWidth]))
  expect(lines).toEqual(codes.map(() => [true, 0]))
  await press('I have saved them')
  await page.getByText('Work laptop').waitFor()
  return codes
}

/** Enters the code of an authenticator app that was set up with the key on the page. */
async function enterAppCode(tab: Page): Promise<void> {
  const key = (await tab.locator('.code').textContent())!.replaceAll(' ', '')
  await tab.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate())
}

async function signOut(): Promise<void> {
  await press('Your account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  expect(await page.locator('.dialog .button:not(.button-quiet)').count()).toBe(0)
  await press('Sign out')
  await page.locator('input[type=email]').waitFor()
}

it('a passkey of a person signs in without an email address, confirms, and is removed; a lost device is replaced by a recovery code', async () => {
  const owner = await createPerson(site.t, shop.store, 'owner')
  await page.goto('/dashboard#live/account')
  await signIn(owner.email)
  await untilHeading('Your account')
  await expectAccessible(page)
  const codes = await addPasskey()
  expect(codes).toHaveLength(10)
  await signOut()

  await page.goto('/dashboard#live/settings/team')
  await press('Sign in with a passkey')
  await page.getByRole('button', { name: 'Add a person' }).waitFor()

  // A sensitive action asks for a confirmation, and a passkey suffices.
  await site.t.database.transaction((tx) =>
    tx.execute(`update person_session set created_at = created_at - interval '1 hour'`),
  )
  site.t.service.personSessions.forgetAll()
  await press('Add a person')
  await page.getByLabel('Name').fill('New person')
  await page.getByLabel('Email').fill('new@shop.example')
  await press('Add')
  await untilHeading('Confirm that it is you')
  await press('Use a passkey')
  await page.getByText('Password for New person').waitFor()
  await press('Done')

  // The device is lost: the password needs a recovery code.
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await signOut()
  await signIn(owner.email)
  await page.getByText('or a recovery code. Or sign in with a passkey.').waitFor()
  // The next person at this browser may need no code.
  await page.locator('input[type=email]').fill('another@shop.example')
  expect(await page.getByLabel('Code').count()).toBe(0)
  await page.locator('input[type=email]').fill(owner.email)
  await page.getByLabel('Code').fill('000000')
  await press('Sign in')
  await page.getByText('This code is wrong or was already used.').waitFor()
  await page.getByLabel('Code').fill(codes[0]!)
  await press('Sign in')
  await press('Your account')
  await page.getByRole('link', { name: 'Password and security' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('9 codes left').waitFor()
  await press('Remove: Work laptop')
  await press('Remove')
  await page.getByText('Work laptop', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('codes left').waitFor({ state: 'detached' })
  ignoreRefusals(watched.problems, 401, 428)
  await watched.close()
})

it('a passkey of an operator opens the console, and a passkey of a person does not', async () => {
  const operator = await createOperator(site.t)
  const cashier = await createPerson(site.t, shop.store, 'cashier')
  await page.goto('/till#you')
  await signIn(cashier.email)
  await untilHeading('Your account')
  await addPasskey()
  await press('Sign out')
  await press('Sign in with a passkey')
  await untilHeading(shop.store.name)

  await page.goto('/operator#account')
  await press('Sign in with a passkey')
  await page.getByText('The passkey was not used.').waitFor()
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
  await signIn(operator.email)
  await untilHeading('Your account')
  await addPasskey()
  await signOut()
  await press('Sign in with a passkey')
  await untilHeading('Your account')
  ignoreRefusals(watched.problems, 401)
  await watched.close()
})

it('a temporary password is replaced before anything else', async () => {
  const person = await createPerson(site.t, shop.store, 'cashier')
  const reset = await site.t.call(
    'POST',
    `/operator/people/${person.personId}/password`,
    site.t.operator,
  )
  await page.goto('/till')
  await signIn(person.email, reset.body.data.password)
  await untilHeading('Choose your own password')
  await expectAccessible(page)
  await page.getByLabel('New password', { exact: true }).fill('qwerty12345')
  await page.getByLabel('Repeat the new password').fill('qwerty1234')
  await page.getByText('The two passwords differ.').waitFor()
  await page.getByLabel('Repeat the new password').fill('qwerty12345')
  await press('Continue')
  await page.getByText('one of the most common passwords').waitFor()
  await page.getByLabel('New password', { exact: true }).fill('a password of my own')
  await page.getByLabel('Repeat the new password').fill('a password of my own')
  await press('Continue')
  await untilHeading('Corner Shop')
  ignoreRefusals(watched.problems, 400, 401)
  await watched.close()
})

it('a second factor that is overdue is set up before anything else', async () => {
  const person = await createPerson(site.t, shop.store, 'viewer')
  const setRequiredFor = (age: string) =>
    site.t.database.transaction(async (tx) => {
      await tx.execute(`update person set created_at = now() - interval '9 days'`)
      await tx.execute(
        `update store set second_factor_since = jsonb_build_object('viewer', now() - $1::interval)`,
        [age],
      )
    })
  await setRequiredFor('1 day')
  site.t.service.stores.forgetAll()
  await page.goto('/dashboard')
  await signIn(person.email)
  await page.getByText('Set up a passkey or an authenticator app before').waitFor()
  await expectAccessible(page)
  // The till has room for one line.
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/till')
  const reminder = page.getByRole('link', { name: 'Second factor: set up by' })
  await reminder.waitFor()
  expect((await reminder.boundingBox())!.height).toBe(48)
  await page.goto('/dashboard')
  await untilHeading('Overview')
  await setRequiredFor('8 days')
  site.t.service.stores.forgetAll()
  await page.evaluate(() => {
    location.hash = '#/live/payments'
  })
  await untilHeading('Set up a second factor')
  await press('Set up an app')
  const next = (await page.getByRole('button', { name: 'Continue' }).boundingBox())!
  expect(next.y + next.height).toBeLessThanOrEqual(640)
  await enterAppCode(page)
  await press('Continue')
  await press('I have saved them')
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  ignoreRefusals(watched.problems, 401, 403)
  await watched.close()
})

it('an authenticator app that was set up or removed in another tab is shown', async () => {
  const person = await createPerson(site.t, shop.store, 'manager')
  const account = '/dashboard#live/account'
  const setUp = (tab: Page) => tab.getByRole('button', { name: 'Set up an app' }).click()
  await page.goto(account)
  await signIn(person.email)
  const [starting, other] = [await page.context().newPage(), await page.context().newPage()]
  for (const tab of [page, starting, other]) {
    await tab.goto(account)
    await tab.getByRole('button', { name: 'Set up an app' }).waitFor()
  }
  await setUp(starting)
  await starting.getByLabel('Code').waitFor()

  await setUp(other)
  await enterAppCode(other)
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByRole('button', { name: 'I have saved them' }).click()

  await setUp(page)
  await page.getByText('An authenticator app is already set up.').waitFor()
  await page.getByText('Your app is set up.').waitFor()
  await starting.getByLabel('Code').fill('000000')
  await starting.getByRole('button', { name: 'Continue' }).click()
  await starting.getByText('This setup is no longer valid.').waitFor()
  await starting.getByRole('button', { name: 'Cancel' }).click()
  await starting.getByText('Your app is set up.').waitFor()

  for (const tab of [starting, page]) {
    const app = tab.getByRole('region', { name: 'Authenticator app' })
    await app.getByRole('button', { name: 'Remove' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await app.getByRole('button', { name: 'Set up an app' }).waitFor()
  }
  ignoreRefusals(watched.problems, 401, 404, 409)
  await watched.close()
})

/** Signs in and sets up an app. Returns its card, whose actions need a confirmation, because the sign-in seems an hour old. */
async function setUpAppInOldSession(email: string): Promise<Locator> {
  await page.goto('/dashboard#live/account')
  await signIn(email)
  await press('Set up an app')
  await enterAppCode(page)
  await press('Continue')
  await press('I have saved them')
  await site.t.database.transaction((tx) =>
    tx.execute(`update person_session set created_at = created_at - interval '1 hour'`),
  )
  site.t.service.personSessions.forgetAll()
  return page.getByRole('region', { name: 'Authenticator app' })
}

it('the dialog to remove an app opens without the problem of an earlier attempt', async () => {
  const person = await createPerson(site.t, shop.store, 'manager')
  const app = await setUpAppInOldSession(person.email)
  const removal = page.getByRole('dialog', { name: 'Remove: Authenticator app' })
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await app.getByRole('button', { name: 'Remove' }).click()
  await removal.getByRole('button', { name: 'Remove' }).click()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await removal.getByRole('alert').waitFor()
  await removal.getByRole('button', { name: 'Cancel' }).click()
  await app.getByRole('button', { name: 'Remove' }).click()
  await removal.waitFor()
  expect(await removal.getByRole('alert').count()).toBe(0)
  ignoreRefusals(watched.problems, 401, 428)
  await watched.close()
})

it('the success of a change of the password is no longer shown when the next change is refused', async () => {
  const person = await createPerson(site.t, shop.store, 'manager')
  await page.goto('/dashboard#live/account')
  await signIn(person.email)
  async function changePassword(current: string, next: string): Promise<void> {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Repeat the new password').fill(next)
    await press('Change password')
  }
  await changePassword(PASSWORD, 'a password of my own')
  const success = page.getByText('Password changed.', { exact: true })
  await success.waitFor()
  await changePassword('not my password', 'another password of mine')
  await page.getByText('This is not correct.').waitFor()
  expect(await success.count()).toBe(0)
  ignoreRefusals(watched.problems, 400, 401)
  await watched.close()
})

it('a refused confirmation is shown at the field that was sent, also after the fields are edited', async () => {
  const person = await createPerson(site.t, shop.store, 'manager')
  const app = await setUpAppInOldSession(person.email)
  await app.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const wrongCode = dialog.getByText('This code is wrong or was already used.')
  const wrongPassword = dialog.getByText('Wrong password.')
  const send = () => dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByLabel('Code').fill('000000')
  await send()
  await wrongCode.waitFor()
  await dialog.getByLabel('Code').fill('')
  expect([await wrongCode.count(), await wrongPassword.count()]).toEqual([1, 0])
  await dialog.getByLabel('Password').fill('not my password')
  await send()
  await wrongPassword.waitFor()
  await dialog.getByLabel('Code').fill('111111')
  expect([await wrongCode.count(), await wrongPassword.count()]).toEqual([0, 1])
  await dialog.getByLabel('Code').fill('')
  await dialog.getByLabel('Password').fill(PASSWORD)
  await send()
  await app.getByRole('button', { name: 'Set up an app' }).waitFor()
  ignoreRefusals(watched.problems, 400, 401, 428)
  await watched.close()
})
