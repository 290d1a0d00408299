import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { batch } from '../../src/database/batch.ts'
import { CommitUnknown, translateError } from '../../src/database/errors.ts'
import { heldBatch, OPTIONS, resetRuns, runs, sizes, sleep, splits, turn } from './heldBatch.ts'

beforeEach(resetRuns)
afterEach(() => vi.useRealTimers())

/** Waits a turn, in which the batch of these results starts and ends. */
async function settle<T>(results: Promise<T>): Promise<T> {
  await turn()
  return results
}

it('starts a request that arrives alone immediately', async () => {
  const result = heldBatch()(7)
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[7]])
  runs[0]!.finish()
  expect(await result).toBe(70)
})

it('batches requests that arrive together', async () => {
  const send = heldBatch()
  const results = Promise.all([1, 2, 3].map(send))
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[1, 2, 3]])
  runs[0]!.finish()
  expect(await results).toEqual([10, 20, 30])
})

it('gathers requests while a batch runs, in order of arrival, and returns each result to its request', async () => {
  const send = heldBatch()
  const results = [send(1)]
  await turn()
  for (const n of [2, 3, 4]) {
    results.push(send(n))
    await turn()
  }
  expect(runs).toHaveLength(1)
  runs[0]!.finish()
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[1], [2, 3, 4]])
  runs[1]!.finish()
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40])
  expect(sizes).toEqual([1, 3])
})

it('never exceeds the maximum batch size, and serves every request', async () => {
  const send = heldBatch()
  const results = Promise.all([1, 2, 3, 4, 5, 6].map(send))
  await turn()
  runs[0]!.finish()
  await turn()
  runs[1]!.finish()
  expect(await results).toEqual([10, 20, 30, 40, 50, 60])
  expect(runs.map((run) => run.items)).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
})

it('runs as many batches concurrently as allowed', async () => {
  const send = heldBatch({ concurrency: 2, maxItems: 1 })
  const results = Promise.all([1, 2, 3].map(send))
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[1], [2]])
  runs[1]!.finish()
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[1], [2], [3]])
  runs[0]!.finish()
  runs[2]!.finish()
  expect(await results).toEqual([10, 20, 30])
})

it('makes a few requests wait for the running batch, but not for a stuck one', async () => {
  const send = heldBatch({ concurrency: 2, maxItems: 100 })
  const first = send(1)
  await turn()
  const fewResults = Promise.all([2, 3].map(send))
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[1]])
  // The first batch is still running.
  await sleep(20)
  expect(runs.map((run) => run.items)).toEqual([[1], [2, 3]])
  runs[1]!.finish()
  expect(await fewResults).toEqual([20, 30])
  runs[0]!.finish()
  expect(await first).toBe(10)
})

it('starts a second batch when enough requests wait', async () => {
  const send = heldBatch({ concurrency: 2, maxItems: 100, maxWaiting: 100 })
  const first = send(0)
  await turn()
  const items = Array.from({ length: 16 }, (_, n) => n + 1)
  const results = Promise.all(items.map(send))
  await turn()
  expect(runs.map((run) => run.items)).toEqual([[0], items])
  for (const run of runs) run.finish()
  await Promise.all([first, results])
})

it('makes a few requests wait for more while many are active, but not for long', async () => {
  const activeRequests = { count: 15 }
  const send = heldBatch({ concurrency: 2, maxItems: 100, maxWaiting: 100, activeRequests })
  const fewResults = Promise.all([1, 2].map(send))
  await turn()
  expect(runs).toEqual([])
  await sleep(20)
  expect(runs[0]?.items).toEqual([1, 2])
  runs[0]!.finish()
  expect(await fewResults).toEqual([10, 20])

  const items = Array.from({ length: 16 }, (_, n) => n)
  const results = Promise.all(items.map(send))
  await turn()
  expect(runs[1]?.items).toEqual(items)
  runs[1]!.finish()
  await results
  expect(activeRequests.count).toBe(15)
})

it('stops counting a request as active after any result', async () => {
  const activeRequests = { count: 0 }
  const send = heldBatch({ maxItems: 2, maxWaitMs: 50, activeRequests })
  const results = [1, 2, 3, 4, 5].map((n) => send(n).catch((error: Error) => error.message))
  await turn()
  expect(activeRequests.count).toBe(5)
  // The items of a failed batch run one by one, and the next batch starts.
  runs[0]!.fail(new Error('at fault'))
  await turn()
  expect(runs.slice(1).map((run) => run.items)).toEqual([[1], [2], [3, 4]])
  runs[1]!.finish()
  runs[2]!.fail(new Error('at fault'))
  // The others have waited too long when they could start, or start again.
  await sleep(60)
  runs[3]!.fail(new Error('at fault'))
  await turn()
  expect(runs).toHaveLength(4)
  const busy = new Overloaded().message
  expect(await Promise.all(results)).toEqual([10, 'at fault', busy, busy, busy])
  expect(activeRequests.count).toBe(0)
})

it('refuses immediately when too many requests wait, and accepts more after them', async () => {
  const send = heldBatch()
  const running = send(0)
  await turn()
  const waiting = Promise.all([1, 2, 3, 4, 5, 6].map(send))
  await expect(send(7)).rejects.toBeInstanceOf(Overloaded)
  runs[0]!.finish()
  await turn()
  const lateResult = send(8)
  for (const index of [1, 2]) {
    runs[index]!.finish()
    await turn()
  }
  expect(await Promise.all([running, waiting, lateResult])).toEqual([
    0,
    [10, 20, 30, 40, 50, 60],
    80,
  ])
})

it('runs items one by one when a batch fails, so that only the faulty one fails', async () => {
  const batches: number[][] = []
  const send = batch<number, number>(async (items) => {
    batches.push(items)
    if (items.includes(2)) throw new Error('two is at fault')
    return items.map((n) => n * 10)
  }, OPTIONS)
  const results = await settle(Promise.allSettled([1, 2, 3].map(send)))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
  ).toEqual([10, 'failed', 30])
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]])
  expect(splits).toHaveLength(1)
  expect(await settle(send(4))).toBe(40)
})

it('a result that is an error fails only its own request, and nothing runs twice', async () => {
  const batches: number[][] = []
  const send = batch<number, number>(async (items) => {
    batches.push(items)
    return items.map((n) => (n === 2 ? new Error('two is at fault') : n * 10))
  }, OPTIONS)
  const results = await settle(Promise.allSettled([1, 2, 3].map(send)))
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(batches).toEqual([[1, 2, 3]])
  expect(splits).toEqual([])
})

it.each([
  ['the database is unavailable', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  ['a write met a broken connection', Object.assign(new Error('write'), { code: 'EPIPE' })],
  ['the server shuts down', Object.assign(new Error('shutdown'), { code: '57P01' })],
  ['no connection is free', new Error('timeout exceeded when trying to connect')],
  ['a commit is unknown', new CommitUnknown(new Error('cut'))],
])('rejects all requests immediately and retries nothing when %s', async (_, thrown) => {
  const error = translateError(thrown) as Error
  const send = heldBatch()
  const results = Promise.allSettled([1, 2, 3].map(send))
  await turn()
  runs[0]!.fail(error)
  for (const result of await results) expect(result).toMatchObject({ reason: error })
  expect(runs).toHaveLength(1)
  expect(splits).toEqual([])
  const next = send(4)
  await turn()
  runs[1]!.finish()
  expect(await next).toBe(40)
})

it('rejects requests that waited too long', async () => {
  const send = heldBatch({ maxWaitMs: 20 })
  const first = send(1)
  await turn()
  const lateResult = Promise.allSettled([send(2)])
  await sleep(50)
  runs[0]!.finish()
  await settle(first)
  expect(await lateResult).toMatchObject([{ status: 'rejected', reason: expect.any(Overloaded) }])
  expect(runs).toHaveLength(1)
})

it('delays a batch by `delayMs` on an idle server', async () => {
  const send = heldBatch({ delayMs: 40 })
  const results = [send(1)]
  await turn()
  results.push(send(2))
  await sleep(60)
  expect(runs.map((run) => run.items)).toEqual([[1, 2]])
  runs[0]!.finish()
  expect(await Promise.all(results)).toEqual([10, 20])
})
