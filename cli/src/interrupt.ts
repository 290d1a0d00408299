import { EXIT, Refused } from './failure.ts'

class Interrupted extends Refused {
  override readonly exitCode = EXIT.interrupted
}

/**
 * Runs long work that stops at its next check after SIGINT or SIGTERM, so that it can clean up. A second
 * signal exits immediately.
 */
export async function runInterruptible<T>(work: (check: () => void) => Promise<T>): Promise<T> {
  let isInterrupted = false
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop = () => {
    if (isInterrupted) process.exit(EXIT.interrupted)
    isInterrupted = true
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    return await work(() => {
      if (isInterrupted) throw new Interrupted('Interrupted. Nothing was changed.')
    })
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
