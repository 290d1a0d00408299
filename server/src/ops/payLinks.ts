import type { LinkId, Mode, WalletNumber } from '../core/ids.ts'
import { payTransfers, type Transfer } from '../core/ledger.ts'
import type { Breach } from '../core/limits.ts'
import {
  decidePayLink,
  type Link,
  type LinkKey,
  linkMapKey,
  type PayLinkDecision,
  type PayLinkRefusal,
} from '../core/link.ts'
import { RATE_ONE } from '../core/money.ts'
import type { Problem, Quote } from '../core/newPayment.ts'
import type { Payment } from '../core/payment.ts'
import { type PinLimits, pinLimitOf } from '../core/pinLimits.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { walletKeys } from '../sql/idempotency.ts'
import { post } from '../sql/ledger.ts'
import { addLinkPayments, findLinks } from '../sql/links.ts'
import { lock } from '../sql/locks.ts'
import { insertPaidPayments } from '../sql/payments.ts'
import { findRates } from '../sql/rates.ts'
import { isLockedByOperator } from '../sql/wallets.ts'
import { findWalletFunds, trackFunds } from './balances.ts'
import type { PaymentChange } from './businessMails.ts'
import { commitOnce, type Provable, paymentProof } from './commitOnce.ts'
import { type Outbox, type WrittenEvents, writeEvents } from './events.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'
import { newPayment, type StoredPayment } from './newPayment.ts'
import { trackReferences } from './references.ts'
import { decideWithoutOverdue, trackVolume } from './usage.ts'

type PayLinkRequest = {
  readonly walletId: WalletNumber
  readonly mode: Mode
  readonly store: Store
  readonly linkId: LinkId
  /** The JSON numbers that the payer sent, if any. */
  readonly amount: unknown
  readonly donation: unknown
  readonly seenRate: string | undefined
  readonly idempotencyKey: IdempotencyKey | null
  /** The operator's limits. */
  readonly pinLimits: PinLimits
  readonly isPinVerified: boolean
}

export type PayLinkResult =
  | { readonly kind: 'paid'; readonly payment: Payment }
  | { readonly kind: 'refused'; readonly reason: PayLinkRefusal }
  | { readonly kind: 'invalid'; readonly problem: Problem }
  | { readonly kind: 'limit_reached'; readonly breach: Breach }
  | Replay

/** Creates and pays payments of links. A refused request leaves no payment behind. */
export async function payLinks(
  database: Database,
  outbox: Outbox,
  requests: readonly PayLinkRequest[],
): Promise<(PayLinkResult | Error)[]> {
  return decideWithoutOverdue(database, outbox, requests, async (undecided) => {
    const { results, written } = await commitOnce(database, (tx, attempt) =>
      payInOrder(tx, outbox, undecided, attempt),
    )
    outbox.onCommit(written)
    return results
  })
}

async function payInOrder(
  tx: Tx,
  outbox: Outbox,
  requests: readonly PayLinkRequest[],
  attempt: string,
): Promise<Provable<{ results: PayLinkResult[]; written: WrittenEvents }>> {
  const wallets = requests.map((request) => request.walletId)
  // Sent together: PostgreSQL runs the queries after it has granted the locks.
  const locked = lock(tx, { wallets, stores: requests.map((request) => request.store.storeId) })
  const [at, responses, links, found, volume] = await Promise.all([
    locked,
    loadIdempotencyKeys(tx, walletKeys, requests, ownerOf, locked),
    trackLinks(tx, requests),
    findWalletFunds(tx, wallets),
    trackVolume(tx, requests, locked),
  ])
  const referenceOf = (request: PayLinkRequest) => links.get(request)?.referenceId ?? null
  // Only links in another currency, and stores with unique references, need these queries.
  const [rateOf, references] = await Promise.all([
    loadRates(tx, requests, links.get),
    trackReferences(tx, requests, referenceOf, locked),
  ])
  const funds = trackFunds(found)

  const paid: StoredPayment[] = []
  const transfers: Transfer[] = []
  const changes: PaymentChange[] = []
  const results = requests.map((request): PayLinkResult => {
    const replay = responses.replay(request)
    if (replay !== null) return replay

    const { store, walletId } = request
    const link = links.get(request)
    const { wallet, balance } = funds.of(walletId)
    const decision: PayLinkDecision = decidePayLink({
      link,
      store,
      isWalletLocked: wallet !== null && isLockedByOperator(wallet),
      isReferenceTaken: references.isTaken(request),
      rate: link && rateOf(link, store),
      amount: request.amount,
      donation: request.donation,
      seenRate: request.seenRate,
      balance: balance(store.currency),
      pinLimit:
        request.isPinVerified || wallet === null
          ? null
          : pinLimitOf({ own: wallet.pinLimits, service: request.pinLimits }, store.currency),
      at,
    })
    if (decision.kind === 'refuse') return { kind: 'refused', reason: decision.reason }
    if (decision.kind === 'invalid') return decision
    const breach = volume.take(request, decision.quote.gross)
    if (breach !== null) return { kind: 'limit_reached', breach }

    const payment = paidPayment(request, link!, decision, at)
    const { storeId, mode, currency, paymentId: reference } = payment
    const newTransfers = payTransfers({ storeId, walletId, mode, currency, reference, at }, payment)
    paid.push(payment)
    transfers.push(...newTransfers)
    changes.push({ payment, payer: wallet, store })
    funds.apply(walletId, newTransfers)
    links.add(request, payment.gross)
    references.hold(request)
    responses.add(request, payment)
    return { kind: 'paid', payment }
  })

  const [written] = await Promise.all([
    writeEvents(tx, outbox, changes, at),
    insertPaidPayments(tx, paid, { at, attempt }),
    post(tx, transfers),
    addLinkPayments(tx, links.changes()),
    volume.write(),
    responses.write(),
  ])
  return { result: { results, written }, proof: paymentProof(paid[0], attempt) }
}

const ownerOf = (request: PayLinkRequest) => ({ walletId: request.walletId })

function paidPayment(
  { store, mode, walletId }: PayLinkRequest,
  link: Link,
  { quote, donation }: { quote: Quote; donation: bigint },
  at: Date,
): StoredPayment {
  const payment = {
    gross: quote.gross,
    fee: quote.fee,
    currency: store.currency,
    requestAmount: quote.requestAmount,
    requestCurrency: quote.requestCurrency,
    conversionRate: quote.rate,
    client: null,
    products: link.products,
    payload: link.payload,
    referenceId: link.referenceId,
    referenceNote: link.referenceNote,
    webhookUrl: link.webhookUrl,
    returnUrl: link.returnUrl,
    expiresInSeconds: store.expiresAfterSeconds,
  }
  return {
    ...newPayment({ store, mode, payment, apiKey: null }, at),
    status: 'completed',
    linkId: link.linkId,
    donation,
    walletId,
    settledAt: at,
  }
}

/** The links of a batch, with a `paidCount` that includes the payments decided so far. */
async function trackLinks(tx: Tx, requests: readonly PayLinkRequest[]) {
  const keys = new Map(requests.map(keyOf).map((key) => [linkMapKey(key), key]))
  const found = await findLinks(tx, [...keys.values()])
  const links = new Map(found.map((link) => [linkMapKey(link), { link, count: 0, total: 0n }]))
  return {
    get: (request: PayLinkRequest): Link | null =>
      links.get(linkMapKey(keyOf(request)))?.link ?? null,
    add(request: PayLinkRequest, gross: bigint): void {
      const tracked = links.get(linkMapKey(keyOf(request)))!
      tracked.link = { ...tracked.link, paidCount: tracked.link.paidCount + 1 }
      tracked.count += 1
      tracked.total += gross
    },
    changes: () =>
      [...links.values()]
        .filter(({ count }) => count > 0)
        .map(({ link: { storeId, mode, linkId }, count, total }) => ({
          storeId,
          mode,
          linkId,
          count,
          total,
        })),
  }
}

const keyOf = ({ store, mode, linkId }: PayLinkRequest): LinkKey => ({
  storeId: store.storeId,
  mode,
  linkId,
})

/** The current rates of links that are not in the currency of their store. */
async function loadRates(
  tx: Tx,
  requests: readonly PayLinkRequest[],
  linkOf: (request: PayLinkRequest) => Link | null,
) {
  const pairs = new Map<string, { from: Link['currency']; to: Store['currency'] }>()
  for (const request of requests) {
    const link = linkOf(request)
    const to = request.store.currency
    if (link !== null && link.currency !== to) {
      pairs.set(`${link.currency} ${to}`, { from: link.currency, to })
    }
  }
  const found = await findRates(tx, [...pairs.values()])
  const rates = new Map(found.map(({ from, to, rate }) => [`${from} ${to}`, rate]))
  return ({ currency }: Link, store: Store): bigint | null =>
    currency === store.currency ? RATE_ONE : (rates.get(`${currency} ${store.currency}`) ?? null)
}
