import { CommitUnknown, DatabaseAway, isLockTimeout } from './errors.ts'

/** More requests wait than could be served in reasonable time. */
export class Overloaded extends Error {
  constructor() {
    super('Too many requests are waiting')
  }
}

export type BatchOptions<Request> = {
  readonly name: string
  /** Locks and statements grow with a batch, so it has an end. */
  readonly maxItems: number
  /** Past these the caller is told to come back instead of waiting for ever. */
  readonly maxWaiting: number
  readonly maxWaitMs?: number
  readonly inFlight: number
  /** Everybody who waits for an answer, counted over all ops that share this. */
  readonly crowd?: { requests: number }
  /** Where nobody waits for the answer: how long to gather before each batch. */
  readonly gatherMs?: number
  /** What the locks of a request are on: requests of one group can be stuck only together. */
  readonly groupOf?: (request: Request) => string
  readonly onBatch?: (name: string, items: number) => void
  readonly onSplit?: (name: string, error: unknown) => void
}

type Waiting<Request, Result> = {
  readonly request: Request
  readonly sinceMs: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** How long a group whose lock was stuck is kept apart from the others. */
const APART_MS = 5_000

/**
 * Fewer than this are better off waiting, for the batch under way or, in a crowd, for others to share one with:
 * each batch costs as much as several requests do.
 */
const FEW = 16
/** But no longer than this: that one may be stuck, and others may not come. */
const PATIENCE_MS = 20
/** So many at work at once come from more than a few clients, so others will come. */
const CROWD = 16

/**
 * Turns an op over many requests into a function for one. While a batch is being committed the next
 * one gathers: a quiet server adds no delay, a busy one shares each commit among many. An op that
 * throws has changed nothing and may be run again; past its commit it answers with errors instead.
 */
export function batch<Request, Result>(
  run: (requests: Request[]) => Promise<(Result | Error)[]>,
  options: BatchOptions<Request>,
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = []
  const apartUntilMs = new Map<string, number>()
  const groupOf = options.groupOf ?? (() => '')
  let running = 0
  let scheduled = false
  let patience: NodeJS.Timeout | null = null

  const crowd = options.crowd ?? { requests: 0 }
  const isCrowded = () => crowd.requests >= CROWD

  function schedule(): void {
    if (scheduled || running >= options.inFlight || waiting.length === 0) return
    if (waiting.length < Math.min(FEW, options.maxItems) && (running > 0 || isCrowded())) {
      patience ??= setTimeout(start, PATIENCE_MS)
      return
    }
    scheduled = true
    // One turn of the event loop, so that requests that arrived together go together.
    if (options.gatherMs === undefined) setImmediate(start)
    else setTimeout(start, options.gatherMs)
  }

  function start(): void {
    scheduled = false
    if (patience !== null) clearTimeout(patience)
    patience = null
    const items = takeNext()
    if (items.length > 0) {
      running += 1
      void runBatch(items).finally(() => {
        running -= 1
        schedule()
      })
    }
    schedule()
  }

  /** The next batch; who has waited too long is sent away, and stuck groups go by themselves. */
  function takeNext(): Waiting<Request, Result>[] {
    const nowMs = performance.now()
    const inTime = waiting.splice(0, options.maxItems).filter((item) => {
      if (nowMs - item.sinceMs <= (options.maxWaitMs ?? Number.POSITIVE_INFINITY)) return true
      crowd.requests -= 1
      item.reject(new Overloaded())
      return false
    })
    if (apartUntilMs.size === 0) return inTime
    for (const [group, untilMs] of apartUntilMs) if (untilMs < nowMs) apartUntilMs.delete(group)
    const isApart = (item: Waiting<Request, Result>) => apartUntilMs.has(groupOf(item.request))
    for (const group of groupsOf(inTime.filter(isApart))) void runBatch(group)
    return inTime.filter((item) => !isApart(item))
  }

  async function runBatch(items: Waiting<Request, Result>[]): Promise<void> {
    options.onBatch?.(options.name, items.length)
    try {
      const results = await run(items.map((item) => item.request))
      crowd.requests -= items.length
      items.forEach((item, index) => {
        const result = results[index]!
        if (result instanceof Error) item.reject(result)
        else item.resolve(result)
      })
    } catch (error) {
      const groups = groupsOf(items)
      const isStuck = isLockTimeout(error) && groups.length === 1
      if (isStuck) apartUntilMs.set(groupOf(items[0]!.request), performance.now() + APART_MS)
      if (
        items.length === 1 ||
        isStuck ||
        error instanceof DatabaseAway ||
        error instanceof CommitUnknown
      ) {
        crowd.requests -= items.length
        for (const item of items) item.reject(error)
        return
      }
      // One item is at fault, or one store's lock is stuck: the others must not pay for it, nor the
      // next batch wait for it.
      options.onSplit?.(options.name, error)
      const parts = isLockTimeout(error) ? groups : items.map((item) => [item])
      void Promise.all(parts.map(runBatch))
    }
  }

  function groupsOf(items: readonly Waiting<Request, Result>[]): Waiting<Request, Result>[][] {
    const groups = new Map<string, Waiting<Request, Result>[]>()
    for (const item of items) {
      const name = groupOf(item.request)
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
      crowd.requests += 1
      waiting.push({ request, sinceMs: performance.now(), resolve, reject })
      schedule()
    })
}

/** Lets so many run at a time and so many wait; whoever comes on top is told to come back. */
export function atMost(limits: { running: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.running) {
      if (queue.length >= limits.waiting) throw new Overloaded()
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The slot is handed over while it is taken, so that nobody else can take it in between.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
