import type { Locale } from '@florin/shared/locales.js'
import { mintReference } from '../core/ids.ts'
import {
  canMoveMoney,
  type Operator,
  type OperatorRole,
  operatorActor,
  operatorFields,
} from '../core/operator.ts'
import type { Database, Tx } from '../database/database.ts'
import { lockAccount, lockGlobal, readDatabaseTime } from '../sql/locks.ts'
import {
  findOperatorByEmail,
  findOperatorById,
  hasOperators,
  insertOperator,
  listEnabledAdmins,
  operatorSessions,
  updateOperator,
} from '../sql/operators.ts'
import { findSecuritySetting, setSecuritySetting } from '../sql/securitySettings.ts'
import { cancelApprovals } from './approvals.ts'
import {
  type Actor,
  type AuditedResult,
  inAuditedTransaction,
  notDone,
  type Source,
} from './auditLog.ts'
import type { MailContext } from './mail.ts'
import { addInvitation, canInvite } from './passwordLinks.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { hashPassword } from './signIns.ts'
import { addStaff, chooseNewPassword, updateStaff } from './staffAccounts.ts'
import type { StaffKind } from './staffKind.ts'

export const OPERATORS: StaffKind<Operator> = {
  noun: 'operator',
  title: 'Florin operator',
  pageOf: () => 'operator',
  tokenPrefix: 'flc_',
  // One working day. It is not extended by use.
  sessionMs: 12 * 3_600_000,
  confirmationMs: 10 * 60_000,
  idOf: ({ operatorId }) => operatorId,
  find: findOperatorById,
  findByEmail: findOperatorByEmail,
  insert: insertOperator,
  update: updateOperator,
  fields: operatorFields,
  actorName: ({ email }) => operatorActor(email),
  sessions: operatorSessions,
}

type CreateOperatorResult =
  /** `password` is the generated one, in plain text; null if one was given or an invitation was emailed. */
  | { readonly kind: 'created'; readonly operator: Operator; readonly password: string | null }
  | { readonly kind: 'email_taken' }
  /** While no admin is enabled, a new operator must be one, because operators with other roles can't add operators. */
  | { readonly kind: 'first_admin' }

export async function createOperator(
  database: Database,
  actor: Actor,
  fields: {
    email: string
    name: string
    role: OperatorRole
    locale: Locale | null
    password: string | null
    passwordChangeRequired?: boolean
  },
  /** Null: never invite, generate a password instead. */
  invitation: (MailContext & { readonly invitedBy: string }) | null,
): Promise<CreateOperatorResult> {
  const { password, passwordChangeRequired = true, ...profile } = fields
  const isInvited = password === null && invitation !== null && canInvite(invitation, profile.email)
  const { passwordHash, minted } = await chooseNewPassword(actor, password)
  return inAuditedTransaction<CreateOperatorResult>(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    if (profile.role !== 'admin' && (await listEnabledAdmins(tx)).length === 0) {
      return notDone({ kind: 'first_admin' })
    }
    const { result: operator, entry } = await addOperator(tx, actor, {
      ...profile,
      passwordHash,
      passwordChangeRequired: passwordChangeRequired && !isInvited,
      isInvited,
    })
    if (operator === null) return { result: { kind: 'email_taken' }, entry }
    if (!isInvited || invitation === null) {
      return { result: { kind: 'created', operator, password: minted }, entry }
    }
    const invited = { ...invitation, store: null }
    await addInvitation(tx, OPERATORS, operator, invited, operator.createdAt)
    return { result: { kind: 'created', operator, password: null }, entry }
  })
}

/** Creates an admin. Null if there is an operator already. Of several concurrent calls one succeeds. */
export async function createFirstOperator(
  database: Database,
  { requestId, source }: { requestId: string; source: Source },
  { password, ...profile }: { email: string; name: string; password: string },
): Promise<Operator | null> {
  const actor = { name: operatorActor(profile.email), requestId, source }
  const passwordHash = await hashPassword(actor.name, password)
  return inAuditedTransaction(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    if (await hasOperators(tx)) return notDone(null)
    return addOperator(tx, actor, {
      ...profile,
      role: 'admin',
      locale: null,
      isInvited: false,
      passwordHash,
      passwordChangeRequired: false,
    })
  })
}

async function addOperator(
  tx: Tx,
  actor: Actor,
  {
    isInvited,
    ...profile
  }: Pick<
    Operator,
    'email' | 'name' | 'role' | 'locale' | 'passwordHash' | 'passwordChangeRequired'
  > & { readonly isInvited: boolean },
): Promise<AuditedResult<Operator | null>> {
  const createdAt = await readDatabaseTime(tx)
  const operatorId = mintReference('opr_', createdAt)
  const invitedAt = isInvited ? createdAt : null
  const account = {
    ...profile,
    operatorId,
    createdAt,
    invitedAt,
    signedInAt: null,
    disabledAt: null,
  }
  return addStaff(tx, OPERATORS, { actor, account })
}

type ChangeOperatorResult =
  | { readonly kind: 'changed'; readonly operator: Operator }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_admin' }

/**
 * The last enabled admin can't be disabled or get another role. Pending approvals of an operator who can no longer move money
 * are denied.
 */
export async function changeOperator(
  database: Database,
  actor: Actor,
  change: { operatorId: string; name?: string; role?: OperatorRole; disabled?: boolean },
): Promise<ChangeOperatorResult> {
  const { operatorId } = change
  return inAuditedTransaction<ChangeOperatorResult>(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    const at = await lockAccount(tx, operatorId)
    const before = await findOperatorById(tx, operatorId)
    if (before === null) return notDone({ kind: 'unknown' })
    const { disabled = before.disabledAt !== null, name = before.name, role = before.role } = change
    const disabledAt = disabled ? (before.disabledAt ?? at) : null
    const after = { ...before, name, role, disabledAt }
    if (isEnabledAdmin(before) && !isEnabledAdmin(after)) {
      const admins = await listEnabledAdmins(tx)
      if (admins.length === 1) return notDone({ kind: 'last_admin' })
    }
    if (canMoveMoney(before) && !canMoveMoney(after)) {
      await cancelApprovals(tx, actor, { requesterId: operatorId, at })
    }
    const entry = await updateStaff(tx, OPERATORS, { actor, before, after, at })
    return { result: { kind: 'changed', operator: after }, entry }
  })
}

/** Like `listEnabledAdmins`: one who was invited can't sign in until they have chosen a password. */
const isEnabledAdmin = ({ role, disabledAt, invitedAt }: Operator) =>
  role === 'admin' && disabledAt === null && invitedAt === null

/** Sets whether operators need a second factor. Returns when the requirement began; null if there is none. */
export async function requireOperatorSecondFactor(
  database: Database,
  actor: Actor,
  isRequired: boolean,
): Promise<Date | null> {
  const setting = 'operator_second_factor'
  return inAuditedTransaction(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    const at = await readDatabaseTime(tx)
    const before = await findSecuritySetting(tx, setting)
    const after = isRequired ? (before ?? at) : null
    await setSecuritySetting(tx, setting, after)
    const details = { setting, value: isRequired }
    await recordSecurityEvent(tx, actor, { kind: 'setting_changed', accountId: null, details }, at)
    return {
      result: after,
      entry: {
        action: 'security_settings.change',
        subject: 'security_settings',
        before: { [setting]: before !== null },
        after: { [setting]: isRequired },
      },
    }
  })
}
