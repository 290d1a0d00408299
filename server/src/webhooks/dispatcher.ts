import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { MODES, type Mode, type StoreId } from '../core/ids.ts'
import { type AttemptOutcome, eventIdOf, nextStep, signatureHeaders } from '../core/webhook.ts'
import { batch } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { claimDeliveries, fairShare, recordResults, releaseClaims } from '../ops/deliveries.ts'
import type { HeldDelivery, WrittenEvents } from '../ops/events.ts'
import { createWakeup } from '../platform/wakeup.ts'
import type { Attempt, Delivery } from '../sql/deliveries.ts'
import type { Poster } from './post.ts'
import { createSendQueue, type Health, type SendQueue } from './sendQueue.ts'

const POLL_INTERVAL_MS = 1_000
/** An attempt takes at most 15 seconds. Don't start one whose lease ends sooner than this. */
const MIN_LEASE_MS = 17_000
const STOP_TIMEOUT_MS = 3_000
/**
 * How long results are gathered before they are written. A commit costs as much as several deliveries;
 * after a crash, the events delivered within this time are sent again.
 */
const WRITE_DELAY_MS = 10
/**
 * From the second empty poll in a row, the loop sleeps this many times as long as the poll took, but at most
 * POLL_INTERVAL_MS. So empty polls of up to 100 ms use at most 10% of the time, however often the loop is woken.
 */
const EMPTY_POLL_BACKOFF = 9

type DispatcherOptions = {
  readonly database: Database
  readonly poster: Poster
  readonly log: Logger
  /** The database's time: receivers refuse a signature with a wrong time. */
  readonly now: () => Date
  readonly secretsOf: (storeId: StoreId, mode: Mode) => Promise<readonly string[]>
  readonly onAttempt: (attempt: {
    outcome: string
    mode: Mode
    firstDelayMs: number | null
  }) => void
}

/** Sends webhooks: immediately those that this process has just committed, and all others when they are due. */
export function createDispatcher(options: DispatcherOptions) {
  const { database, poster, log } = options
  let isRunning = false
  let isStopping = false
  const batchOptions = {
    maxItems: 1_000,
    maxWaiting: 100_000,
    concurrency: 1,
    delayMs: WRITE_DELAY_MS,
  }
  const record = batch((attempts: Attempt[]) => recordResults(database, attempts), batchOptions)
  const release = batch((held: HeldDelivery[]) => releaseClaims(database, held), batchOptions)
  /** In progress or queued. */
  let pendingWrites = 0
  // Each mode has a loop of its own, so that neither delays the other.
  const modes = { live: createMode('live'), sandbox: createMode('sandbox') }

  function createMode(mode: Mode) {
    const wakeup = createWakeup(POLL_INTERVAL_MS)
    const queue = createSendQueue(mode, { send, onRoom: wakeup.wake })
    return { mode, wakeup, queue, loop: Promise.resolve() }
  }

  /** Resolves when the response has arrived. The result is written in the background. */
  async function send(held: HeldDelivery): Promise<Health> {
    try {
      if (isStopping || held.heldUntilMs - performance.now() < MIN_LEASE_MS) {
        trackWrite(held, release(held))
        return 'unknown'
      }
      const startedAt = options.now()
      const outcome = await attempt(held, startedAt)
      // The stop may have aborted the attempt, so it doesn't count. Another process can send the event immediately.
      if (isStopping && outcome.statusCode === null) {
        trackWrite(held, release(held))
        return 'unknown'
      }
      trackWrite(held, recordOutcome(held, startedAt, outcome))
      return outcome.statusCode === null || outcome.statusCode >= 500 ? 'failing' : 'healthy'
    } catch (error) {
      logFailure(held, error)
      return 'unknown'
    }
  }

  function trackWrite(held: HeldDelivery, write: Promise<unknown>): void {
    pendingWrites += 1
    void write
      .catch((error: unknown) => logFailure(held, error))
      .finally(() => {
        pendingWrites -= 1
      })
  }

  /** The event is sent again when its lease expires: delivery is at least once. */
  function logFailure(held: HeldDelivery, error: unknown): void {
    log.warn({ err: error, paymentId: held.paymentId }, 'a webhook could not be handled')
  }

  async function attempt(held: HeldDelivery, at: Date): Promise<AttemptOutcome> {
    const { storeId, mode, paymentId, sequence, url } = held
    const body = Buffer.from(held.body)
    const secrets = await options.secretsOf(storeId, mode)
    const id = eventIdOf(paymentId, sequence)
    return poster.post({ url, body, headers: signatureHeaders({ id, body, at }, secrets) })
  }

  async function recordOutcome(held: HeldDelivery, startedAt: Date, outcome: AttemptOutcome) {
    const { storeId, mode, paymentId, sequence, lease, attempts, createdAt } = held
    const step = nextStep(outcome, attempts + 1)
    await record({
      storeId,
      paymentId,
      sequence,
      lease,
      startedAt,
      durationMs: outcome.durationMs,
      statusCode: outcome.statusCode,
      error: outcome.error,
      responseBody: outcome.responseBody,
      retry:
        step.kind === 'delivered' ? null : { waitMs: step.kind === 'retry' ? step.waitMs : null },
    })
    const firstDelayMs = attempts === 0 ? startedAt.getTime() - createdAt.getTime() : null
    options.onAttempt({ outcome: step.kind, mode, firstDelayMs })
  }

  /** Claims due deliveries until nothing more can be claimed, then waits. */
  async function run({ mode, wakeup, queue }: ReturnType<typeof createMode>): Promise<void> {
    let emptyPolls = 0
    while (!isStopping) {
      const { held, tookMs } = await claimDeliveries(database, {
        mode,
        isIdle: queue.inFlight() === 0,
        busyHosts: queue.busyHosts(),
        busyStores: queue.busyStores(),
        ...limitsOf(queue),
      }).catch((error: unknown) => {
        log.warn({ err: error }, 'claiming webhooks failed')
        return { held: [], tookMs: 0 }
      })
      queue.add(held)
      emptyPolls = held.length > 0 ? 0 : emptyPolls + 1
      if (emptyPolls === 0 || isStopping) continue
      const pauseMs = emptyPolls === 1 ? 0 : Math.min(tookMs * EMPTY_POLL_BACKOFF, POLL_INTERVAL_MS)
      await Promise.all([wakeup.wait(), sleep(pauseMs)])
    }
  }

  const limitsOf = (queue: SendQueue) => ({
    /** If writing results falls behind, claim less. */
    room: queue.room() - pendingWrites,
    roomOfHost: queue.roomOfHost,
    roomOfStore: queue.roomOfStore,
  })

  const wake = () => {
    for (const mode of MODES) modes[mode].wakeup.wake()
  }

  return {
    /** Selects the deliveries that this process can send right after the commit. */
    choose(deliveries: readonly Delivery[]): readonly Delivery[] {
      if (!isRunning || isStopping) return []
      return MODES.flatMap((mode) => {
        const { queue } = modes[mode]
        const ofMode = deliveries.filter((delivery) => delivery.mode === mode)
        return fairShare(ofMode, limitsOf(queue))
      })
    },
    /** Call after the commit. Sends the chosen deliveries and wakes the loop for the rest. */
    onCommit({ held, others }: Pick<WrittenEvents, 'held' | 'others'>): void {
      for (const mode of MODES) modes[mode].queue.add(held.filter((item) => item.mode === mode))
      // Without room for the host and store, the loop would read past all waiting rows at every commit.
      for (const delivery of others) {
        const { queue, wakeup } = modes[delivery.mode]
        if (queue.hasRoomFor(delivery)) wakeup.wake()
      }
    },
    /** Call when an event became due in another way, such as by a resend. */
    wake,
    start(): void {
      isRunning = true
      for (const mode of MODES) modes[mode].loop = run(modes[mode])
    },
    async stop(): Promise<void> {
      isStopping = true
      wake()
      await Promise.all(MODES.map((mode) => modes[mode].loop))
      const unsent = MODES.flatMap((mode) => modes[mode].queue.clear())
      // If the database is unavailable, they are sent when their leases expire.
      await releaseClaims(database, unsent).catch((error: unknown) =>
        log.warn({ err: error }, 'releasing webhooks failed'),
      )
      const countUnfinished = () =>
        MODES.reduce((sum, mode) => sum + modes[mode].queue.inFlight(), pendingWrites)
      const deadlineMs = performance.now() + STOP_TIMEOUT_MS
      while (countUnfinished() > 0 && performance.now() < deadlineMs) await sleep(20)
      await poster.close()
      while (countUnfinished() > 0 && performance.now() < deadlineMs + STOP_TIMEOUT_MS)
        await sleep(20)
    },
  }
}
