import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, Florin, type Payment, webhooks } from '@florin/sdk'
import { type Session, webhookAction } from '../src/webhook.js'

const secret = 'whsec_AAAA'
const payload = { medusa_session: 'payses_1' }
const session: Session = {
  id: 'payses_1',
  amount: 12.5,
  currency_code: 'usd',
  data: { payment_id: 'pay_00000000000000000000000000' },
}

/** `now` has the current fields of the payment; null if Florin doesn't know it. */
async function receive(
  type: EventType,
  { now, sessions = [session], key = secret }: Scene,
): Promise<{ action: string; amount: string | undefined; log: string }> {
  const signed = await webhooks.signTestEvent({ type, secret: key, data: { payload } })
  const fetch = async () => {
    const { data } = JSON.parse(signed.body) as { data: Payment }
    if (now === null) return Response.json({ status: 404, message: 'No' }, { status: 404 })
    return Response.json({ status: 200, message: 'Payment', data: { ...data, ...now } })
  }
  const lines: string[] = []
  const result = await webhookAction(
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

type Scene = { now: Partial<Payment> | null; sessions?: Session[]; key?: string }

test('a completed payment captures the amount of the session', async () => {
  const { action, amount, log } = await receive('payment.completed', { now: {} })
  assert.deepEqual([action, amount, log], ['captured', '12.5', ''])
})

test('the current state decides, so events can arrive in any order', async () => {
  const lateResult = await receive('payment.completed', { now: { status: 'refunded' } })
  assert.equal(lateResult.action, 'not_supported')
  assert.match(lateResult.log, /payment\.completed of pay_0+ is ignored: it is now refunded/)
  assert.equal((await receive('payment.failed', { now: {} })).action, 'failed')
  assert.equal((await receive('payment.expired', { now: {} })).action, 'canceled')
})

test('anything else is ignored with a line in the log', async () => {
  const request_amount = { amount: '1.00', currency: 'USD', conversion_rate: '1.0000' }
  const rows: [Scene, RegExp][] = [
    [{ now: {}, key: 'whsec_BBBB' }, /no signature matches/],
    [{ now: null }, /cannot see such a payment/],
    [{ now: { payload: null } }, /Medusa did not create/],
    [{ now: {}, sessions: [] }, /no payment session payses_1/],
    [{ now: {}, sessions: [{ ...session, data: { payment_id: 'pay_2' } }] }, /is another one/],
    [{ now: { request_amount } }, /about 1\.00 USD, which session payses_1 is not/],
  ]
  for (const [scene, line] of rows) {
    const { action, log } = await receive('payment.completed', scene)
    assert.equal(action, 'not_supported')
    assert.match(log, line)
  }
})
