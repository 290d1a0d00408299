import type { Mode, StoreId, WalletNumber } from '../core/ids.ts'
import { payTransfers, type Transfer, walletMoneyTransfer } from '../core/ledger.ts'
import {
  decidePay,
  type Failure,
  type PayDecision,
  type Payment,
  type PayRefusal,
} from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { walletKeys } from '../sql/idempotency.ts'
import { post } from '../sql/ledger.ts'
import { lock } from '../sql/locks.ts'
import { findPaymentsByQr, type Settlement, settlePayments } from '../sql/payments.ts'
import { insertFailures, isLockedByOperator } from '../sql/wallets.ts'
import { findFunds, openPurses, type Purses } from './balances.ts'
import { committedOnce, type Outcome, provenBy } from './commitOnce.ts'
import { type Change, type Outbox, type Written, writeEvents } from './events.ts'
import { giveBackUsage } from './expirePayments.ts'
import { type Once, openKeptAnswers, type Replay } from './idempotency.ts'

export type PayRequest = {
  readonly walletId: WalletNumber
  readonly mode: Mode
  readonly store: Store
  readonly qrNumber: bigint
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
  outbox: Outbox,
  requests: readonly PayRequest[],
): Promise<PayResult[]> {
  const { results, written } = await committedOnce(database, (tx, attempt) =>
    payInOrder(tx, outbox, requests, attempt),
  )
  outbox.committed(written)
  return results
}

async function payInOrder(
  tx: Tx,
  outbox: Outbox,
  requests: readonly PayRequest[],
  attempt: string,
): Promise<Outcome<{ results: PayResult[]; written: Written }>> {
  const wallets = requests.map((request) => request.walletId)
  // Sent together: the server reads when it has the locks.
  const locked = lock(tx, { wallets, stores: requests.map((request) => request.store.storeId) })
  const [at, answers, payments, funds] = await Promise.all([
    locked,
    openKeptAnswers(tx, walletKeys, requests, ownerOf, locked),
    openPayments(tx, requests),
    findFunds(tx, wallets),
  ])
  const purses = await openPurses(tx, funds, requests, payments.get, at)

  const settlements: Settlement[] = []
  const transfers: Transfer[] = []
  const changes: Change[] = []
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
    const { status, donation, walletId, failure } = settlement
    const settled: Payment = { ...payment!, status, donation, walletId, failure, settledAt: at }
    settlements.push(settlement)
    const payer = settled.walletId === null ? null : purses.of(settled.walletId).wallet
    changes.push({ payment: settled, payer, store: request.store })
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

  const failed = settlements.filter((s) => s.status === 'failed').map((s) => s.payment)
  const [written] = await Promise.all([
    writeEvents(tx, outbox, changes, at),
    settlePayments(tx, settlements, { at, attempt }),
    post(tx, transfers),
    giveBackUsage(tx, failed),
    insertFailures(tx, purses.failed, at),
    answers.write(),
  ])
  return { result: { results, written }, proof: provenBy(settlements[0]?.payment, attempt) }
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
    isWalletLocked: purse.wallet !== null && isLockedByOperator(purse.wallet),
    storeSuspended: request.store.suspended,
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
    get: (request: PayRequest) => byCode.get(codeOf(codeAsked(request))) ?? null,
    set: (request: PayRequest, payment: Payment) => byCode.set(codeOf(codeAsked(request)), payment),
  }
}

type Code = { storeId: StoreId; mode: Mode; qrNumber: bigint }
const codeOf = (of: Code) => `${of.storeId} ${of.mode} ${of.qrNumber}`

const codeAsked = ({ store, mode, qrNumber }: PayRequest): Code => ({
  storeId: store.storeId,
  mode,
  qrNumber,
})

function uniqueCodes(requests: readonly PayRequest[]): Code[] {
  return [...new Map(requests.map(codeAsked).map((code) => [codeOf(code), code])).values()]
}
