import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPerson } from '../../server/test/setup/people.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals, type WatchedPage } from './setup/browser.ts'
import { closeDialog } from './setup/forms.ts'
import { act, openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

const get = async (path: string) =>
  (await site.t.call('GET', `/operator/${path}`, site.t.operator)).body.data

describe('operator', () => {
  let watched: WatchedPage
  let page: Page
  beforeAll(async () => {
    watched = await openConsole(site)
    page = watched.page
  })
  afterAll(() => watched.close())

  const dialogText = () => page.getByRole('dialog').locator('.facts').innerText()
  /** Reads the secrets in the dialog that shows them once, and closes it. */
  const readSecrets = async (): Promise<string[]> => {
    await page.getByRole('button', { name: 'I have saved it' }).waitFor()
    const secrets = await page.locator('.secret code').allInnerTexts()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    return secrets
  }

  it('creates a store, and sees changed settings before they are saved', async () => {
    await show(page, 'stores', 'Stores')
    await act(page, 'New store', {
      fields: { Name: 'Corner Shop', Currency: 'USD', 'Time zone': 'Europe/Paris' },
      confirm: 'Create store',
    })
    await page.getByRole('heading', { name: 'Corner Shop' }).waitFor()
    await page.getByText('Add the owner first.').waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Fee in percent').fill('1.5')
    await page.getByLabel('Maximum payment').fill('500.00')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await dialogText()).toContain('0.00 → 1.5')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [store] = (await get('stores?search=Corner')).stores
    expect(store).toMatchObject({ fee_bps: 150, max_amount: '500.00', time_zone: 'Europe/Paris' })
  })

  it('sees no refusal after a save that corrects another field', async () => {
    const { store } = await site.t.createStore({ name: 'Limits Shop' })
    await show(page, `stores/${store.storeId}/settings`, 'Limits Shop')
    const save = async (label: string, amount: string) => {
      await page.getByLabel(label).fill(amount)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    }
    await save('Maximum payment', '500.00')
    await page.getByText('Saved.').waitFor()
    await save('Minimum payment', '600.00')
    await page.getByText('The minimum must not be above the maximum.').waitFor()
    ignoreRefusals(watched.problems, 400)
    await save('Maximum payment', '700.00')
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => page.locator('.field-problem').count()).toBe(0)
  })

  it('suspends a store after seeing the effect, finds it and resumes it', async () => {
    const { store, live } = await site.t.createStore({ name: 'Busy Shop' })
    await site.t.createPayment(live, { amount: 12 })
    await show(page, `stores/${store.storeId}`, 'Busy Shop')
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Pending live payments').waitFor()
    expect(await dialogText()).toMatch(/1 \(12\.00.USD\).*API keys that stop working\s*2/s)
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('This store is suspended').waitFor()
    await page.getByRole('link', { name: 'Stores' }).click()
    await page.getByLabel('Store name or number').fill('busy')
    await page.getByRole('button', { name: 'Find' }).click()
    const row = page.getByRole('row', { name: /Busy Shop.*Suspended/ })
    await row.getByRole('link').click()
    await act(page, 'Resume')
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
  })

  it('issues, rotates and revokes a key', async () => {
    const { store, live } = await site.t.createStore({ name: 'Key Shop' })
    await site.t.database.transaction((tx) =>
      tx.execute('update credential set expires_at = now() where api_key = $1', [live['api-key']]),
    )
    await show(page, `stores/${store.storeId}/keys`, 'Key Shop')
    await act(page, 'Create key', { fields: { Mode: 'live', Label: ' web shop ' } })
    const [key, secret] = await readSecrets()
    await page.getByRole('button', { name: 'Create key' }).click()
    const next = page.getByRole('dialog')
    expect(await next.getByLabel('Label', { exact: true }).inputValue()).toBe('')
    expect(await next.getByLabel('Mode').inputValue()).toBe('sandbox')
    await next.getByRole('button', { name: 'Cancel' }).click()
    const statusWith = async (apiSecret: string) => {
      const keys = { 'api-key': key!, 'api-secret': apiSecret }
      return (await site.t.call('GET', '/merchant/store', keys)).status
    }
    expect(await statusWith(secret!)).toBe(200)
    const labels = 'select label from credential where api_key = $1'
    expect(await site.t.database.query(labels, [key])).toEqual([{ label: 'web shop' }])
    const row = page.getByRole('row', { name: /web shop/ })
    await row.getByText('Read payments · Create payments').waitFor()
    await row.getByText('Never').waitFor()
    await row.getByRole('button', { name: 'New secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'New secret: web shop' })
    await dialog.getByRole('button', { name: 'New secret' }).click()
    const renewed = (await readSecrets())[1]!
    expect([await statusWith(secret!), await statusWith(renewed)]).toEqual([200, 200])
    await row.getByText('The old secret works until').waitFor()
    await row.getByRole('button', { name: 'Revoke' }).click()
    expect(await dialogText()).toMatch(/in this mode\s*1.*Afterwards\s*0/s)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
    expect(await statusWith(renewed)).toBe(401)
  })

  it('adds a person to a store, finds them by email, resets the password, disables the account, and adds an operator', async () => {
    const { store } = await site.t.createStore({ name: 'People Shop' })
    await createPerson(site.t, store)
    await show(page, `stores/${store.storeId}/people`, 'People Shop')
    const fields = { Name: 'Bo', Email: 'bo@shop.example', Role: 'cashier' }
    await act(page, 'Add a person', { fields })
    await page.getByRole('dialog', { name: 'Password for Bo' }).waitFor()
    const [email, first] = await readSecrets()
    expect(email).toBe('bo@shop.example')
    const signIn = async (password: string) => {
      const body = { email: 'bo@shop.example', password }
      return (await site.t.call('POST', '/store/session', {}, body)).status
    }
    expect(await signIn(first!)).toBe(200)
    await show(page, 'people', 'People')
    const search = page.getByLabel('Name or email of a person who works for a store')
    await search.fill('bo@sh')
    await page.getByRole('button', { name: 'Find' }).click()
    const row = page.getByRole('row', { name: /bo@shop.example/ })
    await row.getByRole('link', { name: 'People Shop' }).waitFor()
    const more = row.getByRole('button', { name: 'More: Bo' })
    await more.click()
    const reset = page.getByRole('button', { name: 'Reset password: Bo' })
    await reset.waitFor()
    await expectAccessible(page)
    // Bo has no second factor.
    expect(await page.getByRole('button', { name: 'Remove second factors' }).count()).toBe(0)
    await reset.click()
    const confirmation = page.getByRole('dialog', { name: 'Reset password: Bo' })
    await confirmation.getByRole('button', { name: 'Reset password' }).click()
    const [, second] = await readSecrets()
    expect([await signIn(first!), await signIn(second!)]).toEqual([401, 200])
    await more.click()
    await page.getByRole('button', { name: 'Disable: Bo' }).click()
    // Only Bo and the owner work for this store.
    expect(await dialogText()).toMatch(/Can sign in now\s*2.*Afterwards\s*1/s)
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled').waitFor()
    expect(await signIn(second!)).toBe(401)
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await expect.poll(() => search.inputValue()).toBe('')

    await act(page, 'Add an operator', { fields: { Name: 'Grace', Email: 'g@florin.example' } })
    await readSecrets()
    await page.getByRole('row', { name: /g@florin.example/ }).waitFor()
  })

  it('counts only the accounts that can sign in before it disables one', async () => {
    const { store } = await site.t.createStore({ name: 'Invited Shop' })
    const owner = await createPerson(site.t, store)
    const invited = await createPerson(site.t, store, 'cashier')
    await site.t.database.transaction((tx) =>
      tx.execute('update person set invited_at = now() where person_id = $1', [invited.personId]),
    )
    await show(page, `stores/${store.storeId}/people`, 'Invited Shop')
    const dialog = page.getByRole('dialog')
    for (const [{ name }, now, afterwards] of [
      [owner, 1, 0],
      [invited, 1, 1],
    ] as const) {
      await page.getByRole('button', { name: `More: ${name}` }).click()
      await page.getByRole('button', { name: `Disable: ${name}` }).click()
      const facts = new RegExp(`Can sign in now\\s*${now}.*Afterwards\\s*${afterwards}`, 's')
      expect(await dialogText()).toMatch(facts)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.getByRole('button', { name: 'Close' }).click()
    }
  })

  it('sets a rate, sees the change in percent, and reads its history', async () => {
    await show(page, 'rates', 'Rates')
    await act(page, 'Set rate', { fields: { From: 'EUR', To: 'USD', Rate: '1.10' } })
    await page.getByRole('link', { name: 'EUR → USD' }).click()
    await page.getByRole('heading', { name: 'EUR → USD' }).waitFor()
    await page.getByRole('button', { name: 'Set rate' }).click()
    await page.getByRole('dialog').getByLabel('Rate', { exact: true }).fill('1.2345')
    expect(await dialogText()).toMatch(/1\.1000.*1\.2345.*\+12\.23%.*100\.00.EUR = 123\.45.USD/s)
    await page.getByRole('dialog').getByRole('button', { name: 'Set rate' }).click()
    await page.getByRole('row', { name: /1\.2345.*\+12\.23%/ }).waitFor()
    await page.getByRole('row', { name: /1\.1000/ }).waitFor()

    await show(page, 'rates', 'Rates')
    await page.getByRole('button', { name: 'Set rate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From').selectOption('JPY')
    await dialog.getByLabel('To').selectOption('KWD')
    await dialog.getByLabel('Rate', { exact: true }).fill('0.0021')
    expect(await dialogText()).toMatch(/100.JPY = 0\.210.KWD/)
    await closeDialog(page)
  })

  it('creates a wallet, tops it up, withdraws, locks, unlocks and erases it', async () => {
    await show(page, 'wallets', 'Wallets')
    const fields = { Name: 'Ada', Email: 'ada@example.com', Phone: '+447700900555' }
    await act(page, 'New wallet', { fields, confirm: 'Create wallet' })
    const activation = { code: await page.locator('.activation-code').innerText(), pin: '8052' }
    expect((await site.t.call('POST', '/wallet/activate', {}, activation)).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    const money = { Currency: 'USD', Amount: '50', Note: 'Cash at the desk' }
    await act(page, 'Top up', { fields: money, confirm: 'Top up 50.00\u00a0USD' })
    await page.getByText(/^Top up: 50\.00.USD\. The balance is now 50\.00.USD\.$/).waitFor()
    const { wallet_id: id } = (await get('wallets?search=ada%20447700900555')).wallets[0]
    expect((await get(`wallets/${id}/activity`)).activity[0].note).toBe('Cash at the desk')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByLabel('Amount').fill('60')
    await page.getByText('The balance is too low.').waitFor()
    await page.getByRole('dialog').getByLabel('Amount').fill('20')
    expect(await dialogText()).toMatch(/50\.00.*30\.00/s)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Withdraw 20\.00/ })
      .click()
    await page.getByRole('cell', { name: /30\.00/ }).waitFor()
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByRole('dialog', { name: 'Lock: Ada' }).waitFor()
    await closeDialog(page)
    await act(page, 'Lock')
    await page.getByText('Locked by an operator').waitFor()
    const body = { phone: fields.Phone, pin: activation.pin }
    expect((await site.t.call('POST', '/wallet/session', {}, body)).status).toBe(403)
    await act(page, 'Unlock')
    expect((await site.t.call('POST', '/wallet/session', {}, body)).status).toBe(200)

    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByText('Withdraw the remaining balance first.').waitFor()
    await closeDialog(page)
    await act(page, 'Withdraw', { fields: { Amount: '30' }, confirm: 'Withdraw 30.00\u00a0USD' })
    await page.getByRole('cell', { name: /^\D*0\.00/ }).waitFor()
    await act(page, 'Erase')
    await page.getByRole('heading', { name: 'Erased' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Top up' }).count()).toBe(0)
    expect((await site.t.call('POST', '/wallet/session', {}, body)).status).toBe(401)
  })

  it('pays out a store after seeing the balance, and lists the payout', async () => {
    const { store } = await site.t.createStore({ name: 'Rich Shop' })
    await site.t.fund(store, 'live', '100.00')
    await show(page, 'balances', 'Balances')
    await page.getByRole('button', { name: 'Pay out' }).click()
    await page.getByLabel('Store name or number').fill('Rich')
    const found = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Rich Shop' })
    await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBe(1)
    await found.getByRole('button', { name: 'Pay out' }).click()
    await page.getByLabel('Amount in USD').fill('40.00')
    const facts = await page.getByRole('dialog').last().locator('.facts').innerText()
    expect(facts).toMatch(/100\.00.*60\.00/s)
    await page.getByRole('button', { name: /^Pay out 40\.00/ }).click()
    await page.getByRole('row', { name: /Rich Shop.*Live.*40\.00/ }).waitFor()
    const { balances } = await get(`stores/${store.storeId}`)
    expect(balances).toContainEqual(expect.objectContaining({ mode: 'live', balance: '60.00' }))
    await page.getByRole('region', { name: 'Live' }).getByText('External').waitFor()
  })

  it('searches the audit log by actor and action', async () => {
    await show(page, 'log', 'Audit log')
    await page.getByLabel('Action').fill('store.payout')
    await page.getByRole('button', { name: 'Find' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByText('store.payout', { exact: true }).click()
    await page.getByText('100.00 → 60.00').waitFor()
    expect(page.url()).toContain('action=store.payout')
    await page.getByLabel('User').fill('nobody')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('No entries found.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(10)
  })
})
