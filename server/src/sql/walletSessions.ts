import type { Mode, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'
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

export async function findSessions(on: Queryable, keys: readonly SessionKey[]) {
  return on.query<Session & SessionKey>(
    `select w.wallet_id as "walletId", w.mode, s.token_hash as "tokenHash"
     from wallet_session s
     join wallet w on w.wallet_id = s.wallet_id
     where s.wallet_id = any($1) and s.token_hash = any($2) and s.expires_at > now()
       ${among(on, 'w.wallet_id')}`,
    columns(keys, 'walletId', 'tokenHash'),
  )
}

/** Oldest first. */
export async function listSessions(on: Queryable, walletId: WalletNumber) {
  return on.query<{ createdAt: Date; expiresAt: Date }>(
    `select created_at as "createdAt", expires_at as "expiresAt"
     from wallet_session
     where wallet_id = $1
     order by created_at`,
    [walletId],
  )
}

export async function deleteSession(tx: Tx, walletId: WalletNumber, tokenHash: Buffer) {
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
