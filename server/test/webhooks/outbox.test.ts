import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import type { TestWallet } from '../setup/testService.ts'
import { eventually, openShop, pause, type Shop } from './shop.ts'

let shop: Shop
let receiver: Receiver
let wallet: TestWallet
beforeAll(async () => {
  shop = await openShop()
  receiver = await startReceiver()
  wallet = await shop.t.createWallet({ mode: 'sandbox', balance: '1000' })
})
afterAll(async () => {
  await shop.close()
  await receiver.close()
})

const payByWallet = (qrCode: string) =>
  shop.t.call('POST', `/wallet/payment/${qrCode}/pay`, wallet.headers, {})
const readEventRows = (id: string) =>
  shop.sql<{ type: string; sequence: number; url: string | null }>(
    'select type, sequence, url from event where payment_id = $1 order by sequence',
    [id],
  )
const statusOf = async (id: string) => (await shop.readDetails(id)).status

describe('every outcome has its event, even without a webhook URL', () => {
  const create = (webhook_url: string | null) =>
    shop.t.createPayment(shop.store.sandbox, { webhook_url, expires_in: 60 })
  const actions: Record<string, (id: string) => Promise<unknown>> = {
    completed: (id) => shop.pay(id),
    failed: (id) => shop.pay(id, { outcome: 'error' }),
    expired: (id) => shop.t.call('POST', `/merchant/payment/${id}/expire`, shop.store.sandbox),
    'overdue, found by a reader': async (id) => {
      await shop.t.makeOverdue(id)
      await shop.readDetails(id)
    },
    'overdue, found by the sweep': async (id) => {
      await shop.t.makeOverdue(id)
      await eventually(async () => expect(await readEventRows(id)).toHaveLength(1))
    },
  }
  it.each(
    Object.keys(actions).flatMap((action) =>
      [true, false].map((hasUrl) => [action, hasUrl] as const),
    ),
  )('%s, with a webhook URL: %s', async (action, hasUrl) => {
    const url = hasUrl ? receiver.url : null
    const { payment_id } = await create(url)
    expect(await readEventRows(payment_id)).toEqual([])
    await actions[action]!(payment_id)
    const status = action.startsWith('overdue') ? 'expired' : action
    expect(await readEventRows(payment_id)).toEqual([
      { type: `payment.${status}`, sequence: 1, url },
    ])
    const arrived = () =>
      receiver.received.filter((call) => JSON.parse(call.body).data.payment_id === payment_id)
    if (hasUrl) await eventually(() => expect(arrived()).toHaveLength(1))
    else expect(await shop.readDelivery(payment_id)).toBeUndefined()
  })

  it('a refund is the second event', async () => {
    const id = await shop.createPaid(null)
    await shop.refund(id)
    expect((await readEventRows(id)).map((row) => row.type)).toEqual([
      'payment.completed',
      'payment.refunded',
    ])
  })

  it('a request that changes nothing writes no event: a second payment, a refused one, a replay', async () => {
    const { payment_id, qr_code } = await create(null)
    const keyed = { ...wallet.headers, 'idempotency-key': 'once' }
    const path = `/wallet/payment/${qr_code}/pay`
    const responses = await Promise.all([1, 2, 3].map(() => shop.t.call('POST', path, keyed, {})))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    await payByWallet(qr_code)
    await shop.pay(payment_id)
    expect(await readEventRows(payment_id)).toHaveLength(1)
  })
})

describe('the event and the change are one transaction', () => {
  /** While `act` runs, every transaction that inserts into the table fails at its COMMIT, after all its writes. */
  async function whileCommitsFail(table: string, act: () => Promise<void>): Promise<void> {
    await shop.sql(
      `create or replace function fail_commit() returns trigger language plpgsql as
       $$ begin raise exception 'the commit fails'; end $$`,
    )
    await shop.sql(
      `create constraint trigger fail after insert on ${table} deferrable initially deferred
       for each row execute function fail_commit()`,
    )
    try {
      await act()
    } finally {
      await shop.sql(`drop trigger fail on ${table}`)
    }
  }

  it.each([
    ['event', false],
    ['event', true],
    ['delivery', true],
    ['transfer', true],
  ])(
    'a payment whose commit fails at the table %s (with a webhook URL: %s) leaves no change and no event, and sends nothing',
    async (table, hasUrl) => {
      const webhook_url = hasUrl ? receiver.url : null
      const { payment_id, qr_code } = await shop.t.createPayment(shop.store.sandbox, {
        webhook_url,
      })
      const before = receiver.received.length
      await whileCommitsFail(table, async () => {
        expect((await payByWallet(qr_code)).status).toBe(500)
      })
      expect(await readEventRows(payment_id)).toEqual([])
      expect(await shop.readDelivery(payment_id)).toBeUndefined()
      expect(await statusOf(payment_id)).toBe('pending')
      await pause(200)
      expect(receiver.received).toHaveLength(before)

      expect((await payByWallet(qr_code)).status).toBe(200)
      expect(await readEventRows(payment_id)).toHaveLength(1)
      if (hasUrl) await receiver.until(before + 1)
    },
  )

  it('a refund whose commit fails writes no event', async () => {
    const id = await shop.createPaid(receiver.url)
    await eventually(async () => expect(await shop.readDelivery(id)).toBeUndefined())
    await whileCommitsFail('event', async () => expect((await shop.refund(id)).status).toBe(500))
    expect(await readEventRows(id)).toHaveLength(1)
    expect(await statusOf(id)).toBe('completed')
    expect((await shop.refund(id)).status).toBe(200)
    expect(await readEventRows(id)).toHaveLength(2)
  })

  it('every status has its event, and every event its status', async () => {
    const mismatches = await shop.sql(
      `select p.payment_id, p.status, array_agg(e.type order by e.sequence) as types
       from payment p left join event e using (store_id, payment_id)
       group by p.payment_id, p.status
       having array_agg(e.type order by e.sequence) <> (case p.status
         when 'pending' then array[null] when 'refunded' then array['payment.completed', 'payment.refunded']
         else array['payment.' || p.status] end)::text[]`,
    )
    expect(mismatches).toEqual([])
    expect(await shop.t.auditFindings()).toEqual([])
  })
})
