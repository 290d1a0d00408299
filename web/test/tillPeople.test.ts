import { REFUSALS } from '@florin/contract/refusals.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../server/src/core/currencies.ts'
import { changeStore, createPaidPayment, statusOf } from '../../server/test/setup/merchantCalls.ts'
import { newSession, type TestPerson } from '../../server/test/setup/people.ts'
import { closeAfterFailures, ignoreRefusals } from './setup/browser.ts'
import { setSessionCookie } from './setup/cookies.ts'
import { type Site, startSite } from './setup/site.ts'
import { charge, openShop, openTill, paymentId, type Shop, show, signIn } from './setup/till.ts'

let site: Site
let shop: Shop
beforeAll(async () => {
  site = await startSite()
  shop = await openShop(site)
})
afterAll(() => site.close())

const createPaid = async (amount: number) =>
  (await createPaidPayment(site.t, shop.live, shop.wallet, { amount })).payment_id
const countPayments = async () =>
  (await site.t.call('GET', '/merchant/payments', shop.live)).body.data.payments.length

async function endOtherSessions({ headers }: TestPerson): Promise<void> {
  const { sessions } = (await site.t.call('GET', '/store/sessions', headers)).body.data
  for (const { session_id, current } of sessions) {
    if (!current) await site.t.call('DELETE', `/store/sessions/${session_id}`, headers)
  }
}

it('refuses an unknown email address, opens the till with a known one, and stays signed out after a reload', async () => {
  const { page, problems, close } = await site.open()
  await page.goto('/till')
  await signIn(page, { ...shop.people.cashier, email: 'nobody@shop.example' })
  await page.getByText('Wrong email or password.').waitFor()
  await signIn(page, shop.people.cashier)
  await page.getByRole('heading', { name: 'Corner Shop' }).waitFor()
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByText('Up to').waitFor()
  const facts = await page.locator('.facts > div').allTextContents()
  expect(facts).toEqual(
    expect.arrayContaining(['RoleCashier', 'StoreCorner Shop', 'RefundsUp to 20.00\u00a0USD']),
  )
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('input[type=email]').waitFor()
  await page.reload()
  await page.locator('input[type=email]').waitFor()
  ignoreRefusals(problems, 401)
  await close()
})

describe('roles', () => {
  it("a cashier can't refund above the cap, on the page or by API", async () => {
    const [atCap, aboveCap] = [await createPaid(20), await createPaid(20.01)]
    const { page, problems, close } = await openTill(site, shop.people.cashier)
    await show(page, `refund/${atCap}`)
    await page.getByRole('button', { name: 'Refund 19.50 USD' }).waitFor()
    await show(page, `refund/${aboveCap}`)
    const message =
      'You can refund up to 20.00\u00a0USD. Ask a manager or the owner to refund this sale.'
    await page.getByText(message).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    const status = await page.evaluate(
      async (id) => (await fetch(`/store/live/payments/${id}/refund`, { method: 'POST' })).status,
      aboveCap,
    )
    expect(status).toBe(403)
    expect(await statusOf(site.t, shop.live, aboveCap)).toBe('completed')
    await closeAfterFailures({ page, problems, close }, 403)
  })

  it("a viewer can't charge or refund", async () => {
    const id = await createPaid(5)
    const { page, problems, close } = await openTill(site, shop.people.viewer)
    await page.getByText('You can view sales, but your role cannot charge.').waitFor()
    expect(await page.locator('.keypad').count()).toBe(0)
    const before = await countPayments()
    const status = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' }
      const call = { method: 'POST', headers, body: '{"amount":1}' }
      return (await fetch('/store/live/payments', call)).status
    })
    expect([status, await countPayments()]).toEqual([403, before])
    await show(page, `refund/${id}`)
    await page.getByText('Your role cannot refund.').waitFor()
    await closeAfterFailures({ page, problems, close }, 403)
  })
})

describe('a session at the till', () => {
  it('that was ended elsewhere leads to the sign-in page, then to the unchanged sale', async () => {
    const { cashier } = shop.people
    const { page, problems, close } = await openTill(site, cashier)
    await page.keyboard.type('6.5')
    await endOtherSessions(cashier)
    const before = await countPayments()
    await page.keyboard.press('Enter')
    await page.getByText('Your session has ended.').waitFor()
    await signIn(page, cashier)
    await page.getByRole('button', { name: 'Charge 6.50 USD' }).click()
    await page.locator('.qr').waitFor()
    const id = paymentId(page)
    expect(await countPayments()).toBe(before + 1)

    await endOtherSessions(cashier)
    // The sale polls, so the page may notice the end before the click.
    const cancel = page.getByRole('button', { name: 'Cancel this sale' })
    await cancel.click({ timeout: 2_000 }).catch(() => {})
    await page.getByText('Your session has ended.').waitFor()
    await signIn(page, cashier)
    await page.locator('.qr').waitFor()
    expect(paymentId(page)).toBe(id)
    ignoreRefusals(problems, 401)
    await close()
  })

  it('of another store in the same tab starts with an empty amount', async () => {
    const yen = await openShop(site, { currency: 'JPY' as CurrencyCode, refundFeeMinor: 0n })
    const { cashier } = shop.people
    const { page, problems, close } = await openTill(site, cashier)
    await page.keyboard.type('6.55')
    await endOtherSessions(cashier)
    await page.keyboard.press('Enter')
    await page.getByText('Your session has ended.').waitFor()
    await signIn(page, yen.people.owner)
    await page.locator('.keypad').waitFor()
    expect(await page.locator('.entry').textContent()).toBe('0 JPY')

    await page.keyboard.type('7')
    await show(page, 'you')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[type=email]').waitFor()
    expect(await page.evaluate(() => sessionStorage.getItem('florin.till.draft'))).toBe(null)
    ignoreRefusals(problems, 401)
    await close()
  })

  it('is in the list of sessions, where others can be ended', async () => {
    const { manager } = shop.people
    const { page, problems, close } = await openTill(site, manager)
    const other = await newSession(site.t, manager.personId)
    await show(page, 'you')
    await page.getByText('This device', { exact: true }).waitFor()
    const rows = page.locator('.session')
    // The session created with the person, the added one, and this one.
    expect(await rows.count()).toBe(3)
    await rows.getByRole('button', { name: 'End session' }).first().click()
    await expect.poll(() => rows.count()).toBe(2)
    expect((await site.t.call('GET', '/store/session', other)).status).toBe(401)
    // The last one ends elsewhere before it is ended here.
    await page.route('**/sessions/*', async (route) => {
      await route.fetch()
      await route.continue()
    })
    await rows.getByRole('button', { name: 'End session' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
    ignoreRefusals(problems, 404)
    await close()
  })
})

async function signInElsewhere(page: Page, { personId }: TestPerson): Promise<void> {
  const { cookie } = await newSession(site.t, personId)
  const [name, value] = cookie!.split('=') as [string, string]
  await setSessionCookie(page, { name, value, origin: site.origin })
}

it('continues for a person who signed in again in another tab, until they sign out', async () => {
  const { cashier } = shop.people
  const { page, problems, close } = await openTill(site, cashier)
  await signInElsewhere(page, cashier)
  const replaced = page.waitForResponse(
    (response) => response.url().endsWith('/store/session') && response.ok(),
  )
  const sessions = new Set<string | undefined>()
  page.on('request', (request) => sessions.add(request.headers()['x-florin-session']))
  await show(page, 'sales')
  const { session_id } = (await (await replaced).json()).data.session
  await expect.poll(() => sessions.has(session_id)).toBe(true)
  await page.locator('.totals').waitFor()
  await show(page, 'home')
  await charge(page, '3')
  // Signing out ends a session that the same person has started meanwhile.
  await show(page, 'you')
  await page.locator('.session').first().waitFor()
  await signInElsewhere(page, cashier)
  await page.getByRole('button', { name: 'Sign out' }).click()
  const signInButton = page.getByRole('button', { name: 'Sign in', exact: true })
  await signInButton.waitFor()
  await page.reload()
  await signInButton.waitFor()
  ignoreRefusals(problems, 401)
  await close()
})

it('ends for another person who signed in in another tab', async () => {
  const { cashier, manager } = shop.people
  const { page, problems, close } = await openTill(site, cashier)
  // Their store could be another one, so its sales must not be shown here.
  await signInElsewhere(page, manager)
  await show(page, 'sales')
  await page.getByText('Your session has ended.').waitFor()
  ignoreRefusals(problems, 401)
  await close()
})

it('sends the id of its session with every write except the sign-in, and with reads', async () => {
  const { cashier } = shop.people
  const { page, problems, close } = await site.open()
  const writes: [string, string | undefined][] = []
  const reads = new Set<string | undefined>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const session = request.headers()['x-florin-session']
    if (request.method() !== 'GET') writes.push([`${request.method()} ${pathname}`, session])
    else if (pathname.startsWith('/store/live/')) reads.add(session)
  })
  await page.goto('/till')
  const response = page.waitForResponse(
    (response) =>
      response.url().endsWith('/store/session') && response.request().method() === 'POST',
  )
  await signIn(page, cashier)
  const { session_id } = (await (await response).json()).data.session
  await page.locator('.keypad').waitFor()
  const id = await charge(page, '3')
  await page.getByRole('button', { name: 'Cancel this sale' }).click()
  await page.locator('.keypad').waitFor()
  await show(page, 'you')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.locator('input[type=email]').waitFor()
  expect(writes).toEqual([
    ['POST /store/session', undefined],
    ['POST /store/live/payments', session_id],
    [`POST /store/live/payments/${id}/expire`, session_id],
    ['DELETE /store/session', session_id],
  ])
  expect([...reads]).toEqual([session_id])
  ignoreRefusals(problems, 401)
  await close()
})

it('shows the result of a refund, not the preview', async () => {
  const other = await openShop(site)
  const { payment_id } = await createPaidPayment(site.t, other.live, other.wallet, { amount: 10 })
  const { page, close } = await openTill(site, other.people.owner)
  await show(page, `refund/${payment_id}`)
  await page.getByRole('button', { name: 'Refund 9.50 USD' }).click()
  await changeStore(site.t, other, { refund_fee: '1.00' })
  await page.getByRole('dialog').getByRole('button', { name: 'Refund 9.50 USD' }).press('Enter')
  await page.getByText('Refunded. The payer has the money back.').waitFor()
  const { refund } = (await site.t.call('GET', `/merchant/payment/${payment_id}`, other.live)).body
    .data
  expect(refund).toMatchObject({ refund_amount: '9.00', refund_fee: '1.00' })
  expect(await page.locator('.tone-refunded .money').textContent()).toBe('9.00 USD')
  expect(await page.locator('.tone-refunded').textContent()).toContain('Refund fee: 1.00')
  await close()
})

describe('the till with a problem', () => {
  const typeTwo = (page: Page) => page.locator('.keypad').getByText('2', { exact: true }).click()
  const chargeButton = (page: Page) => page.getByRole('button', { name: /^Charge 2/ })

  it('shows that it is offline, and charges a retried sale once', async () => {
    const { page, problems, close } = await openTill(site, shop.people.cashier)
    await typeTwo(page)
    const before = await countPayments()
    // The response is lost: the payment exists, but the till does not know it.
    await page.route('**/store/live/payments', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await chargeButton(page).click()
    await page.getByText('Cannot reach the service.').waitFor()
    await page.unroute('**/store/live/payments')
    // Changing the language must not create another sale.
    await show(page, 'you')
    await page.locator('select').selectOption('fr')
    await page.locator('html[lang=fr]').waitFor()
    await show(page, 'home')
    await page.locator('.keypad').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    expect(await countPayments()).toBe(before + 1)
    await closeAfterFailures({ page, problems, close })
  })

  it('times out a hanging request: the keypad stays usable, and the QR code page shows that it is offline', async () => {
    const { page, close } = await openTill(site, shop.people.cashier)
    await page.clock.install()
    await page.reload()
    await page.locator('.keypad').waitFor()
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
    })
    await page.route('**/store/live/payments', () => {})
    await typeTwo(page)
    await chargeButton(page).click()
    await expect.poll(() => keys.length).toBe(1)
    await page.clock.fastForward(11_000)
    await page.getByText('Cannot reach the service.').waitFor()
    await page.unroute('**/store/live/payments')
    await page.route('**/status?wait=*', () => {})
    const poll = page.waitForRequest('**/status?wait=*')
    await page.keyboard.press('Enter')
    await page.locator('.qr').waitFor()
    expect(new Set(keys).size).toBe(1)
    await poll
    await page.clock.fastForward(36_000)
    await page.locator('.code-foot .notice').waitFor()
    await close()
  })

  it.each([
    ['database_unavailable', 'The service is not responding. Wait a moment and try again.'],
    ['key_in_use', 'Your first request is still running. Wait a moment and try again.'],
    [
      'store_suspended',
      'This store is suspended and cannot charge. Contact the operator of the service.',
    ],
    ['role_not_allowed', 'You do not have permission to do this. Ask a manager or the owner.'],
    ['too_many_requests', 'Too many attempts. Wait a minute and try again.'],
  ] as const)('explains the refusal %s', async (refusal, text) => {
    const [status, message] = REFUSALS[refusal]
    const { page, problems, close } = await openTill(site, shop.people.cashier)
    const json = { status, message }
    await page.route('**/store/live/payments', (route) => route.fulfill({ status, json }))
    await typeTwo(page)
    await chargeButton(page).click()
    await page.getByText(text).waitFor()
    ignoreRefusals(problems, status)
    await close()
  })

  it('explains a limit of the store', async () => {
    await changeStore(site.t, shop, { max_amount: '100.00' })
    const { page, problems, close } = await openTill(site, shop.people.cashier)
    await page.keyboard.type('100.01')
    await page.keyboard.press('Enter')
    await page.getByText('This was not accepted.').waitFor()
    await page.getByText('Enter 100.00\u00a0USD or less.').waitFor()
    ignoreRefusals(problems, 400)
    await page.keyboard.press('Backspace')
    await charge(page, '0')
    await close()
  })
})
