import { vi } from 'vitest'
import { type BatchOptions, batch } from '../../src/database/batch.ts'

type Run = { items: number[]; finish: () => void; fail: (error: Error) => void }

export const runs: Run[] = []
/** The sizes of the batches. */
export const sizes: number[] = []
/** The errors that split a batch. */
export const splits: unknown[] = []

/** Call before each test. */
export function resetRuns(): void {
  // A slow machine must not change which requests share a batch.
  vi.useFakeTimers()
  for (const list of [runs, sizes, splits]) list.length = 0
}

export const OPTIONS: BatchOptions<number> = {
  maxItems: 4,
  maxWaiting: 6,
  concurrency: 1,
  onBatch: (items) => sizes.push(items),
  onSplit: (error) => splits.push(error),
}

/** A batch whose runs end when the test ends them. Each result is ten times its request. */
export function heldBatch(options: Partial<BatchOptions<number>> = {}) {
  return batch<number, number>(
    (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, finish: () => resolve(items.map((n) => n * 10)), fail: reject })
      }),
    { ...OPTIONS, ...options },
  )
}

export const sleep = (ms: number) => vi.advanceTimersByTimeAsync(ms)
export const turn = () => sleep(5)
