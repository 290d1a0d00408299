import type { Locale } from '@florin/shared/locales.js'
import type { Mode, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'

type Code = { readonly codeHash: Buffer; readonly createdAt: Date; readonly expiresAt: Date }

export type Activation = Code & { readonly walletId: WalletNumber }

/** Replaces an earlier code of the wallet. The caller holds the wallet's lock, or has just created the wallet. */
export async function replaceActivation(tx: Tx, activation: Activation): Promise<void> {
  await deleteActivation(tx, activation.walletId)
  await tx.execute(
    `insert into wallet_activation (wallet_id, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4)`,
    [activation.walletId, activation.codeHash, activation.createdAt, activation.expiresAt],
  )
}

/** A code that is valid now. */
export async function findActivation(on: Queryable, codeHash: Buffer): Promise<Activation | null> {
  const rows = await on.query<Activation>(
    `select wallet_id as "walletId", code_hash as "codeHash", created_at as "createdAt",
       expires_at as "expiresAt"
     from wallet_activation
     where code_hash = $1 and expires_at > clock_timestamp()`,
    [codeHash],
  )
  return rows[0] ?? null
}

export async function deleteActivation(tx: Tx, walletId: WalletNumber): Promise<void> {
  await tx.execute('delete from wallet_activation where wallet_id = $1', [walletId])
}

// ── Wallets that people open themselves ─────────────────────────────────────────────────────────

export type Signup = Code & {
  readonly mode: Mode
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly locale: Locale | null
}

export async function insertSignup(tx: Tx, signup: Signup): Promise<void> {
  await tx.execute(
    `insert into wallet_signup (code_hash, mode, name, email, phone, locale, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      signup.codeHash,
      signup.mode,
      signup.name,
      signup.email,
      signup.phone,
      signup.locale,
      signup.createdAt,
      signup.expiresAt,
    ],
  )
}

export async function countSignups(on: Queryable, email: string, since: Date): Promise<number> {
  const rows = await on.query<{ count: number }>(
    'select count(*)::int as count from wallet_signup where email = $1 and created_at > $2',
    [email, since],
  )
  return rows[0]!.count
}

/** A code that is valid now. Waits for a transaction that uses it. */
export async function lockSignup(tx: Tx, codeHash: Buffer): Promise<Signup | null> {
  const rows = await tx.query<Signup>(
    `select code_hash as "codeHash", mode, name, email, phone, locale, created_at as "createdAt",
       expires_at as "expiresAt"
     from wallet_signup
     where code_hash = $1 and expires_at > clock_timestamp()
     for update`,
    [codeHash],
  )
  return rows[0] ?? null
}

export async function hasSignup(on: Queryable, codeHash: Buffer): Promise<boolean> {
  const rows = await on.query(
    'select 1 from wallet_signup where code_hash = $1 and expires_at > clock_timestamp()',
    [codeHash],
  )
  return rows.length > 0
}

/** Expires the code, but keeps the row, which counts as an email to its address. */
export async function expireSignup(tx: Tx, codeHash: Buffer): Promise<void> {
  await tx.execute('update wallet_signup set expires_at = created_at where code_hash = $1', [
    codeHash,
  ])
}
