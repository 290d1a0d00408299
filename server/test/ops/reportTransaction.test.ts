import { afterEach, it, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { inReportTransaction } from '../../src/ops/reportTransaction.ts'
import { expectRefusedAfter15Seconds } from '../setup/overloaded.ts'

afterEach(() => vi.useRealTimers())

it('refuses a report that has waited 15 seconds for another one of the same owner', async () => {
  vi.useFakeTimers()
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const database = { transaction: () => finished } as unknown as Database
  const report = () => inReportTransaction(database, 'store 1', async () => {})
  const running = report()
  await expectRefusedAfter15Seconds(report())
  finish()
  await running
})
