import type { Logger } from 'pino'
import { MODES, type Mode, type StoreId } from '../core/ids.ts'
import {
  type AttemptOutcome,
  eventBody,
  eventIdOf,
  nextStep,
  signatureHeaders,
} from '../core/webhook.ts'
import { batch } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { claimDeliveries, fairShare, giveBack, recordResults } from '../ops/deliverWebhooks.ts'
import type { Held, Outbox } from '../ops/events.ts'
import type { Attempt } from '../store/deliveries.ts'
import { createLanes, type Health, type Lanes } from './lanes.ts'
import type { Poster } from './post.ts'

const LOOK_EVERY_MS = 1_000
/** An attempt takes 15 seconds at most; who has less time left on the lease does not begin. */
const NEEDED_MS = 17_000
const FINISH_WITHIN_MS = 3_000

export type DispatcherParts = {
  readonly database: Database
  readonly poster: Poster
  readonly log: Logger
  readonly publicUrl: string
  readonly secretsOf: (storeId: StoreId, mode: Mode) => Promise<readonly string[]>
  readonly onAttempt: (attempt: {
    outcome: string
    mode: Mode
    firstDelayMs: number | null
  }) => void
}

/** Sends webhooks: at once what this process has just committed, and whatever else is due. */
export function createDispatcher(parts: DispatcherParts) {
  const { database, poster, log } = parts
  let isRunning = false
  let isStopping = false
  let isBehind = false
  let wake = () => {}
  let loop = Promise.resolve()
  const record = batch((attempts: Attempt[]) => recordResults(database, attempts), {
    ...{ name: 'webhook results', maxItems: 256, maxWaiting: 100_000, inFlight: 1 },
  })
  const lanes: Record<Mode, Lanes> = {
    live: createLanes('live', send),
    sandbox: createLanes('sandbox', send),
  }

  async function send(held: Held): Promise<Health> {
    try {
      if (isStopping || held.heldUntilMs - Date.now() < NEEDED_MS) {
        await giveBack(database, [held])
        return 'unknown'
      }
      const startedAt = new Date()
      const outcome = await attempt(held, startedAt)
      // Cut off by our own stop: it does not count, and whoever comes next tries at once.
      if (isStopping && outcome.statusCode === null) {
        await giveBack(database, [held])
        return 'unknown'
      }
      await keep(held, startedAt, outcome)
      return outcome.statusCode === null || outcome.statusCode >= 500 ? 'ill' : 'well'
    } catch (error) {
      // The lease runs out by itself and somebody tries again: at least once is the promise.
      log.warn({ err: error, paymentId: held.paymentId }, 'a webhook could not be handled')
      return 'unknown'
    } finally {
      if (isBehind) wake()
    }
  }

  async function attempt(held: Held, at: Date): Promise<AttemptOutcome> {
    const { storeId, mode, paymentId, sequence, url, body } = held
    const secrets = await parts.secretsOf(storeId, mode)
    const id = eventIdOf(paymentId, sequence)
    return poster.post({ url, body, headers: signatureHeaders({ id, body, at }, secrets) })
  }

  async function keep(held: Held, startedAt: Date, outcome: AttemptOutcome): Promise<void> {
    const { storeId, mode, paymentId, sequence, lease, attempts, createdAt } = held
    const step = nextStep(outcome, attempts + 1)
    const { durationMs, statusCode, error, answer } = outcome
    const retry =
      step.kind === 'delivered' ? null : { waitMs: step.kind === 'retry' ? step.waitMs : null }
    await record({
      ...{ storeId, mode, paymentId, sequence, lease, startedAt },
      ...{ durationMs, statusCode, error, answer, retry },
    })
    const firstDelayMs = attempts === 0 ? startedAt.getTime() - createdAt.getTime() : null
    parts.onAttempt({ outcome: step.kind, mode, firstDelayMs })
  }

  /** Looks for what is due until there is nothing more that could be taken on, then waits. */
  async function run(): Promise<void> {
    while (!isStopping) {
      let taken = 0
      try {
        for (const mode of MODES) taken += await look(mode)
      } catch (error) {
        log.warn({ err: error }, 'looking for webhooks failed')
      }
      if (taken === 0 && !isStopping) await rest()
    }
  }

  async function look(mode: Mode): Promise<number> {
    const lane = lanes[mode]
    const limits = { mode, room: lane.room(), busyHosts: lane.busyHosts() }
    const held = await claimDeliveries(database, { ...limits, roomOfHost: lane.roomOfHost })
    isBehind = held.length > 0 || limits.busyHosts.length > 0
    lane.take(held)
    return held.length
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, LOOK_EVERY_MS)
      function done() {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
      wake = done
    })
  }

  const outbox: Outbox = {
    body: (change, type, at) => eventBody(type, change, { at, publicUrl: parts.publicUrl }),
    choose: (deliveries) =>
      !isRunning || isStopping
        ? []
        : MODES.flatMap((mode) => {
            const { room, roomOfHost } = lanes[mode]
            const ofMode = deliveries.filter((delivery) => delivery.mode === mode)
            return fairShare(ofMode, { room: room(), roomOfHost })
          }),
    committed: ({ held, others }) => {
      for (const mode of MODES) lanes[mode].take(held.filter((one) => one.mode === mode))
      if (others > 0) wake()
    },
  }

  return {
    outbox,
    /** Something is due that nobody here was told of, such as one asked for again. */
    wake: () => wake(),
    start(): void {
      isRunning = true
      loop = run()
    },
    async stop(): Promise<void> {
      isStopping = true
      wake()
      await loop
      await giveBack(
        database,
        MODES.flatMap((mode) => lanes[mode].empty()),
      )
      const inFlight = () => MODES.reduce((sum, mode) => sum + lanes[mode].inFlight(), 0)
      const deadline = Date.now() + FINISH_WITHIN_MS
      const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
      while (inFlight() > 0 && Date.now() < deadline) await pause()
      await poster.close()
      while (inFlight() > 0 && Date.now() < deadline + FINISH_WITHIN_MS) await pause()
    },
  }
}

export type Dispatcher = ReturnType<typeof createDispatcher>
