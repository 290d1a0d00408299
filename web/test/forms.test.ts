import type { Locale } from '@florin/shared/locales.js'
import { createTranslate, isolate } from '@florin/shared/translate.js'
import { loadDashboardWords } from '@florin/shared/words/dashboard/load.js'
import type { words as fieldWords } from '@florin/shared/words/fields/en.js'
import { loadOperatorWords } from '@florin/shared/words/operator/load.js'
import { loadWalletWords } from '@florin/shared/words/wallet/load.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeAfterFailures, ignoreRefusals } from './setup/browser.ts'
import { closeDialog, expectProblems, problemsIn } from './setup/forms.ts'
import { openConsole } from './setup/operator.ts'
import { type Site, startSite } from './setup/site.ts'
import { openShop, openSignedIn, type Shop } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite({
    env: {
      FLORIN_WALLET_SIGNUP: 'email',
      FLORIN_SMTP_URL: 'smtp://127.0.0.1:1',
      FLORIN_MAIL_FROM: 'shop@example.com',
    },
  })
  shop = await openShop(site)
})
afterAll(() => site.close())

const formatNumber = (locale: Locale, value: number, decimals: number) =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    numberingSystem: 'latn',
  }).format(value)

async function go(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect.poll(() => page.locator('.loading').count()).toBe(0)
}

// fieldText.test.ts tests the sentences of all languages. The forms are tested in Arabic too, because it is written from right to
// left and isolates the values in its sentences.
describe.each(['en', 'ar'] as const)('in %s', (locale) => {
  const formatValue = locale === 'ar' ? isolate : undefined
  const example = { example: formatNumber(locale, 12.5, 2) }
  const rateExample = { example: formatNumber(locale, 1.0842, 4) }

  it('the forms of the dashboard say at each field what is wrong', async () => {
    const { words } = await loadDashboardWords[locale]()
    const translate = createTranslate<typeof fieldWords>(locale, words, formatValue)
    const { page, problems, close } = await openSignedIn(site, shop.people.owner, { locale })
    await go(page, '/dashboard#/live/settings')
    await expectProblems(page, {
      form: 'form',
      fill: {
        name: '',
        email: 'shop@example',
        refund_cap_manager: '1.234',
        refund_cap_cashier: 'two',
        embed_origins: 'shop.example.com',
      },
      expected: {
        name: translate('field_required'),
        email: translate('field_email'),
        refund_cap_manager: translate('field_decimals', { count: 2, currency: 'USD' }),
        refund_cap_cashier: translate('field_amount', example),
        embed_origins: translate('field_origin'),
      },
    })
    // While typing, the problem disappears as soon as the value is valid.
    await page.locator('[name=refund_cap_cashier]').fill('20,5')
    await expect
      .poll(async () => (await problemsIn(page.locator('form'))).refund_cap_cashier)
      .toBe(undefined)

    await go(page, '/dashboard#/live/settings/team')
    await expectProblems(page, {
      open: words.addPerson as string,
      form: '.dialog form',
      fill: { email: 'ada@' },
      expected: { name: translate('field_required'), email: translate('field_email') },
    })
    // Only the server knows that the address is taken.
    await expectProblems(page, {
      form: '.dialog form',
      fill: { name: 'Ada', email: shop.people.manager.email },
      expected: { email: translate('field_taken') },
    })
    await closeDialog(page)

    await go(page, '/dashboard#/live/developers')
    await expectProblems(page, {
      open: words.newKey as string,
      form: '.dialog form',
      fill: {},
      uncheck: [words.keyScope_read as string, words.keyScope_create as string],
      expected: { label: translate('field_required'), group: translate('field_choice') },
    })
    await closeDialog(page)

    await go(page, '/dashboard#/sandbox/developers/tryOut')
    await expectProblems(page, {
      form: 'form',
      fill: { amount: '0', webhook_url: 'shop.example.com' },
      expected: { amount: translate('field_aboveZero'), webhook_url: translate('field_url') },
    })
    await go(page, '/dashboard#/live/account')
    await expectProblems(page, {
      form: 'form',
      fill: { new: 'short', again: 'other' },
      expected: {
        current: translate('field_required'),
        new: translate('field_tooShort', { count: 10 }),
        again: words.passwordsDiffer as string,
      },
    })
    await go(page, '/dashboard#/live/overview?from=2026-03-01&to=2026-03-31')
    await expectProblems(page, {
      form: 'form',
      fill: { from: '2026-03-01', to: '2026-02-01' },
      expected: { to: translate('field_period') },
    })
    await go(page, '/dashboard#/live/balance?from=2026-03-01&to=2026-02-01')
    await expectProblems(page, {
      open: words.download as string,
      form: '.dialog form',
      fill: {},
      expected: { to: translate('field_period') },
    })
    await closeDialog(page)
    await go(page, '/dashboard#/live/payments')
    await expectProblems(page, {
      open: words.moreFilters as string,
      form: 'form.fields',
      fill: { from: '2026-03-02', to: '2026-03-01', min: '20', max: '3' },
      expected: { to: translate('field_period'), max: translate('field_minAboveMax') },
    })
    await go(page, '/dashboard#/live/settings/till')
    await page.getByRole('button', { name: words.addItem as string }).click()
    await expectProblems(page, {
      form: 'form:has(.item-rows)',
      fill: { 'items.0.price': '1.234' },
      expected: {
        'items.0.name': translate('field_required'),
        'items.0.price': translate('field_decimals', { count: 2, currency: 'USD' }),
      },
    })
    await expectProblems(page, {
      form: 'form:has(.tip-fields)',
      fill: { 'tip_percentages.0': '10', 'tip_percentages.1': '10', 'tip_percentages.2': '0' },
      expected: {
        'tip_percentages.1': translate('field_taken'),
        'tip_percentages.2': translate('field_atLeast', { limit: 1 }),
      },
    })
    ignoreRefusals(problems, 400)
    await close()
  })

  it('the forms of the operator console say at each field what is wrong', async () => {
    const { words } = await loadOperatorWords[locale]()
    const translate = createTranslate<typeof fieldWords>(locale, words, formatValue)
    const { page, problems, close } = await openConsole(site, { locale })
    const required = translate('field_required')
    const form = '.dialog form'
    const steps = [
      {
        path: 'stores',
        open: words.newStore,
        fill: {},
        expected: { name: required, currency: translate('field_select') },
      },
      {
        path: `stores/${shop.store.storeId}/keys`,
        open: words.issueKey,
        fill: {},
        expected: { label: required },
      },
      {
        path: `stores/${shop.store.storeId}/money`,
        open: words.fund,
        fill: { amount: '-5' },
        expected: { amount: translate('field_amount', example) },
      },
      {
        path: `stores/${shop.store.storeId}/people`,
        open: words.addPerson,
        fill: { email: 'ada' },
        expected: { name: required, email: translate('field_email') },
      },
      {
        path: 'wallets',
        open: words.newWallet,
        fill: { name: 'Ada', email: 'ada@example.com', phone: '555' },
        expected: { phone: translate('field_phone') },
      },
      {
        path: 'wallets',
        open: words.setPinLimit,
        fill: { currency: 'JPY', amount: '1.5' },
        expected: { amount: translate('field_noDecimals', { currency: 'JPY' }) },
      },
      {
        path: 'rates',
        open: words.setRate,
        fill: { from: 'EUR', to: 'EUR', rate: '1.23456' },
        expected: { to: translate('field_currencies'), rate: translate('field_rate', rateExample) },
      },
      {
        path: 'approvals',
        open: words.setLimit,
        fill: { amount: '5' },
        expected: { currency: translate('field_select') },
      },
      {
        path: 'tokens',
        open: words.newToken,
        fill: {},
        expected: { label: required, group: translate('field_choice') },
      },
    ]
    for (const { path, open, ...step } of steps) {
      await go(page, `/operator#/${path}`)
      await expectProblems(page, { open: open as string, form, ...step })
      await closeDialog(page)
    }
    await go(page, `/operator#/stores/${shop.store.storeId}/settings`)
    await expectProblems(page, {
      form: 'form',
      fill: {
        name: ' ',
        logo: 'logo.png',
        fee_bps: '101',
        min_amount: '0',
        expires_after_seconds: '5',
      },
      expected: {
        name: required,
        logo: translate('field_url'),
        fee_bps: translate('field_percent'),
        min_amount: translate('field_aboveZero'),
        expires_after_seconds: translate('field_atLeast', { limit: 60 }),
      },
    })
    // Only the server compares the smallest and the largest amount.
    const values = {
      name: 'Corner Shop',
      logo: '',
      fee_bps: '1,5',
      min_amount: '20',
      max_amount: '10',
      expires_after_seconds: '900',
    }
    for (const [name, value] of Object.entries(values)) {
      await page.locator(`form [name=${name}]`).fill(value)
    }
    await page.locator('form button[type=submit]').click()
    await page.locator('.dialog button[type=submit]').click()
    await expect
      .poll(() => problemsIn(page.locator('form')))
      .toEqual({ min_amount: translate('field_minAboveMax') })
    ignoreRefusals(problems, 400)
    await close()
  })

  it('the form that opens a wallet says at each field what is wrong', async () => {
    const { words } = await loadWalletWords[locale]()
    const translate = createTranslate<typeof fieldWords>(locale, words, formatValue)
    const { page, close } = await site.open({ locale })
    await page.goto('/wallet#open')
    await expectProblems(page, {
      form: 'form',
      fill: { email: 'ada@example', phone: '0123' },
      expected: {
        name: translate('field_required'),
        email: translate('field_email'),
        phone: translate('field_phone'),
      },
    })
    await close()
  })
})

it('saving the settings of a store again corrects an attempt without a response', async () => {
  const { page, problems, close } = await openSignedIn(site, shop.people.owner)
  await go(page, '/dashboard#/live/settings')
  const field = page.getByLabel('Manager refund limit (USD)')
  const before = await field.inputValue()
  const save = async (value: string) => {
    await field.fill(value)
    await page.getByRole('button', { name: 'Save' }).first().click()
  }
  await page.route('**/store/settings', async (route) => {
    await route.fetch()
    await route.abort()
    await page.unroute('**/store/settings')
  })
  await save('600')
  await page.getByRole('alert').waitFor()
  await save(before)
  await page.getByText('Saved.').waitFor()
  const { body } = await site.t.call('GET', '/store/settings', shop.people.owner.headers)
  expect(body.data.refund_cap_manager).toBe(before)
  await closeAfterFailures({ page, problems, close })
})

it('the settings of a store keep what another page changes meanwhile', async () => {
  const { page, close } = await openSignedIn(site, shop.people.owner)
  const second = await page.context().newPage()
  for (const open of [page, second]) {
    await go(open, '/dashboard#/live/settings')
    await open.getByLabel('Website').waitFor()
  }
  const save = async (open: Page, label: string, value: string) => {
    await open.getByLabel(label).fill(value)
    await open.getByRole('button', { name: 'Save' }).first().click()
    await open.getByText('Saved.').waitFor()
  }
  await save(second, 'Cashier refund limit (USD)', '50')
  await save(page, 'Website', 'shop.example')
  const { body } = await site.t.call('GET', '/store/settings', shop.people.owner.headers)
  expect(body.data).toMatchObject({ domain: 'shop.example', refund_cap_cashier: '50.00' })
  await close()
})
