import { type OPERATOR_ROLES, PERMISSIONS } from '@florin/contract/values.js'
import type { AccountBase } from './account.ts'
import { wireTime } from './calendar.ts'

export type Permission = (typeof PERMISSIONS)[number]
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

const INCLUDED: Record<Permission, readonly Permission[]> = {
  metrics: ['metrics'],
  read: ['metrics', 'read'],
  support: ['metrics', 'read', 'support'],
  money: ['metrics', 'read', 'money'],
  admin: PERMISSIONS,
}

const SCOPE_OF_ROLE: Record<OperatorRole, Permission> = {
  admin: 'admin',
  finance: 'money',
  support: 'support',
  auditor: 'read',
}

export const permissionsOf = (role: OperatorRole): readonly Permission[] =>
  INCLUDED[SCOPE_OF_ROLE[role]]

/** A token never allows more than the role of its owner. A built-in owner has no role and no limit. */
export function tokenPermissions(
  scopes: readonly Permission[],
  ownerRole: OperatorRole | null,
): readonly Permission[] {
  const allowed = ownerRole === null ? PERMISSIONS : permissionsOf(ownerRole)
  return allowed.filter((permission) =>
    scopes.some((scope) => INCLUDED[scope].includes(permission)),
  )
}

/** Owners of tokens that were not created by an operator. */
export type BuiltInOwner = 'command line' | 'demo' | 'unknown'

/** A person who runs the service. */
export type Operator = AccountBase & {
  readonly operatorId: string
  readonly role: OperatorRole
}

/** Whether the operator is enabled and may move money. */
export const canMoveMoney = ({ role, disabledAt }: Pick<Operator, 'role' | 'disabledAt'>) =>
  disabledAt === null && permissionsOf(role).includes('money')

/** The operator without the password hash, for responses and the audit log. */
export function operatorFields(operator: Operator) {
  return {
    operator_id: operator.operatorId,
    email: operator.email,
    name: operator.name,
    role: operator.role,
    created_at: wireTime(operator.createdAt),
    disabled_at: operator.disabledAt && wireTime(operator.disabledAt),
    invited_at: operator.invitedAt && wireTime(operator.invitedAt),
  }
}

/** The name in the audit log. An email address has no spaces, so no other actor has this form. */
export const operatorActor = (email: string) => `${email} (operator)`

/** The name in the audit log. It doesn't contain the label, which could imitate another actor. */
export const tokenActor = ({ tokenId, owner }: { tokenId: string; owner: string }) =>
  `token:${tokenId} of ${owner}`

/** A bearer token of the operator API. Only its hash is stored. */
export type OperatorToken = {
  readonly tokenId: string
  readonly label: string
  /** The operator that the token belongs to, or null for a built-in owner. */
  readonly operatorId: string | null
  /** The email address of the operator, or the name of the built-in owner. */
  readonly owner: string
  readonly isOwnerDisabled: boolean
  readonly scopes: readonly Permission[]
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
  /** Created before tokens had scopes and an expiry. */
  readonly isUpgraded: boolean
}

type TokenState = 'active' | 'revoked' | 'expired' | 'owner_disabled'

function tokenState(
  { revokedAt, expiresAt, isOwnerDisabled }: OperatorToken,
  now: Date,
): TokenState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt <= now) return 'expired'
  return isOwnerDisabled ? 'owner_disabled' : 'active'
}

/** The token without its hash, for responses and the audit log. */
export function tokenFields(token: OperatorToken, now: Date) {
  return {
    token_id: token.tokenId,
    label: token.label,
    owner: token.owner,
    scopes: [...token.scopes],
    created_at: wireTime(token.createdAt),
    expires_at: wireTime(token.expiresAt),
    last_used_at: token.lastUsedAt && wireTime(token.lastUsedAt),
    revoked_at: token.revokedAt && wireTime(token.revokedAt),
    state: tokenState(token, now),
    upgraded: token.isUpgraded,
  }
}

const DAY_MS = 86_400_000
const DEFAULT_TOKEN_DAYS = 90
export const MAX_TOKEN_DAYS = 366

export const defaultTokenExpiry = (now: Date) =>
  new Date(now.getTime() + DEFAULT_TOKEN_DAYS * DAY_MS)

export const latestTokenExpiry = (now: Date) => new Date(now.getTime() + MAX_TOKEN_DAYS * DAY_MS)
