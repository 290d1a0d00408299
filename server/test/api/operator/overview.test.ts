import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastDays, wireTime } from '../../../src/core/calendar.ts'
import { addPaymentTotals, createBusinessReader } from '../../../src/ops/paymentTotals.ts'
import { openNode } from '../../setup/anotherNode.ts'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { createPaidPayment, refund, sandboxPay } from '../../setup/merchantCalls.ts'
import {
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'
import { zoneFarFromMidnight } from '../../setup/timeZones.ts'

const HOUR_MS = 3_600_000

let t: TestService
let shop: TestStore
let yenShop: TestStore
let payer: TestWallet
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  yenShop = await t.createStore({ currency: 'JPY' as never })
  await t.createStore()
  payer = await t.createWallet({ balance: '1000' })
  await t.createWallet()
  // Totals begin with the first store.
  await t.database.transaction((tx) =>
    tx.execute(`update store set created_at = now() - interval '30 days'`),
  )
})
afterAll(() => t.close())

const read = async (query: string) =>
  (await t.call('GET', `/operator/overview?${query}`, t.operator)).body

/** Moves an event of a payment to another time: 1 is its first outcome, 2 its refund. */
const moveEvent = (id: string, sequence: number, to: Date) =>
  t.database.transaction((tx) =>
    tx.execute('update event set created_at = $3 where payment_id = $1 and sequence = $2', [
      id,
      sequence,
      to,
    ]),
  )

const countStoredPeriods = async () =>
  (await t.database.query<{ n: number }>('select count(*)::int as n from payment_total'))[0]!.n

const NOTHING = {
  volume: '0.00',
  fees: '0.00',
  completed: 0,
  refunded: 0,
  refunded_amount: '0.00',
  failed: 0,
  expired: 0,
  cancelled: 0,
}

it('sums volume, fees and outcomes of all stores by currency and day', async () => {
  const zone = zoneFarFromMidnight('Asia/Kathmandu', 'America/St_Johns')
  const now = new Date()
  const days = lastDays(now, zone, 7).reverse()
  const longAgo = new Date(days[2]!.from.getTime() + HOUR_MS)
  const before = new Date(days[0]!.from.getTime() - 72 * HOUR_MS)

  const earlyPayment = await createPaidPayment(t, shop.live, payer, { amount: 50 })
  await moveEvent(earlyPayment.payment_id, 1, longAgo)
  const refunded = await createPaidPayment(t, shop.live, payer, { amount: 20 })
  expect((await refund(t, shop.live, refunded.payment_id)).status).toBe(200)
  await moveEvent(refunded.payment_id, 1, before)
  await moveEvent(refunded.payment_id, 2, longAgo)
  await createPaidPayment(t, shop.live, payer, { amount: 30 })
  const cancelled = await t.createPayment(shop.live)
  await t.call('POST', `/merchant/payment/${cancelled.payment_id}/expire`, shop.live)
  const overdue = await t.createPayment(shop.live)
  await t.makeOverdue(overdue.payment_id)
  await t.call('GET', `/merchant/payment/${overdue.payment_id}/status`, shop.live)
  const broken = await t.createPayment(yenShop.sandbox, { amount: 500, currency: 'JPY' })
  await sandboxPay(t, yenShop.sandbox, broken.payment_id, 'error')

  const today = {
    ...NOTHING,
    volume: '30.00',
    fees: '0.30',
    completed: 1,
    expired: 1,
    cancelled: 1,
  }
  const earlier = {
    ...NOTHING,
    volume: '50.00',
    fees: '1.00',
    completed: 1,
    refunded: 1,
    refunded_amount: '20.00',
  }
  const total = {
    ...today,
    volume: '80.00',
    fees: '1.30',
    completed: 2,
    refunded: 1,
    refunded_amount: '20.00',
  }
  const expected = {
    status: 200,
    message: 'Overview',
    data: {
      mode: 'live',
      time_zone: zone,
      from: wireTime(days[0]!.from),
      counted_until: TIME,
      stores: { active: 1, total: 3 },
      wallets: { active: 1, total: 2 },
      currencies: [
        {
          currency: 'USD',
          total,
          before: { ...NOTHING, volume: '20.00', fees: '0.20', completed: 1 },
          days: days.map(({ day }, n) => ({
            day,
            ...(n === 2 ? earlier : n === 6 ? today : NOTHING),
          })),
        },
      ],
    },
  }
  // Nothing is counted before the loop adds the totals.
  expect((await read(`days=7&time_zone=${zone}`)).data).toMatchObject({ currencies: [] })
  await addPaymentTotals(t.database)
  expect(await countStoredPeriods()).toBeGreaterThan(0)
  expect(await read(`days=7&time_zone=${zone}`)).toEqual(expected)
  // Adding again changes nothing.
  const periods = await countStoredPeriods()
  await Promise.all([addPaymentTotals(t.database), addPaymentTotals(t.database)])
  expect(await countStoredPeriods()).toBe(periods)

  // Two days, because one can end during the test.
  const sandbox = await read('mode=sandbox&days=2')
  expect(sandbox.data).toMatchObject({
    mode: 'sandbox',
    time_zone: 'UTC',
    stores: { active: 0, total: 3 },
    currencies: [{ currency: 'JPY', total: { failed: 1, volume: '0.00' } }],
  })
})

it('the totals wait for a transaction that has not ended, because it may still add payments', async () => {
  const other = await startTestService()
  await other.createStore()
  await other.database.transaction((tx) =>
    tx.execute(`update store set created_at = now() - interval '3 hours'`),
  )
  const name = new URL(other.databaseUrl).pathname.slice(1)
  // Simulates a COMMIT that has been waiting for a standby for two hours, and one of another database.
  for (const statement of [
    'create schema waiting',
    `create view waiting.pg_stat_activity as
     select 0 as pid, '3'::xid as backend_xid, now() - interval '2 hours' as xact_start,
       current_database() as datname
     union all
     select 1, '4'::xid, now() - interval '150 minutes', 'another'`,
    `alter database ${name} set search_path = waiting, pg_catalog, public`,
  ])
    await other.database.query(statement)
  const node = await openNode(other)
  const readHoursBehind = async () => {
    const [row] = await other.database.query<{ hours: number }>(
      `select extract(epoch from now() - done_until)::float8 / 3600 as hours
       from sweep where name = 'payment totals'`,
    )
    return row!.hours
  }
  await addPaymentTotals(node.service.database)
  expect(await readHoursBehind()).toBeGreaterThan(2)
  expect(await readHoursBehind()).toBeLessThan(2.2)
  await other.database.query('drop view waiting.pg_stat_activity')
  await addPaymentTotals(node.service.database)
  expect(await readHoursBehind()).toBeLessThan(0.2)
  await node.close()
  await other.close()
})

it.each([
  ['days=0', 'days', 'days must be a whole number from 1 to 90'],
  ['days=91', 'days', 'days must be a whole number from 1 to 90'],
  ['mode=test', 'mode', 'mode must be one of live, sandbox'],
  ['time_zone=Mars', 'time_zone', 'time_zone must be a name such as Europe/Paris'],
])('refuses %s', async (query, field, message) => {
  expect(await read(query)).toEqual(invalid([field, message]))
})

it('shows the webhooks of a payment of any store', async () => {
  const body = { amount: 3, webhook_url: 'https://hooks.example/paid' }
  const { payment_id: id } = await createPaidPayment(t, shop.live, payer, body)
  const byMerchant = await t.call('GET', `/merchant/payment/${id}/webhooks`, shop.live)
  const byOperator = await t.call('GET', `/operator/payments/${id}/webhooks`, t.operator)
  expect(byOperator.body).toEqual(byMerchant.body)
  expect(byOperator.body.data.events).toMatchObject([
    { type: 'payment.completed', url: body.webhook_url, state: 'waiting' },
  ])
  const other = id.slice(0, -1) + (id.endsWith('x') ? 'y' : 'x')
  for (const unknown of [other, 'x']) {
    const response = await t.call('GET', `/operator/payments/${unknown}/webhooks`, t.operator)
    expect(response.body).toEqual(refusal(404, 'Payment not found'))
  }
})

it.each([
  // The clocks were set forward on 29 March. Local times are 14:00 on 31 March and 24 March.
  ['2026-03-31T12:00:00Z', 7, ['2026-03-17T23:00:00Z', '2026-03-24T12:55:00Z']],
  // From the start of 27 March to 14:00 on 30 March.
  ['2026-04-03T12:00:00Z', 4, ['2026-03-26T23:00:00Z', '2026-03-30T11:55:00Z']],
])(
  'compares local days until the same time of day if the clocks were changed: %s, %d days',
  async (now, days, [first, last]) => {
    const at = new Date(now)
    const add = (time: number, gross: bigint) =>
      t.database.query(
        `insert into payment_total
         values ($1, 'live', 'CHF', 1, $2, 0, 0, 0, 0, 0, 0)`,
        [new Date(time), gross],
      )
    const PERIOD_MS = 5 * 60_000
    await add(Date.parse(first!) - PERIOD_MS, 1n)
    await add(Date.parse(first!), 10n)
    await add(Date.parse(last!), 100n)
    await add(Date.parse(last!) + PERIOD_MS, 1000n)
    const readBusiness = createBusinessReader({
      ...t.database,
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        text === 'select clock_timestamp() as at'
          ? ([{ at }] as Row[])
          : t.database.query<Row>(text, values),
    })
    const { currencies } = await readBusiness({ mode: 'live', timeZone: 'Europe/Zurich', days })
    await t.database.query(`delete from payment_total where currency = 'CHF'`)
    const francs = currencies.find(({ currency }) => currency === 'CHF')
    expect(francs?.before.gross).toBe(110n)
  },
)
