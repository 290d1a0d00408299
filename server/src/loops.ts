import { sweepOverdue } from './ops/expirePayments.ts'
import { IDEMPOTENCY_TTL_MS } from './ops/idempotency.ts'
import { applyRetention } from './ops/retention.ts'
import { analyzeGrownTables } from './ops/statistics.ts'
import { sweepOldRows } from './ops/sweepOldRows.ts'
import type { Service } from './service.ts'

const EXPIRY_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 60_000
const ANALYSIS_EVERY_MS = 5_000
const RETENTION_EVERY_MS = 600_000
const NODE_EVERY_MS = 10_000
const CLOCK_EVERY_MS = 10_000
const KEY_USES_EVERY_MS = 60_000

/** Starts the background work. The answer stops it and resolves when it has come to rest. */
export function startLoops(service: Service): () => Promise<void> {
  const { database, log, dispatcher, channel } = service
  const { retentionDays: keepDays } = service.config
  // Open pages and long polls are everybody's who answers calls.
  channel.start()
  const own = [
    loop('key uses', KEY_USES_EVERY_MS, () => service.keyUses.flush()),
    loop('node', NODE_EVERY_MS, service.node.report),
    loop('clock', CLOCK_EVERY_MS, service.clock.look),
  ]
  // What an API node commits is due at once, and sent by whoever has the loops.
  const loops = service.config.role === 'api' ? own : [...own, ...startShared()]

  function startShared() {
    dispatcher.start()
    return [
      loop('expiry', EXPIRY_EVERY_MS, () =>
        sweepOverdue(database, dispatcher.outbox, (storeId, error) =>
          log.error({ err: error, storeId }, 'payments of a store could not be expired'),
        ),
      ),
      loop('sweep', SWEEP_EVERY_MS, () =>
        sweepOldRows(database, { idempotencyTtlMs: IDEMPOTENCY_TTL_MS }),
      ),
      loop('analysis', ANALYSIS_EVERY_MS, () => analyzeGrownTables(database)),
      ...(keepDays === null
        ? []
        : [
            loop('retention', RETENTION_EVERY_MS, (isStopped) =>
              applyRetention(database, { keepDays, isStopped }),
            ),
          ]),
    ]
  }

  /** Work of many steps looks between them whether it is to stop. */
  function loop(
    name: string,
    everyMs: number,
    work: (isStopped: () => boolean) => Promise<unknown>,
  ) {
    let stopped = false
    const isStopped = () => stopped
    let wake = () => {}
    const done = (async () => {
      while (!stopped) {
        // A loop that fails says so and goes on: the database may be back at the next turn.
        await work(isStopped).catch((error: unknown) =>
          log.warn({ err: error, loop: name }, 'a loop failed'),
        )
        if (stopped) return
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, everyMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    })()
    return () => {
      stopped = true
      wake()
      return done
    }
  }

  return async () => {
    await Promise.all([...loops.map((stop) => stop()), dispatcher.stop(), channel.stop()])
    await service.ledgerAudits.stop().catch(() => {})
    // Gone with the database, it is missed for a while and then forgotten.
    await service.node.remove().catch(() => {})
    await service.keyUses.flush().catch(() => {})
  }
}
