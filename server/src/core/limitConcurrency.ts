/** Too many tasks run or wait, or the task waited for too long. */
export class Overloaded extends Error {
  constructor() {
    super('Too many requests are waiting')
  }
}

/** Limits how many tasks run and how many wait. Refuses the rest with `Overloaded`. */
export function limitConcurrency(limits: { running: number; waiting: number }) {
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
      // Pass the slot on without releasing it, so that no other task can take it in between.
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Limits how many tasks of one key, such as an account, run or wait. Refuses the rest with `Overloaded`. */
export function limitPerKey(max: number) {
  const inProgress = new Map<string, number>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const count = inProgress.get(key) ?? 0
    if (count >= max) throw new Overloaded()
    inProgress.set(key, count + 1)
    try {
      return await work()
    } finally {
      const left = inProgress.get(key)! - 1
      if (left === 0) inProgress.delete(key)
      else inProgress.set(key, left)
    }
  }
}
