/** Too many tasks run or wait, the task waited for too long, or the error of another task means that it would fail too. */
export class Overloaded extends Error {
  constructor() {
    super('Too many requests are waiting')
  }
}

type Limits = {
  readonly running: number
  readonly waiting: number
  readonly maxWaitMs?: number
  /** Whether the error of a task means that the waiting tasks would fail too. If so, they are refused immediately. */
  readonly isStuck?: (error: unknown) => boolean
}

/** Limits how many tasks run, how many wait and for how long. Refuses the rest with `Overloaded`. */
export function limitConcurrency(limits: Limits) {
  const queue = new Set<{ readonly start: () => void; readonly refuse: () => void }>()
  let running = 0

  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.delete(waiting)
        clearTimeout(timer)
      }
      const waiting = {
        start: () => {
          leave()
          resolve()
        },
        refuse: () => {
          leave()
          reject(new Overloaded())
        },
      }
      const timer =
        limits.maxWaitMs === undefined ? undefined : setTimeout(waiting.refuse, limits.maxWaitMs)
      queue.add(waiting)
    })

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.running) {
      if (queue.size >= limits.waiting) throw new Overloaded()
      await waitForSlot()
    } else {
      running += 1
    }
    try {
      return await work()
    } catch (error) {
      if (limits.isStuck?.(error)) for (const waiting of queue) waiting.refuse()
      throw error
    } finally {
      // Pass the slot on without releasing it, so that no other task can take it in between.
      const [next] = queue
      if (next === undefined) running -= 1
      else next.start()
    }
  }
}

/** Like `limitConcurrency`, with limits for the tasks of each key, such as an account. */
export function limitPerKey<Key = string>(limits: Limits) {
  const queues = new Map<Key, { run: ReturnType<typeof limitConcurrency>; length: number }>()
  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { run: limitConcurrency(limits), length: 0 }
    queues.set(key, queue)
    queue.length += 1
    try {
      return await queue.run(work)
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
