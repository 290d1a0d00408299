import type { Logger, LoggerOptions } from 'pino'
import { CommitUnknown, DatabaseUnavailable } from './database/errors.ts'

/** Without a failure for this long, the outage is over. */
const QUIET_MS = 10_000

const isOutage = (error: unknown): error is Error =>
  error instanceof DatabaseUnavailable || error instanceof CommitUnknown

/**
 * Logs only the first failure of a database outage, without a stack, and its end with the number of failures. One line per
 * failed request would be thousands of lines a minute.
 */
export function logOutagesOnce(quietMs = QUIET_MS): NonNullable<LoggerOptions['hooks']> {
  let outage: { readonly sinceMs: number; failures: number; lastMs: number } | null = null

  function endWhenQuiet(log: Logger): void {
    if (outage === null) return
    const { sinceMs, lastMs, failures } = outage
    const leftMs = lastMs + quietMs - performance.now()
    if (leftMs > 0) {
      setTimeout(() => endWhenQuiet(log), leftMs).unref()
      return
    }
    outage = null
    const seconds = Math.round((lastMs - sinceMs) / 1000)
    log.warn({ failures, seconds }, 'the database is available again')
  }

  return {
    logMethod(args, method) {
      const [fields] = args as [unknown]
      const { err, ...context } = (fields ?? {}) as { err?: unknown }
      if (!isOutage(err)) return method.apply(this, args)
      const nowMs = performance.now()
      if (outage !== null) {
        outage.failures += 1
        outage.lastMs = nowMs
        return
      }
      outage = { sinceMs: nowMs, failures: 1, lastMs: nowMs }
      method.apply(this, [{ ...context, reason: err.message }, 'database unavailable'])
      endWhenQuiet(this)
    },
  }
}
