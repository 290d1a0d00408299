import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, Florin, type Payment, webhooks } from '@florin/sdk'
import { determineWebhookAction, type Session } from '../src/webhook.js'

const secret = 'whsec_AAAA'
const payload = { medusa_session: 'payses_1' }
const session: Session = {
  id: 'payses_1',
  amount: 12.5,
  currency_code: 'usd',
  data: { payment_id: 'pay_00000000000000000000000000' },
}

/** `current` has the current fields of the payment; null if Florin doesn't know it. */
async function receive(
  type: EventType,
  { current, sessions = [session], key = secret, at = new Date() }: Situation,
): Promise<{ action: string; amount: string | undefined; log: string }> {
  const signed = await webhooks.signTestEvent({ type, secret: key, at, data: { payload } })
  const fetch = async () => {
    const { data } = JSON.parse(signed.body) as { data: Payment }
    if (current === null) return Response.json({ status: 404, message: 'No' }, { status: 404 })
    return Response.json({ status: 200, message: 'Payment', data: { ...data, ...current } })
  }
  const lines: string[] = []
  const result = await determineWebhookAction(
    { data: {}, rawData: Buffer.from(signed.body), headers: signed.headers },
    {
      secret,
      florin: new Florin({ baseUrl: 'http://localhost', apiKey: 'a', apiSecret: 'b', fetch }),
      sessions: { list: async ({ id }) => sessions.filter((known) => known.id === id) },
      logger: { warn: (line: string) => lines.push(line) },
    },
  )
  return { action: result.action, amount: result.data?.amount.toString(), log: lines.join() }
}

type Situation = {
  readonly current: Partial<Payment> | null
  readonly sessions?: readonly Session[]
  readonly key?: string
  readonly at?: Date
}

test('a completed payment captures the amount of the session', async () => {
  const { action, amount, log } = await receive('payment.completed', { current: {} })
  assert.deepEqual([action, amount, log], ['captured', '12.5', ''])
})

test('an event that waited in the queue of Medusa for hours captures', async () => {
  const at = new Date(Date.now() - 3 * 3_600_000)
  assert.equal((await receive('payment.completed', { current: {}, at })).action, 'captured')
})

test('the current state decides, so events can arrive in any order', async () => {
  const lateResult = await receive('payment.completed', { current: { status: 'refunded' } })
  assert.equal(lateResult.action, 'not_supported')
  assert.match(lateResult.log, /payment\.completed of pay_0+ is ignored: it is now refunded/)
  assert.equal((await receive('payment.failed', { current: {} })).action, 'failed')
  assert.equal((await receive('payment.expired', { current: {} })).action, 'canceled')
})

test('a wrong signature, an unknown payment or session, and another amount are ignored with a line in the log', async () => {
  const request_amount = { amount: '1.00', currency: 'USD', conversion_rate: '1.0000' }
  const rows: [Situation, RegExp][] = [
    [{ current: {}, key: 'whsec_BBBB' }, /no signature matches/],
    [{ current: null }, /has no such payment/],
    [{ current: { payload: null } }, /Medusa did not create/],
    [{ current: {}, sessions: [] }, /no payment session payses_1/],
    [
      { current: {}, sessions: [{ ...session, data: { payment_id: 'pay_2' } }] },
      /session payses_1 has another payment/,
    ],
    [{ current: { request_amount } }, /amount is 1\.00 USD, not that of session payses_1/],
  ]
  for (const [situation, line] of rows) {
    const { action, log } = await receive('payment.completed', situation)
    assert.equal(action, 'not_supported')
    assert.match(log, line)
  }
})
