import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { MODES } from './core/ids.ts'
import type { SecurityEventKind } from './core/securityEvent.ts'
import type { Database } from './database/database.ts'
import { type QueueState, readQueue } from './sql/deliveryQueue.ts'
import { type MailQueueState, readMailQueue } from './sql/mail.ts'

type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    /** The text that /metrics serves. With several processes, `runWorker` replaces it. */
    text: () => registry.metrics(),
    /** The start blocks the event loop before there are requests. Without this, the first scrape would report it as a stall. */
    forgetStart: () => registry.getSingleMetric('nodejs_eventloop_lag_seconds')!.get(),
    requests: counter('florin_http_requests_total', 'Responses by route and status', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: new Histogram({
      name: 'florin_http_request_seconds',
      help: 'Time from request to response',
      labelNames: ['route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    batchItems: new Histogram({
      name: 'florin_batch_items',
      help: 'Requests that shared one transaction',
      labelNames: ['op'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    batchSplits: counter(
      'florin_batch_splits_total',
      'Batches that failed and were split. Each indicates a stuck lock or a bug',
      ['op'],
    ),
    transactionRetries: counter(
      'florin_transaction_retries_total',
      'Transactions retried after a deadlock or a serialization failure, by SQLSTATE. Should stay at zero',
      ['code'],
    ),
    webhooks: counter('florin_webhooks_total', 'Webhook delivery attempts by outcome', [
      'outcome',
      'mode',
    ]),
    webhookDelay: new Histogram({
      name: 'florin_webhook_first_attempt_seconds',
      help: 'Time from a change to the first attempt to deliver its webhook',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300],
      registers,
    }),
    mails: counter('florin_mails_total', 'Attempts to send an email by outcome', ['outcome']),
    payments: counter('florin_payments_total', 'Payments by outcome', ['outcome', 'mode']),
  }
}

export function watchPool(metrics: Metrics, database: Database): void {
  new Gauge({
    name: 'florin_pool_connections',
    help: 'Database connections by state, and requests that wait for one',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool
      this.set({ state: 'busy' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
}

export function watchQueue(metrics: Metrics, database: Database, now: () => Date): void {
  const registers = [metrics.registry]
  const read = createSharedRead<QueueState[] | null>(() => readQueue(database), null)
  /** Both modes, because a series that starts at 1 has no increase for an alert. None if the database doesn't respond. */
  async function readModes() {
    const queue = await read()
    if (queue === null) return []
    return MODES.map((mode) => {
      const empty = { mode, waiting: 0, exhausted: 0, oldestDueAt: null }
      return queue.find((state) => state.mode === mode) ?? empty
    })
  }
  new Gauge({
    name: 'florin_webhook_queue',
    // Every process reports the same queue, so don't add the values up.
    aggregator: 'max',
    help: 'Webhooks that wait for an attempt, and those whose attempts are exhausted',
    labelNames: ['state', 'mode'],
    registers,
    async collect() {
      const modes = await readModes()
      this.reset()
      for (const { mode, waiting, exhausted } of modes) {
        this.set({ state: 'waiting', mode }, waiting)
        this.set({ state: 'exhausted', mode }, exhausted)
      }
    },
  })
  new Gauge({
    name: 'florin_webhook_oldest_due_seconds',
    aggregator: 'max',
    help: 'How long the oldest due webhook has been due',
    labelNames: ['mode'],
    registers,
    async collect() {
      const modes = await readModes()
      this.reset()
      for (const { mode, oldestDueAt } of modes) {
        const ageMs = oldestDueAt === null ? 0 : now().getTime() - oldestDueAt.getTime()
        this.set({ mode }, Math.max(0, ageMs) / 1000)
      }
    },
  })
}

export function watchMail(metrics: Metrics, database: Database, now: () => Date): void {
  const registers = [metrics.registry]
  // Prometheus sees the first email as an increase only if it has seen the counter at zero.
  metrics.mails.inc({ outcome: 'sent' }, 0)
  const NOTHING: MailQueueState = { queued: 0, failed: 0, oldestAt: null }
  const read = createSharedRead(() => readMailQueue(database), NOTHING)
  new Gauge({
    name: 'florin_mail_queue',
    aggregator: 'max',
    help: 'Emails that wait for an attempt, and those that failed',
    labelNames: ['state'],
    registers,
    async collect() {
      const { queued, failed } = await read()
      this.set({ state: 'queued' }, queued)
      this.set({ state: 'failed' }, failed)
    },
  })
  new Gauge({
    name: 'florin_mail_oldest_queued_seconds',
    aggregator: 'max',
    help: 'Age of the oldest email that waits for an attempt',
    registers,
    async collect() {
      const { oldestAt } = await read()
      const ageMs = oldestAt === null ? 0 : now().getTime() - oldestAt.getTime()
      this.set(Math.max(0, ageMs) / 1000)
    },
  })
}

/** The gauges of one scrape share a query. */
function createSharedRead<Value>(query: () => Promise<Value>, fallback: Value) {
  let reading: Promise<Value> | null = null
  return () => {
    reading ??= query()
      .catch(() => fallback)
      .finally(() => {
        reading = null
      })
    return reading
  }
}

export function watchAuditChain(
  metrics: Metrics,
  stateOf: () => { readonly sealed: number | null; readonly isBroken: boolean },
): void {
  const registers = [metrics.registry]
  new Gauge({
    name: 'florin_audit_log_sealed',
    aggregator: 'max',
    help: 'Sealed entries of the audit log. The number never decreases, unless entries were removed',
    registers,
    collect() {
      const { sealed } = stateOf()
      // A 0 after a restart would look like removed entries.
      if (sealed === null) this.remove()
      else this.set(sealed)
    },
  })
  new Gauge({
    name: 'florin_audit_log_broken',
    aggregator: 'max',
    help: 'Whether the audit log was found to be tampered with since the process started',
    registers,
    collect() {
      this.set(stateOf().isBroken ? 1 : 0)
    },
  })
}

export function watchSecurityEvents(
  metrics: Metrics,
  counts: ReadonlyMap<SecurityEventKind, number>,
): void {
  new Counter({
    name: 'florin_security_events_total',
    help: 'Security events by kind',
    labelNames: ['kind'],
    registers: [metrics.registry],
    collect() {
      this.reset()
      for (const [kind, count] of counts) this.inc({ kind }, count)
    },
  })
}
