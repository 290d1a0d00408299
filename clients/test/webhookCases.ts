import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { webhooks } from '../../sdk/src/index.ts'
import { type Case, create, type TestContext } from './testContext.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another').toString('base64')}`
const AT = new Date('2026-11-15T10:00:00Z')
const VERIFY = 'webhooks.constructEvent'

const delivery = () => webhooks.signTestEvent({ type: 'payment.completed', secret: SECRET, at: AT })

/** Changed deliveries, and why they are refused. */
const CHANGED: readonly (readonly [string, string, (text: string) => string, string])[] = [
  ['a changed body', 'body', (body) => `${body} `, 'signature_wrong'],
  ['a changed id', 'webhook-id', (id) => `${id}0`, 'signature_wrong'],
  ['a changed time', 'webhook-timestamp', (time) => `${Number(time) + 1}`, 'signature_wrong'],
  ['an invalid time', 'webhook-timestamp', () => '1e9', 'timestamp_malformed'],
  ['a time with a line break', 'webhook-timestamp', (at) => `${at}\n`, 'timestamp_malformed'],
  ['no time', 'webhook-timestamp', () => '', 'header_missing'],
  ['no id', 'webhook-id', () => '', 'header_missing'],
  ['no signature', 'webhook-signature', () => '', 'header_missing'],
  ['an unknown version', 'webhook-signature', (v1) => v1.replace('v1', 'v2'), 'signature_wrong'],
  ['half a signature', 'webhook-signature', (v1) => v1.slice(0, 20), 'signature_wrong'],
  ['an empty signature', 'webhook-signature', () => 'v1,', 'signature_wrong'],
  ['many guesses', 'webhook-signature', (v1) => `${'v1,AA '.repeat(8)}${v1}`, 'signature_wrong'],
]

const refused = CHANGED.map(
  ([name, part, change, reason]): Case => [
    `refuses ${name}`,
    async ({ client, keys }) => {
      const { body, headers } = await delivery()
      const sent: Record<string, string> = { ...headers, body }
      const { body: changed, ...others } = { ...sent, [part]: change(sent[part]!) }
      const options = { now: AT.getTime() }
      const error = await client.failure(keys, VERIFY, [changed, others, SECRET], options)
      expect(error).toMatchObject({ kind: 'WebhookVerificationError', reason })
    },
  ],
)

async function receiveDelivery(context: TestContext) {
  const { receiver, shop } = context
  const before = receiver.received.length
  const id = await create(context, { amount: '7.25', webhook_url: receiver.url })
  await shop.florin.sandbox.pay(id)
  return { id, ...(await receiver.until(before + 1))[before]! }
}

export const WEBHOOKS: readonly Case[] = [
  [
    'verifies a real delivery, with headers in any case, and refuses it with another secret',
    async (context) => {
      const { client, keys, shop } = context
      const { id, body, headers } = await receiveDelivery(context)
      const event = await client.call(keys, VERIFY, [body, headers, shop.secret])
      expect(event).toMatchObject({
        id: headers['webhook-id'],
        type: 'payment.completed',
        sequence: 1,
        data: { payment_id: id, status: 'completed', request_amount: { amount: '7.25' } },
      })
      const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
      const again = await client.call(keys, VERIFY, [body, Object.fromEntries(upper), shop.secret])
      expect(again).toEqual(event)
      const error = await client.failure(keys, VERIFY, [body, headers, OTHER])
      expect(error).toMatchObject({ kind: 'WebhookVerificationError', reason: 'signature_wrong' })
    },
  ],
  [
    'accepts one of several secrets, and one of several signatures',
    async ({ client, keys }) => {
      const options = { now: AT.getTime() }
      const { body, headers } = await delivery()
      for (const secrets of [[OTHER, SECRET], [SECRET]]) {
        const event = await client.call(keys, VERIFY, [body, headers, secrets], options)
        expect(event).toMatchObject({ type: 'payment.completed' })
      }
      const signedTwice = await webhooks.signTestEvent({
        type: 'payment.failed',
        secret: [OTHER, SECRET],
        at: AT,
      })
      const event = await client.call(
        keys,
        VERIFY,
        [signedTwice.body, signedTwice.headers, SECRET],
        options,
      )
      expect(event).toMatchObject({ type: 'payment.failed', data: { status: 'failed' } })
    },
  ],
  [
    'refuses every delivery if the list of secrets is empty',
    async ({ client, keys }) => {
      const { body, headers } = await delivery()
      const options = { now: AT.getTime() }
      const error = await client.failure(keys, VERIFY, [body, headers, []], options)
      expect(error).toMatchObject({ kind: 'WebhookVerificationError', reason: 'signature_wrong' })
    },
  ],
  ...refused,
  [
    'refuses a timestamp that is more than five minutes off',
    async ({ client, keys }) => {
      const { body, headers } = await delivery()
      const args = [body, headers, SECRET]
      const after = (seconds: number) => ({ now: AT.getTime() + seconds * 1000 })
      for (const seconds of [300, -300]) await client.call(keys, VERIFY, args, after(seconds))
      for (const seconds of [301, -301]) {
        const error = await client.failure(keys, VERIFY, args, after(seconds))
        expect(error.reason).toBe('timestamp_outside_tolerance')
      }
      await client.call(keys, VERIFY, args, { ...after(301), tolerance: 600 })
      // Without a time of its own, the client uses the clock.
      const now = await client.failure(keys, VERIFY, args)
      expect(now.reason).toBe('timestamp_outside_tolerance')
    },
  ],
  [
    'refuses a signed body that is not an event',
    async ({ client, keys }) => {
      const { headers } = await delivery()
      // The SDK checks only that the body is JSON.
      const otherBodies =
        client.language === 'TypeScript' ? [] : ['"x"', '[]', '{}', '{"data":{"amount":1}}']
      for (const body of ['hello', '', ...otherBodies]) {
        const signature = new Webhook(SECRET).sign(headers['webhook-id']!, AT, body)
        const signed = { ...headers, 'webhook-signature': signature }
        const options = { now: AT.getTime() }
        const error = await client.failure(keys, VERIFY, [body, signed, SECRET], options)
        expect(error, body).toMatchObject({ reason: 'body_malformed' })
      }
    },
  ],
  [
    'needs a valid secret',
    async ({ client, keys }) => {
      const { body, headers } = await delivery()
      for (const secret of ['', 'whsec_', 'whsec_%', null, [''], [SECRET, null]]) {
        const options = { now: AT.getTime() }
        const error = await client.failure(keys, VERIFY, [body, headers, secret], options)
        expect(error, JSON.stringify(secret)).toMatchObject({ kind: 'usage' })
      }
    },
  ],
  [
    'creates the same test events as the SDK',
    async ({ client, keys }) => {
      for (const outcome of ['completed', 'failed', 'expired', 'refunded'] as const) {
        const type = `payment.${outcome}` as const
        const data = { reference: { id: 'order-7', note: 'é' } }
        const args = [type, SECRET, { $time: AT.getTime() }, data]
        const made = await client.call(keys, 'webhooks.signTestEvent', args)
        const expected = await webhooks.signTestEvent({ type, secret: SECRET, at: AT, data })
        expect(JSON.parse(made.body)).toEqual(JSON.parse(expected.body))
        const event = await webhooks.constructEvent(made.body, made.headers, SECRET, { now: AT })
        expect(event).toMatchObject({ type, data: { status: outcome, ...data } })
        const signed = { ...made.headers, 'webhook-signature': '' }
        expect(signed).toEqual({ ...expected.headers, 'webhook-signature': '' })
      }
    },
  ],
]
