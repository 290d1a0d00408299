import type { CurrencyCode } from './currencies.ts'
import type { Mode, StoreAndMode, StoreId, WalletNumber } from './ids.ts'
import type { RefundTerms } from './payment.ts'

/** Money enters and leaves the service through this account. It is the only one that may be negative. */
const EXTERNAL = 'external'

const storeAccount = (storeId: StoreId) => `store:${storeId}`
const feesAccount = (storeId: StoreId) => `fees:${storeId}`
const donationsAccount = (storeId: StoreId) => `gifts:${storeId}`
export const walletAccount = (walletId: WalletNumber) => `wallet:${walletId}`

type TransferKind =
  | 'payment'
  | 'fee'
  | 'donation'
  | 'refund'
  | 'refund_fee'
  | 'funding'
  | 'payout'
  | 'top_up'
  | 'withdrawal'
/** Kinds of transfers that belong to a payment. */
export type PaymentTransferKind = 'payment' | 'fee' | 'donation' | 'refund' | 'refund_fee'
/** Kinds of transfers that debit or credit a wallet. */
export type WalletTransferKind = 'payment' | 'donation' | 'refund' | 'top_up' | 'withdrawal'

/** Moves `amount` from the debited account to the credited one. */
export type Transfer = {
  readonly reference: string
  readonly kind: TransferKind
  readonly mode: Mode
  readonly debit: string
  readonly credit: string
  readonly amount: bigint
  readonly currency: CurrencyCode
  readonly at: Date
  readonly note: string | null
  /** The store and the wallet that it is recorded for: one of them, or both. */
  readonly storeId: StoreId | null
  readonly walletId: WalletNumber | null
}

type Movement = {
  readonly reference: string
  readonly mode: Mode
  readonly currency: CurrencyCode
  readonly at: Date
}
type PaymentMovement = Movement & {
  readonly storeId: StoreId
  readonly walletId: WalletNumber
}

/** The payer pays gross to the store and the donation to charity. The store pays the fee to the platform. */
export function payTransfers(
  movement: PaymentMovement,
  amounts: { gross: bigint; fee: bigint; donation: bigint },
): Transfer[] {
  const { storeId, walletId } = movement
  const wallet = walletAccount(walletId)
  const store = storeAccount(storeId)
  return withoutZeroAmounts([
    transfer(movement, 'payment', wallet, store, amounts.gross),
    { ...transfer(movement, 'fee', store, feesAccount(storeId), amounts.fee), walletId: null },
    transfer(movement, 'donation', wallet, donationsAccount(storeId), amounts.donation),
  ])
}

/** The store pays the refund to the payer and the fee, less the waived part, to the platform. */
export function refundTransfers(
  movement: PaymentMovement,
  { amount, fee, waivedFee }: RefundTerms,
): Transfer[] {
  const { storeId, walletId } = movement
  const store = storeAccount(storeId)
  return withoutZeroAmounts([
    transfer(movement, 'refund', store, walletAccount(walletId), amount),
    {
      ...transfer(movement, 'refund_fee', store, feesAccount(storeId), fee - waivedFee),
      walletId: null,
    },
  ])
}

export function storeMoneyTransfer(
  movement: Movement & { storeId: StoreId; note: string | null },
  kind: 'funding' | 'payout',
  amount: bigint,
): Transfer {
  const { storeId, note } = movement
  const store = storeAccount(storeId)
  const [debit, credit] = kind === 'funding' ? [EXTERNAL, store] : [store, EXTERNAL]
  return { ...transfer({ ...movement, walletId: null }, kind, debit, credit, amount), note }
}

export function walletMoneyTransfer(
  movement: Movement & { walletId: WalletNumber; note: string | null },
  kind: 'top_up' | 'withdrawal',
  amount: bigint,
): Transfer {
  const { walletId, note } = movement
  const wallet = walletAccount(walletId)
  const [debit, credit] = kind === 'top_up' ? [EXTERNAL, wallet] : [wallet, EXTERNAL]
  return { ...transfer({ ...movement, storeId: null }, kind, debit, credit, amount), note }
}

function transfer(
  movement: Movement & { storeId: StoreId | null; walletId: WalletNumber | null },
  kind: TransferKind,
  debit: string,
  credit: string,
  amount: bigint,
): Transfer {
  const { reference, mode, currency, at, storeId, walletId } = movement
  return {
    reference,
    kind,
    mode,
    debit,
    credit,
    amount,
    currency,
    at,
    note: null,
    storeId,
    walletId,
  }
}

function withoutZeroAmounts(transfers: Transfer[]): Transfer[] {
  return transfers.filter((candidate) => candidate.amount > 0n)
}

// ── Balances ────────────────────────────────────────────────────────────────────────────────────

export type StoreDelta = StoreAndMode & {
  balance: bigint
  fees: bigint
  gifts: bigint
}
export type WalletDelta = {
  readonly walletId: WalletNumber
  readonly currency: CurrencyCode
  balance: bigint
}

/** Sums the transfers per balance row, so that an update touches each row once. */
export function balanceDeltas(transfers: readonly Transfer[]): {
  stores: StoreDelta[]
  wallets: WalletDelta[]
} {
  const stores = new Map<string, StoreDelta>()
  const wallets = new Map<string, WalletDelta>()
  for (const { debit, credit, amount, currency, mode } of transfers) {
    for (const [account, change] of [
      [debit, -amount],
      [credit, amount],
    ] as const) {
      const [owner, id] = account.split(':') as [string, string]
      if (owner === 'wallet') {
        const key = `${id}:${currency}`
        const delta = wallets.get(key) ?? {
          walletId: Number(id) as WalletNumber,
          currency,
          balance: 0n,
        }
        delta.balance += change
        wallets.set(key, delta)
      } else if (owner !== EXTERNAL) {
        const key = `${id}:${mode}`
        const delta = stores.get(key) ?? {
          storeId: Number(id) as StoreId,
          mode,
          balance: 0n,
          fees: 0n,
          gifts: 0n,
        }
        if (owner === 'store') delta.balance += change
        else if (owner === 'fees') delta.fees += change
        else delta.gifts += change
        stores.set(key, delta)
      }
    }
  }
  return { stores: [...stores.values()], wallets: [...wallets.values()] }
}
