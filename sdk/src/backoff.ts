import {
  ConnectionError,
  type FlorinError,
  IdempotencyError,
  RateLimitError,
  ServerError,
} from './errors.ts'

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 8_000
/** A longer Retry-After is left to the caller. */
const MAX_RETRY_AFTER_MS = 30_000
/** Proxies respond with 404 while they have no route, and 408 to slow requests. Their other 4xx are permanent. */
const TEMPORARY_PROXY_STATUSES: readonly (number | null)[] = [404, 408]

/**
 * The delay before the next attempt; null if the request must not be retried. `isIdempotent` means that a
 * retried request has no further effect.
 */
export function retryWaitMs(
  error: FlorinError,
  { isIdempotent, retries }: { isIdempotent: boolean; retries: number },
  random: () => number = Math.random,
): number | null {
  if (!isRetryable(error, isIdempotent)) return null
  const requestedMs =
    error instanceof RateLimitError || error instanceof ServerError ? error.retryAfterMs : null
  // Add jitter, so that many clients don't return at the same time.
  if (requestedMs !== null)
    return requestedMs > MAX_RETRY_AFTER_MS ? null : requestedMs + random() * FIRST_DELAY_MS
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + random() / 2)
}

function isRetryable(error: FlorinError, isIdempotent: boolean): boolean {
  // The request was rejected before anything was done.
  if (error instanceof RateLimitError) return true
  if (!isIdempotent) return false
  if (error instanceof ServerError) return true
  if (error instanceof ConnectionError) {
    return error.status === null || TEMPORARY_PROXY_STATUSES.includes(error.status)
  }
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
