import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as sdk from '../src/index.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let florin: sdk.Florin
beforeAll(async () => {
  shop = await openShop()
  florin = shop.florin
})
afterAll(() => shop.close())

const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as sdk.FlorinError,
  )
const order = { amount: '5', currency: 'USD' }
const UNKNOWN = `pay_${'0'.repeat(26)}`

describe('each kind of error has its class', () => {
  it('ValidationError, with every problem', async () => {
    const error = await catchError(
      florin.payments.create({ ...order, expires_in: 5, webhook_url: 'ftp://x' }),
    )
    expect(error).toBeInstanceOf(sdk.ValidationError)
    const { errors } = error as sdk.ValidationError
    expect(errors.map(({ field }) => field)).toEqual(['webhook_url', 'expires_in'])
    expect(error.message).toContain(errors[0]!.message)
    expect(error).toMatchObject({ name: 'ValidationError', status: 400, body: { status: 400 } })
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('ValidationError before anything is sent', async () => {
    const error = await catchError(florin.payments.create({ ...order, amount: 0.1 + 0.2 }))
    expect(error).toMatchObject({ name: 'ValidationError', status: null, requestId: null })
    for (const id of ['', '..', 'a/b', undefined as never]) {
      expect(await catchError(florin.payments.retrieve(id))).toBeInstanceOf(sdk.ValidationError)
    }
  })

  it('RefusedError, for a refused refund', async () => {
    const { payment_id } = await florin.payments.create(order)
    const refund = () => catchError(florin.payments.refund(payment_id))
    expect(await refund()).toMatchObject({
      name: 'RefusedError',
      message: 'Only completed payments can be refunded',
    })
    await florin.sandbox.pay(payment_id)
    await florin.payments.refund(payment_id)
    expect(await refund()).toMatchObject({ message: 'Payment has already been refunded' })
  })

  it('AuthenticationError and PermissionError', async () => {
    const stranger = shop.withKeys({ apiSecret: 'wrong' })
    expect(await catchError(stranger.balance())).toBeInstanceOf(sdk.AuthenticationError)
    const { 'api-key': apiKey, 'api-secret': apiSecret } = shop.live
    const live = shop.withKeys({ apiKey: apiKey!, apiSecret: apiSecret! })
    const error = await catchError(live.sandbox.pay(UNKNOWN))
    expect(error).toBeInstanceOf(sdk.PermissionError)
    expect(error.message).toBe('Only sandbox credentials can do that')
  })

  it('NotFoundError, for error bodies with `status` and with `status_code`', async () => {
    const calls = [
      () => florin.payments.retrieve(UNKNOWN),
      () => florin.payments.status(UNKNOWN),
      () => florin.payments.refund(UNKNOWN),
      () => florin.payments.qr(UNKNOWN),
      () => florin.payments.waitUntilSettled(UNKNOWN),
    ]
    for (const call of calls) {
      expect(await catchError(call())).toMatchObject({ name: 'NotFoundError', status: 404 })
    }
  })

  it('ConflictError and IdempotencyError', async () => {
    const options = { idempotencyKey: 'order-7' }
    const first = await florin.payments.create(order, options)
    expect(await florin.payments.create(order, options)).toEqual(first)
    const reused = await catchError(florin.payments.create({ ...order, amount: '6' }, options))
    expect(reused).toMatchObject({ name: 'IdempotencyError', status: 422, ...options })
    await florin.payments.expire(first.payment_id)
    const again = await catchError(florin.payments.expire(first.payment_id))
    expect(again).toMatchObject({ name: 'ConflictError', message: 'Payment is not pending' })
  })

  it('FlorinError is the base class', async () => {
    const error = await catchError(
      florin.payments.create({ ...order, payload: { text: 'x'.repeat(300_000) } }),
    )
    expect(error).toMatchObject({ name: 'FlorinError', status: 413 })
    for (const kind of Object.values(sdk)) {
      if (typeof kind === 'function' && /Error$/.test(kind.name)) {
        expect(kind === sdk.FlorinError || kind.prototype instanceof sdk.FlorinError).toBe(true)
      }
    }
  })
})
