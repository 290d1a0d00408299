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
