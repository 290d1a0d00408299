import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConnectionError, type Florin } from '../src/index.ts'
import { startResponseDropper } from './responseDropper.ts'
import { openShop, type Shop } from './shop.ts'

// The connection breaks after the service has handled the request.
let shop: Shop
let dropper: Awaited<ReturnType<typeof startResponseDropper>>
let florin: Florin
beforeAll(async () => {
  shop = await openShop()
  dropper = await startResponseDropper(shop.keys.baseUrl)
  florin = shop.withKeys({ baseUrl: dropper.baseUrl })
})
afterAll(async () => {
  await dropper.close()
  await shop.close()
})
const order = (reference_id: string) => ({ amount: '5', currency: 'USD', reference_id })
const listPayments = async (reference_id: string) =>
  (await shop.florin.payments.list({ reference_id }).page()).items

it('retries of a create make one payment', async () => {
  dropper.dropNext(3)
  const created = await florin.payments.create(order('cut'))
  expect(dropper.dropCount()).toBe(3)
  expect(await listPayments('cut')).toMatchObject([{ payment_id: created.payment_id }])
})

it('concurrent creates make one payment each', async () => {
  const before = dropper.dropCount()
  dropper.dropNext(20)
  const creating = Array.from({ length: 20 }, (_, i) =>
    florin.payments.create(order(`at-once-${i}`), { maxRetries: 30 }),
  )
  const ids = (await Promise.all(creating)).map(({ payment_id }) => payment_id)
  expect(dropper.dropCount()).toBe(before + 20)
  for (const [i, payment_id] of ids.entries()) {
    expect(await listPayments(`at-once-${i}`)).toMatchObject([{ payment_id }])
  }
})

it('retries of a refund refund once', async () => {
  const { payment_id } = await florin.payments.create(order('refund'))
  await florin.sandbox.pay(payment_id)
  const before = await florin.balance()
  dropper.dropNext(1)
  expect(await florin.payments.refund(payment_id)).toMatchObject({ status: 'refunded' })
  const after = await florin.balance()
  expect(Number(before.balance) - Number(after.balance)).toBeCloseTo(5)
})

it('a later call can reuse the key of the error', async () => {
  dropper.dropNext(1)
  const error = await florin.payments.create(order('later'), { maxRetries: 0 }).catch((e) => e)
  expect(error).toBeInstanceOf(ConnectionError)
  const { idempotencyKey } = error
  const created = await florin.payments.create(order('later'), { idempotencyKey })
  expect(await listPayments('later')).toMatchObject([{ payment_id: created.payment_id }])
})

it('does not retry a call without a key', async () => {
  const { payment_id } = await florin.payments.create(order('expire'))
  const before = dropper.dropCount()
  dropper.dropNext(1)
  await expect(florin.payments.expire(payment_id)).rejects.toBeInstanceOf(ConnectionError)
  expect(dropper.dropCount()).toBe(before + 1)
  expect(await florin.payments.status(payment_id)).toMatchObject({ status: 'expired' })
})

it('the ledger audit finds no errors afterwards', async () => {
  expect(await shop.t.auditFindings()).toEqual([])
})
