import { afterEach, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import type { Database } from '../../src/database/database.ts'
import { inReportTransaction } from '../../src/ops/reportTransaction.ts'

afterEach(() => vi.useRealTimers())

it.each([
  { behind: 'another of the same owner', running: ['store 1'], waiting: 'store 1' },
  { behind: 'two of other owners', running: ['store 2', 'store 3'], waiting: 'store 1' },
] as const)('refuses a report after 15 seconds behind $behind', async ({ running, waiting }) => {
  vi.useFakeTimers()
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const database = { transaction: () => finished } as unknown as Database
  const report = (owner: `store ${number}`) => inReportTransaction(database, owner, async () => {})
  const started = running.map(report)
  const refused = expect(report(waiting)).rejects.toBeInstanceOf(Overloaded)
  await vi.advanceTimersByTimeAsync(15_000)
  await refused
  finish()
  await Promise.all(started)
})
