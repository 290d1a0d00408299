import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { createSeparateRuns } from '../../src/database/quarantine.ts'
import { heldBatch, resetRuns, runs, sleep, turn } from './heldBatch.ts'

beforeEach(resetRuns)
afterEach(() => vi.useRealTimers())

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
    runs.length = 0
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

      // The payers of the stuck store can pay other stores. Only the wallet of the first one is also a suspect, until it has paid once.
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
