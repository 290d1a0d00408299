import type { WalletNumber } from '../core/ids.ts'
import { limitBreach } from '../core/limits.ts'
import {
  type Link,
  type LinkKey,
  type LinkRefusal,
  linkRefusalOf,
  quoteLink,
} from '../core/link.ts'
import { RATE_ONE } from '../core/money.ts'
import type { Quote } from '../core/newPayment.ts'
import { type PinLimits, pinLimitOf } from '../core/pinLimits.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { findLinks } from '../sql/links.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { findReferencesInUse } from '../sql/payments.ts'
import { findRate } from '../sql/rates.ts'
import { findWallets, isLockedByOperator } from '../sql/wallets.ts'
import type { Outbox } from './events.ts'
import { readUsage } from './usage.ts'

type LinkPreviewRequest = {
  readonly walletId: WalletNumber
  readonly key: LinkKey
  readonly store: Store
  /** The operator's limits. */
  readonly pinLimits: PinLimits
}

export type LinkPreview = {
  readonly link: Link
  /** The amount to pay at the current rate; null if the payer chooses, or if the store can't take it. */
  readonly quote: Quote | null
  readonly rate: bigint | null
  readonly balance: bigint
  /** A total above it needs the PIN. */
  readonly pinLimit: bigint | null
  readonly at: Date
  /** Null if the wallet can pay the link now. */
  readonly reason:
    | Exclude<LinkRefusal, 'link_unknown'>
    | 'amount_refused'
    | 'limit_reached'
    | 'insufficient_balance'
    | null
}

/** Decides as if the wallet paid now, and creates no payment. Null for an unknown link. */
export async function previewLink(
  database: Database,
  outbox: Outbox,
  { walletId, key, store, pinLimits: service }: LinkPreviewRequest,
): Promise<LinkPreview | null> {
  const { wallet, balances, link, at } = await database.transaction(async (tx) => {
    const [[wallet], balances, [link], at] = await Promise.all([
      findWallets(tx, [walletId]),
      findWalletBalances(tx, [walletId]),
      findLinks(tx, [key]),
      readDatabaseTime(tx),
    ])
    return { wallet: wallet!, balances, link, at }
  })
  if (link === undefined) return null
  const { currency } = store
  const [rate, isReferenceTaken] = await Promise.all([
    link.currency === currency ? RATE_ONE : readRate(database, link, store),
    hasTakenReference(database, link, store, at),
  ])
  const balance = balances.find((row) => row.currency === currency)?.balance ?? 0n
  const pinLimit = pinLimitOf({ own: wallet.pinLimits, service }, currency)
  const quoted = link.amount === null ? null : quoteLink(link, store, { rate, amount: undefined })
  const quote = quoted === null || 'field' in quoted ? null : quoted
  const preview = { link, quote, rate, balance, pinLimit, at }

  const isWalletLocked = isLockedByOperator(wallet)
  const refusal = linkRefusalOf({ link, store, isWalletLocked, isReferenceTaken, at })
  if (refusal === 'link_unknown') throw new Error('A preview must not be refused with link_unknown')
  if (refusal !== null) return { ...preview, reason: refusal }
  if (rate === null || (link.amount !== null && quote === null)) {
    return { ...preview, reason: 'amount_refused' }
  }
  // If the payer chooses, the smallest amount decides.
  const minAmount = quote?.gross ?? store.minAmountMinor ?? 1n
  if (minAmount > balance) return { ...preview, reason: 'insufficient_balance' }
  const isLimited = store.dailyLimitMinor !== null || store.monthlyLimitMinor !== null
  const used = isLimited ? await readUsage(database, outbox, store, link.mode) : null
  const breach = used && limitBreach(store, used, minAmount)
  return { ...preview, reason: breach === null ? null : 'limit_reached' }
}

async function readRate(database: Database, link: Link, store: Store): Promise<bigint | null> {
  return (await findRate(database, link.currency, store.currency))?.rate ?? null
}

async function hasTakenReference(database: Database, link: Link, store: Store, at: Date) {
  const { storeId, mode, referenceId } = link
  if (!store.uniqueReferences || referenceId === null) return false
  const found = await findReferencesInUse(database, [{ storeId, mode, referenceId }])
  return found.some(({ until }) => until === null || until > at)
}
