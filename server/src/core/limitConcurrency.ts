/** Too many tasks run or wait, or the task waited for too long. */
export class Overloaded extends Error {
  constructor() {
    super('Too many requests are waiting')
  }
}

/** Limits how many tasks run, how many wait and for how long. Refuses the rest with `Overloaded`. */
export function limitConcurrency(limits: { running: number; waiting: number; maxWaitMs?: number }) {
  const queue = new Set<() => void>()
  let running = 0

  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        queue.delete(start)
        reject(new Overloaded())
      }
      const timer =
        limits.maxWaitMs === undefined ? undefined : setTimeout(giveUp, limits.maxWaitMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.add(start)
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
    } finally {
      // Pass the slot on without releasing it, so that no other task can take it in between.
      const [next] = queue
      if (next === undefined) {
        running -= 1
      } else {
        queue.delete(next)
        next()
      }
    }
  }
}

/** Like `limitConcurrency`, with limits for the tasks of each key, such as an account. */
export function limitPerKey(limits: { running: number; waiting: number }) {
  const queues = new Map<string, { run: ReturnType<typeof limitConcurrency>; length: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
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
