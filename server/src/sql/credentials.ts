import type { Credential } from '../core/credentials.ts'
import type { StoreId } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

const COLUMNS = `
  api_key as "apiKey", store_id as "storeId", mode, label, scopes, secret_hash as "secretHash",
  previous_hash as "previousHash", previous_until as "previousUntil", created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

export async function findCredentials(on: Queryable, apiKeys: readonly string[]) {
  return on.query<Credential>(`select ${COLUMNS} from credential where api_key = any($1)`, [
    apiKeys,
  ])
}

export async function findCredential(on: Queryable, apiKey: string): Promise<Credential | null> {
  const rows = await findCredentials(on, [apiKey])
  return rows[0] ?? null
}

export async function listCredentials(on: Queryable, storeId: StoreId): Promise<Credential[]> {
  return on.query<Credential>(
    `select ${COLUMNS}
     from credential
     where store_id = $1
     order by created_at, api_key`,
    [storeId],
  )
}

/** Counts the API keys of a store that were created after a time, by its people or by operators. */
export async function countNewCredentials(
  on: Queryable,
  storeId: StoreId,
  since: Date,
): Promise<number> {
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from credential
     where store_id = $1 and created_at > $2`,
    [storeId, since],
  )
  return rows[0]!.count
}

export async function insertCredential(tx: Tx, credential: Credential): Promise<void> {
  await tx.execute(
    `insert into credential (
       api_key, store_id, mode, label, scopes, secret_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      credential.apiKey,
      credential.storeId,
      credential.mode,
      credential.label,
      credential.scopes,
      credential.secretHash,
      credential.createdAt,
      credential.expiresAt,
    ],
  )
}

export async function replaceSecret(
  tx: Tx,
  change: { apiKey: string; secretHash: Buffer; previousUntil: Date },
): Promise<number> {
  return tx.execute(
    `update credential
     set previous_hash = secret_hash, previous_until = $3, secret_hash = $2
     where api_key = $1 and revoked_at is null`,
    [change.apiKey, change.secretHash, change.previousUntil],
  )
}

export async function setKeysUsed(
  tx: Tx,
  uses: readonly { readonly apiKey: string; readonly at: Date }[],
): Promise<void> {
  await tx.execute(
    `update credential c
     set last_used_at = greatest(c.last_used_at, v.at)
     from unnest($1::text[], $2::timestamptz[]) as v (api_key, at)
     where c.api_key = v.api_key`,
    columns(uses, 'apiKey', 'at'),
  )
}

export async function markRevoked(tx: Tx, apiKey: string, at: Date): Promise<void> {
  await tx.execute(
    `update credential
     set revoked_at = $2
     where api_key = $1 and revoked_at is null`,
    [apiKey, at],
  )
}
