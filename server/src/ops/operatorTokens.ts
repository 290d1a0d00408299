import { PERMISSIONS } from '@florin/contract/values.js'
import { wireTime } from '../core/calendar.ts'
import { hashToken, mintReference, mintToken } from '../core/ids.ts'
import {
  defaultTokenExpiry,
  type OperatorToken,
  type Permission,
  tokenFields,
} from '../core/operator.ts'
import type { Database } from '../database/database.ts'
import { lockAccount, readDatabaseTime } from '../sql/locks.ts'
import { findOperatorById } from '../sql/operators.ts'
import {
  type ActiveToken,
  findOperatorToken,
  hasActiveLabel,
  insertOperatorToken,
  revokeOperatorToken,
  setTokenUsed,
  type TokenOwner,
} from '../sql/operatorTokens.ts'
import { type Actor, inAuditedTransaction, notDone } from './auditLog.ts'
import type { MailQueue } from './mail.ts'
import { recordSecurityEvent } from './securityEvents.ts'

type Resources = { readonly database: Database; readonly mail: MailQueue }

type CreateTokenResult =
  /** `secret` is the token in plain text. Only its hash is stored. */
  | { readonly kind: 'created'; readonly token: OperatorToken; readonly secret: string }
  | { readonly kind: 'label_taken' }

export const TOKEN_PREFIX = 'flo_'

/** Without `expiresAt`, the token works for the default time. */
export async function createToken(
  { database, mail }: Resources,
  actor: Actor,
  owner: TokenOwner,
  fields: { label: string; scopes: readonly Permission[]; expiresAt: Date | null },
): Promise<CreateTokenResult> {
  const secret = mintToken(TOKEN_PREFIX)
  const { label } = fields
  return inAuditedTransaction<CreateTokenResult>(database, actor, async (tx) => {
    const { operatorId } = owner
    const createdAt = await lockAccount(tx, operatorId ?? owner.ownerName)
    if (await hasActiveLabel(tx, owner, label)) return notDone({ kind: 'label_taken' })
    const tokenId = mintReference('tok_', createdAt)
    await insertOperatorToken(tx, {
      ...owner,
      tokenId,
      tokenHash: hashToken(secret),
      label,
      scopes: PERMISSIONS.filter((permission) => fields.scopes.includes(permission)),
      createdAt,
      expiresAt: fields.expiresAt ?? defaultTokenExpiry(createdAt),
    })
    const token = (await findOperatorToken(tx, tokenId))!
    const details = { token_id: tokenId, label, scopes: token.scopes }
    const event = { kind: 'token_created', accountId: operatorId, details } as const
    await recordSecurityEvent(tx, actor, event, createdAt)
    if (operatorId !== null) {
      const { email: to, name, locale } = (await findOperatorById(tx, operatorId))!
      const content = {
        template: 'new_credential',
        name,
        kind: 'token',
        label,
        at: wireTime(createdAt),
        by: actor.name,
      } as const
      await mail.add(tx, [{ to, locale: locale ?? 'en', content }], createdAt)
    }
    return {
      result: { kind: 'created', token, secret },
      entry: {
        action: 'token.create',
        subject: `token:${tokenId}`,
        before: null,
        after: tokenFields(token, createdAt),
      },
    }
  })
}

/** Null for an unknown token. Revoking a token again changes nothing. */
export async function revokeToken(
  database: Database,
  actor: Actor,
  tokenId: string,
): Promise<OperatorToken | null> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const at = await readDatabaseTime(tx)
    const before = await findOperatorToken(tx, tokenId)
    if (before === null) return notDone(null)
    if (before.revokedAt !== null) return notDone(before)
    if (!(await revokeOperatorToken(tx, tokenId, at))) {
      // Another request revoked it meanwhile.
      return notDone(await findOperatorToken(tx, tokenId))
    }
    const after = { ...before, revokedAt: at }
    const details = { token_id: tokenId, label: before.label }
    const event = { kind: 'token_revoked', accountId: before.operatorId, details } as const
    await recordSecurityEvent(tx, actor, event, at)
    return {
      result: after,
      entry: {
        action: 'token.revoke',
        subject: `token:${tokenId}`,
        before: tokenFields(before, at),
        after: tokenFields(after, at),
      },
    }
  })
}

const RECORD_USE_EVERY_MS = 60_000

/** Records the last use of a token, at most once a minute. Returns the token. */
export async function recordTokenUse(
  database: Database,
  token: ActiveToken | null,
  now: Date,
): Promise<ActiveToken | null> {
  const lastUsedMs = token?.lastUsedAt?.getTime() ?? 0
  if (token !== null && now.getTime() - lastUsedMs > RECORD_USE_EVERY_MS) {
    await database.transaction((tx) => setTokenUsed(tx, token.tokenId))
  }
  return token
}
