import type { Locale } from '@florin/shared/locales.js'
import { hash } from '@node-rs/argon2'
import { mintReference } from '../core/ids.ts'
import { type Operator, operatorActor, operatorFields } from '../core/operator.ts'
import type { Database, Tx } from '../database/database.ts'
import { databaseTime, lockGlobal, lockPerson } from '../sql/locks.ts'
import {
  countEnabledOperators,
  findOperatorByEmail,
  findOperatorById,
  hasOperators,
  insertOperator,
  operatorSessions,
  updateOperator,
} from '../sql/operators.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, NOT_DONE } from './auditLog.ts'
import { addInvitation, canInvite, type LinkMail } from './passwordLinks.ts'
import { addStaff, chooseNewPassword, type StaffKind, updateStaff } from './staffAccounts.ts'

export const OPERATORS: StaffKind<Operator, 'operatorId'> = {
  noun: 'operator',
  page: 'operator',
  storeOf: () => null,
  tokenPrefix: 'flc_',
  // One working day. It is not extended by use.
  sessionMs: 12 * 3_600_000,
  owner: 'operatorId',
  idOf: ({ operatorId }) => operatorId,
  find: findOperatorById,
  findByEmail: findOperatorByEmail,
  insert: insertOperator,
  update: updateOperator,
  fields: operatorFields,
  sessions: operatorSessions,
}

export async function endOperatorSession(
  database: Database,
  { operatorId, sessionId }: { operatorId: string; sessionId: string },
): Promise<void> {
  const session = { ownerId: operatorId, sessionId }
  await database.transaction((tx) => operatorSessions.delete(tx, session))
}

export type CreateOperatorResult =
  /** `password` is the generated one, in plain text; null if one was given or an invitation was mailed. */
  | { readonly kind: 'created'; readonly operator: Operator; readonly password: string | null }
  | { readonly kind: 'email_taken' }

export async function createOperator(
  database: Database,
  actor: Actor,
  wanted: { email: string; name: string; locale: Locale | null; password: string | null },
  /** Null: never invite, generate a password instead. */
  invitation: (LinkMail & { readonly invitedBy: string }) | null,
): Promise<CreateOperatorResult> {
  const { password, ...profile } = wanted
  const isInvited = password === null && invitation !== null && canInvite(invitation, profile.email)
  const { passwordHash, shown } = await chooseNewPassword(password)
  return inAuditedTransaction<CreateOperatorResult>(database, actor, async (tx) => {
    const account = { ...profile, passwordHash, isInvited }
    const { result: operator, entry } = await addOperator(tx, account)
    if (operator === null) return { result: { kind: 'email_taken' }, entry }
    if (!isInvited || invitation === null) {
      return { result: { kind: 'created', operator, password: shown }, entry }
    }
    const invited = { ...invitation, store: null }
    await addInvitation(tx, OPERATORS, operator, invited, operator.createdAt)
    return { result: { kind: 'created', operator, password: null }, entry }
  })
}

/** Null if there is an operator already. Of several concurrent calls one succeeds. */
export async function createFirstOperator(
  database: Database,
  requestId: string,
  { password, ...profile }: { email: string; name: string; password: string },
): Promise<Operator | null> {
  const passwordHash = await hash(password)
  const actor = { name: operatorActor(profile.email), requestId }
  return inAuditedTransaction(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    if (await hasOperators(tx)) return NOT_DONE
    return addOperator(tx, { ...profile, passwordHash, locale: null, isInvited: false })
  })
}

async function addOperator(
  tx: Tx,
  {
    isInvited,
    ...profile
  }: Pick<Operator, 'email' | 'name' | 'passwordHash' | 'locale'> & { readonly isInvited: boolean },
): Promise<AuditedResult<Operator | null>> {
  const createdAt = await databaseTime(tx)
  const operatorId = mintReference('opr_', createdAt)
  const invitedAt = isInvited ? createdAt : null
  return addStaff(tx, OPERATORS, { ...profile, operatorId, createdAt, disabledAt: null, invitedAt })
}

export type ChangeOperatorResult =
  | { readonly kind: 'changed'; readonly operator: Operator }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_one' }

/** The last enabled operator can't be disabled. */
export async function changeOperator(
  database: Database,
  actor: Actor,
  change: { operatorId: string; name?: string; disabled?: boolean },
): Promise<ChangeOperatorResult> {
  const { operatorId } = change
  return inAuditedTransaction<ChangeOperatorResult>(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    const at = await lockPerson(tx, operatorId)
    const before = await findOperatorById(tx, operatorId)
    if (before === null) return { result: { kind: 'unknown' }, entry: null }
    const { disabled = before.disabledAt !== null, name = before.name } = change
    const isLast = before.disabledAt === null && (await countEnabledOperators(tx)) === 1
    if (disabled && isLast) return { result: { kind: 'last_one' }, entry: null }
    const after = { ...before, name, disabledAt: disabled ? (before.disabledAt ?? at) : null }
    const entry = await updateStaff(tx, OPERATORS, { before, after })
    return { result: { kind: 'changed', operator: after }, entry }
  })
}
