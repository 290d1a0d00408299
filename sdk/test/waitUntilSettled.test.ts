import { afterEach, expect, it, vi } from 'vitest'
import { waitUntilSettled } from '../src/waitUntilSettled.ts'

afterEach(() => vi.restoreAllMocks())

it('does not pause longer if the clock is set back during a call', async () => {
  const statuses = ['pending', 'completed'] as const
  let calls = 0
  const waiting = waitUntilSettled(
    async () => {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
      return { payment_id: 'pay_1', status: statuses[calls++]! }
    },
    { timeoutMs: 4_000 },
  )
  expect(await waiting).toEqual({ payment_id: 'pay_1', status: 'completed' })
})
