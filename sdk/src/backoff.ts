import {
  ConnectionError,
  type FlorinError,
  IdempotencyError,
  RateLimitError,
  ServerError,
} from './errors.ts'

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 8_000
/** A service that asks for more time than this gets it from the caller, not from a sleeping call. */
const MAX_RETRY_AFTER_MS = 30_000

/**
 * How long to wait before the request is sent again; null where it must not be. `isRepeatable` says
 * that doing it twice is the same as doing it once.
 */
export function retryWaitMs(
  error: FlorinError,
  { isRepeatable, retries }: { isRepeatable: boolean; retries: number },
  random: () => number = Math.random,
): number | null {
  if (!mayHelp(error, isRepeatable)) return null
  const asked =
    error instanceof RateLimitError || error instanceof ServerError ? error.retryAfterMs : null
  // Later than asked rather than at once, so that many clients do not come back together.
  if (asked !== null) return asked > MAX_RETRY_AFTER_MS ? null : asked + random() * FIRST_WAIT_MS
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + random() / 2)
}

function mayHelp(error: FlorinError, isRepeatable: boolean): boolean {
  // Turned away at the door: nothing was done.
  if (error instanceof RateLimitError) return true
  if (!isRepeatable) return false
  if (error instanceof ConnectionError || error instanceof ServerError) return true
  return error instanceof IdempotencyError && error.status === 409
}

/** Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
