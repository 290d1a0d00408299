import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WITH_MAIL } from '../../server/test/setup/mails.ts'
import { createOperator } from '../../server/test/setup/operators.ts'
import { expectAccessible } from './setup/axe.ts'
import { ignoreRefusals } from './setup/browser.ts'
import { act, openConsole, show } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'

let site: Site
let storeId: number
let walletId: string
beforeAll(async () => {
  site = await startSite()
  const { store } = await site.t.createStore({ name: 'Corner Shop' })
  storeId = store.storeId
  walletId = (await site.t.createWallet({ balance: '12.50' })).wallet.publicId
})
afterAll(() => site.close())

const get = async (path: string) =>
  (await site.t.call('GET', `/operator/${path}`, site.t.operator)).body.data
const buttonTexts = async (page: Page) =>
  (await page.locator('main').getByRole('button').allInnerTexts()).map((text) => text.trim())

describe('tokens', () => {
  it('are created, shown once, listed and revoked', async () => {
    const { page, operator, close } = await openConsole(site)
    await show(page, 'tokens', 'Tokens')
    await page.getByText('No tokens here.').waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create token' })
    await dialog.getByLabel('Label').fill('Prometheus')
    await create.click()
    await dialog.getByText('Choose at least one.').waitFor()
    await dialog.getByLabel('Metrics:').check()
    await dialog.getByLabel('Expires after').selectOption('30 days')
    await expectAccessible(page)
    await create.click()
    await page.getByText('This is shown only once.').waitFor()
    const secret = await page.locator('.secret code').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const headers = { authorization: `Bearer ${secret}` }
    expect((await site.t.call('GET', '/metrics', headers)).status).toBe(200)

    const row = page.getByRole('row', { name: /Prometheus/ })
    await row.getByText(operator.email).waitFor()
    expect((await get('tokens')).tokens[0]).toMatchObject({
      label: 'Prometheus',
      owner: operator.email,
      scopes: ['metrics'],
    })
    await page.getByRole('button', { name: 'Revoke: Prometheus' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No tokens here.').waitFor()
    await page.getByRole('link', { name: 'Ended' }).click()
    await page
      .getByRole('row', { name: /Prometheus/ })
      .getByText('Revoked')
      .waitFor()
    expect((await site.t.call('GET', '/metrics', headers)).status).toBe(401)
    await close()
  })

  it('that were created before tokens had permissions are listed with a notice to replace them', async () => {
    const wanted = { label: 'old script', scopes: ['admin'] }
    await site.t.call('POST', '/operator/tokens', site.t.operator, wanted)
    await site.t.database.transaction((tx) =>
      tx.execute(`update operator_token set upgraded = true where label = 'old script'`),
    )
    const { page, close } = await openConsole(site)
    await show(page, 'tokens', 'Tokens')
    await page.getByText('1 token was created before tokens had permissions.').waitFor()
    await page
      .getByRole('row', { name: /old script/ })
      .getByText('Replace it')
      .waitFor()
    await close()
  })
})

describe('approvals', () => {
  it('an amount above the limit waits for another operator, who sees it in the navigation', async () => {
    const admin = await openConsole(site)
    await show(admin.page, 'approvals', 'Approvals')
    await admin.page.getByText('No limits. One operator can move any amount.').waitFor()
    const fields = { Currency: 'USD', Limit: '100' }
    await act(admin.page, 'Set limit', { fields })
    await admin.page.getByRole('cell', { name: '100.00 USD' }).waitFor()
    await admin.close()

    const ada = await openConsole(site, {}, 'finance')
    await show(ada.page, `wallets/${walletId}`, 'Payer 1')
    await ada.page.getByRole('button', { name: 'Top up' }).click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('250')
    await dialog.getByRole('button', { name: /^Top up / }).click()
    await ada.page.getByText('Nothing has moved yet.').waitFor()
    await expectAccessible(ada.page)
    await dialog.getByRole('link', { name: 'Approvals' }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
    await ada.page.getByText('Needs another operator').waitFor()
    expect(await ada.page.locator('.rail-count').count()).toBe(0)
    await ada.close()

    const bo = await openConsole(site, {}, 'finance')
    await show(bo.page, 'overview', 'Overview')
    await bo.page.getByRole('link', { name: 'Approvals 1' }).click()
    await bo.page.getByRole('button', { name: /^Approve: / }).click()
    await bo.page.getByRole('dialog').getByText(`${ada.operator.email} (operator)`).waitFor()
    await bo.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve / })
      .click()
    await bo.page.getByText('Nothing is waiting for approval.').waitFor()
    await bo.page.getByText('Approved').waitFor()
    await expect.poll(() => bo.page.locator('.rail-count').count()).toBe(0)
    expect((await get(`wallets/${walletId}`)).balances[0].balance).toBe('262.50')

    // A token is shown as its owner and its id.
    const topUp = { currency: 'USD', amount: '300' }
    const { headers: adminHeaders } = await createOperator(site.t)
    const wanted = { label: 'cron', scopes: ['money'] }
    const { body } = await site.t.call('POST', '/operator/tokens', adminHeaders, wanted)
    const byToken = { authorization: `Bearer ${body.data.token}` }
    await site.t.call('POST', `/operator/wallets/${walletId}/top-up`, byToken, topUp)
    await show(bo.page, 'overview', 'Overview')
    await show(bo.page, 'approvals', 'Approvals')
    await bo.page.getByRole('button', { name: /^Deny: / }).click()
    expect(await bo.page.getByRole('dialog').innerText()).toMatch(/\ntok_\w+\n/)
    await bo.page.getByRole('dialog').getByRole('button', { name: 'Deny', exact: true }).click()
    await bo.page.getByText('Denied').waitFor()
    await bo.close()
  })

  it('shows the decision of another operator without a reload', async () => {
    const topUp = { currency: 'USD', amount: '400' }
    const asked = await site.t.call(
      'POST',
      `/operator/wallets/${walletId}/top-up`,
      (await createOperator(site.t)).headers,
      topUp,
    )
    const { page, close } = await openConsole(site, {}, 'finance')
    await page.clock.install()
    await show(page, 'approvals', 'Approvals')
    await page.getByRole('button', { name: /^Deny: 400/ }).waitFor()
    const denied = page.getByRole('row', { name: /400\.00 USD.*Denied/ })
    expect(await denied.count()).toBe(0)
    const decision = { decision: 'deny' }
    const { approval_id: id } = asked.body.data
    const { headers } = await createOperator(site.t, 'finance')
    await site.t.call('POST', `/operator/approvals/${id}`, headers, decision)
    await page.clock.fastForward(31_000)
    await page.getByText('Nothing is waiting for approval.').waitFor()
    await denied.waitFor()
    await close()
  })
})

describe('roles', () => {
  const ACTIONS = {
    finance: {
      store: ['Pay out', 'Add money'],
      wallet: ['Top up', 'Withdraw'],
      rateButtons: 1,
      addButtons: 0,
    },
    support: {
      store: [],
      wallet: ['Lock', 'New activation code', 'Erase'],
      rateButtons: 0,
      addButtons: 0,
    },
    auditor: { store: [], wallet: [], rateButtons: 0, addButtons: 0 },
    admin: {
      store: ['Suspend', 'Pay out', 'Add money'],
      wallet: ['Lock', 'Top up', 'Withdraw', 'New activation code', 'Erase'],
      rateButtons: 1,
      addButtons: 1,
    },
  } as const

  it.each(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])(
    'the console offers the role %s only what it allows',
    async (role) => {
      const { page, close } = await openConsole(site, {}, role)
      await show(page, `stores/${storeId}/money`, 'Corner Shop')
      await page.getByRole('table', { name: 'Money' }).waitFor()
      expect(await buttonTexts(page)).toEqual(ACTIONS[role].store)
      await show(page, `wallets/${walletId}`, 'Payer 1')
      await page.getByText('payer1@example.com').waitFor()
      expect(await buttonTexts(page)).toEqual(ACTIONS[role].wallet)
      await show(page, 'rates', 'Rates')
      await expect.poll(() => page.locator('.loading').count()).toBe(0)
      expect(await buttonTexts(page)).toHaveLength(ACTIONS[role].rateButtons)
      await show(page, 'people', 'People')
      await page.getByRole('table', { name: 'Operators' }).waitFor()
      const add = page.getByRole('button', { name: 'Add an operator' })
      expect(await add.count()).toBe(ACTIONS[role].addButtons)
      const required = page.getByLabel('Operators need a second factor.')
      expect(await required.isDisabled()).toBe(role !== 'admin')
      await show(page, 'wallets', 'Wallets')
      await page.getByText('No limits: only payers who set their own limit need the PIN.').waitFor()
      const setPinLimit = page.getByRole('button', { name: 'Set PIN limit' })
      expect(await setPinLimit.count()).toBe(role === 'admin' ? 1 : 0)
      await show(page, `stores/${storeId}/settings`, 'Corner Shop')
      await page.getByLabel('Fixed fee').waitFor()
      expect(await page.getByLabel('Fixed fee').isDisabled()).toBe(role !== 'admin')
      await close()
    },
  )

  it('only an admin can send a test email', async () => {
    const withMail = await startSite({ env: WITH_MAIL })
    for (const role of ['admin', 'finance'] as const) {
      const { page, close } = await openConsole(withMail, {}, role)
      await show(page, 'mail', 'Mail')
      await page.getByText('Mail is set up.').waitFor()
      const send = page.getByRole('button', { name: 'Send test email' })
      expect(await send.count()).toBe(role === 'admin' ? 1 : 0)
      await close()
    }
    await withMail.close()
  })

  it('support sees that the code of a wallet in use was emailed, or that an admin has to create it', async () => {
    const { page, problems, close } = await openConsole(site, {}, 'support')
    await show(page, `wallets/${walletId}`, 'Payer 1')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New activation code' }).click()
    await dialog.getByRole('button', { name: 'New activation code' }).click()
    await dialog.getByText('Only an admin can create one.').waitFor()
    ignoreRefusals(problems, 409)
    await close()

    const withMail = await startSite({ env: WITH_MAIL })
    const { wallet } = await withMail.t.createWallet({ balance: '12.50' })
    const support = await openConsole(withMail, {}, 'support')
    await show(support.page, `wallets/${wallet.publicId}`, wallet.name)
    await act(support.page, 'New activation code')
    const emailed = support.page.getByRole('dialog', { name: 'Activation code' })
    await emailed.getByText(`The code was emailed to ${wallet.email}.`).waitFor()
    expect(
      await emailed.locator('.activation-code, .activation-qr, .activation-link').count(),
    ).toBe(0)
    await expectAccessible(support.page)
    await emailed.getByRole('button', { name: 'Done' }).click()
    await emailed.waitFor({ state: 'detached' })
    await support.close()
    await withMail.close()
  })

  it('are chosen with an explanation, and changed, but not by an operator who was demoted', async () => {
    const { page, problems, operator, close } = await openConsole(site)
    const other = await createOperator(site.t, 'auditor')
    await show(page, 'people', 'People')
    await page.getByRole('button', { name: 'Add an operator' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Manages wallets and exports or erases personal data').waitFor()
    await dialog.getByLabel('Role').selectOption('Finance')
    await dialog.getByText('Moves money and sets rates. Sees everything.').waitFor()
    await dialog.getByLabel('Name').fill('Cy')
    await dialog.getByLabel('Email').fill('cy@florin.example')
    await dialog.getByRole('button', { name: 'Add an operator' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('row', { name: /Cy/ }).getByText('Finance').waitFor()

    await page.getByRole('button', { name: `Change role: ${other.name}` }).click()
    await dialog.getByLabel('Role').selectOption('Admin')
    await dialog.getByText('Auditor → Admin').waitFor()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await page
      .getByRole('row', { name: new RegExp(other.email) })
      .getByText('Admin')
      .waitFor()

    // Another admin demotes this operator in the meantime.
    const change = { role: 'auditor' }
    await site.t.call('PATCH', `/operator/operators/${operator.operatorId}`, other.headers, change)
    await page.getByRole('button', { name: `Change role: ${other.name}` }).click()
    await dialog.getByLabel('Role').selectOption('Support')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByText('You do not have permission to do this.').waitFor()
    ignoreRefusals(problems, 403)
    await close()
  })
})

it('requiring a second factor of operators needs a confirmation, and dropping it does not', async () => {
  const { page, close } = await openConsole(site)
  await show(page, 'people', 'People')
  const dialog = page.getByRole('dialog')
  const required = page.getByLabel('Operators need a second factor.')
  await required.click()
  await dialog.getByText('must set one up within 7 days').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await get('security-settings')).toMatchObject({ operator_second_factor: false })
  await required.click()
  await dialog.getByRole('button', { name: 'Require a second factor' }).click()
  await expect.poll(() => required.isChecked()).toBe(true)
  const saved = page.getByRole('status').getByText('Saved.')
  await saved.waitFor()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/operator/security-settings', async (route) => {
    if (route.request().method() === 'PUT') await released
    await route.continue()
  })
  await required.click()
  await saved.waitFor({ state: 'detached' })
  release()
  await saved.waitFor()
  await expect.poll(() => required.isChecked()).toBe(false)
  await close()
})
