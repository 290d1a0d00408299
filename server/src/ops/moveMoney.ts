import type { MoveKind } from '../core/approval.ts'
import { CURRENCY_CODES, type CurrencyCode } from '../core/currencies.ts'
import { digest } from '../core/digest.ts'
import { type Mode, mintReference } from '../core/ids.ts'
import { storeMoneyTransfer, walletMoneyTransfer } from '../core/ledger.ts'
import { formatMinor, MAX_ACCOUNT_MINOR } from '../core/money.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  type FoundTransfer,
  findStoreBalances,
  findStoreTransfer,
  findWalletBalances,
  findWalletTransfer,
  insertWalletBalance,
  post,
} from '../sql/ledger.ts'
import { lock, makeReadsDurable } from '../sql/locks.ts'
import { findWallet, type Wallet } from '../sql/wallets.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, notDone } from './auditLog.ts'
import { addPayoutMails } from './businessMails.ts'
import type { MailQueue } from './mail.ts'

type AmountAndNote = { readonly amount: bigint; readonly note: string | null }

/** Adds money to the balance of a store, or pays it out to the merchant. */
type StoreMove = AmountAndNote & {
  readonly kind: 'funding' | 'payout'
  readonly store: Store
  readonly mode: Mode
}

/** Tops up a wallet, or withdraws from it. */
type WalletMove = AmountAndNote & {
  readonly kind: 'top_up' | 'withdrawal'
  readonly wallet: Wallet
  readonly currency: CurrencyCode
}

export type MoneyMove = StoreMove | WalletMove
export type WithIdempotencyKey = { readonly key: string | null }

export type MoveMoneyResult =
  | { readonly kind: 'moved'; readonly reference: string; readonly balance: bigint }
  /** The key was used before for the same move; nothing was moved again. */
  | { readonly kind: 'moved_before'; readonly reference: string; readonly balance: bigint }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'insufficient_balance'; readonly balance: bigint }
  | { readonly kind: 'balance_too_large' }
  | { readonly kind: 'erased' }

export const isStoreMove = (move: MoneyMove): move is StoreMove => 'store' in move

export const moveCurrency = (move: MoneyMove): CurrencyCode =>
  isStoreMove(move) ? move.store.currency : move.currency

export const moveMode = (move: MoneyMove): Mode =>
  isStoreMove(move) ? move.mode : move.wallet.mode

/** Locks the store or wallet until the end of the transaction. Returns the time of the move. */
export const lockMove = (tx: Tx, move: MoneyMove): Promise<Date> =>
  lock(
    tx,
    isStoreMove(move) ? { stores: [move.store.storeId] } : { wallets: [move.wallet.walletId] },
  )

const PREFIXES: Record<MoveKind, string> = {
  funding: 'fnd_',
  payout: 'out_',
  top_up: 'top_',
  withdrawal: 'wdr_',
}

type References = readonly [own: string, ...others: string[]]

/**
 * Without an Idempotency-Key, a new reference. Otherwise the references that are derived from the key, so that an earlier request
 * with the key is found. The first is that of this move. The others are those of the store's other kinds of moves in this mode, or
 * of the wallet's other kinds and currencies.
 */
export function referencesOf(move: MoneyMove & WithIdempotencyKey, at: Date): References {
  const { kind, key } = move
  if (key === null) return [mintReference(PREFIXES[kind], at)]
  const referenceOf = (moveKind: MoveKind, scope: string) => {
    const hex = digest(`${moveKind} ${scope} ${key}`).toString('hex')
    return `${PREFIXES[moveKind]}${hex.slice(0, 26)}`
  }
  const own = referenceOf(kind, isStoreMove(move) ? move.mode : move.currency)
  const all = isStoreMove(move)
    ? STORE_MOVES.map((moveKind) => referenceOf(moveKind, move.mode))
    : WALLET_MOVES.flatMap((moveKind) =>
        CURRENCY_CODES.map((currency) => referenceOf(moveKind, currency)),
      )
  return [own, ...all.filter((reference) => reference !== own)]
}

const STORE_MOVES = ['funding', 'payout'] as const
const WALLET_MOVES = ['top_up', 'withdrawal'] as const

/** Whether an earlier move with the same Idempotency-Key was this one. */
export const isSameMove = (
  earlier: FoundTransfer,
  { amount, note }: AmountAndNote,
  [reference]: References,
): boolean => earlier.reference === reference && earlier.amount === amount && earlier.note === note

/** Moves money immediately, without an approval. Operators use `requestMove`. */
export async function moveMoney(
  database: Database,
  actor: Actor,
  move: MoneyMove & WithIdempotencyKey,
  mail: MailQueue,
): Promise<MoveMoneyResult> {
  return inAuditedTransaction<MoveMoneyResult>(database, actor, async (tx) => {
    const at = await lockMove(tx, move)
    return moveLocked(tx, move, { references: referencesOf(move, at), at, mail })
  })
}

type Posting = { readonly references: References; readonly at: Date; readonly mail: MailQueue }

/** Moves money of a store or wallet that the transaction has locked. */
export async function moveLocked(
  tx: Tx,
  move: MoneyMove,
  posting: Posting,
): Promise<AuditedResult<MoveMoneyResult>> {
  return isStoreMove(move) ? moveStoreMoney(tx, move, posting) : moveWalletMoney(tx, move, posting)
}

/** Whether money was moved with one of these references. */
export async function wasMoved(tx: Tx, move: MoneyMove, references: References): Promise<boolean> {
  const found = isStoreMove(move)
    ? await findStoreTransfer(tx, { storeId: move.store.storeId, references })
    : await findWalletTransfer(tx, { walletId: move.wallet.walletId, references })
  return found !== null
}

async function moveStoreMoney(
  tx: Tx,
  move: StoreMove,
  { references, at, mail }: Posting,
): Promise<AuditedResult<MoveMoneyResult>> {
  const { store, mode, kind, amount, note } = move
  const [reference] = references
  const { storeId, currency } = store
  const [row] = await findStoreBalances(tx, [{ storeId, mode }])
  const before = row!.balance
  const done = await findStoreTransfer(tx, { storeId, references })
  if (done !== null) {
    const isSame = isSameMove(done, move, references)
    return retriedMove(tx, isSame, { reference, balance: before })
  }
  const balance = before + (kind === 'funding' ? amount : -amount)
  const refusal = refusalOf(before, balance)
  if (refusal !== null) return refusal
  const movement = { reference, mode, currency, at, storeId, note }
  await post(tx, [storeMoneyTransfer(movement, kind, amount)])
  if (kind === 'payout' && mode === 'live') await addPayoutMails(tx, mail, move, at)
  return {
    result: { kind: 'moved', reference, balance },
    entry: {
      action: `store.${kind}`,
      subject: `store:${storeId}`,
      before: { mode, balance: formatMinor(before, currency) },
      after: { mode, balance: formatMinor(balance, currency), reference, note },
    },
  }
}

/** An erased wallet can't be topped up; a later refund to it can be withdrawn. */
async function moveWalletMoney(
  tx: Tx,
  move: WalletMove,
  { references, at }: Posting,
): Promise<AuditedResult<MoveMoneyResult>> {
  const { wallet, currency, kind, amount, note } = move
  const { walletId, mode, publicId } = wallet
  const [reference] = references
  const balances = await findWalletBalances(tx, [walletId])
  const row = balances.find((candidate) => candidate.currency === currency)
  const before = row?.balance ?? 0n
  const done = await findWalletTransfer(tx, { walletId, references })
  if (done !== null) {
    const isSame = isSameMove(done, move, references)
    return retriedMove(tx, isSame, { reference, balance: before })
  }
  if (kind === 'top_up' && (await findWallet(tx, walletId))!.erasedAt !== null) {
    return notDone({ kind: 'erased' })
  }
  const balance = before + (kind === 'top_up' ? amount : -amount)
  const refusal = refusalOf(before, balance)
  if (refusal !== null) return refusal
  if (row === undefined) await insertWalletBalance(tx, walletId, currency)
  const movement = { reference, mode, currency, at, walletId, note }
  await post(tx, [walletMoneyTransfer(movement, kind, amount)])
  return {
    result: { kind: 'moved', reference, balance },
    entry: {
      action: `wallet.${kind}`,
      subject: `wallet:${publicId}`,
      before: { currency, balance: formatMinor(before, currency) },
      after: { currency, balance: formatMinor(balance, currency), reference, note },
    },
  }
}

async function retriedMove(
  tx: Tx,
  isSame: boolean,
  done: { reference: string; balance: bigint },
): Promise<AuditedResult<MoveMoneyResult>> {
  if (!isSame) return notDone({ kind: 'key_reused' })
  // The response acknowledges the first request again.
  await makeReadsDurable(tx)
  return notDone({ kind: 'moved_before', ...done })
}

function refusalOf(before: bigint, after: bigint): AuditedResult<MoveMoneyResult> | null {
  if (after < 0n) return notDone({ kind: 'insufficient_balance', balance: before })
  if (after <= MAX_ACCOUNT_MINOR) return null
  return notDone({ kind: 'balance_too_large' })
}
