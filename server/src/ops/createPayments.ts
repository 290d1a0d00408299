import { localDay, monthOf } from '../core/calendar.ts'
import type { Mode, StoreId } from '../core/ids.ts'
import { mintPaymentId } from '../core/ids.ts'
import type { Breach, Period } from '../core/limits.ts'
import { limitBreach, limitOf } from '../core/limits.ts'
import { formatMinor } from '../core/money.ts'
import type { NewPayment, Payment } from '../core/payment.ts'
import { mintQrNumber } from '../core/qr.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { storeKeys } from '../sql/idempotency.ts'
import { lock } from '../sql/locks.ts'
import { findHeldReferences, insertPayments } from '../sql/payments.ts'
import type { UsageKey } from '../sql/usage.ts'
import { changeUsage, findUsage, insertUsage } from '../sql/usage.ts'
import { type Actor, type Entry, recordActs } from './auditLog.ts'
import { committedOnce, type Outcome, provenBy } from './commitOnce.ts'
import type { Outbox } from './events.ts'
import { expireOverdue } from './expirePayments.ts'
import { type Once, openKeptAnswers, type Replay } from './idempotency.ts'

export type CreateRequest = {
  readonly store: Store
  readonly mode: Mode
  readonly payment: NewPayment
  readonly once: Once | null
  /** The person who charges, for the audit log; null for an API key. */
  readonly by: Actor | null
}

export type CreateResult =
  | { readonly kind: 'created'; readonly payment: Payment; readonly answer: string | null }
  | Replay
  | { readonly kind: 'limit_reached'; readonly breach: Breach }
  | { readonly kind: 'reference_taken' }

export async function createPayments(
  database: Database,
  outbox: Outbox,
  requests: readonly CreateRequest[],
): Promise<(CreateResult | Error)[]> {
  const results = await committedOnce(database, (tx) => createInOrder(tx, requests))
  const refused = requests.filter((_, index) => results[index]!.kind === 'limit_reached')
  if (refused.length === 0) return results
  // The others are committed: what goes wrong from here on is told to the refused ones alone.
  const again = await createAfterExpiry(database, outbox, refused).catch((error: Error) =>
    refused.map(() => error),
  )
  if (again === null) return results
  return results.map((result) => (result.kind === 'limit_reached' ? again.shift()! : result))
}

/**
 * Overdue payments still hold their share until they are swept. A limit that only they break must
 * not refuse anybody, so they are expired first and the refused requests decided once more.
 */
async function createAfterExpiry(
  database: Database,
  outbox: Outbox,
  refused: readonly CreateRequest[],
): Promise<CreateResult[] | null> {
  const stores = [...new Set(refused.map((request) => request.store.storeId))]
  if ((await expireOverdue(database, outbox, stores)) === 0) return null
  return committedOnce(database, (tx) => createInOrder(tx, refused))
}

async function createInOrder(
  tx: Tx,
  requests: readonly CreateRequest[],
): Promise<Outcome<CreateResult[]>> {
  // Sent together: the server reads when it has the locks. Only what day it is then has to be guessed.
  const guess = new Date()
  const locked = lock(tx, { stores: requests.map((request) => request.store.storeId) })
  const [at, answers, references, guessed] = await Promise.all([
    locked,
    openKeptAnswers(tx, storeKeys, requests, ownerOf, locked),
    heldReferences(tx, requests, locked),
    openVolume(tx, requests, guess),
  ])
  const isSameDay = ({ store: { timeZone } }: CreateRequest) =>
    localDay(guess, timeZone) === localDay(at, timeZone)
  const volume = requests.every(isSameDay) ? guessed : await openVolume(tx, requests, at)

  const created: Payment[] = []
  const acts: { by: Actor; entry: Entry }[] = []
  const results = requests.map((request): CreateResult => {
    const replay = answers.replay(request)
    if (replay !== null) return replay
    if (references.isTaken(request)) return { kind: 'reference_taken' }
    const breach = volume.take(request)
    if (breach !== null) return { kind: 'limit_reached', breach }
    const payment = newPayment(request, at)
    references.hold(request)
    created.push(payment)
    if (request.by !== null) acts.push({ by: request.by, entry: chargeEntry(payment) })
    return { kind: 'created', payment, answer: answers.keep(request, payment) }
  })

  await Promise.all([
    insertPayments(tx, created),
    volume.write(),
    answers.write(),
    recordActs(tx, acts, at),
  ])
  return { result: results, proof: provenBy(created[0], null) }
}

const ownerOf = (request: CreateRequest) => ({ storeId: request.store.storeId, mode: request.mode })

const chargeEntry = ({ paymentId, mode, gross, currency }: Payment): Entry => ({
  action: 'payment.create',
  subject: `payment:${paymentId}`,
  before: null,
  after: { mode, gross: formatMinor(gross, currency), currency },
})

function newPayment({ store, mode, payment }: CreateRequest, at: Date): Payment {
  const day = localDay(at, store.timeZone)
  // Field by field: a spread of so many makes an object that is slow to make and slow to read.
  return {
    storeId: store.storeId,
    mode,
    paymentId: mintPaymentId(at, store.storeId),
    qrNumber: mintQrNumber(at),
    status: 'pending',
    gross: payment.gross,
    fee: payment.fee,
    donation: 0n,
    currency: payment.currency,
    requestAmount: payment.requestAmount,
    requestCurrency: payment.requestCurrency,
    conversionRate: payment.conversionRate,
    client: payment.client,
    products: payment.products,
    payload: payment.payload,
    referenceId: payment.referenceId,
    referenceNote: payment.referenceNote,
    webhookUrl: payment.webhookUrl,
    returnUrl: payment.returnUrl,
    createdAt: at,
    expiresAt: new Date(at.getTime() + payment.expiresInSeconds * 1000),
    usageDay: day,
    usageMonth: monthOf(day),
    settledAt: null,
    walletId: null,
    failure: null,
    refundFee: null,
    refundedAt: null,
  }
}

/** References that must not be taken twice, for the stores that ask for it. */
async function heldReferences(tx: Tx, requests: readonly CreateRequest[], locked: Promise<Date>) {
  const name = (storeId: StoreId, mode: Mode, referenceId: string) =>
    `${storeId} ${mode} ${referenceId}`
  const guarded = (request: CreateRequest) =>
    request.store.uniqueReferences && request.payment.referenceId !== null
  const asked = requests.filter(guarded).map((request) => ({
    storeId: request.store.storeId,
    mode: request.mode,
    referenceId: request.payment.referenceId!,
  }))
  const [at, found] = await Promise.all([locked, findHeldReferences(tx, asked)])
  const stillHeld = found.filter(({ until }) => until === null || until > at)
  const held = new Set(stillHeld.map((row) => name(row.storeId, row.mode, row.referenceId)))
  const nameOf = (request: CreateRequest) =>
    name(request.store.storeId, request.mode, request.payment.referenceId!)
  return {
    isTaken: (request: CreateRequest) => guarded(request) && held.has(nameOf(request)),
    hold: (request: CreateRequest) => {
      if (guarded(request)) held.add(nameOf(request))
    },
  }
}

type Counter = UsageKey & { used: bigint; delta: bigint; ceiling: bigint; isNew: boolean }

/** The day's and the month's volume of each store, counted down in order of arrival. */
async function openVolume(tx: Tx, requests: readonly CreateRequest[], at: Date) {
  const counters = new Map<string, Counter>()
  const nameOf = (key: UsageKey) => `${key.storeId} ${key.mode} ${key.period} ${key.starts}`
  const open = ({ store, mode }: CreateRequest, period: Period, starts: string): Counter => {
    const { storeId } = store
    const name = nameOf({ storeId, mode, period, starts })
    const ceiling = limitOf(store, period)
    const known = counters.get(name)
    if (known !== undefined) {
      if (ceiling > known.ceiling) known.ceiling = ceiling
      return known
    }
    const fresh = { storeId, mode, period, starts, used: 0n, delta: 0n, ceiling, isNew: true }
    counters.set(name, fresh)
    return fresh
  }
  // By the request's own settings: in one batch a store may be in two time zones, before and after a
  // change.
  const ofStore = new Map<Store, Partial<Record<Mode, Record<Period, Counter>>>>()
  const countersOf = (request: CreateRequest): Record<Period, Counter> => {
    const { store, mode } = request
    let modes = ofStore.get(store)
    if (modes === undefined) {
      modes = {}
      ofStore.set(store, modes)
    }
    const known = modes[mode]
    if (known !== undefined) return known
    const today = localDay(at, store.timeZone)
    const day = open(request, 'day', today)
    const month = open(request, 'month', monthOf(today))
    const fresh = { day, month }
    modes[mode] = fresh
    return fresh
  }
  for (const request of requests) countersOf(request)
  for (const usage of await findUsage(tx, [...counters.values()])) {
    const counter = counters.get(nameOf(usage))!
    counter.used = usage.used
    counter.isNew = false
  }

  return {
    take(request: CreateRequest): Breach | null {
      const { day, month } = countersOf(request)
      const used = { day: day.used + day.delta, month: month.used + month.delta }
      const breach = limitBreach(request.store, used, request.payment.gross)
      if (breach !== null) return breach
      day.delta += request.payment.gross
      month.delta += request.payment.gross
      return null
    },
    async write(): Promise<void> {
      const changed = [...counters.values()].filter((candidate) => candidate.delta > 0n)
      const opened = changed.filter((candidate) => candidate.isNew)
      await Promise.all([insertUsage(tx, opened), changeUsage(tx, changed)])
    },
  }
}
