import { afterEach, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import type { Database } from '../../src/database/database.ts'
import { inReportTransaction } from '../../src/ops/reportTransaction.ts'

afterEach(() => vi.useRealTimers())

it('refuses a report after 15 seconds behind another of the same owner', async () => {
  vi.useFakeTimers()
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const database = { transaction: () => finished } as unknown as Database
  const report = () => inReportTransaction(database, 'store 1', async () => {})
  const running = report()
  let isRefused = false
  const waiting = report().catch((error) => {
    isRefused = error instanceof Overloaded
  })
  await vi.advanceTimersByTimeAsync(14_999)
  expect(isRefused).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(isRefused).toBe(true)
  finish()
  await running
})
