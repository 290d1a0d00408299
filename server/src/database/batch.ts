import { CommitUnknown, isDatabaseAway } from './database.ts'

/** More requests wait than could be served in reasonable time. */
export class Overloaded extends Error {
  constructor() {
    super('Too many requests are waiting')
  }
}

export type BatchOptions = {
  readonly name: string
  /** Locks and statements grow with a batch, so it has an end. */
  readonly maxItems: number
  /** Past this the caller is told to come back instead of waiting for ever. */
  readonly maxWaiting: number
  readonly inFlight: number
  readonly onBatch?: (name: string, items: number) => void
  readonly onSplit?: (name: string, error: unknown) => void
}

type Waiting<Request, Result> = {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Turns an op over many requests into a function for one. While a batch is being committed the next
 * one gathers: a quiet server adds no delay, a busy one shares each commit among many. An op that
 * throws has changed nothing and may be run again; past its commit it answers with errors instead.
 */
export function batch<Request, Result>(
  run: (requests: Request[]) => Promise<(Result | Error)[]>,
  options: BatchOptions,
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = []
  let running = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || running >= options.inFlight || waiting.length === 0) return
    scheduled = true
    // One turn of the event loop, so that requests that arrived together go together.
    setImmediate(() => {
      scheduled = false
      const items = waiting.splice(0, options.maxItems)
      running += 1
      void runBatch(items).finally(() => {
        running -= 1
        schedule()
      })
      schedule()
    })
  }

  async function runBatch(items: Waiting<Request, Result>[]): Promise<void> {
    options.onBatch?.(options.name, items.length)
    try {
      const results = await run(items.map((item) => item.request))
      items.forEach((item, index) => {
        const result = results[index]!
        if (result instanceof Error) item.reject(result)
        else item.resolve(result)
      })
    } catch (error) {
      if (items.length === 1 || isDatabaseAway(error) || error instanceof CommitUnknown) {
        for (const item of items) item.reject(error)
        return
      }
      // One item is at fault, or one store's lock is stuck: the others must not pay for it.
      options.onSplit?.(options.name, error)
      for (const item of items) await runBatch([item])
    }
  }

  return (request) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(new Overloaded())
        return
      }
      waiting.push({ request, resolve, reject })
      schedule()
    })
}
