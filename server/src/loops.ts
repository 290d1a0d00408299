import { KEEP_MAILS_MS } from './core/mail.ts'
import { mailDailyCloses } from './ops/dailyCloseMails.ts'
import { sweepOverdue } from './ops/expirePayments.ts'
import { IDEMPOTENCY_TTL_MS } from './ops/idempotency.ts'
import { addPaymentTotals } from './ops/paymentTotals.ts'
import { applyRetention } from './ops/retention.ts'
import { indexNewPayments } from './ops/searchIndex.ts'
import { analyzeGrownTables } from './ops/statistics.ts'
import { sweepOldRows } from './ops/sweepOldRows.ts'
import { createWakeup } from './platform/wakeup.ts'
import type { Service } from './service.ts'

const EXPIRY_INTERVAL_MS = 2_000
const SWEEP_INTERVAL_MS = 60_000
const ANALYZE_INTERVAL_MS = 5_000
const SEARCH_INDEX_INTERVAL_MS = 1_000
const RETENTION_INTERVAL_MS = 600_000
const NODE_INTERVAL_MS = 10_000
const CLOCK_INTERVAL_MS = 10_000
const SHARDS_INTERVAL_MS = 10_000
const RECOVERY_INTERVAL_MS = 5_000
const DAILY_CLOSE_INTERVAL_MS = 60_000
const TOTALS_INTERVAL_MS = 60_000
const USES_INTERVAL_MS = 60_000
const SEAL_INTERVAL_MS = 5_000
const VERIFY_CHAIN_INTERVAL_MS = 24 * 3_600_000

/** Starts the background work. Returns a function that stops it and resolves when it has ended. */
export function startLoops(service: Service): () => Promise<void> {
  const { database, log, dispatcher, mailSender, channel, outbox } = service
  const { retentionDays: keepDays } = service.config
  // An email contains an address, so it is not kept longer than the clients of payments.
  const keepMailsMs = Math.min(KEEP_MAILS_MS, (keepDays ?? Infinity) * 24 * 3_600_000)
  // The channel wakes the long polls and open pages of this process.
  channel.start()
  const loops = [
    loop('key uses', USES_INTERVAL_MS, () => service.keyUses.flush()),
    loop('session uses', USES_INTERVAL_MS, () => service.walletSessionUses.flush()),
    loop('node', NODE_INTERVAL_MS, service.node.report),
    loop('clock', CLOCK_INTERVAL_MS, service.clock.sync),
  ]
  const { cluster } = service
  if (cluster !== null) loops.push(loop('shards', SHARDS_INTERVAL_MS, cluster.renew))
  // The webhooks of an API node are due immediately, and a process that runs the loops sends them.
  if (service.config.role !== 'api') {
    if (cluster !== null) {
      loops.push(
        loop('recovery', RECOVERY_INTERVAL_MS, async () => {
          const [error] = await cluster.recover()
          if (error !== undefined) throw error
        }),
      )
    }
    dispatcher.start()
    mailSender?.start()
    loops.push(
      loop('expiry', EXPIRY_INTERVAL_MS, () =>
        sweepOverdue(database, outbox, (storeId, error) =>
          log.error({ err: error, storeId }, 'the payments of a store could not be expired'),
        ),
      ),
      loop('sweep', SWEEP_INTERVAL_MS, () =>
        sweepOldRows(database, { idempotencyTtlMs: IDEMPOTENCY_TTL_MS, keepMailsMs }),
      ),
      loop('daily close', DAILY_CLOSE_INTERVAL_MS, () =>
        mailDailyCloses(
          database,
          { mail: service.mail, publicUrl: service.config.publicUrl },
          (storeId, error) =>
            log.error({ err: error, storeId }, 'the daily close of a store could not be emailed'),
        ),
      ),
      loop('payment totals', TOTALS_INTERVAL_MS, (isStopped) =>
        addPaymentTotals(database, isStopped),
      ),
      loop('analysis', ANALYZE_INTERVAL_MS, () => analyzeGrownTables(database)),
      loop('audit log seals', SEAL_INTERVAL_MS, service.auditChain.seal),
      loop('audit log check', VERIFY_CHAIN_INTERVAL_MS, service.auditChain.verify),
    )
    // Not on Citus, where each shard has an index of its own: there, create requests index the words.
    if (cluster === null) {
      loops.push(loop('search index', SEARCH_INDEX_INTERVAL_MS, () => indexNewPayments(database)))
    }
    if (keepDays !== null) {
      loops.push(
        loop('retention', RETENTION_INTERVAL_MS, (isStopped) =>
          applyRetention(database, {
            keepDays,
            isStopped,
            onFailure: (storeId, error) =>
              log.error({ err: error, storeId }, 'old data of a store could not be deleted'),
          }),
        ),
      )
    }
  }

  /** `work` with many steps checks `isStopped` between them. */
  function loop(
    name: string,
    intervalMs: number,
    work: (isStopped: () => boolean) => Promise<unknown>,
  ) {
    const wakeup = createWakeup(intervalMs)
    let isStopped = false
    const done = (async () => {
      while (!isStopped) {
        // Log a failure and continue: the database may be available again in the next round.
        await work(() => isStopped).catch((error: unknown) =>
          log.warn({ err: error, loop: name }, 'a loop failed'),
        )
        await wakeup.wait()
      }
    })()
    return () => {
      isStopped = true
      wakeup.wake()
      return done
    }
  }

  return async () => {
    await Promise.all([
      ...loops.map((stop) => stop()),
      dispatcher.stop(),
      mailSender?.stop(),
      channel.stop(),
    ])
    await service.ledgerAudits.stop().catch(() => {})
    // If the database is unavailable, the node's row expires on its own.
    await service.node.remove().catch(() => {})
    await service.keyUses.flush().catch(() => {})
    await service.walletSessionUses.flush().catch(() => {})
  }
}
