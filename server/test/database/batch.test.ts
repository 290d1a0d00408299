import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { type BatchOptions, batch, createSeparateRuns } from '../../src/database/batch.ts'
import { CommitUnknown, translateError } from '../../src/database/errors.ts'

type Run = { items: number[]; finish: () => void; fail: (error: Error) => void }

let runs: Run[]
let sizes: number[]
let splits: unknown[]
beforeEach(() => {
  // A slow machine must not change which requests share a batch.
  vi.useFakeTimers()
  runs = []
  sizes = []
  splits = []
})
afterEach(() => vi.useRealTimers())

const OPTIONS: BatchOptions<number> = {
  name: 'test',
  maxItems: 4,
  maxWaiting: 6,
  concurrency: 1,
  onBatch: (_, items) => sizes.push(items),
  onSplit: (_, error) => splits.push(error),
}

/** A batch whose runs end when the test ends them. Each result is ten times its request. */
function heldBatch(options: Partial<BatchOptions<number>> = {}) {
  return batch<number, number>(
    (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, finish: () => resolve(items.map((n) => n * 10)), fail: reject })
      }),
    { ...OPTIONS, ...options },
  )
}

const sleep = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const turn = () => sleep(5)

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

const lockTimeout = () => Object.assign(new Error('lock timeout'), { code: '55P03' })

describe('a stuck lock', () => {
  const locksOf = (n: number) => [n < 10 ? 'stuck' : 'free']

  it('fails its own group as a whole, and the other groups run separately', async () => {
    const send = heldBatch({ locksOf })
    const results = Promise.allSettled([1, 20, 2, 30].map(send))
    await turn()
    runs[0]!.fail(lockTimeout())
    await turn()
    expect(runs.slice(1).map((run) => run.items)).toEqual([
      [1, 2],
      [20, 30],
    ])
    runs[1]!.fail(lockTimeout())
    runs[2]!.finish()
    expect((await results).map((result) => result.status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })

  it('puts its group in quarantine: no other request or batch waits for it', async () => {
    const send = heldBatch({ locksOf })
    const first = Promise.allSettled([send(1)])
    await turn()
    runs[0]!.fail(lockTimeout())
    await first
    const stuck = Promise.allSettled([send(2)])
    const free = send(20)
    await turn()
    expect(runs.slice(1).map((run) => run.items)).toEqual([[2], [20]])
    runs[2]!.finish()
    expect(await free).toBe(200)
    const next = send(30)
    await turn()
    runs[3]!.finish()
    expect(await next).toBe(300)
    runs[1]!.fail(lockTimeout())
    await stuck
  })

  /** Sends a request whose lock times out, which puts its group in quarantine. */
  async function quarantine(send: (n: number) => Promise<number>, n: number) {
    const result = Promise.allSettled([send(n)])
    await turn()
    runs.at(-1)!.fail(lockTimeout())
    await result
  }

  it('runs one batch of a quarantined group at a time, and refuses those that wait for it', async () => {
    const activeRequests = { count: 0 }
    const send = heldBatch({ locksOf, activeRequests })
    await quarantine(send, 1)
    const results: Promise<unknown>[] = []
    for (const n of [2, 3, 4]) {
      results.push(send(n).catch((error: Error) => error.message))
      await turn()
    }
    expect(runs.slice(1).map((run) => run.items)).toEqual([[2]])
    runs[1]!.fail(lockTimeout())
    const busy = new Overloaded().message
    expect(await Promise.all(results)).toEqual(['lock timeout', busy, busy])
    expect(runs).toHaveLength(2)
    expect(activeRequests.count).toBe(0)
    // The lock is free again.
    const later = [send(5)]
    await turn()
    later.push(send(6))
    await turn()
    expect(runs.slice(2).map((run) => run.items)).toEqual([[5]])
    runs[2]!.finish()
    await turn()
    later.push(send(7), send(20))
    await turn()
    // The quarantine has ended.
    expect(runs.slice(3).map((run) => run.items)).toEqual([[6], [7, 20]])
    for (const run of runs.slice(3)) run.finish()
    expect(await Promise.all(later)).toEqual([50, 60, 70, 200])
  })

  it('limits the batches of all quarantined groups, across the ops that share the limit', async () => {
    const options = { locksOf: (n: number) => [`${n}`], separateRuns: createSeparateRuns() }
    const ops = [heldBatch(options), heldBatch(options)] as const
    for (const n of [1, 2]) for (const send of ops) await quarantine(send, n)
    runs = []
    const results = [1, 2].flatMap((n) => ops.map((send) => send(n)))
    await turn()
    expect(runs).toHaveLength(2)
    const free = ops[0](3)
    await turn()
    runs[2]!.finish()
    expect(await free).toBe(30)
    for (const index of [0, 1, 3, 4]) {
      runs[index]!.finish()
      await turn()
    }
    expect(await Promise.all(results)).toEqual([10, 10, 20, 20])
  })

  it('does not delay the other parts of a split batch, of which a few run at a time', async () => {
    const send = heldBatch({ locksOf: (n) => [`${n}`], maxItems: 8, maxWaiting: 8 })
    const items = [1, 2, 3, 4, 5, 6, 7, 8]
    const results = Promise.allSettled(items.map(send))
    await turn()
    runs[0]!.fail(lockTimeout())
    await turn()
    expect(runs.slice(1).map((run) => run.items)).toEqual([[1], [2], [3], [4]])
    // Part 1 is stuck.
    for (const index of [2, 3, 4, 5, 6, 7, 8]) {
      runs[index]!.finish()
      await turn()
    }
    expect(runs.slice(1).map((run) => run.items)).toEqual(items.map((n) => [n]))
    runs[1]!.fail(lockTimeout())
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      ...Array(7).fill('fulfilled'),
    ])
  })

  it('uses few connections of a small pool, and refuses parts that wait too long for one', async () => {
    const activeRequests = { count: 0 }
    const separateRuns = createSeparateRuns(4)
    const send = heldBatch({
      locksOf: (n) => [`${n}`],
      maxWaitMs: 1_000,
      separateRuns,
      activeRequests,
    })
    const results = Promise.allSettled([1, 2, 3].map(send))
    await turn()
    runs[0]!.fail(lockTimeout())
    await turn()
    expect(runs.slice(1).map((run) => run.items)).toEqual([[1]])
    runs[1]!.finish()
    await turn()
    expect(runs.slice(2).map((run) => run.items)).toEqual([[2]])
    await sleep(1_000)
    runs[2]!.finish()
    await turn()
    expect(runs).toHaveLength(3)
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ])
    expect(activeRequests.count).toBe(0)
  })

  describe('of a store or a wallet', () => {
    /** Wallet 3 pays store 2 with request 23. */
    const locksOf = (n: number) => [`store ${Math.floor(n / 10)}`, `wallet ${n % 10}`]
    const itemsSince = (index: number) => runs.slice(index).map((run) => run.items)

    it('delays no part of a split batch behind many payers of a stuck store', async () => {
      const separateRuns = createSeparateRuns(6)
      const send = heldBatch({ locksOf, maxItems: 8, maxWaiting: 8, separateRuns })
      const stuck = [11, 12, 13, 14, 15].map((n) => send(n).catch((error: Error) => error.message))
      const free = send(25)
      await turn()
      runs[0]!.fail(lockTimeout())
      await turn()
      expect(itemsSince(1)).toEqual([[11], [12]])
      runs[1]!.fail(lockTimeout())
      await turn()
      expect(itemsSince(3)).toEqual([[13], [25]])
      runs[4]!.finish()
      expect(await free).toBe(250)
      runs[2]!.fail(lockTimeout())
      runs[3]!.fail(lockTimeout())
      const busy = new Overloaded().message
      expect(await Promise.all(stuck)).toEqual([
        'lock timeout',
        'lock timeout',
        'lock timeout',
        busy,
        busy,
      ])
    })

    it('stays a suspect while its batch waits for a connection', async () => {
      const separateRuns = createSeparateRuns(3)
      const send = heldBatch({ locksOf, separateRuns })
      for (const n of [11, 22]) await quarantine(send, n)
      const results = [13, 24].map((n) => send(n).catch((error: Error) => error.message))
      await turn()
      expect(itemsSince(2)).toEqual([[13]])
      await sleep(6_000)
      const later = send(25).catch((error: Error) => error.message)
      const free = send(36)
      await turn()
      expect(itemsSince(3)).toEqual([[36]])
      runs[3]!.finish()
      expect(await free).toBe(360)
      runs[2]!.finish()
      await turn()
      expect(itemsSince(4)).toEqual([[24]])
      runs[4]!.finish()
      await turn()
      runs[5]!.finish()
      expect(await Promise.all([...results, later])).toEqual([130, 240, 250])
    })

    it('quarantines a store also for new payers, and refuses those that wait for it', async () => {
      const send = heldBatch({ locksOf })
      await quarantine(send, 11)
      const stuck = [12, 13, 14].map((n) => send(n).catch((error: Error) => error.message))
      const free = send(25)
      await turn()
      expect(itemsSince(1)).toEqual([[12], [25]])
      runs[2]!.finish()
      expect(await free).toBe(250)
      runs[1]!.fail(lockTimeout())
      const busy = new Overloaded().message
      expect(await Promise.all(stuck)).toEqual(['lock timeout', busy, busy])

      // The payers of the stuck store pay other stores, after one payment also the first of them.
      const elsewhere = [21, 22, 33].map(send)
      await turn()
      expect(itemsSince(3)).toEqual([[21], [22, 33]])
      for (const run of runs.slice(3)) run.finish()
      expect(await Promise.all(elsewhere)).toEqual([210, 220, 330])
      const again = [15, 21, 34].map(send)
      await turn()
      expect(itemsSince(5)).toEqual([[15], [21, 34]])
      // The lock is free again.
      for (const run of runs.slice(5)) run.finish()
      expect(await Promise.all(again)).toEqual([150, 210, 340])
      const later = [11, 16, 25].map(send)
      await turn()
      expect(itemsSince(7)).toEqual([[11, 16, 25]])
      runs[7]!.finish()
      await Promise.all(later)
    })

    it('does not fail the other payers of a store if a wallet is stuck', async () => {
      const send = heldBatch({ locksOf })
      await quarantine(send, 11)
      const stuck = Promise.allSettled([send(11)])
      await turn()
      const others = [12, 13].map(send)
      await turn()
      expect(itemsSince(1)).toEqual([[11], [12]])
      runs[2]!.finish()
      await turn()
      expect(itemsSince(3)).toEqual([[13]])
      runs[1]!.fail(lockTimeout())
      await stuck
      runs[3]!.finish()
      expect(await Promise.all(others)).toEqual([120, 130])

      // The store has left quarantine, and the wallet does not bring it back.
      await quarantine(send, 11)
      const later = [14, 25].map(send)
      await turn()
      expect(itemsSince(5)).toEqual([[14, 25]])
      runs[5]!.finish()
      expect(await Promise.all(later)).toEqual([140, 250])
    })
  })
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
