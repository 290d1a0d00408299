import type { Mode, StoreId, WalletNumber } from '../core/ids.ts'
import { payTransfers, type Transfer, walletMoneyTransfer } from '../core/ledger.ts'
import {
  decidePay,
  type Failure,
  type PayDecision,
  type Payment,
  type PayRefusal,
} from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { walletKeys } from '../store/idempotency.ts'
import { post } from '../store/ledger.ts'
import { lock } from '../store/locks.ts'
import { findPaymentsByQr, type Settlement, settlePayments } from '../store/payments.ts'
import { insertFailures } from '../store/wallets.ts'
import { committedOnce, type Outcome } from './committedOnce.ts'
import { giveBackUsage } from './expirePayments.ts'
import { type Once, openKeptAnswers, type Replay } from './keptAnswers.ts'
import { openPurses, type Purses } from './purses.ts'

export type PayRequest = {
  readonly walletId: WalletNumber
  readonly mode: Mode
  readonly storeId: StoreId
  readonly qrNumber: bigint
  readonly storeSuspended: boolean
  readonly donation: unknown
  readonly once: Once | null
  /** Set by the sandbox, which plays the payer: the wallet is filled as needed, or made to fail. */
  readonly sandbox: { readonly outcome: 'completed' | Failure } | null
}

export type PayResult =
  | { readonly kind: 'paid'; readonly payment: Payment }
  | { readonly kind: 'paid_already'; readonly payment: Payment }
  | { readonly kind: 'failed'; readonly payment: Payment }
  | { readonly kind: 'refused'; readonly reason: PayRefusal; readonly payment: Payment | null }
  | Replay

export async function payPayments(
  database: Database,
  requests: readonly PayRequest[],
): Promise<PayResult[]> {
  return committedOnce(database, (tx, attempt) => payInOrder(tx, requests, attempt))
}

async function payInOrder(
  tx: Tx,
  requests: readonly PayRequest[],
  attempt: string,
): Promise<Outcome<PayResult[]>> {
  const at = await lock(tx, {
    wallets: requests.map((request) => request.walletId),
    stores: requests.map((request) => request.storeId),
  })
  const answers = await openKeptAnswers(tx, walletKeys, requests, ownerOf, at)
  const payments = await openPayments(tx, requests)
  const purses = await openPurses(
    tx,
    requests.map((request) => ({ ...request, payment: payments.get(request) })),
    at,
  )

  const settlements: Settlement[] = []
  const transfers: Transfer[] = []
  const results = requests.map((request): PayResult => {
    const replay = answers.replay(request)
    if (replay !== null) return replay

    const payment = payments.get(request)
    const decision = decide(request, payment, purses, at)
    if (decision.kind === 'refuse') return { kind: 'refused', reason: decision.reason, payment }
    if (decision.kind === 'paid_already') {
      answers.keep(request, payment!)
      return { kind: 'paid_already', payment: payment! }
    }

    const settlement = settle(request, payment!, decision)
    const settled = { ...payment!, ...settlement, settledAt: at }
    settlements.push(settlement)
    payments.set(request, settled)
    if (settlement.status === 'failed') {
      // The sandbox's own payer fails on request and as often as asked.
      if (request.sandbox === null) purses.countFailure(request.walletId, settled.paymentId)
      return { kind: 'failed', payment: settled }
    }
    const moved = movements(request, settled, purses, at)
    transfers.push(...moved)
    purses.apply(request.walletId, moved)
    answers.keep(request, settled)
    return { kind: 'paid', payment: settled }
  })

  await settlePayments(tx, settlements, { at, attempt })
  await post(tx, transfers)
  await giveBackUsage(
    tx,
    settlements.filter((s) => s.status === 'failed').map((s) => s.payment),
  )
  await insertFailures(tx, purses.failed, at)
  await answers.write()
  const first = settlements[0]
  return { result: results, proof: first ? { key: first.payment, attempt } : null }
}

const ownerOf = (request: PayRequest) => ({ walletId: request.walletId })

function decide(
  request: PayRequest,
  payment: Payment | null,
  purses: Purses,
  at: Date,
): PayDecision {
  const purse = purses.of(request.walletId)
  const decision = decidePay({
    payment,
    walletId: request.walletId,
    walletLockedUntil: purse.lockedUntil,
    storeSuspended: request.storeSuspended,
    balance: request.sandbox === null && payment ? purse.balance(payment.currency) : ENOUGH,
    recentFailures: purse.recentFailures,
    donation: request.donation,
    at,
  })
  const mustFail = request.sandbox !== null && request.sandbox.outcome !== 'completed'
  return decision.kind === 'pay' && mustFail ? { kind: 'fail' } : decision
}

const ENOUGH = 2n ** 62n

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

function movements(request: PayRequest, payment: Payment, purses: Purses, at: Date): Transfer[] {
  const { storeId, mode, currency, paymentId: reference, gross, fee, donation } = payment
  const base = { reference, mode, currency, at, walletId: request.walletId }
  const paid = payTransfers({ ...base, storeId }, { gross, fee, donation })
  if (request.sandbox === null) return paid
  const missing = gross + donation - purses.of(request.walletId).balance(currency)
  if (missing <= 0n) return paid
  return [walletMoneyTransfer({ ...base, note: 'sandbox payer' }, 'top_up', missing), ...paid]
}

/** The payments of a batch as they stand after each decision. */
async function openPayments(tx: Tx, requests: readonly PayRequest[]) {
  const found = await findPaymentsByQr(tx, uniqueCodes(requests))
  const byCode = new Map<string, Payment>(found.map((payment) => [codeOf(payment), payment]))
  return {
    get: (request: PayRequest) => byCode.get(codeOf(request)) ?? null,
    set: (request: PayRequest, payment: Payment) => byCode.set(codeOf(request), payment),
  }
}

type Code = { storeId: StoreId; mode: Mode; qrNumber: bigint }
const codeOf = (of: Code) => `${of.storeId} ${of.mode} ${of.qrNumber}`

function uniqueCodes(requests: readonly PayRequest[]): Code[] {
  return [...new Map(requests.map((request) => [codeOf(request), request])).values()]
}
