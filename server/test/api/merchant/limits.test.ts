import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSettings } from '../../../src/core/store.ts'
import { invalid } from '../../setup/expected.ts'
import {
  changeStore,
  countSplitBatches,
  create,
  pay,
  sandboxPay,
  setRate,
  statusAndBody,
} from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'
import { zoneOfNoon } from '../../setup/timeZones.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
  await setRate(t, 'EUR', 'USD', '2')
  await setRate(t, 'GBP', 'USD', '1.005')
})
afterAll(async () => {
  const findings = await t.auditFindings()
  const splitBatches = await countSplitBatches(t)
  await t.close()
  expect([findings, splitBatches]).toEqual([[], 0])
})

const CREATED = { status: 200, body: { message: 'Payment created', data: expect.anything() } }
const refused = (message: string) => ({ status: 400, body: invalid(['amount', message]) })
const limitReached = (name: string, left: string) =>
  refused(`amount is above the ${name} limit of the store: ${left} USD left`)

async function requestPayment({ live }: TestStore, amount: number, currency = 'USD') {
  return statusAndBody(await create(t, live, { amount, currency }))
}

describe('minimum and maximum amount', () => {
  const MIN = 'amount must be at least 1.00 USD'
  const MAX = 'amount must be at most 50.00 USD'
  it.each([
    [0.99, 'USD', MIN],
    [1, 'USD', null],
    [50, 'USD', null],
    [50.01, 'USD', MAX],
    [0.49, 'EUR', MIN],
    [0.5, 'EUR', null],
    [25, 'EUR', null],
    [25.01, 'EUR', MAX],
    [0.99, 'GBP', MIN],
    [1, 'GBP', null],
  ])('apply to %d %s after conversion and rounding: %j', async (amount, currency, problem) => {
    const store = await t.createStore({ minAmountMinor: 100n, maxAmountMinor: 5000n })
    expect(await requestPayment(store, amount, currency)).toEqual(
      problem ? refused(problem) : CREATED,
    )
  })

  it('are reported together with other errors', async () => {
    const { live } = await t.createStore({ minAmountMinor: 100n, dailyLimitMinor: 0n })
    const response = await create(t, live, { amount: 0.5, expires_in: 5 })
    const tooShort = ['expires_in', 'expires_in must be at least 60'] as const
    expect(response.body).toEqual(invalid(['amount', MIN], tooShort))
    // The volume is checked only if the request has no other errors.
    expect((await create(t, live, { amount: 5, expires_in: 5 })).body).toEqual(invalid(tooShort))
  })

  it('apply to payments that are created after a change', async () => {
    const store = await t.createStore()
    expect(await requestPayment(store, 99)).toEqual(CREATED)
    await changeStore(t, store, { max_amount: '50.00' })
    expect(await requestPayment(store, 99)).toEqual(refused(MAX))
    await changeStore(t, store, { max_amount: null })
    expect(await requestPayment(store, 99)).toEqual(CREATED)
  })
})

describe.each([
  ['daily', { dailyLimitMinor: 10_000n, timeZone: zoneOfNoon() }],
  ['monthly', { monthlyLimitMinor: 10_000n, timeZone: zoneOfNoon() }],
] as [string, Partial<StoreSettings>][])('the %s limit', (name, limit) => {
  it('can be used up to the last cent, and a refused large payment does not block a small one', async () => {
    const store = await t.createStore(limit)
    expect(await requestPayment(store, 60)).toEqual(CREATED)
    expect(await requestPayment(store, 40.01)).toEqual(limitReached(name, '40.00'))
    expect(await requestPayment(store, 20, 'EUR')).toEqual(CREATED)
    expect(await requestPayment(store, 0.01)).toEqual(limitReached(name, '0.00'))
  })

  it('is exact for concurrent requests', async () => {
    const store = await t.createStore(limit)
    const amounts = [150, ...Array(30).fill(9)]
    const responses = await Promise.all(amounts.map((amount) => requestPayment(store, amount)))
    expect(responses[0]!.status).toBe(400)
    expect(responses.filter((response) => response.status === 200)).toHaveLength(11)
    expect(await requestPayment(store, 9)).toEqual(limitReached(name, '1.00'))
  })

  it.each(['failed', 'expired', 'overdue'])(
    'no longer counts a payment that is %s',
    async (state) => {
      const store = await t.createStore(limit)
      const { payment_id, qr_code } = await t.createPayment(store.live, { amount: 100 })
      expect(await requestPayment(store, 10)).toEqual(limitReached(name, '0.00'))
      if (state === 'failed') await pay(t, await t.createWallet(), qr_code)
      const path = `/merchant/payment/${payment_id}/expire`
      if (state === 'expired') await t.call('POST', path, store.live)
      // No background loop runs here: an overdue payment must not count even if it is not yet expired.
      if (state === 'overdue') await t.makeOverdue(payment_id)
      expect(await requestPayment(store, 100)).toEqual(CREATED)
      expect(await requestPayment(store, 0.01)).toEqual(limitReached(name, '0.00'))
    },
  )

  it('counts paid payments, even after a refund', async () => {
    const { sandbox } = await t.createStore(limit)
    const { payment_id } = await t.createPayment(sandbox, { amount: 100 })
    const requestAgain = async () => statusAndBody(await create(t, sandbox, { amount: 1 }))
    expect(await requestAgain()).toEqual(limitReached(name, '0.00'))
    await sandboxPay(t, sandbox, payment_id)
    expect(await requestAgain()).toEqual(limitReached(name, '0.00'))
    const refunded = await t.call('POST', `/merchant/payment/${payment_id}/refund`, sandbox)
    expect(refunded.status).toBe(200)
    expect(await requestAgain()).toEqual(limitReached(name, '0.00'))
  })

  it('is separate for each mode and store', async () => {
    const [store, other] = [await t.createStore(limit), await t.createStore(limit)]
    expect(await requestPayment(store, 100)).toEqual(CREATED)
    expect(await requestPayment({ ...store, live: store.sandbox }, 100)).toEqual(CREATED)
    expect(await requestPayment(other, 100)).toEqual(CREATED)
    expect(await requestPayment(store, 1)).toEqual(limitReached(name, '0.00'))
  })

  it('can be set below the used volume', async () => {
    const store = await t.createStore(limit)
    expect(await requestPayment(store, 80)).toEqual(CREATED)
    await changeStore(t, store, { [`${name}_limit`]: '50.00' })
    expect(await requestPayment(store, 1)).toEqual(limitReached(name, '0.00'))
  })
})

describe('limit periods', () => {
  it('report the daily limit first if an amount is above both', async () => {
    const store = await t.createStore({ dailyLimitMinor: 1000n, monthlyLimitMinor: 1500n })
    expect(await requestPayment(store, 20)).toEqual(limitReached('daily', '10.00'))
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata'])(
    'use the time zone of the store: %s',
    async (timeZone) => {
      const { store, live } = await t.createStore({ timeZone })
      const { payment_id } = await t.createPayment(live, { amount: 10 })
      const rows = await t.database.query<{ starts: string; createdAt: Date }>(
        `select u.period, u.starts, u.used, p.created_at as "createdAt",
         u.starts = date_trunc(u.period, p.created_at at time zone $2)::date as matches
       from usage u join payment p on p.store_id = u.store_id
       where u.store_id = $1 and p.payment_id = $3 order by u.period`,
        [store.storeId, timeZone, payment_id],
      )
      const used = 1000n
      expect(rows).toMatchObject([
        { period: 'day', used, matches: true },
        { period: 'month', used, matches: true },
      ])
      // Kiritimati and Pago Pago never have the same date.
      const day = new Intl.DateTimeFormat('en-CA', { timeZone }).format(rows[0]!.createdAt)
      expect(rows[0]!.starts).toBe(day)
    },
  )

  it('reset each day and month', async () => {
    const limits = { dailyLimitMinor: 10_000n, monthlyLimitMinor: 15_000n }
    const store = await t.createStore({ ...limits, timeZone: zoneOfNoon() })
    const { payment_id } = await t.createPayment(store.live, { amount: 100 })
    // Moves the usage to another day of the same month, or to another month.
    const move = (period: string, column: string, to: string) =>
      t.database.transaction(async (tx) => {
        const where = 'where payment_id = $1'
        const rows = await tx.query<{ day: string }>(`select ${to} as day from payment ${where}`, [
          payment_id,
        ])
        const { day } = rows[0]!
        await tx.execute(`update payment set ${column} = $2 ${where}`, [payment_id, day])
        const key = 'store_id = $2 and period = $3'
        const values = [day, store.store.storeId, period]
        await tx.execute(`update usage set starts = $1 where ${key}`, values)
      })
    expect(await requestPayment(store, 1)).toEqual(limitReached('daily', '0.00'))
    await move(
      'day',
      'usage_day',
      `case when extract(day from usage_day) = 1 then usage_day + 1 else usage_day - 1 end`,
    )
    expect(await requestPayment(store, 51)).toEqual(limitReached('monthly', '50.00'))
    await move('day', 'usage_day', `(usage_day - interval '1 month')::date`)
    await move('month', 'usage_month', `(usage_month - interval '1 month')::date`)
    expect(await requestPayment(store, 51)).toEqual(CREATED)
    expect(await requestPayment(store, 50)).toEqual(limitReached('daily', '49.00'))
  })

  it('release the volume of the original day after the time zone changes', async () => {
    const store = await t.createStore({ timeZone: 'Pacific/Kiritimati' })
    const { payment_id } = await t.createPayment(store.live)
    await changeStore(t, store, { time_zone: 'Pacific/Pago_Pago' })
    await t.call('POST', `/merchant/payment/${payment_id}/expire`, store.live)
    const used = 'select sum(used)::int as used from usage where store_id = $1'
    expect(await t.database.query(used, [store.store.storeId])).toEqual([{ used: 0 }])
  })
})

describe('unique references', () => {
  const TAKEN = {
    status: 400,
    body: invalid(['reference_id', 'reference_id belongs to a pending, paid or refunded payment']),
  }
  const createWithReference = async (
    keys: TestStore['live'],
    reference_id: string | null = 'A-1',
  ) => statusAndBody(await create(t, keys, { reference_id }))

  it('are not required by default', async () => {
    const { live } = await t.createStore()
    for (let i = 0; i < 2; i++) expect(await createWithReference(live)).toEqual(CREATED)
  })

  it('are reserved while the payment is pending, paid or refunded, per store and mode', async () => {
    const { live, sandbox } = await t.createStore({ uniqueReferences: true })
    const other = await t.createStore({ uniqueReferences: true })
    const { payment_id } = await t.createPayment(sandbox, { reference_id: 'A-1' })
    expect(await createWithReference(sandbox)).toEqual(TAKEN)
    await sandboxPay(t, sandbox, payment_id)
    expect(await createWithReference(sandbox)).toEqual(TAKEN)
    const refunded = await t.call('POST', `/merchant/payment/${payment_id}/refund`, sandbox)
    expect(refunded.status).toBe(200)
    expect(await createWithReference(sandbox)).toEqual(TAKEN)
    for (const free of [live, other.sandbox])
      expect(await createWithReference(free)).toEqual(CREATED)
    for (let i = 0; i < 2; i++) expect(await createWithReference(sandbox, null)).toEqual(CREATED)
  })

  it.each(['failed', 'expired', 'overdue'])(
    'can be used again when the payment is %s',
    async (state) => {
      const { sandbox } = await t.createStore({ uniqueReferences: true })
      const { payment_id } = await t.createPayment(sandbox, { reference_id: 'A-1' })
      if (state === 'failed') await sandboxPay(t, sandbox, payment_id, 'error')
      if (state === 'expired')
        await t.call('POST', `/sandbox/payment/${payment_id}/expire`, sandbox)
      if (state === 'overdue') await t.makeOverdue(payment_id)
      expect(await createWithReference(sandbox)).toEqual(CREATED)
    },
  )

  it('are accepted in only one of many concurrent requests', async () => {
    const { live } = await t.createStore({ uniqueReferences: true })
    const responses = await Promise.all(Array.from({ length: 20 }, () => createWithReference(live)))
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 400)[0]).toEqual(TAKEN)
  })
})
