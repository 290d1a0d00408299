import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '../../server/test/setup/receiver.ts'
import {
  type EventType,
  type Payment,
  type WebhookEvent,
  WebhookVerificationError,
  webhooks,
} from '../src/index.ts'
import { openShop, type Shop } from './shop.ts'

const { constructEvent, signTestEvent } = webhooks
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another').toString('base64')}`

describe('a real delivery', () => {
  let shop: Shop
  let receiver: Receiver
  beforeAll(async () => {
    shop = await openShop()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await shop.close()
  })
  const event = ({ body, headers }: ReceivedRequest, secret: string | string[] = shop.secret) =>
    constructEvent(body, headers, secret)

  it('is verified and discriminated by its type', async () => {
    const { payments, sandbox } = shop.florin
    const create = () =>
      payments.create({ amount: '7.25', currency: 'USD', webhook_url: receiver.url })
    const outcomes: [EventType, (id: string) => Promise<unknown>][] = [
      ['payment.completed', (id) => sandbox.pay(id)],
      ['payment.refunded', (id) => payments.refund(id)],
      ['payment.failed', (id) => sandbox.fail(id)],
      ['payment.expired', (id) => payments.expire(id)],
    ]
    let id = ''
    for (const [index, [type, act]] of outcomes.entries()) {
      if (type !== 'payment.refunded') id = (await create()).payment_id
      await act(id)
      const received = (await receiver.until(index + 1))[index]!
      const found = await event(received)
      expect(found).toMatchObject({ type, data: { payment_id: id } })
      expect(found.id).toBe(received.headers['webhook-id'])
      const stored = await payments.webhooks(id)
      expect(stored.map(({ id }) => id)).toContain(found.id)
      // A test event has the same fields as a real one.
      const made = await signTestEvent({ type, secret: SECRET })
      const sequenceOf = (eventId: string) => eventId.split('_')[2]
      expect(sequenceOf(made.headers['webhook-id']!)).toBe(sequenceOf(found.id))
      expect(shapeOf(JSON.parse(made.body))).toEqual(shapeOf(JSON.parse(received.body)))
    }
  })

  it('is verified by the old and the new secret during a rotation', async () => {
    const before = receiver.received.length
    const fresh = await shop.rotateSecret()
    const { payment_id } = await shop.florin.payments.create({
      amount: '1',
      currency: 'USD',
      webhook_url: receiver.url,
    })
    await shop.florin.sandbox.pay(payment_id)
    const received = (await receiver.until(before + 1))[before]!
    expect(received.headers['webhook-signature']).toContain(' ')
    for (const secret of [shop.secret, fresh, [OTHER, fresh]]) {
      expect(await event(received, secret)).toMatchObject({ data: { payment_id } })
    }
    await expect(event(received, OTHER)).rejects.toThrow(WebhookVerificationError)
  })
})

/** Field names with the types of their values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      name === 'reference' ? '' : shapeOf(child),
    ]),
  )
}

describe('a delivery', () => {
  const at = new Date('2026-11-15T10:00:00Z')
  const made = () => signTestEvent({ type: 'payment.completed', secret: SECRET, at })
  const verify = (body: string | Uint8Array, headers: Record<string, string>, now = at) =>
    constructEvent(body, headers, SECRET, { now })

  it('can be text or bytes, with headers of Node.js or fetch, in any case', async () => {
    const { body, headers } = await made()
    const expected = await verify(body, headers)
    expect(expected).toMatchObject({ type: 'payment.completed', sequence: 1 })
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const options = { now: at }
    expect(await verify(Buffer.from(body), upper)).toEqual(expected)
    expect(await constructEvent(body, new Headers(headers), SECRET, options)).toEqual(expected)
    expect(await constructEvent(body, headers, [OTHER, SECRET], options)).toEqual(expected)
  })

  it('is compatible with the reference library in both directions', async () => {
    const now = new Date()
    const { body, headers } = await signTestEvent({
      type: 'payment.failed',
      secret: [OTHER, SECRET],
    })
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body))
    const signature = new Webhook(SECRET).sign('evt_é', now, '{"ü":1}')
    const signed = {
      'webhook-id': 'evt_é',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': `v2,abc v1,!!! v1, ${signature}`,
    }
    expect(await constructEvent('{"ü":1}', signed, SECRET)).toEqual({ id: 'evt_é', ü: 1 })
  })

  it.each<[string, string, (text: string) => string, string]>([
    ['a changed body', 'body', (body) => `${body} `, 'signature_wrong'],
    ['a changed id', 'webhook-id', (id) => `${id}0`, 'signature_wrong'],
    ['a changed time', 'webhook-timestamp', (time) => `${Number(time) + 1}`, 'signature_wrong'],
    ['an invalid time', 'webhook-timestamp', () => '1e9', 'timestamp_malformed'],
    ['no time', 'webhook-timestamp', () => '', 'header_missing'],
    ['no id', 'webhook-id', () => '', 'header_missing'],
    ['no signature', 'webhook-signature', () => '', 'header_missing'],
    ['an unknown version', 'webhook-signature', (v1) => v1.replace('v1', 'v2'), 'signature_wrong'],
    ['half a signature', 'webhook-signature', (v1) => v1.slice(0, 20), 'signature_wrong'],
    ['many guesses', 'webhook-signature', (v1) => `${'v1,AA '.repeat(8)}${v1}`, 'signature_wrong'],
  ])('is refused with %s', async (_, name, change, reason) => {
    const { body, headers } = await made()
    const sent: Record<string, string> = { ...headers, body }
    const changed = { ...sent, [name]: change(sent[name]!) }
    const refused = verify(changed.body!, changed)
    await expect(refused).rejects.toMatchObject({ name: 'WebhookVerificationError', reason })
  })

  it('is refused if its timestamp is more than five minutes off', async () => {
    const { body, headers } = await made()
    const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)
    for (const seconds of [300, -300]) await verify(body, headers, after(seconds))
    for (const seconds of [301, -301]) {
      const reason = 'timestamp_outside_tolerance'
      await expect(verify(body, headers, after(seconds))).rejects.toMatchObject({ reason })
    }
    const options = { now: after(301), toleranceSeconds: 600 }
    expect(await constructEvent(body, headers, SECRET, options)).toHaveProperty('id')
  })

  it('needs a raw body and a secret', async () => {
    const { body, headers } = await made()
    const now = at
    await expect(constructEvent(JSON.parse(body), headers, SECRET, { now })).rejects.toThrow(
      /must be the received body/,
    )
    for (const secret of ['', 'whsec_', 'whsec_%', undefined as never, ['']]) {
      await expect(constructEvent(body, headers, secret, { now })).rejects.toThrow(TypeError)
    }
    await expect(constructEvent(body, headers, [], { now })).rejects.toThrow(
      WebhookVerificationError,
    )
  })

  it('is refused if its body is signed, but is not JSON', async () => {
    const { headers } = await made()
    const id = headers['webhook-id']!
    const signature = new Webhook(SECRET).sign(id, at, 'hello')
    const signed = { ...headers, 'webhook-signature': signature }
    await expect(verify('hello', signed)).rejects.toMatchObject({ reason: 'body_malformed' })
  })

  it('can be created for a refund with custom data', async () => {
    const { body, headers } = await signTestEvent({
      type: 'payment.refunded',
      secret: SECRET,
      id: 'evt_7',
      data: { reference: { id: 'order-7', note: null } },
    })
    const event: WebhookEvent = await constructEvent(body, headers, SECRET)
    expect(event).toMatchObject({ id: 'evt_7', sequence: 2 })
    if (event.type !== 'payment.refunded') return expect.unreachable()
    expectTypeOf(event.data).toEqualTypeOf<Payment & { status: 'refunded' }>()
    expect(event.data).toMatchObject({ status: 'refunded', reference: { id: 'order-7' } })
  })
})
