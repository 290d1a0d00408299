import { expect, vi } from 'vitest'
import { startLoops } from '../../src/loops.ts'
import {
  type Headers,
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A service with running loops and a store, and calls for the store's sandbox payments, events and deliveries. */
export async function openShop(options?: { limitsWaits: boolean }) {
  const t = await startTestService({}, options)
  const store = await t.createStore()
  await t.fund(store.store, 'sandbox', '1000')
  let stopLoops: (() => Promise<void>) | null = startLoops(t.service)
  const stop = async () => {
    await stopLoops?.()
    stopLoops = null
  }
  return { t, store, stop, ...callsOf(t, store), close: () => stop().then(t.close) }
}

function callsOf(t: TestService, { sandbox: keys }: TestStore) {
  const pay = (id: string, body: Record<string, unknown> = {}) =>
    t.call('POST', `/sandbox/payment/${id}/pay`, keys, body)
  const readEvents = async (id: string) =>
    (await t.call('GET', `/merchant/payment/${id}/webhooks`, keys)).body.data.events
  return {
    pay,
    readEvents,
    /** Waits until an event of a payment has this number of attempts, and returns the event. */
    untilAttempts: (id: string, attempts: number, sequence = 1) =>
      eventually(async () => {
        const event = (await readEvents(id))[sequence - 1]
        expect(event.attempts).toHaveLength(attempts)
        return event
      }),
    /** Creates and pays a payment, so that there is an event. */
    async createPaid(
      webhook_url: string | null,
      body: Record<string, unknown> = {},
    ): Promise<string> {
      const { payment_id } = await t.createPayment(keys, { webhook_url, ...body })
      expect((await pay(payment_id)).status).toBe(200)
      return payment_id
    },
    refund: (id: string) => t.call('POST', `/merchant/payment/${id}/refund`, keys),
    readDetails: async (id: string) =>
      (await t.call('GET', `/merchant/payment/${id}`, keys)).body.data,
    redeliver: (id: string, by: Headers = keys): Promise<TestResponse> =>
      t.call('POST', `/merchant/payment/${id}/webhooks/redeliver`, by),
    sql: <Row>(text: string, values: unknown[] = []) =>
      t.database.transaction((tx) => tx.query<Row & Record<string, unknown>>(text, values)),
    /** Skips the delay of the retry schedule, which can be hours. */
    async skipRetryDelay(id: string): Promise<void> {
      await t.database.transaction((tx) =>
        tx.execute('update delivery set due_at = now() where payment_id = $1', [id]),
      )
      t.service.dispatcher.wake()
    },
    readDelivery: async (id: string) => {
      const rows = await t.database.query<DeliveryRow>(
        `select attempts, due_at as "dueAt", lease, leased_until::text as "leasedUntil"
         from delivery where payment_id = $1 order by sequence`,
        [id],
      )
      return rows[0]
    },
  }
}

type DeliveryRow = {
  attempts: number
  dueAt: Date | null
  lease: string | null
  leasedUntil: string
}

/** Repeats the check until it passes, for at most 10 seconds. */
export const eventually = <T>(check: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 })

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
