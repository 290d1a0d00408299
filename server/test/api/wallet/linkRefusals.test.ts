import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import {
  changeLink,
  expectNothingStored,
  newLink,
  payLink,
  previewLink,
} from '../../setup/links.ts'
import { changeStore } from '../../setup/merchantCalls.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

const UNKNOWN = refusal(404, 'Link not found')
const INACTIVE = refusal(409, 'This link is paused. Ask the shop.')
const USED_UP = refusal(409, 'This link has been used up. Ask the shop for a new one.')
const EXPIRED = refusal(410, 'This link has expired. Ask the shop for a new one.')
const INSUFFICIENT_BALANCE = refusal(402, 'Insufficient balance. Top up and try again.')

let t: TestService
let shop: TestStore
let wallet: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ name: 'Corner', feeBps: 100, refundFeeMinor: 50n })
  wallet = await t.createWallet({ balance: '10000.00' })
})
afterEach(async () => expect(await t.auditFindings()).toEqual([]))
afterAll(() => t.close())

const pay = (id: string, body: object = {}, headers = {}, by = wallet) =>
  payLink(t, by, id, body, headers)
const preview = async (id: string, by = wallet) => (await previewLink(t, by, id)).body.data

describe('a refused payment stores nothing', () => {
  const REQUIRED = invalid(['amount', 'amount is required'])

  it.each<[string, object, object, object]>([
    [
      'an amount where it is set',
      { amount: 5 },
      { amount: 5 },
      invalid(['amount', 'amount is set by this link']),
    ],
    ['no amount where the payer chooses', {}, {}, REQUIRED],
    ['null where the payer chooses', {}, { amount: null }, REQUIRED],
    ['an amount of zero', {}, { amount: 0 }, invalid(['amount', 'amount must be greater than 0'])],
    ['a negative amount', {}, { amount: -5 }, invalid(['amount', 'amount must be greater than 0'])],
    ['an amount in a string', {}, { amount: '5' }, invalid(['amount', 'amount must be a number'])],
    [
      'too many decimals',
      {},
      { amount: 4.505 },
      invalid(['amount', 'amount has more decimals than USD has']),
    ],
    [
      'too many digits',
      {},
      { amount: 1e12 },
      invalid(['amount', 'amount must have at most 12 digits before the decimal point']),
    ],
    [
      'a malformed donation',
      { amount: 5 },
      { donation_amount: 0.001 },
      invalid([
        'donation_amount',
        'donation_amount must be an amount in the currency of the payment',
      ]),
    ],
    [
      'a donation that is not covered',
      { amount: 5 },
      { donation_amount: 9_999 },
      invalid([
        'donation_amount',
        'donation_amount exceeds the balance that is left after the payment',
      ]),
    ],
    ['an amount that is not covered', {}, { amount: 10_001 }, INSUFFICIENT_BALANCE],
  ])('%s', async (_, link, body, expected) => {
    const id = await newLink(t, shop.live, link as Record<string, unknown>)
    await expectNothingStored(t, wallet, async () => {
      const response = await pay(id, body, { 'idempotency-key': 'refused' })
      expect(response.body).toEqual(expected)
    })
  })

  it('a wallet with an insufficient balance, however often it tries', async () => {
    const poor = await t.createWallet({ balance: '4.99' })
    const id = await newLink(t, shop.live, { amount: 5 })
    await expectNothingStored(t, poor, async () => {
      for (let n = 0; n < 6; n++)
        expect((await pay(id, {}, {}, poor)).body).toEqual(INSUFFICIENT_BALANCE)
      const other = await t.createWallet()
      expect((await pay(id, {}, {}, other)).body).toEqual(INSUFFICIENT_BALANCE)
    })
    expect(await preview(id, poor)).toMatchObject({
      can_pay: false,
      reason: 'insufficient_balance',
    })
  })

  it('links that are paused, used up, expired or unknown', async () => {
    const ids = {
      paused: await newLink(t, shop.live, { amount: 5 }),
      usedUp: await newLink(t, shop.live, { amount: 5, max_payments: 1 }),
      expired: await newLink(t, shop.live, { amount: 5, expires_at: '2099-01-01' }),
      sandbox: await newLink(t, shop.sandbox, { amount: 5 }),
    }
    await changeLink(t, shop.live, ids.paused, { active: false })
    await pay(ids.usedUp)
    await t.database.transaction((tx) =>
      tx.execute(`update link set expires_at = now() - interval '1 s' where link_id = $1`, [
        ids.expired,
      ]),
    )
    const unknown = `lnk_${ids.paused.slice(4, 20)}0000000000`
    await expectNothingStored(t, wallet, async () => {
      const targets = { ...ids, unknown, malformed: 'lnk_1', code: 'pay_x' }
      const responses: Record<string, unknown> = {}
      for (const [name, id] of Object.entries(targets)) responses[name] = (await pay(id)).body
      expect(responses).toEqual({
        paused: INACTIVE,
        usedUp: USED_UP,
        expired: EXPIRED,
        sandbox: UNKNOWN,
        unknown: UNKNOWN,
        malformed: UNKNOWN,
        code: UNKNOWN,
      })
    })
    expect(await preview(ids.paused)).toMatchObject({ state: 'paused', reason: 'link_inactive' })
    expect(await preview(ids.usedUp)).toMatchObject({
      state: 'used_up',
      payments_left: 0,
      reason: 'link_used_up',
    })
    expect(await preview(ids.expired)).toMatchObject({ state: 'expired', reason: 'link_expired' })
    expect((await previewLink(t, wallet, ids.sandbox)).body).toEqual(
      refusal(
        409,
        'This link is for testing, but this wallet holds real money. Use a sandbox wallet.',
      ),
    )
    // A link that is activated again, or may be paid more often, works again.
    await changeLink(t, shop.live, ids.paused, { active: true })
    await changeLink(t, shop.live, ids.usedUp, { max_payments: 2 })
    const secondAttempts = [await pay(ids.paused), await pay(ids.usedUp)]
    expect(secondAttempts.map(({ status }) => status)).toEqual([200, 200])
  })

  it('a suspended store, and a locked wallet', async () => {
    const other = await t.createStore()
    const id = await newLink(t, other.live, { amount: 5 })
    await changeStore(t, other, { suspended: true })
    await expectNothingStored(t, wallet, async () => {
      expect((await pay(id)).body).toEqual(refusal(403, 'This store is suspended'))
    })
    expect(await preview(id)).toMatchObject({ can_pay: false, reason: 'store_suspended' })
    await changeStore(t, other, { suspended: false })
    const locked = await t.createWallet({ balance: '50.00' })
    await t.database.transaction((tx) =>
      tx.execute('update wallet set locked_by_operator = true where wallet_id = $1', [
        locked.wallet.walletId,
      ]),
    )
    await expectNothingStored(t, locked, async () => {
      expect((await pay(id, {}, {}, locked)).body).toEqual(
        refusal(403, 'This wallet is locked. Try again later or ask for help.'),
      )
    })
  })
})
