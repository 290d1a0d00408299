import type { Mode } from '../core/ids.ts'
import type { Breach } from '../core/limits.ts'
import { formatMinor } from '../core/money.ts'
import type { NewPayment, Payment } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { storeKeys } from '../sql/idempotency.ts'
import { lock } from '../sql/locks.ts'
import { insertPayments } from '../sql/payments.ts'
import { type Actor, type Entry, recordAuditEntries } from './auditLog.ts'
import { commitOnce, type Provable, paymentProof } from './commitOnce.ts'
import type { Outbox } from './events.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'
import { newPayment, type StoredPayment } from './newPayment.ts'
import { trackReferences } from './references.ts'
import { decideWithoutOverdue, trackVolume } from './usage.ts'

type CreateRequest = {
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
  | { readonly kind: 'created'; readonly payment: Payment; readonly response: string | null }
  | Replay
  | { readonly kind: 'limit_reached'; readonly breach: Breach }
  | { readonly kind: 'reference_taken' }

export async function createPayments(
  database: Database,
  outbox: Outbox,
  requests: readonly CreateRequest[],
): Promise<(CreateResult | Error)[]> {
  return decideWithoutOverdue(database, outbox, requests, (undecided) =>
    commitOnce(database, (tx) => createInOrder(tx, undecided)),
  )
}

async function createInOrder(
  tx: Tx,
  requests: readonly CreateRequest[],
): Promise<Provable<CreateResult[]>> {
  // Sent together: PostgreSQL runs the queries after it has granted the locks.
  const locked = lock(tx, { stores: requests.map((request) => request.store.storeId) })
  const [at, responses, references, volume] = await Promise.all([
    locked,
    loadIdempotencyKeys(tx, storeKeys, requests, ownerOf, locked),
    trackReferences(tx, requests, referenceOf, locked),
    trackVolume(tx, requests, locked),
  ])

  const created: StoredPayment[] = []
  const entries: { by: Actor; entry: Entry }[] = []
  const results = requests.map((request): CreateResult => {
    const replay = responses.replay(request)
    if (replay !== null) return replay
    if (references.isTaken(request)) return { kind: 'reference_taken' }
    const breach = volume.take(request, request.payment.gross)
    if (breach !== null) return { kind: 'limit_reached', breach }
    const payment = newPayment(request, at)
    references.hold(request)
    created.push(payment)
    if (request.by !== null) entries.push({ by: request.by, entry: createEntry(payment) })
    return { kind: 'created', payment, response: responses.add(request, payment) }
  })

  await Promise.all([
    insertPayments(tx, created),
    volume.write(),
    responses.write(),
    recordAuditEntries(tx, entries, at),
  ])
  return { result: results, proof: paymentProof(created[0], null) }
}

const referenceOf = (request: CreateRequest) => request.payment.referenceId
const ownerOf = (request: CreateRequest) => ({ storeId: request.store.storeId, mode: request.mode })

const createEntry = ({ paymentId, mode, gross, currency }: Payment): Entry => ({
  action: 'payment.create',
  subject: `payment:${paymentId}`,
  before: null,
  after: { mode, gross: formatMinor(gross, currency), currency },
})
