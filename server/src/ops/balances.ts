import type { WalletNumber } from '../core/ids.ts'
import { type Transfer, walletAccount } from '../core/ledger.ts'
import type { Payment } from '../core/payment.ts'
import type { Tx } from '../database/database.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { countFailures, findWallets } from '../sql/wallets.ts'

const HOUR_MS = 3_600_000

type Asked = { readonly walletId: WalletNumber; readonly donation: unknown }
type Funds = Awaited<ReturnType<typeof findFunds>>

export type Purses = Awaited<ReturnType<typeof openPurses>>

/** The wallets of a batch and what is in them now. */
export async function findFunds(tx: Tx, walletIds: readonly WalletNumber[]) {
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

/** The wallets of a batch, each with what is left in it after every decision. */
export async function openPurses<Request extends Asked>(
  tx: Tx,
  { wallets, balances }: Funds,
  requests: readonly Request[],
  paymentOf: (request: Request) => Payment | null,
  at: Date,
) {
  // Only a wallet that this batch could run dry can fail a payment, which is rare.
  const dry = mayRunDry(requests, paymentOf, balances)
  const failures =
    dry.length === 0
      ? new Map<WalletNumber, number>()
      : await countFailures(tx, dry, new Date(at.getTime() - HOUR_MS))
  const failed: { walletId: WalletNumber; paymentId: string }[] = []

  return {
    /** Payments that were failed here for want of money, to be written down. */
    failed,
    of: (walletId: WalletNumber) => ({
      wallet: wallets.get(walletId) ?? null,
      recentFailures: failures.get(walletId) ?? 0,
      balance: (currency: string) => balances.get(nameOf(walletId, currency)) ?? 0n,
    }),
    apply(walletId: WalletNumber, transfers: readonly Transfer[]): void {
      const own = walletAccount(walletId)
      for (const { debit, credit, amount, currency } of transfers) {
        const name = nameOf(walletId, currency)
        const left = balances.get(name) ?? 0n
        if (debit === own) balances.set(name, left - amount)
        if (credit === own) balances.set(name, left + amount)
      }
    },
    countFailure(walletId: WalletNumber, paymentId: string): void {
      failed.push({ walletId, paymentId })
      failures.set(walletId, (failures.get(walletId) ?? 0) + 1)
    },
  }
}

const nameOf = (walletId: WalletNumber, currency: string) => `${walletId} ${currency}`

function mayRunDry<Request extends Asked>(
  requests: readonly Request[],
  paymentOf: (request: Request) => Payment | null,
  balances: ReadonlyMap<string, bigint>,
): WalletNumber[] {
  const needed = new Map<string, bigint>()
  // What a gift comes to is not known yet, so whoever gives and then pays again may run dry.
  const givers = new Set<WalletNumber>()
  const dry = new Set<WalletNumber>()
  for (const request of requests) {
    const { walletId, donation } = request
    const payment = paymentOf(request)
    if (payment === null) continue
    const name = nameOf(walletId, payment.currency)
    const total = (needed.get(name) ?? 0n) + payment.gross
    needed.set(name, total)
    if (total > (balances.get(name) ?? 0n) || givers.has(walletId)) dry.add(walletId)
    if (donation !== undefined) givers.add(walletId)
  }
  return [...dry]
}
