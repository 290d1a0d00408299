import { afterEach, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { type BatchOptions, batch, batchByPart } from '../../src/database/batch.ts'
import { DatabaseUnavailable, WorkerUnavailable } from '../../src/database/errors.ts'

type Item = { readonly worker: string; readonly n: number }
type Run = { readonly items: readonly Item[]; readonly finish: () => void }

const OPTIONS: BatchOptions<Item> = { maxItems: 8, maxWaiting: 50, concurrency: 1 }
const turn = () => vi.advanceTimersByTimeAsync(5)
afterEach(() => vi.useRealTimers())

const itemsOf = (...workers: string[]) => workers.map((worker, n) => ({ worker, n }))

it('batches each part separately, and limits the batches of all parts together', async () => {
  vi.useFakeTimers()
  const runs: Run[] = []
  const slots = { free: 2, waiting: new Set<() => void>() }
  const run = (items: Item[]) =>
    new Promise<number[]>((resolve) => {
      runs.push({ items, finish: () => resolve(items.map(({ n }) => n)) })
    })
  const send = batchByPart<Item, number>(
    () => batch(run, { ...OPTIONS, slots }),
    ({ worker }) => worker,
  )
  const items = itemsOf('a', 'b', 'c', 'a', 'c')
  const results = Promise.all(items.map(send))
  await turn()
  const sent = () => runs.map(({ items }) => items.map(({ worker }) => worker).join(''))
  expect(sent()).toEqual(['aa', 'b'])
  runs[1]!.finish()
  await turn()
  expect(sent()).toEqual(['aa', 'b', 'cc'])
  // The running batches of other parts don't delay a new request once a slot is free.
  runs[2]!.finish()
  await turn()
  const lateResult = send({ worker: 'b', n: 9 })
  await turn()
  expect(sent()).toEqual(['aa', 'b', 'cc', 'b'])
  runs[0]!.finish()
  runs[3]!.finish()
  expect([await results, await lateResult]).toEqual([[0, 1, 2, 3, 4], 9])
  expect(slots.free).toBe(2)
})

it('gives a free slot to the next part if the first one has no request left', async () => {
  vi.useFakeTimers()
  const runs: Run[] = []
  const slots = { free: 1, waiting: new Set<() => void>() }
  const open = (maxWaitMs: number) =>
    batch<Item, number>(
      (items) =>
        new Promise((resolve) => {
          runs.push({ items, finish: () => resolve(items.map(({ n }) => n)) })
        }),
      { ...OPTIONS, slots, maxWaitMs },
    )
  const [first, shortWait, longWait] = [open(9_000), open(50), open(9_000)]
  const running = first({ worker: 'a', n: 1 })
  await turn()
  const refused = shortWait({ worker: 'b', n: 2 }).catch((error: Error) => error)
  await turn()
  const waiting = longWait({ worker: 'c', n: 3 })
  await vi.advanceTimersByTimeAsync(100)
  runs[0]!.finish()
  expect(await running).toBe(1)
  expect(await refused).toBeInstanceOf(Overloaded)
  await turn()
  runs[1]!.finish()
  expect(await waiting).toBe(3)
})

/** Sends four requests in one batch, which fails if one of them needs the worker that is down. */
function sendWithout(down: string, options: Partial<BatchOptions<Item>>, error: Error) {
  const sizes: number[] = []
  const send = batch<Item, number>(
    async (items) => {
      sizes.push(items.length)
      if (items.some(({ worker }) => worker === down)) throw error
      return items.map(({ n }) => n)
    },
    { ...OPTIONS, ...options },
  )
  const results = Promise.allSettled(itemsOf('a', 'b', 'a', 'b').map(send))
  return results.then((all) => ({ states: all.map(({ status }) => status), sizes }))
}
const workerDown = new WorkerUnavailable(new Error('connection to the remote node failed'))

it('a worker that is down fails only the requests that need it, if a batch may use several', async () => {
  const { states, sizes } = await sendWithout('b', { usesSeveralWorkers: true }, workerDown)
  expect(states).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(sizes).toEqual([4, 1, 1, 1, 1])
})

it('does not retry a batch of one worker, or one whose coordinator is down', async () => {
  expect((await sendWithout('b', {}, workerDown)).sizes).toEqual([4])
  const unavailable = new DatabaseUnavailable(new Error('connect ECONNREFUSED'))
  expect((await sendWithout('b', { usesSeveralWorkers: true }, unavailable)).sizes).toEqual([4])
})
