import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
let stopLoops: () => Promise<void> = async () => {}
beforeAll(async () => {
  t = await startTestService()
})
afterAll(async () => {
  await stopLoops()
  await t.close()
})

it('the words of new payments are indexed in the background', async () => {
  await t.database.query('create extension pgstattuple')
  const countPending = async () => {
    const [row] = await t.database.query<{ count: bigint }>(
      `select pending_tuples as count from pgstatginindex('payment_words')`,
    )
    return Number(row!.count)
  }
  const { store, live } = await t.createStore()
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => t.createPayment(live, { reference_id: `order-${n}` })),
  )
  expect(await countPending()).toBe(50)
  stopLoops = startLoops(t.service)
  await expect.poll(countPending, { timeout: 20_000 }).toBe(0)
  const viewer = await createPerson(t, store, 'viewer')
  const { body } = await t.call('GET', '/store/live/payments?search=order-31', viewer.headers)
  expect(body.data.payments).toMatchObject([{ reference: { id: 'order-31' } }])
})
