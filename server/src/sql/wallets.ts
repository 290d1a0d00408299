import type { Locale } from '@florin/shared/locales.js'
import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode, StoreId, WalletNumber } from '../core/ids.ts'
import type { WalletTransferKind } from '../core/ledger.ts'
import type { StoredPinLimits } from '../core/pinLimits.ts'
import { walletWords } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type Wallet = {
  readonly walletId: WalletNumber
  readonly publicId: string
  readonly mode: Mode
  readonly name: string
  readonly email: string
  readonly phone: string
  /** Null while the payer has no PIN. */
  readonly pinHash: string | null
  readonly lockedUntil: Date | null
  readonly createdAt: Date
  /** Set if its personal data was erased. */
  readonly erasedAt: Date | null
} & WalletSettings

/** What the payer decides. */
type WalletSettings = {
  /** The language of emails; null if it is not known. */
  readonly locale: Locale | null
  readonly mailReceipts: boolean
  readonly pinLimits: StoredPinLimits
}

/** The end of a lock by an operator, which doesn't expire: the latest time that the API can show. */
const FOREVER = '9999-12-31T23:59:59Z'

const COLUMNS = `
  wallet_id as "walletId", public_id as "publicId", mode, name, email, phone, pin_hash as "pinHash",
  case when locked_by_operator then timestamptz '${FOREVER}' else locked_until end as "lockedUntil",
  created_at as "createdAt", erased_at as "erasedAt", locale, mail_receipts as "mailReceipts",
  pin_limits as "pinLimits"`

export const isLockedByOperator = ({ lockedUntil }: Pick<Wallet, 'lockedUntil'>): boolean =>
  lockedUntil?.getTime() === Date.parse(FOREVER)

export async function nextWalletNumber(tx: Tx): Promise<WalletNumber> {
  const rows = await tx.query<{ id: WalletNumber }>(`select nextval('wallet_number')::int as id`)
  return rows[0]!.id
}

export async function findWallets(on: Queryable, wallets: readonly WalletNumber[]) {
  if (wallets.length === 0) return []
  return on.query<Wallet>(`select ${COLUMNS} from wallet where wallet_id = any($1)`, [wallets])
}

/** Those of the wallets whose name, email, phone or id contains the text. */
export async function findWalletsByText(
  on: Queryable,
  wallets: readonly WalletNumber[],
  text: string,
): Promise<WalletNumber[]> {
  if (wallets.length === 0) return []
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select wallet_id as "walletId"
     from wallet
     where wallet_id = any($1)
       and position(lower($2) in lower(concat_ws(' ', name, email, phone, public_id))) > 0`,
    [wallets, text],
  )
  return rows.map((row) => row.walletId)
}

/** A number that no wallet has, for lookups that must take the same time without a wallet. */
export const NO_WALLET = 0 as WalletNumber

export async function findWallet(on: Queryable, walletId: WalletNumber): Promise<Wallet | null> {
  const rows = await findWallets(on, [walletId])
  return rows[0] ?? null
}

/** Runs both queries for an unknown number too, so that the response time doesn't reveal it. */
export async function findWalletByPhone(on: Queryable, phone: string): Promise<Wallet | null> {
  const rows = await on.query<{ walletId: WalletNumber }>(
    'select wallet_id as "walletId" from wallet_phone where phone = $1',
    [phone],
  )
  return findWallet(on, rows[0]?.walletId ?? NO_WALLET)
}

/** False if another wallet has the phone number. */
export async function claimPhone(tx: Tx, phone: string, walletId: WalletNumber): Promise<boolean> {
  const claimed = await tx.execute(
    `insert into wallet_phone (phone, wallet_id)
     values ($1, $2)
     on conflict (phone) do nothing`,
    [phone, walletId],
  )
  return claimed === 1
}

type NewWallet = Omit<Wallet, 'erasedAt' | 'lockedUntil' | 'mailReceipts' | 'pinLimits'>

export async function insertWallet(tx: Tx, wallet: NewWallet): Promise<void> {
  await tx.execute(
    `insert into wallet (wallet_id, public_id, mode, name, email, phone, pin_hash, created_at, locale, words)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, array_to_tsvector(string_to_array($10, ' ')))`,
    [
      wallet.walletId,
      wallet.publicId,
      wallet.mode,
      wallet.name,
      wallet.email,
      wallet.phone,
      wallet.pinHash,
      wallet.createdAt,
      wallet.locale,
      walletWords(wallet).join(' '),
    ],
  )
}

export async function listWallets(
  on: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<Wallet[]> {
  return on.query<Wallet>(
    `select ${COLUMNS}
     from wallet
     where wallet_id > $1
     order by wallet_id
     limit $2`,
    [after, limit],
  )
}

export async function setWalletSettings(
  tx: Tx,
  walletId: WalletNumber,
  { locale, mailReceipts, pinLimits }: WalletSettings,
): Promise<void> {
  await tx.execute(
    `update wallet
     set locale = $2, mail_receipts = $3, pin_limits = $4
     where wallet_id = $1`,
    [walletId, locale, mailReceipts, JSON.stringify(pinLimits)],
  )
}

export async function setPinHash(
  tx: Tx,
  walletId: WalletNumber,
  pinHash: string | null,
): Promise<void> {
  await tx.execute('update wallet set pin_hash = $2 where wallet_id = $1', [walletId, pinHash])
}

/** False if the old hash is no longer current. */
export async function replacePinHash(
  tx: Tx,
  walletId: WalletNumber,
  { old, renewed }: { old: string; renewed: string },
): Promise<boolean> {
  const replaced = await tx.execute(
    `update wallet
     set pin_hash = $3
     where wallet_id = $1 and pin_hash = $2`,
    [walletId, old, renewed],
  )
  return replaced === 1
}

export async function setLockedUntil(tx: Tx, walletId: WalletNumber, until: Date | null) {
  await tx.execute('update wallet set locked_until = $2 where wallet_id = $1', [walletId, until])
}

export async function setLockedByOperator(tx: Tx, walletId: WalletNumber, isLocked: boolean) {
  await tx.execute('update wallet set locked_by_operator = $2 where wallet_id = $1', [
    walletId,
    isLocked,
  ])
}

// ── Payments that failed for insufficient balance ───────────────────────────────────────────────

export async function countFailures(on: Queryable, wallets: readonly WalletNumber[], since: Date) {
  const rows = await on.query<{ walletId: WalletNumber; failures: number }>(
    `select wallet_id as "walletId", count(*)::int as failures
     from wallet_failure
     where wallet_id = any($1) and at > $2
     group by wallet_id`,
    [wallets, since],
  )
  return new Map(rows.map((row) => [row.walletId, row.failures]))
}

export async function insertFailures(
  tx: Tx,
  failures: readonly { walletId: WalletNumber; paymentId: string }[],
  at: Date,
): Promise<void> {
  if (failures.length === 0) return
  await tx.execute(
    `insert into wallet_failure (wallet_id, payment_id, at)
     select v.wallet_id, v.payment_id, $3
     from unnest($1::int[], $2::text[]) as v (wallet_id, payment_id)`,
    [...columns(failures, 'walletId', 'paymentId'), at],
  )
}

// ── The payer's statement ───────────────────────────────────────────────────────────────────────

export type Activity = {
  readonly at: Date
  readonly reference: string
  readonly kind: WalletTransferKind
  readonly debit: string
  readonly credit: string
  readonly amount: bigint
  readonly currency: CurrencyCode
  readonly storeId: StoreId | null
  readonly storeName: string | null
  readonly storeLogo: string | null
  readonly note: string | null
}

export type ActivityPosition = {
  readonly at: Date
  readonly reference: string
  readonly kind: string
}

export type ActivityPage = {
  readonly walletId: WalletNumber
  /** Null: of all stores, with top-ups and withdrawals. */
  readonly storeId: StoreId | null
  readonly since: Date | null
  readonly before: ActivityPosition | null
  readonly limit: number
}

/** Newest first, after the position at which the last page ended. */
export async function listActivity(
  on: Queryable,
  { walletId, storeId, since, before, limit }: ActivityPage,
): Promise<Activity[]> {
  return on.query<Activity>(
    `select t.at, t.reference, t.kind, t.debit, t.credit, t.amount, t.currency,
       t.store_id as "storeId", s.name as "storeName", s.logo as "storeLogo", t.note
     from wallet_transfer t
     left join store s on s.store_id = t.store_id
     where t.wallet_id = $1
       and ($2::timestamptz is null or (t.at, t.reference, t.kind) < ($2, $3::text, $4::text))
       and ($6::int is null or t.store_id = $6)
       and ($7::timestamptz is null or t.at >= $7)
     order by t.at desc, t.reference desc, t.kind desc
     limit $5`,
    [
      walletId,
      before?.at ?? null,
      before?.reference ?? null,
      before?.kind ?? null,
      limit,
      storeId,
      since,
    ],
  )
}
