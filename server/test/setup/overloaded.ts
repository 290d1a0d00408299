import { expect, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'

/** Expects that the work is refused after 15 seconds of waiting, and not before. Needs fake timers. */
export async function expectRefusedAfter15Seconds(waiting: Promise<unknown>): Promise<void> {
  let isRefused = false
  const ended = waiting.catch((error) => {
    isRefused = error instanceof Overloaded
  })
  await vi.advanceTimersByTimeAsync(14_999)
  expect(isRefused).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await ended
  expect(isRefused).toBe(true)
}
