import type { Logger } from 'pino'
import { expect, it, vi } from 'vitest'
import type { AttemptOutcome } from '../../src/core/webhook.ts'
import type { Database } from '../../src/database/database.ts'
import { DatabaseUnavailable } from '../../src/database/errors.ts'
import { createDispatcher } from '../../src/webhooks/dispatcher.ts'
import { newDeliveries } from '../setup/heldDeliveries.ts'

const DELIVERED: AttemptOutcome = {
  statusCode: 200,
  error: null,
  responseBody: '',
  retryAfterMs: null,
  durationMs: 1,
}

it('stops while the database is unavailable, and closes its connections', async () => {
  const transaction = () => Promise.reject(new DatabaseUnavailable(new Error('no connection')))
  const responses: (() => void)[] = []
  const poster = {
    post: () => new Promise<AttemptOutcome>((resolve) => responses.push(() => resolve(DELIVERED))),
    close: vi.fn(async () => {}),
  }
  // End the attempts in flight after the queue was cleared. An attempt that ends before the stop starts the next one.
  const warn = (_fields: object, message: string) => {
    if (message === 'releasing webhooks failed') for (const respond of responses) respond()
  }
  const dispatcher = createDispatcher({
    database: { transaction } as unknown as Database,
    poster,
    log: { warn } as unknown as Logger,
    now: () => new Date(),
    secretsOf: async () => [],
    onAttempt: () => {},
  })
  dispatcher.start()
  dispatcher.onCommit({ held: newDeliveries(10, 1, 'a'), others: [] })
  await expect.poll(() => responses).toHaveLength(4)
  await dispatcher.stop()
  expect(poster.close).toHaveBeenCalledOnce()
  expect(responses).toHaveLength(4)
})
