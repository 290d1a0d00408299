import type { Mode, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { among } from './shards.ts'

export async function insertSession(
  tx: Tx,
  session: { walletId: WalletNumber; tokenHash: Buffer; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.execute(
    `insert into wallet_session (wallet_id, token_hash, created_at, expires_at)
     values ($1, $2, $3, $4)`,
    [session.walletId, session.tokenHash, session.createdAt, session.expiresAt],
  )
}

export type Session = { readonly walletId: WalletNumber; readonly mode: Mode }
export type SessionKey = { readonly walletId: WalletNumber; readonly tokenHash: Buffer }

export async function findSessions(
  on: Queryable,
  keys: readonly SessionKey[],
): Promise<(Session & SessionKey)[]> {
  return on.query<Session & SessionKey>(
    `select w.wallet_id as "walletId", w.mode, s.token_hash as "tokenHash"
     from wallet_session s
     join wallet w on w.wallet_id = s.wallet_id
     where s.wallet_id = any($1) and s.token_hash = any($2) and s.expires_at > now()
       ${among(on, 'w.wallet_id')}`,
    [keys.map((key) => key.walletId), keys.map((key) => key.tokenHash)],
  )
}

/** Since when and until when a wallet is signed in. */
export async function listSessions(
  on: Queryable,
  walletId: WalletNumber,
): Promise<{ createdAt: Date; expiresAt: Date }[]> {
  return on.query(
    `select created_at as "createdAt", expires_at as "expiresAt"
     from wallet_session
     where wallet_id = $1
     order by created_at`,
    [walletId],
  )
}

export async function deleteSession(
  tx: Tx,
  walletId: WalletNumber,
  tokenHash: Buffer,
): Promise<void> {
  await tx.execute('delete from wallet_session where wallet_id = $1 and token_hash = $2', [
    walletId,
    tokenHash,
  ])
}

export async function deleteSessions(tx: Tx, walletId: WalletNumber): Promise<void> {
  await tx.execute('delete from wallet_session where wallet_id = $1', [walletId])
}

export async function sweepSessions(tx: Tx, at: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from wallet_session
     where (wallet_id, token_hash) in (
       select wallet_id, token_hash from wallet_session where expires_at <= $1 limit $2
     )`,
    [at, limit],
  )
}

// ── Wrong sign-ins ──────────────────────────────────────────────────────────────────────────────

export type SignInGuard = { readonly failures: number; readonly lockedUntil: Date | null }

/** Waits for other sign-ins of the same subject, so that guesses cannot be made side by side. */
export async function lockSignInGuard(
  tx: Tx,
  subject: string,
): Promise<SignInGuard & { at: Date }> {
  // One statement, because the row may be forgiven and gone between two; the update only locks it.
  const rows = await tx.query<SignInGuard & { at: Date }>(
    `insert into sign_in_guard as g (subject, failures, last_at)
     values ($1, 0, clock_timestamp())
     on conflict (subject) do update set last_at = g.last_at
     returning g.failures, g.locked_until as "lockedUntil", clock_timestamp() as at`,
    [subject],
  )
  return rows[0]!
}

export async function setSignInGuard(
  tx: Tx,
  subject: string,
  guard: SignInGuard & { at: Date },
): Promise<void> {
  await tx.execute(
    `update sign_in_guard
     set failures = $2, locked_until = $3, last_at = $4
     where subject = $1`,
    [subject, guard.failures, guard.lockedUntil, guard.at],
  )
}

export async function clearSignInGuard(tx: Tx, subject: string): Promise<void> {
  await tx.execute('delete from sign_in_guard where subject = $1', [subject])
}

/** Also those of devices and sessions, which stand behind the subject and a blank. */
export async function clearSignInGuards(tx: Tx, subject: string): Promise<void> {
  await tx.execute(
    `delete from sign_in_guard
     where subject = $1 or (subject > $1 || ' ' and subject < $1 || '!')`,
    [subject],
  )
}

export async function sweepSignInGuards(tx: Tx, olderThan: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from sign_in_guard
     where subject in (select subject from sign_in_guard where last_at <= $1 limit $2)`,
    [olderThan, limit],
  )
}
