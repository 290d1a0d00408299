import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode, StoreAndMode, WalletNumber } from '../core/ids.ts'
import { payTransfers, type Transfer, walletMoneyTransfer } from '../core/ledger.ts'
import { MAX_VOLUME_MINOR } from '../core/limits.ts'
import {
  decidePay,
  type Failure,
  type PayDecision,
  type Payment,
  type PayRefusal,
} from '../core/payment.ts'
import { type PinLimits, pinLimitOf } from '../core/pinLimits.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { walletKeys } from '../sql/idempotency.ts'
import { findStoreBalances, post } from '../sql/ledger.ts'
import { lock, makeReadsDurable } from '../sql/locks.ts'
import { findPaymentsByQr, type Settlement, settlePayments } from '../sql/payments.ts'
import { insertFailures, isLockedByOperator, type Wallet } from '../sql/wallets.ts'
import { type BalanceTracker, findWalletFunds, trackBalances } from './balances.ts'
import type { PaymentChange } from './businessMails.ts'
import { commitOnce, type Provable, paymentProof } from './commitOnce.ts'
import { type Outbox, type WrittenEvents, writeEvents } from './events.ts'
import { releaseUsage } from './expirePayments.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'

export type PayRequest = {
  readonly walletId: WalletNumber
  readonly mode: Mode
  readonly store: Store
  readonly qrNumber: bigint
  readonly donation: unknown
  readonly idempotencyKey: IdempotencyKey | null
  /** The operator's limits. The payer's own are in the wallet's row, which the op reads anyway. */
  readonly pinLimits: PinLimits
  readonly isPinVerified: boolean
  /** Set if the sandbox pays: its wallet is topped up as needed, or the payment fails on request. */
  readonly sandbox: { readonly outcome: 'completed' | Failure } | null
}

type PayResult =
  | { readonly kind: 'paid'; readonly payment: Payment }
  | { readonly kind: 'paid_already'; readonly payment: Payment }
  | { readonly kind: 'failed'; readonly payment: Payment }
  | { readonly kind: 'refused'; readonly reason: PayRefusal; readonly payment: Payment | null }
  | Replay

export async function payPayments(
  database: Database,
  outbox: Outbox,
  requests: readonly PayRequest[],
): Promise<PayResult[]> {
  const { results, written } = await commitOnce(database, (tx, attempt) =>
    payInOrder(tx, outbox, requests, attempt),
  )
  outbox.onCommit(written)
  return results
}

async function payInOrder(
  tx: Tx,
  outbox: Outbox,
  requests: readonly PayRequest[],
  attempt: string,
): Promise<Provable<{ results: PayResult[]; written: WrittenEvents }>> {
  const wallets = requests.map((request) => request.walletId)
  // Sent together: PostgreSQL runs the queries after it has granted the locks.
  const locked = lock(tx, { wallets, stores: requests.map((request) => request.store.storeId) })
  const [at, responses, payments, funds] = await Promise.all([
    locked,
    loadIdempotencyKeys(tx, walletKeys, requests, ownerOf, locked),
    trackPayments(tx, requests),
    findWalletFunds(tx, wallets),
  ])
  const balances = await trackBalances(tx, funds, requests, payments.get, at)
  const donations = await trackSandboxDonations(tx, requests)

  const settlements: Settlement[] = []
  const transfers: Transfer[] = []
  const changes: PaymentChange[] = []
  const results = requests.map((request): PayResult => {
    const replay = responses.replay(request)
    if (replay !== null) return replay

    const payment = payments.get(request)
    const decision = decide(request, { payment, balances, donations, at })
    if (decision.kind === 'refuse') return { kind: 'refused', reason: decision.reason, payment }
    if (decision.kind === 'paid_already') {
      responses.add(request, payment!)
      return { kind: 'paid_already', payment: payment! }
    }

    const settlement = settle(request, payment!, decision)
    const { status, donation, walletId, failure } = settlement
    const settled: Payment = { ...payment!, status, donation, walletId, failure, settledAt: at }
    settlements.push(settlement)
    const payer = settled.walletId === null ? null : balances.of(settled.walletId).wallet
    changes.push({ payment: settled, payer, store: request.store })
    payments.set(request, settled)
    if (settlement.status === 'failed') {
      // The sandbox payer may fail any number of payments.
      if (request.sandbox === null) balances.countFailure(request.walletId, settled.paymentId)
      return { kind: 'failed', payment: settled }
    }
    const newTransfers = transfersOf(request, settled, balances, at)
    transfers.push(...newTransfers)
    balances.apply(request.walletId, newTransfers)
    donations.add(request, settled.donation)
    responses.add(request, settled)
    return { kind: 'paid', payment: settled }
  })

  const failed = settlements
    .filter(({ status }) => status === 'failed')
    .map(({ payment }) => payment)
  const [written] = await Promise.all([
    writeEvents(tx, outbox, changes, at),
    settlePayments(tx, settlements, { at, attempt }),
    post(tx, transfers),
    releaseUsage(tx, failed),
    insertFailures(tx, balances.failed, at),
    responses.write(),
    results.some(({ kind }) => kind === 'paid_already') && makeReadsDurable(tx),
  ])
  return { result: { results, written }, proof: paymentProof(settlements[0]?.payment, attempt) }
}

const ownerOf = (request: PayRequest) => ({ walletId: request.walletId })

function decide(
  request: PayRequest,
  {
    payment,
    balances,
    donations,
    at,
  }: {
    payment: Payment | null
    balances: BalanceTracker
    donations: SandboxDonations
    at: Date
  },
): PayDecision {
  const payer = balances.of(request.walletId)
  const balance = (currency: CurrencyCode, gross: bigint) =>
    request.sandbox === null ? payer.balance(currency) : gross + donations.leftOf(request)
  const decision = decidePay({
    payment,
    walletId: request.walletId,
    isWalletLocked: payer.wallet !== null && isLockedByOperator(payer.wallet),
    isStoreSuspended: request.store.suspended,
    balance: payment === null ? 0n : balance(payment.currency, payment.gross),
    recentFailures: balances.recentFailures(request.walletId),
    donation: request.donation,
    pinLimit: effectivePinLimit(request, payment, payer.wallet),
    at,
  })
  const mustFail = request.sandbox !== null && request.sandbox.outcome !== 'completed'
  return decision.kind === 'pay' && mustFail ? { kind: 'fail' } : decision
}

/** Null without a limit, and once the PIN is verified. */
function effectivePinLimit(
  { isPinVerified, pinLimits: service }: PayRequest,
  payment: Payment | null,
  wallet: Wallet | null,
): bigint | null {
  if (isPinVerified || payment === null || wallet === null) return null
  return pinLimitOf({ own: wallet.pinLimits, service }, payment.currency)
}

type SandboxDonations = Awaited<ReturnType<typeof trackSandboxDonations>>

/**
 * The sandbox wallet is topped up as needed. Donations don't count towards the volume of a store, so they have a limit of their
 * own. Without it, a sum could exceed the range of its column, and each batch with such a payment would fail.
 */
async function trackSandboxDonations(tx: Tx, requests: readonly PayRequest[]) {
  const donating = requests.filter(
    ({ sandbox, donation }) => sandbox !== null && donation !== undefined,
  )
  const found =
    donating.length === 0
      ? []
      : await findStoreBalances(
          tx,
          donating.map(({ store, mode }) => ({ storeId: store.storeId, mode })),
        )
  const given = new Map(found.map(({ storeId, gifts }) => [storeId, gifts]))
  const givenTo = ({ store }: PayRequest) => given.get(store.storeId) ?? 0n
  return {
    leftOf(request: PayRequest): bigint {
      const left = MAX_VOLUME_MINOR - givenTo(request)
      return left > 0n ? left : 0n
    },
    add(request: PayRequest, donation: bigint): void {
      if (request.sandbox !== null) given.set(request.store.storeId, givenTo(request) + donation)
    },
  }
}

function settle(
  request: PayRequest,
  payment: Payment,
  decision: { kind: 'pay'; donation: bigint } | { kind: 'fail' },
): Settlement {
  if (decision.kind === 'pay') {
    return {
      payment,
      status: 'completed',
      donation: decision.donation,
      walletId: request.walletId,
      failure: null,
    }
  }
  const failure = request.sandbox?.outcome === 'error' ? 'error' : 'insufficient_balance'
  return { payment, status: 'failed', donation: 0n, walletId: null, failure }
}

function transfersOf(request: PayRequest, payment: Payment, balances: BalanceTracker, at: Date) {
  const { storeId, mode, currency, paymentId: reference, gross, fee, donation } = payment
  const base = { reference, mode, currency, at, walletId: request.walletId }
  const paid = payTransfers({ ...base, storeId }, { gross, fee, donation })
  if (request.sandbox === null) return paid
  const missing = gross + donation - balances.of(request.walletId).balance(currency)
  if (missing <= 0n) return paid
  return [walletMoneyTransfer({ ...base, note: 'sandbox payer' }, 'top_up', missing), ...paid]
}

/** The payments of a batch, updated after each decision. */
async function trackPayments(tx: Tx, requests: readonly PayRequest[]) {
  const found = await findPaymentsByQr(tx, uniqueCodes(requests))
  const byCode = new Map<string, Payment>(found.map((payment) => [nameOf(payment), payment]))
  return {
    get: (request: PayRequest) => byCode.get(nameOf(codeOfRequest(request))) ?? null,
    set: (request: PayRequest, payment: Payment) =>
      byCode.set(nameOf(codeOfRequest(request)), payment),
  }
}

type Code = StoreAndMode & { qrNumber: bigint }
const nameOf = (code: Code) => `${code.storeId} ${code.mode} ${code.qrNumber}`

const codeOfRequest = ({ store, mode, qrNumber }: PayRequest): Code => ({
  storeId: store.storeId,
  mode,
  qrNumber,
})

function uniqueCodes(requests: readonly PayRequest[]): Code[] {
  return [...new Map(requests.map(codeOfRequest).map((code) => [nameOf(code), code])).values()]
}
