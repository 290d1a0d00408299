import type { StoreAndMode } from '../core/ids.ts'
import { refundTransfers, type Transfer } from '../core/ledger.ts'
import { formatMinor } from '../core/money.ts'
import type { Payment, PaymentKey, RefundRefusal, RefundTerms } from '../core/payment.ts'
import { decideRefund, paymentMapKey } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { storeKeys } from '../sql/idempotency.ts'
import { findStoreBalances, post } from '../sql/ledger.ts'
import { lock } from '../sql/locks.ts'
import { findPayers, findPayments, markRefunded } from '../sql/payments.ts'
import { findWallets } from '../sql/wallets.ts'
import { type Actor, type Entry, recordAuditEntries } from './auditLog.ts'
import type { PaymentChange } from './businessMails.ts'
import { commitOnce, type Provable, paymentProof } from './commitOnce.ts'
import { type Outbox, type WrittenEvents, writeEvents } from './events.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'

type RefundRequest = PaymentKey & {
  /** The store with its current settings. */
  readonly store: Store
  readonly idempotencyKey: IdempotencyKey | null
  /** The person who refunds, for the audit log; null for an API key. */
  readonly by: Actor | null
  /** The API key that refunds; null for a person. */
  readonly apiKey: string | null
}

type RefundResult =
  | { readonly kind: 'refunded'; readonly payment: Payment }
  | { readonly kind: 'refused'; readonly reason: RefundRefusal }
  | Replay

export async function refundPayments(
  database: Database,
  outbox: Outbox,
  requests: readonly RefundRequest[],
): Promise<RefundResult[]> {
  const { results, written } = await commitOnce(database, (tx, attempt) =>
    refundInOrder(tx, outbox, requests, attempt),
  )
  outbox.onCommit(written)
  return results
}

async function refundInOrder(
  tx: Tx,
  outbox: Outbox,
  requests: readonly RefundRequest[],
  attempt: string,
): Promise<Provable<{ results: RefundResult[]; written: WrittenEvents }>> {
  const keys = [...new Map(requests.map((request) => [paymentMapKey(request), request])).values()]
  // The payers are needed for the locks. Once set, a payer never changes.
  const payers = await findPayers(tx, keys)
  // Sent together: PostgreSQL runs the queries after it has granted the locks.
  const locked = lock(tx, { wallets: payers, stores: requests.map(({ storeId }) => storeId) })
  const [at, responses, found, foundBalances, foundWallets] = await Promise.all([
    locked,
    loadIdempotencyKeys(tx, storeKeys, requests, ownerOf, locked),
    findPayments(tx, keys),
    findStoreBalances(tx, keys),
    findWallets(tx, payers),
  ])
  const payments = new Map<string, Payment>(
    found.map((payment) => [paymentMapKey(payment), payment]),
  )
  const balances = new Map(foundBalances.map((row) => [accountOf(row), row.balance]))
  const wallets = new Map(foundWallets.map((wallet) => [wallet.walletId, wallet]))

  const refunds: { payment: Payment; terms: RefundTerms; apiKey: string | null }[] = []
  const transfers: Transfer[] = []
  const changes: PaymentChange[] = []
  const entries: { by: Actor; entry: Entry }[] = []
  const results = requests.map((request): RefundResult => {
    const replay = responses.replay(request)
    if (replay !== null) return replay

    const payment = payments.get(paymentMapKey(request)) ?? null
    const balance = balances.get(accountOf(request)) ?? 0n
    const feeMinor = request.store.refundFeeMinor
    const decision = decideRefund(payment, { storeBalance: balance, feeMinor })
    if (decision.kind === 'refuse') return { kind: 'refused', reason: decision.reason }
    const { walletId } = payment!
    const payer = walletId === null ? undefined : wallets.get(walletId)
    // Without a payer, the payment was paid after the payers were read, so its wallet isn't locked.
    if (walletId === null || payer === undefined) {
      return { kind: 'refused', reason: 'not_completed' }
    }

    const { amount, fee, waivedFee } = decision
    const refunded: Payment = { ...payment!, status: 'refunded', refundFee: fee, refundedAt: at }
    const { storeId, mode, currency, paymentId: reference } = refunded
    const movement = { storeId, mode, currency, reference, walletId, at }
    transfers.push(...refundTransfers(movement, decision))
    refunds.push({ payment: refunded, terms: decision, apiKey: request.apiKey })
    changes.push({ payment: refunded, payer, store: request.store })
    if (request.by !== null) {
      entries.push({ by: request.by, entry: refundEntry(refunded, decision) })
    }
    payments.set(paymentMapKey(request), refunded)
    balances.set(accountOf(request), balance - amount - (fee - waivedFee))
    responses.add(request, refunded)
    return { kind: 'refunded', payment: refunded }
  })

  const [written] = await Promise.all([
    writeEvents(tx, outbox, changes, at),
    markRefunded(tx, refunds, { at, attempt }),
    post(tx, transfers),
    responses.write(),
    recordAuditEntries(tx, entries, at),
  ])
  return { result: { results, written }, proof: paymentProof(refunds[0]?.payment, attempt) }
}

function refundEntry({ paymentId, mode, gross, currency }: Payment, terms: RefundTerms): Entry {
  const money = (minor: bigint) => formatMinor(minor, currency)
  return {
    action: 'payment.refund',
    subject: `payment:${paymentId}`,
    before: { status: 'completed' },
    after: {
      status: 'refunded',
      mode,
      gross: money(gross),
      refund_fee: money(terms.fee),
      ...(terms.waivedFee > 0n ? { refund_fee_waived: money(terms.waivedFee) } : {}),
      currency,
    },
  }
}

const ownerOf = (request: RefundRequest) => ({ storeId: request.storeId, mode: request.mode })
const accountOf = ({ storeId, mode }: StoreAndMode) => `${storeId} ${mode}`
