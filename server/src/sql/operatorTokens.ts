import type { BuiltInOwner, OperatorRole, OperatorToken, Permission } from '../core/operator.ts'
import type { Queryable, Tx } from '../database/database.ts'

/** The owner of a token: an operator or a built-in owner. */
export type TokenOwner =
  | { readonly operatorId: string; readonly ownerName: null }
  | { readonly operatorId: null; readonly ownerName: BuiltInOwner }

const FROM = 'from operator_token t left join operator o on o.operator_id = t.operator_id'
const COLUMNS = `
  t.token_id as "tokenId", t.label, t.operator_id as "operatorId",
  coalesce(o.email, t.owner_name) as owner, o.disabled_at is not null as "isOwnerDisabled", t.scopes,
  t.created_at as "createdAt", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt",
  t.revoked_at as "revokedAt", t.upgraded as "isUpgraded"`
const ACTIVE = 't.revoked_at is null and t.expires_at > now() and o.disabled_at is null'

export async function insertOperatorToken(
  tx: Tx,
  token: TokenOwner & {
    tokenId: string
    tokenHash: Buffer
    label: string
    scopes: readonly Permission[]
    createdAt: Date
    expiresAt: Date
  },
): Promise<void> {
  await tx.execute(
    `insert into operator_token (
       token_id, token_hash, label, operator_id, owner_name, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      token.tokenId,
      token.tokenHash,
      token.label,
      token.operatorId,
      token.ownerName,
      token.scopes,
      token.createdAt,
      token.expiresAt,
    ],
  )
}

export async function hasActiveLabel(
  on: Queryable,
  { operatorId, ownerName }: TokenOwner,
  label: string,
): Promise<boolean> {
  const rows = await on.query(
    `select 1
     ${FROM}
     where ${ACTIVE} and t.label = $3
       and t.operator_id is not distinct from $1::text
       and t.owner_name is not distinct from $2::text
     limit 1`,
    [operatorId, ownerName, label],
  )
  return rows.length > 0
}

export async function findOperatorToken(on: Queryable, tokenId: string) {
  const rows = await on.query<OperatorToken>(
    `select ${COLUMNS}
     ${FROM}
     where t.token_id = $1`,
    [tokenId],
  )
  return rows[0] ?? null
}

/** A token that works, with the current role of its owner; null for a built-in owner. */
export type ActiveToken = OperatorToken &
  TokenOwner & { readonly role: OperatorRole | null; readonly tokenHash: Buffer }

export async function findActiveTokens(on: Queryable, tokenHashes: readonly Buffer[]) {
  return on.query<ActiveToken>(
    `select ${COLUMNS}, t.owner_name as "ownerName", o.role, t.token_hash as "tokenHash"
     ${FROM}
     where ${ACTIVE} and t.token_hash = any($1)`,
    [tokenHashes],
  )
}

/** Newest first. Without a state, returns all tokens. */
export async function listOperatorTokens(
  on: Queryable,
  filter: { state: 'active' | 'ended' | null; before: string | null; limit: number },
): Promise<OperatorToken[]> {
  const conditions = { active: `and ${ACTIVE}`, ended: `and not (${ACTIVE})` }
  return on.query<OperatorToken>(
    `select ${COLUMNS}
     ${FROM}
     where ($1::text is null or t.token_id < $1) ${filter.state === null ? '' : conditions[filter.state]}
     order by t.token_id desc
     limit $2`,
    [filter.before, filter.limit],
  )
}

/** The ids of the active tokens of a built-in owner. */
export async function listTokensOf(on: Queryable, ownerName: BuiltInOwner): Promise<string[]> {
  const rows = await on.query<{ tokenId: string }>(
    `select t.token_id as "tokenId"
     ${FROM}
     where ${ACTIVE} and t.owner_name = $1
     order by t.token_id`,
    [ownerName],
  )
  return rows.map(({ tokenId }) => tokenId)
}

/** Counts the active tokens that were created before tokens had scopes. */
export async function countUpgradedTokens(on: Queryable): Promise<number> {
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     ${FROM}
     where ${ACTIVE} and t.upgraded`,
  )
  return rows[0]!.count
}

/** False if the token is already revoked. */
export async function revokeOperatorToken(tx: Tx, tokenId: string, at: Date): Promise<boolean> {
  const revoked = await tx.execute(
    `update operator_token
     set revoked_at = $2
     where token_id = $1 and revoked_at is null`,
    [tokenId, at],
  )
  return revoked === 1
}

export async function setTokenUsed(tx: Tx, tokenId: string): Promise<void> {
  await tx.execute('update operator_token set last_used_at = now() where token_id = $1', [tokenId])
}
