import type { Mode, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import { shardFilter } from './shards.ts'

type NewWalletSession = {
  readonly walletId: WalletNumber
  readonly tokenHash: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly userAgent: string
  readonly address: string
}

export async function insertSession(tx: Tx, session: NewWalletSession): Promise<void> {
  await tx.execute(
    `insert into wallet_session (
       wallet_id, token_hash, created_at, expires_at, user_agent, address, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $3)`,
    [
      session.walletId,
      session.tokenHash,
      session.createdAt,
      session.expiresAt,
      session.userAgent,
      session.address,
    ],
  )
}

export type Session = {
  readonly walletId: WalletNumber
  readonly publicId: string
  readonly mode: Mode
}
export type SessionKey = { readonly walletId: WalletNumber; readonly tokenHash: Buffer }

export async function findSessions(on: Queryable, keys: readonly SessionKey[]) {
  return on.query<Session & SessionKey>(
    `select w.wallet_id as "walletId", w.public_id as "publicId", w.mode, s.token_hash as "tokenHash"
     from wallet_session s
     join wallet w on w.wallet_id = s.wallet_id
     where s.wallet_id = any($1) and s.token_hash = any($2) and s.expires_at > now()
       ${shardFilter(on, 'w.wallet_id')}`,
    columns(keys, 'walletId', 'tokenHash'),
  )
}

type ListedSession = Omit<NewWalletSession, 'walletId'> & { readonly lastUsedAt: Date }

/** Newest first. */
export async function listSessions(on: Queryable, walletId: WalletNumber) {
  return on.query<ListedSession>(
    `select token_hash as "tokenHash", created_at as "createdAt", expires_at as "expiresAt",
       user_agent as "userAgent", address, coalesce(last_used_at, created_at) as "lastUsedAt"
     from wallet_session
     where wallet_id = $1 and expires_at > now()
     order by created_at desc, token_hash
     limit ${MAX_LISTED}`,
    [walletId],
  )
}

const MAX_LISTED = 200

export async function setSessionsUsed(
  tx: Tx,
  uses: readonly (SessionKey & { readonly at: Date })[],
): Promise<void> {
  await tx.execute(
    `update wallet_session s
     set last_used_at = greatest(s.last_used_at, v.at)
     from unnest($1::int[], $2::bytea[], $3::timestamptz[]) as v (wallet_id, token_hash, at)
     where s.wallet_id = v.wallet_id and s.token_hash = v.token_hash
       ${shardFilter(tx, 's.wallet_id')}`,
    columns(uses, 'walletId', 'tokenHash', 'at'),
  )
}

/** Deletes the session whose token hash begins with these bytes. False if there is none. */
export async function deleteSession(
  tx: Tx,
  { walletId, hashStart }: { walletId: WalletNumber; hashStart: Buffer },
): Promise<boolean> {
  const deleted = await tx.execute(
    `delete from wallet_session
     where wallet_id = $1 and substr(token_hash, 1, length($2::bytea)) = $2`,
    [walletId, hashStart],
  )
  return deleted > 0
}

/** Deletes all sessions of a wallet, except the one with the token hash `except`. */
export async function deleteSessions(
  tx: Tx,
  walletId: WalletNumber,
  { except = null }: { except?: Buffer | null } = {},
): Promise<void> {
  await tx.execute(
    `delete from wallet_session
     where wallet_id = $1 and ($2::bytea is null or token_hash <> $2)`,
    [walletId, except],
  )
}
