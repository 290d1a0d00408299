import { EXIT, Refused } from './failure.ts'

class Interrupted extends Refused {
  override readonly exitCode = EXIT.interrupted
}

/**
 * Lets long work end by itself when it is told to, so that it clears up: a database that it has started, a
 * file that is half written. Whoever has no patience says it twice.
 */
export async function interruptible<T>(work: (check: () => void) => Promise<T>): Promise<T> {
  let isOver = false
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop = () => {
    if (isOver) process.exit(EXIT.interrupted)
    isOver = true
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(() => {
      if (isOver) throw new Interrupted('Interrupted. Nothing was changed.')
    })
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
