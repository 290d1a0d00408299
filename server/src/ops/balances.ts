import type { WalletNumber } from '../core/ids.ts'
import { type Transfer, walletAccount } from '../core/ledger.ts'
import type { Payment } from '../core/payment.ts'
import type { Tx } from '../database/database.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { countFailures, findWallets } from '../sql/wallets.ts'

const HOUR_MS = 3_600_000

type Spending = { readonly walletId: WalletNumber; readonly donation: unknown }
type Funds = Awaited<ReturnType<typeof findWalletFunds>>

export type BalanceTracker = Awaited<ReturnType<typeof trackBalances>>

/** The wallets of a batch and their current balances. */
export async function findWalletFunds(tx: Tx, walletIds: readonly WalletNumber[]) {
  const unique = [...new Set(walletIds)]
  const [wallets, balances] = await Promise.all([
    findWallets(tx, unique),
    findWalletBalances(tx, unique),
  ])
  return {
    wallets: new Map(wallets.map((wallet) => [wallet.walletId, wallet])),
    balances: new Map(
      balances.map((row) => [nameOf(row.walletId, row.currency), row.balance] as const),
    ),
  }
}

/** Tracks the balance of each wallet while a batch is decided in order of arrival. */
export function trackFunds({ wallets, balances }: Funds) {
  return {
    of: (walletId: WalletNumber) => ({
      wallet: wallets.get(walletId) ?? null,
      balance: (currency: string) => balances.get(nameOf(walletId, currency)) ?? 0n,
    }),
    apply(walletId: WalletNumber, transfers: readonly Transfer[]): void {
      const account = walletAccount(walletId)
      for (const { debit, credit, amount, currency } of transfers) {
        const name = nameOf(walletId, currency)
        const balance = balances.get(name) ?? 0n
        if (debit === account) balances.set(name, balance - amount)
        if (credit === account) balances.set(name, balance + amount)
      }
    },
  }
}

/** Tracks balances, and the failed payments of wallets whose balance may not suffice. */
export async function trackBalances<Request extends Spending>(
  tx: Tx,
  found: Funds,
  requests: readonly Request[],
  paymentOf: (request: Request) => Payment | null,
  at: Date,
) {
  const funds = trackFunds(found)
  // Only a wallet whose balance may not suffice can fail a payment. That is rare, so most batches skip this query.
  const walletIds = findPossibleShortfalls(requests, paymentOf, found.balances)
  const failures =
    walletIds.length === 0
      ? new Map<WalletNumber, number>()
      : await countFailures(tx, walletIds, new Date(at.getTime() - HOUR_MS))
  const failed: { walletId: WalletNumber; paymentId: string }[] = []

  return {
    /** Payments of this batch that failed for insufficient balance. The caller stores them. */
    failed,
    of: funds.of,
    recentFailures: (walletId: WalletNumber) => failures.get(walletId) ?? 0,
    apply: funds.apply,
    countFailure(walletId: WalletNumber, paymentId: string): void {
      failed.push({ walletId, paymentId })
      failures.set(walletId, (failures.get(walletId) ?? 0) + 1)
    },
  }
}

const nameOf = (walletId: WalletNumber, currency: string) => `${walletId} ${currency}`

function findPossibleShortfalls<Request extends Spending>(
  requests: readonly Request[],
  paymentOf: (request: Request) => Payment | null,
  balances: ReadonlyMap<string, bigint>,
): WalletNumber[] {
  const needed = new Map<string, bigint>()
  // The amount of a donation is not parsed yet, so a payment after a donation counts as a possible shortfall.
  const donors = new Set<WalletNumber>()
  const walletIds = new Set<WalletNumber>()
  for (const request of requests) {
    const { walletId, donation } = request
    const payment = paymentOf(request)
    if (payment === null) continue
    const name = nameOf(walletId, payment.currency)
    const total = (needed.get(name) ?? 0n) + payment.gross
    needed.set(name, total)
    if (total > (balances.get(name) ?? 0n) || donors.has(walletId)) walletIds.add(walletId)
    if (donation !== undefined) donors.add(walletId)
  }
  return [...walletIds]
}
