import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConnectionError, type Florin } from '../src/index.ts'
import { startAnswerCutter } from './answerCutter.ts'
import { openShop, type Shop } from './shop.ts'

// The connection breaks after the service has handled the request.
let shop: Shop
let cutter: Awaited<ReturnType<typeof startAnswerCutter>>
let florin: Florin
beforeAll(async () => {
  shop = await openShop()
  cutter = await startAnswerCutter(shop.keys.baseUrl)
  florin = shop.withKeys({ baseUrl: cutter.baseUrl })
})
afterAll(async () => {
  await cutter.close()
  await shop.close()
})
const order = (reference_id: string) => ({ amount: '5', currency: 'USD', reference_id })
const listed = async (reference_id: string) =>
  (await shop.florin.payments.list({ reference_id }).page()).items

it('retries of a create make one payment', async () => {
  cutter.cutNext(3)
  const created = await florin.payments.create(order('cut'))
  expect(cutter.cutCount()).toBe(3)
  expect(await listed('cut')).toMatchObject([{ payment_id: created.payment_id }])
})

it('concurrent creates make one payment each', async () => {
  cutter.cutNext(20)
  const creating = Array.from({ length: 20 }, (_, i) =>
    florin.payments.create(order(`at-once-${i}`), { maxRetries: 30 }),
  )
  const ids = (await Promise.all(creating)).map((one) => one.payment_id)
  for (const [i, payment_id] of ids.entries()) {
    expect(await listed(`at-once-${i}`)).toMatchObject([{ payment_id }])
  }
})

it('retries of a refund refund once and return the first response', async () => {
  const { payment_id } = await florin.payments.create(order('refund'))
  await florin.sandbox.pay(payment_id)
  const before = await florin.balance()
  cutter.cutNext(1)
  expect(await florin.payments.refund(payment_id)).toMatchObject({ status: 'refunded' })
  const after = await florin.balance()
  expect(Number(before.balance) - Number(after.balance)).toBeCloseTo(5)
})

it('a later call can reuse the key of the error', async () => {
  cutter.cutNext(1)
  const error = await florin.payments.create(order('later'), { maxRetries: 0 }).catch((e) => e)
  expect(error).toBeInstanceOf(ConnectionError)
  const { idempotencyKey } = error
  const created = await florin.payments.create(order('later'), { idempotencyKey })
  expect(await listed('later')).toMatchObject([{ payment_id: created.payment_id }])
})

it('does not retry a call without a key', async () => {
  const { payment_id } = await florin.payments.create(order('expire'))
  const before = cutter.cutCount()
  cutter.cutNext(1)
  await expect(florin.payments.expire(payment_id)).rejects.toBeInstanceOf(ConnectionError)
  expect(cutter.cutCount()).toBe(before + 1)
  expect(await florin.payments.status(payment_id)).toMatchObject({ status: 'expired' })
})

it('the ledger audit finds no errors afterwards', async () => {
  expect(await shop.t.auditFindings()).toEqual([])
})
