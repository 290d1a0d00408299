import { sleep } from './backoff.ts'
import { TimeoutError } from './errors.ts'
import type { RequestOptions } from './request.ts'
import { checkedMs } from './settings.ts'
import type { CurrentStatus, SettledStatus } from './types.ts'

export type WaitOptions = {
  /** Total timeout. Default: none; a pending payment expires within a day. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Well below the minute after which proxies tend to close idle connections. */
const WAIT_SECONDS = 25
/** A stopping service responds immediately; pause before the next call. */
const PAUSE_MS = 1_000
/** Retries for 16 to 32 seconds, because a payment can settle while the service restarts. */
const MAX_RETRIES = 8

type ReadStatus = (options: RequestOptions & { wait: number }) => Promise<CurrentStatus>

export async function waitUntilSettled(
  read: ReadStatus,
  { timeoutMs, signal }: WaitOptions,
): Promise<CurrentStatus<SettledStatus>> {
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  let isAnswered = false
  const onTimeout = () => {
    const message = isAnswered
      ? `Still pending after ${timeoutMs} ms`
      : `No status received within ${timeoutMs} ms. The payment may be pending or settled.`
    controller.abort(new TimeoutError(message))
  }
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(onTimeout, checkedMs('timeoutMs', timeoutMs))
  try {
    for (;;) {
      const sentMs = performance.now()
      const found = await read({
        wait: WAIT_SECONDS,
        signal: controller.signal,
        maxRetries: MAX_RETRIES,
      })
      if (isSettled(found)) return found
      isAnswered = true
      const remainingMs = sentMs + PAUSE_MS - performance.now()
      if (remainingMs > 0) await sleep(remainingMs, controller.signal)
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

const isSettled = (found: CurrentStatus): found is CurrentStatus<SettledStatus> =>
  found.status !== 'pending'
