import { Overloaded } from '../core/limitConcurrency.ts'
import { CommitUnknown, DatabaseUnavailable, isLockTimeout, WorkerUnavailable } from './errors.ts'
import {
  createQuarantine,
  createSeparateRuns,
  type Limit,
  type SeparateRuns,
} from './quarantine.ts'

export type BatchOptions<Request> = {
  /** Limits the locks that a transaction takes and the size of its statements. */
  readonly maxItems: number
  readonly maxWaiting: number
  readonly maxWaitMs?: number
  /** How many batches may run at the same time. */
  readonly concurrency: number
  /** Counts the requests that wait for a result, across all ops that share this object. */
  readonly activeRequests?: { count: number }
  /** Delays batches that could start immediately, for work whose result no client waits for. */
  readonly delayMs?: number
  /** Names the locks that a request takes, a store before its payer. Requests of one group take the same locks. */
  readonly locksOf?: (request: Request) => readonly string[]
  /** Limits the batches that run at the same time, across all ops that share this object. */
  readonly slots?: Slots
  /**
   * Limits quarantined batches and the parts of split ones, across all ops that share this object. `slots` and `concurrency` don't
   * count them.
   */
  readonly separateRuns?: SeparateRuns
  /** Requests of one batch may need different workers of a cluster. */
  readonly usesSeveralWorkers?: boolean
  readonly onBatch?: (items: number) => void
  readonly onSplit?: (error: unknown) => void
}

type Slots = { free: number; readonly waiting: Set<() => void> }

type WaitingRequest<Request, Result> = {
  readonly request: Request
  readonly sinceMs: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * A smaller batch waits for more requests while another batch runs, or while at least this many
 * requests are active. A batch costs as much as several requests.
 */
const MIN_BATCH_SIZE = 16
/** After this delay the batch starts anyway: the running batch may be stuck, or no more requests may come. */
const MAX_BATCH_DELAY_MS = 20

/**
 * Turns an op over many requests into a function for one request. While a batch commits, the next one
 * fills: an idle server adds no delay, and a busy one shares each commit among many requests. An op that
 * throws has changed nothing and may run again, unless it throws `CommitUnknown`. After its commit an op
 * returns errors instead.
 */
export function batch<Request, Result>(
  run: (requests: Request[]) => Promise<(Result | Error)[]>,
  options: BatchOptions<Request>,
): (request: Request) => Promise<Result> {
  const waiting: WaitingRequest<Request, Result>[] = []
  const locksOf = options.locksOf ?? (() => [''])
  const minItems = Math.min(MIN_BATCH_SIZE, options.maxItems)
  const activeRequests = options.activeRequests ?? { count: 0 }
  const slots = options.slots ?? { free: options.concurrency, waiting: new Set() }
  const separateRuns = options.separateRuns ?? createSeparateRuns()
  const { maxWaiting, maxWaitMs } = options
  const quarantine = createQuarantine({ maxWaiting, maxWaitMs, separateRuns })
  let runningBatches = 0
  let isScheduled = false
  let delayTimer: NodeJS.Timeout | null = null

  function schedule(): void {
    if (isScheduled || runningBatches >= options.concurrency || waiting.length === 0) return
    const isBusy = runningBatches > 0 || activeRequests.count >= MIN_BATCH_SIZE
    if (waiting.length < minItems && isBusy) {
      delayTimer ??= setTimeout(start, MAX_BATCH_DELAY_MS)
      return
    }
    isScheduled = true
    // Wait one turn of the event loop, so that requests that arrived together share a batch.
    if (options.delayMs === undefined) setImmediate(start)
    else setTimeout(start, options.delayMs)
  }

  function start(): void {
    isScheduled = false
    if (delayTimer !== null) clearTimeout(delayTimer)
    delayTimer = null
    if (slots.free === 0) {
      slots.waiting.add(startWhenFree)
      return
    }
    const items = takeNext()
    if (items.length > 0) {
      runningBatches += 1
      slots.free -= 1
      void runBatch(items).finally(() => {
        runningBatches -= 1
        slots.free += 1
        wakeNext()
        schedule()
      })
    } else {
      wakeNext()
    }
    schedule()
  }

  function startWhenFree(): void {
    if (runningBatches < options.concurrency) start()
    else wakeNext()
  }

  /** Gives a free slot to the op that waits longest. */
  function wakeNext(): void {
    const [next] = slots.waiting
    if (next === undefined) return
    slots.waiting.delete(next)
    next()
  }

  const isLate = ({ sinceMs }: WaitingRequest<Request, Result>) =>
    performance.now() - sinceMs > (options.maxWaitMs ?? Number.POSITIVE_INFINITY)

  /** Takes the next batch. Rejects requests that waited too long and runs quarantined groups separately. */
  function takeNext(): WaitingRequest<Request, Result>[] {
    const inTime = waiting.splice(0, options.maxItems).filter((item) => {
      if (!isLate(item)) return true
      activeRequests.count -= 1
      item.reject(new Overloaded())
      return false
    })
    if (!quarantine.isActive()) return inTime
    for (const items of groupsOf(inTime.filter(isQuarantined))) {
      void runBatch(items, (work) => runQuarantined(items, work))
    }
    return inTime.filter((item) => !isQuarantined(item))
  }

  const isQuarantined = ({ request }: WaitingRequest<Request, Result>) =>
    quarantine.has(locksOf(request))

  const runQuarantined = <T>(items: WaitingRequest<Request, Result>[], work: () => Promise<T>) =>
    quarantine.run(locksOf(items[0]!.request), unlessLate(items, work))

  async function runBatch(
    items: WaitingRequest<Request, Result>[],
    limit: Limit = (work) => work(),
  ): Promise<void> {
    try {
      const results = await limit(() => {
        options.onBatch?.(items.length)
        return run(items.map((item) => item.request))
      })
      activeRequests.count -= items.length
      items.forEach((item, index) => {
        const result = results[index]!
        if (result instanceof Error) item.reject(result)
        else item.resolve(result)
      })
    } catch (error) {
      handleFailure(items, error)
    }
  }

  function handleFailure(items: WaitingRequest<Request, Result>[], error: unknown): void {
    // Run each request in a batch of its own: those that don't need the lost worker succeed.
    if (error instanceof WorkerUnavailable && options.usesSeveralWorkers && items.length > 1) {
      for (const item of items) void runBatch([item])
      return
    }
    const groups = groupsOf(items)
    const isStuck = isLockTimeout(error) && groups.length === 1
    if (isStuck) quarantine.add(locksOf(items[0]!.request))
    if (
      items.length === 1 ||
      isStuck ||
      error instanceof DatabaseUnavailable ||
      error instanceof CommitUnknown ||
      error instanceof Overloaded
    ) {
      activeRequests.count -= items.length
      for (const item of items) item.reject(error)
      return
    }
    // One item is at fault, or one lock is stuck. Split the batch so that the other items
    // succeed, and don't make the next batch wait for the parts.
    options.onSplit?.(error)
    runParts(isLockTimeout(error) ? groups : items.map((item) => [item]))
  }

  function runParts(parts: WaitingRequest<Request, Result>[][]): void {
    for (const items of parts) void runBatch(items, (work) => runPart(items, work))
  }

  async function runPart<T>(
    items: WaitingRequest<Request, Result>[],
    work: () => Promise<T>,
  ): Promise<T> {
    const run = async () => {
      // An earlier part has found that the lock is stuck. Leave the slot to other parts.
      if (isQuarantined(items[0]!)) return null
      try {
        return { result: await work() }
      } catch (error) {
        // Do this before the next part takes the slot.
        if (isLockTimeout(error)) quarantine.add(locksOf(items[0]!.request))
        throw error
      }
    }
    const done = await separateRuns.parts(unlessLate(items, run))
    return done === null ? runQuarantined(items, work) : done.result
  }

  /** Refuses requests that have waited so long that the client may have given up. */
  const unlessLate =
    <T>(items: WaitingRequest<Request, Result>[], work: () => Promise<T>) =>
    async (): Promise<T> => {
      if (isLate(items[0]!)) throw new Overloaded()
      return work()
    }

  function groupsOf(
    items: readonly WaitingRequest<Request, Result>[],
  ): WaitingRequest<Request, Result>[][] {
    const groups = new Map<string, WaitingRequest<Request, Result>[]>()
    for (const item of items) {
      const name = locksOf(item.request).join(' ')
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [item])
      else group.push(item)
    }
    return [...groups.values()]
  }

  return (request) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(new Overloaded())
        return
      }
      activeRequests.count += 1
      waiting.push({ request, sinceMs: performance.now(), resolve, reject })
      schedule()
    })
}

/** Batches the requests of each part separately, for example of each worker of a cluster. */
export function batchByPart<Request, Result>(
  createBatch: () => (request: Request) => Promise<Result>,
  partOf: (request: Request) => string,
): (request: Request) => Promise<Result> {
  const parts = new Map<string, (request: Request) => Promise<Result>>()
  return (request) => {
    const part = partOf(request)
    let run = parts.get(part)
    if (run === undefined) {
      run = createBatch()
      parts.set(part, run)
    }
    return run(request)
  }
}
