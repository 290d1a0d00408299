import { localDay, monthOf } from '../core/calendar.ts'
import type { Mode, StoreId } from '../core/ids.ts'
import { mintPaymentId } from '../core/ids.ts'
import type { Breach } from '../core/limits.ts'
import { formatMinor } from '../core/money.ts'
import type { NewPayment, Payment } from '../core/payment.ts'
import { mintQrNumber } from '../core/qr.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { storeKeys } from '../sql/idempotency.ts'
import { lock } from '../sql/locks.ts'
import { findReferencesInUse, insertPayments } from '../sql/payments.ts'
import { insertPaymentWords } from '../sql/search.ts'
import { type Actor, type Entry, recordAuditEntries } from './auditLog.ts'
import { commitOnce, type Provable, paymentProof } from './commitOnce.ts'
import type { Outbox } from './events.ts'
import { expireOverdue } from './expirePayments.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'
import { trackVolume } from './usage.ts'

export type CreateRequest = {
  readonly store: Store
  readonly mode: Mode
  readonly payment: NewPayment
  readonly idempotencyKey: IdempotencyKey | null
  /** The person who creates the payment, for the audit log; null for an API key. */
  readonly by: Actor | null
  /** The API key that creates the payment; null for a person. */
  readonly apiKey: string | null
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
  const results = await commitOnce(database, (tx) => createInOrder(tx, requests))
  const refused = requests.filter((_, index) => results[index]!.kind === 'limit_reached')
  if (refused.length === 0) return results
  // The others are committed, so an error from here on fails only the refused requests.
  const again = await createAfterExpiry(database, outbox, refused).catch((error: Error) =>
    refused.map(() => error),
  )
  if (again === null) return results
  return results.map((result) => (result.kind === 'limit_reached' ? again.shift()! : result))
}

/**
 * Overdue payments count towards the limits until the sweep expires them. They must not cause a refusal, so they
 * are expired here and the refused requests are decided again.
 */
async function createAfterExpiry(
  database: Database,
  outbox: Outbox,
  refused: readonly CreateRequest[],
): Promise<CreateResult[] | null> {
  const stores = [...new Set(refused.map((request) => request.store.storeId))]
  if ((await expireOverdue(database, outbox, stores)) === 0) return null
  return commitOnce(database, (tx) => createInOrder(tx, refused))
}

async function createInOrder(
  tx: Tx,
  requests: readonly CreateRequest[],
): Promise<Provable<CreateResult[]>> {
  // Sent together: the server reads after it has the locks. The day is assumed, and checked below.
  const assumedAt = new Date()
  const locked = lock(tx, { stores: requests.map((request) => request.store.storeId) })
  const [at, answers, references, assumedVolume] = await Promise.all([
    locked,
    loadIdempotencyKeys(tx, storeKeys, requests, ownerOf, locked),
    trackReferences(tx, requests, locked),
    trackVolume(tx, requests, assumedAt),
  ])
  const isSameDay = ({ store: { timeZone } }: CreateRequest) =>
    localDay(assumedAt, timeZone) === localDay(at, timeZone)
  const volume = requests.every(isSameDay) ? assumedVolume : await trackVolume(tx, requests, at)

  const created: (Payment & { createdByKey: string | null })[] = []
  const entries: { by: Actor; entry: Entry }[] = []
  const results = requests.map((request): CreateResult => {
    const replay = answers.replay(request)
    if (replay !== null) return replay
    if (references.isTaken(request)) return { kind: 'reference_taken' }
    const breach = volume.take(request)
    if (breach !== null) return { kind: 'limit_reached', breach }
    const payment = newPayment(request, at)
    references.hold(request)
    created.push(payment)
    if (request.by !== null) entries.push({ by: request.by, entry: createEntry(payment) })
    return { kind: 'created', payment, answer: answers.keep(request, payment) }
  })

  await Promise.all([
    insertPayments(tx, created),
    insertPaymentWords(tx, created),
    volume.write(),
    answers.write(),
    recordAuditEntries(tx, entries, at),
  ])
  return { result: results, proof: paymentProof(created[0], null) }
}

const ownerOf = (request: CreateRequest) => ({ storeId: request.store.storeId, mode: request.mode })

const createEntry = ({ paymentId, mode, gross, currency }: Payment): Entry => ({
  action: 'payment.create',
  subject: `payment:${paymentId}`,
  before: null,
  after: { mode, gross: formatMinor(gross, currency), currency },
})

function newPayment({ store, mode, payment, apiKey }: CreateRequest, at: Date) {
  const day = localDay(at, store.timeZone)
  // List the fields one by one: V8 is slow at creating and reading an object with a spread of this size.
  return {
    storeId: store.storeId,
    mode,
    paymentId: mintPaymentId(at, store.storeId),
    qrNumber: mintQrNumber(at),
    status: 'pending' as const,
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
    createdByKey: apiKey,
  }
}

/** The references in use, for stores with unique references. */
async function trackReferences(tx: Tx, requests: readonly CreateRequest[], locked: Promise<Date>) {
  const name = (storeId: StoreId, mode: Mode, referenceId: string) =>
    `${storeId} ${mode} ${referenceId}`
  const guarded = (request: CreateRequest) =>
    request.store.uniqueReferences && request.payment.referenceId !== null
  const wanted = requests.filter(guarded).map((request) => ({
    storeId: request.store.storeId,
    mode: request.mode,
    referenceId: request.payment.referenceId!,
  }))
  const [at, found] = await Promise.all([locked, findReferencesInUse(tx, wanted)])
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
