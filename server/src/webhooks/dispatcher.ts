import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { MODES, type Mode, type StoreId } from '../core/ids.ts'
import type { Payment } from '../core/payment.ts'
import {
  type AttemptOutcome,
  eventBody,
  eventIdOf,
  nextStep,
  type Signer,
  signatureHeaders,
} from '../core/webhook.ts'
import { batch } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { claimDeliveries, fairShare, giveBack, recordResults } from '../ops/deliverWebhooks.ts'
import type { Held, Outbox } from '../ops/events.ts'
import type { Attempt } from '../sql/deliveries.ts'
import { createLanes, type Health, type Lanes } from './sendQueue.ts'
import type { Poster } from './post.ts'

const LOOK_EVERY_MS = 1_000
/** An attempt takes 15 seconds at most; who has less time left on the lease does not begin. */
const NEEDED_MS = 17_000
const FINISH_WITHIN_MS = 3_000
/**
 * How long results are left to gather. A commit costs as much as sending several; a crash sends again
 * what was answered within this time.
 */
const GATHER_MS = 10

export type DispatcherParts = {
  readonly database: Database
  readonly poster: Poster
  readonly log: Logger
  readonly publicUrl: string
  /** The database's: receivers refuse what is signed with a wrong time. */
  readonly now: () => Date
  readonly signersOf: (storeId: StoreId, mode: Mode) => Promise<readonly Signer[]>
  readonly onChange: (payment: Payment) => void
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
  // Nobody waits for these, so a commit is shared by all that come within a moment.
  const together = { maxItems: 1_000, maxWaiting: 100_000, inFlight: 1, gatherMs: GATHER_MS }
  const record = batch((attempts: Attempt[]) => recordResults(database, attempts), {
    name: 'webhook results',
    ...together,
  })
  const release = batch((held: Held[]) => giveBack(database, held), {
    name: 'webhooks given back',
    ...together,
  })
  /** Writes that are under way, or wait for their turn. */
  let writing = 0
  const modes = {
    live: createMode('live'),
    sandbox: createMode('sandbox'),
  }

  /** Each mode has a loop of its own, so that neither waits for the other. */
  function createMode(mode: Mode) {
    const looking = createAlarm(LOOK_EVERY_MS)
    const lanes = createLanes(mode, { send, onRoom: looking.ring })
    return { mode, looking, lanes, loop: Promise.resolve() }
  }

  /** Done when the answer is there: the next one need not wait until this one is written down. */
  async function send(held: Held): Promise<Health> {
    try {
      if (isStopping || held.heldUntilMs - performance.now() < NEEDED_MS) {
        write(held, release(held))
        return 'unknown'
      }
      const startedAt = parts.now()
      const outcome = await attempt(held, startedAt)
      // Cut off by our own stop: it does not count, and whoever comes next tries at once.
      if (isStopping && outcome.statusCode === null) {
        write(held, release(held))
        return 'unknown'
      }
      write(held, keep(held, startedAt, outcome))
      return outcome.statusCode === null || outcome.statusCode >= 500 ? 'ill' : 'well'
    } catch (error) {
      failed(held, error)
      return 'unknown'
    }
  }

  function write(held: Held, written: Promise<unknown>): void {
    writing += 1
    written.then(
      () => {
        writing -= 1
      },
      (error: unknown) => {
        writing -= 1
        failed(held, error)
      },
    )
  }

  /** The lease runs out by itself and somebody tries again: at least once is the promise. */
  function failed(held: Held, error: unknown): void {
    log.warn({ err: error, paymentId: held.paymentId }, 'a webhook could not be handled')
  }

  async function attempt(held: Held, at: Date): Promise<AttemptOutcome> {
    const { storeId, mode, paymentId, sequence, url } = held
    const body = Buffer.from(held.body)
    const signers = await parts.signersOf(storeId, mode)
    const id = eventIdOf(paymentId, sequence)
    return poster.post({ url, body, headers: signatureHeaders({ id, body, at }, signers) })
  }

  async function keep(held: Held, startedAt: Date, outcome: AttemptOutcome): Promise<void> {
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
      answer: outcome.answer,
      retry:
        step.kind === 'delivered' ? null : { waitMs: step.kind === 'retry' ? step.waitMs : null },
    })
    const firstDelayMs = attempts === 0 ? startedAt.getTime() - createdAt.getTime() : null
    parts.onAttempt({ outcome: step.kind, mode, firstDelayMs })
  }

  /** Looks for what is due until there is nothing more that could be taken on, then waits. */
  async function run({ mode, looking, lanes }: ReturnType<typeof createMode>): Promise<void> {
    let inVain = 0
    while (!isStopping) {
      const { held, tookMs } = await claimDeliveries(database, {
        mode,
        isIdle: lanes.inFlight() === 0,
        room: roomIn(lanes),
        busyHosts: lanes.busyHosts(),
        roomOfHost: lanes.roomOfHost,
      }).catch((error: unknown) => {
        log.warn({ err: error }, 'looking for webhooks failed')
        return { held: [], tookMs: 0 }
      })
      lanes.take(held)
      inVain = held.length > 0 ? 0 : inVain + 1
      if (inVain === 0 || isStopping) continue
      // The longer the queue of the dead, the longer a look: in vain it may take a tenth of the time.
      const pauseMs = inVain === 1 ? 0 : Math.min(tookMs * 9, LOOK_EVERY_MS)
      await Promise.all([looking.rest(), sleep(pauseMs)])
    }
  }

  /** Should writing down fall behind, less is taken on. */
  const roomIn = (lanes: Lanes) => lanes.room() - writing

  const wake = () => {
    for (const mode of MODES) modes[mode].looking.ring()
  }

  const outbox: Outbox = {
    body: (change, type, at) => eventBody(type, change, { at, publicUrl: parts.publicUrl }),
    choose: (deliveries) =>
      !isRunning || isStopping
        ? []
        : MODES.flatMap((mode) => {
            const { lanes } = modes[mode]
            const ofMode = deliveries.filter((delivery) => delivery.mode === mode)
            return fairShare(ofMode, { room: roomIn(lanes), roomOfHost: lanes.roomOfHost })
          }),
    committed: ({ changes, held, others }) => {
      for (const { payment } of changes) parts.onChange(payment)
      for (const mode of MODES) modes[mode].lanes.take(held.filter((one) => one.mode === mode))
      // Looking for what nobody here has room for would read past all that waits, at every commit.
      for (const { mode, host } of others) {
        if (modes[mode].lanes.hasRoomFor(host)) modes[mode].looking.ring()
      }
    },
  }

  return {
    outbox,
    /** Something is due that nobody here was told of, such as one asked for again. */
    wake,
    start(): void {
      isRunning = true
      for (const mode of MODES) modes[mode].loop = run(modes[mode])
    },
    async stop(): Promise<void> {
      isStopping = true
      wake()
      await Promise.all(MODES.map((mode) => modes[mode].loop))
      await giveBack(
        database,
        MODES.flatMap((mode) => modes[mode].lanes.empty()),
      )
      const inFlight = () =>
        MODES.reduce((sum, mode) => sum + modes[mode].lanes.inFlight(), writing)
      const deadline = performance.now() + FINISH_WITHIN_MS
      while (inFlight() > 0 && performance.now() < deadline) await sleep(20)
      await poster.close()
      while (inFlight() > 0 && performance.now() < deadline + FINISH_WITHIN_MS) await sleep(20)
    },
  }
}

/** Rests until it is rung, but no longer than that. A ring while nobody rests is kept for the next. */
function createAlarm(restMs: number) {
  let isRung = false
  let wake = () => {}
  return {
    ring(): void {
      isRung = true
      wake()
    },
    async rest(): Promise<void> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, restMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isRung = false
    },
  }
}

export type Dispatcher = ReturnType<typeof createDispatcher>
