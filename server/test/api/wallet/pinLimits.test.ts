import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

const PIN = '246810'
const NEEDED = refusal(
  428,
  'Send your PIN to continue. It is needed above your PIN limit, and to raise or remove the limit.',
)
const WRONG = invalid(['pin', 'pin is wrong'])
const LOCKED = refusal(403, 'Too many wrong PINs. Try again later.')

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())
afterEach(() => setLimit('USD', null))

const setLimit = (currency: string, amount: string | null) =>
  t.call('PUT', '/operator/pin-limits', t.operator, { currency, amount })

let payerCount = 0
async function createPayer() {
  const phone = `+4478${String(++payerCount).padStart(8, '0')}`
  const fields = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  const { body } = await t.call('POST', '/operator/wallets', t.operator, fields)
  const walletId = body.data.wallet_id as string
  const topUp = { currency: 'USD', amount: '500' }
  await t.call('POST', `/operator/wallets/${walletId}/top-up`, t.operator, topUp)
  const signedIn = await t.call('POST', '/wallet/session', {}, { phone, pin: PIN })
  const headers: Headers = { authorization: `Bearer ${signedIn.body.data.token}` }
  return { walletId, headers }
}

const createCode = async (amount: number) => (await t.createPayment(shop.live, { amount })).qr_code
const pay = (qr: string, headers: Headers, body: object = {}, key?: string) =>
  t.call(
    'POST',
    `/wallet/payment/${qr}/pay`,
    { ...headers, ...(key && { 'idempotency-key': key }) },
    body,
  )
const preview = async (qr: string, headers: Headers) =>
  (await t.call('GET', `/wallet/payment/${qr}`, headers)).body.data
const readBalance = async (headers: Headers) =>
  (await t.call('GET', '/wallet/me', headers)).body.data.balances[0].balance
const setOwnLimit = (headers: Headers, amount: string | null, pin?: string) =>
  t.call('PATCH', '/wallet/me', headers, {
    pin_limit: { currency: 'USD', amount },
    ...(pin !== undefined && { pin }),
  })

describe("the operator's limit", () => {
  it('is not set by default, and can be set, listed and removed, with entries in the audit log', async () => {
    const list = () => t.call('GET', '/operator/pin-limits', t.operator)
    expect((await list()).body).toEqual({
      status: 200,
      message: 'PIN limits',
      data: { limits: [] },
    })
    expect((await setLimit('USD', '50')).body).toEqual({
      status: 200,
      message: 'PIN limit set',
      data: { limits: [{ currency: 'USD', amount: '50.00' }] },
    })
    await setLimit('USD', '60.5')
    await setLimit('JPY', '5000')
    const limits = [
      { currency: 'JPY', amount: '5000.00' },
      { currency: 'USD', amount: '60.50' },
    ]
    expect((await list()).body.data.limits).toEqual(limits)
    await setLimit('JPY', null)
    expect((await list()).body.data.limits).toEqual(limits.slice(1))
    const log = await t.call('GET', '/operator/audit-log?action=pin_limit.set', t.operator)
    const [removed, , changed] = log.body.data.entries
    expect(removed).toMatchObject({
      subject: 'pin_limit:JPY',
      before: { amount: '5000.00' },
      after: null,
    })
    expect(changed).toMatchObject({ before: { amount: '50.00' }, after: { amount: '60.50' } })
  })

  it.each([
    [
      { currency: 'XXX', amount: '1' },
      'currency',
      'currency must be an ISO 4217 code in upper case, such as USD',
    ],
    [
      { currency: 'usd', amount: '1' },
      'currency',
      'must be an ISO 4217 code in upper case, such as USD',
    ],
    [{ currency: 'USD', amount: '1.005' }, 'amount', 'must be an amount in USD'],
    [{ currency: 'USD', amount: '-1' }, 'amount', 'must be a decimal number'],
    [{ currency: 'USD' }, 'amount', 'is required'],
  ])('%j is refused', async (body, field, message) => {
    const response = await t.call('PUT', '/operator/pin-limits', t.operator, body)
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ field, message: expect.stringContaining(message) }])
  })
})

describe('paying above a limit', () => {
  it('needs the PIN, and nothing changes without it', async () => {
    await setLimit('USD', '50')
    const { headers, walletId } = await createPayer()
    const qr = await createCode(50.01)
    expect(await preview(qr, headers)).toMatchObject({ pin_needed: true, can_pay: true })
    expect(await pay(qr, headers)).toMatchObject({ status: 428, body: NEEDED })
    expect(await pay(qr, headers, { pin: null })).toMatchObject({ status: 428, body: NEEDED })
    expect(await preview(qr, headers)).toMatchObject({ status: 'pending', balance: '500.00' })
    expect(await pay(qr, headers, { pin: '8051' })).toMatchObject({ status: 400, body: WRONG })
    expect(await preview(qr, headers)).toMatchObject({ status: 'pending', balance: '500.00' })
    const paid = await pay(qr, headers, { pin: PIN })
    expect(paid.body).toMatchObject({ status: 200, data: { total: '50.01' } })
    expect(await readBalance(headers)).toBe('449.99')
    expect(
      (await eventKindsOf(t, walletId)).filter((kind) => kind === 'sign_in_failed'),
    ).toHaveLength(1)
    expect(await t.auditFindings()).toEqual([])
  })

  it('is decided on the amount that is charged, donation included', async () => {
    await setLimit('USD', '50')
    const { headers } = await createPayer()
    const exact = await createCode(50)
    expect((await preview(exact, headers)).pin_needed).toBe(false)
    expect((await pay(exact, headers, { donation_amount: 0.01 })).body).toEqual(NEEDED)
    expect((await pay(exact, headers)).status).toBe(200)
    const small = await createCode(49.5)
    expect((await pay(small, headers, { donation_amount: 0.5 })).status).toBe(200)
    expect((await pay(await createCode(10), headers, { donation_amount: 40.01 })).status).toBe(428)
  })

  it('with an insufficient balance asks for the PIN before the payment can fail', async () => {
    await setLimit('USD', '50')
    const { headers } = await createPayer()
    const qr = await createCode(1000)
    expect((await pay(qr, headers)).body).toEqual(NEEDED)
    expect(await preview(qr, headers)).toMatchObject({
      status: 'pending',
      reason: 'insufficient_balance',
    })
    expect((await pay(qr, headers, { pin: PIN })).status).toBe(402)
  })

  it('again with the same key pays once, and the stored fingerprint does not contain the PIN', async () => {
    await setLimit('USD', '50')
    const { headers, walletId } = await createPayer()
    const qr = await createCode(60)
    expect((await pay(qr, headers, {}, 'k1')).status).toBe(428)
    const body = { donation_amount: 1, pin: PIN }
    const first = await pay(qr, headers, body, 'k1')
    const second = await pay(qr, headers, body, 'k1')
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await readBalance(headers)).toBe('439.00')
    // A request with another PIN is the same request. If the fingerprint contained the PIN, all PINs could be
    // tried against the fingerprint.
    expect((await pay(qr, headers, { donation_amount: 1, pin: '8051' }, 'k1')).status).toBe(200)
    const rows = await t.database.query(
      'select 1 from wallet_idempotency i join wallet w using (wallet_id) where w.public_id = $1',
      [walletId],
    )
    expect(rows).toHaveLength(1)
  })

  it('with wrong PINs locks the PIN of the session, and smaller payments still work', async () => {
    await setLimit('USD', '50')
    const { headers } = await createPayer()
    const qr = await createCode(60)
    const guesses = Array.from({ length: 10 }, (_, n) => pay(qr, headers, { pin: `80${n + 10}` }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    expect(statuses.filter((status) => status === 403)).toHaveLength(5)
    expect((await pay(qr, headers, { pin: PIN })).body).toEqual(LOCKED)
    expect((await preview(qr, headers)).status).toBe('pending')
    expect((await pay(await createCode(10), headers)).status).toBe(200)
  })

  it('pays once in many concurrent requests with the right PIN', async () => {
    await setLimit('USD', '50')
    const { headers } = await createPayer()
    const qr = await createCode(60)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => pay(qr, headers, { pin: PIN })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await readBalance(headers)).toBe('440.00')
    expect(await t.auditFindings()).toEqual([])
  })
})

describe("the payer's own limit", () => {
  it('applies if it is lower than that of the operator', async () => {
    await setLimit('USD', '50')
    const { headers } = await createPayer()
    const set = await setOwnLimit(headers, '20')
    expect(set.body.data.pin_limits).toEqual([{ currency: 'USD', amount: '20.00' }])
    expect((await pay(await createCode(20.01), headers)).status).toBe(428)
    expect((await pay(await createCode(20), headers)).status).toBe(200)
    const raised = await setOwnLimit(headers, '80', PIN)
    expect(raised.body.data.pin_limits).toEqual([{ currency: 'USD', amount: '80.00' }])
    expect((await pay(await createCode(50.01), headers)).status).toBe(428)
    expect((await pay(await createCode(50), headers)).status).toBe(200)
  })

  it('of zero asks for the PIN at every payment', async () => {
    const { headers } = await createPayer()
    await setOwnLimit(headers, '0')
    expect((await pay(await createCode(0.5), headers)).status).toBe(428)
  })

  it('is raised and removed only with the PIN, and lowered without', async () => {
    const { headers, walletId } = await createPayer()
    const readLimits = async () => (await t.call('GET', '/wallet/me', headers)).body.data.pin_limits
    await setOwnLimit(headers, '50')
    await setOwnLimit(headers, '20')
    for (const amount of ['20.01', null]) {
      expect(await setOwnLimit(headers, amount)).toMatchObject({ status: 428, body: NEEDED })
      expect(await setOwnLimit(headers, amount, '8051')).toMatchObject({ status: 400, body: WRONG })
    }
    expect(await readLimits()).toEqual([{ currency: 'USD', amount: '20.00' }])
    expect((await setOwnLimit(headers, null, PIN)).body.data.pin_limits).toEqual([])
    expect(
      (await eventKindsOf(t, walletId)).filter((kind) => kind === 'setting_changed'),
    ).toHaveLength(3)
  })

  it('applies immediately to the next payment', async () => {
    const { headers } = await createPayer()
    const qr = await createCode(30)
    await preview(qr, headers)
    await setOwnLimit(headers, '20')
    expect((await pay(qr, headers)).status).toBe(428)
  })
})
