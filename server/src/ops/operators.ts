import { hash } from '@node-rs/argon2'
import { mintReference } from '../core/ids.ts'
import {
  type Operator,
  type OperatorRole,
  operatorActor,
  operatorFields,
} from '../core/operator.ts'
import type { Database, Tx } from '../database/database.ts'
import { databaseTime, lockGlobal, lockPerson } from '../sql/locks.ts'
import {
  findOperatorByEmail,
  findOperatorById,
  hasOperators,
  insertOperator,
  listEnabledAdmins,
  operatorSessions,
  updateOperator,
} from '../sql/operators.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, NOT_DONE } from './auditLog.ts'
import { recordSecurityEvents, type SecurityEvent } from './securityEvents.ts'
import { addStaff, chooseNewPassword, type StaffKind, updateStaff } from './staffAccounts.ts'

export const OPERATORS: StaffKind<Operator, 'operatorId'> = {
  noun: 'operator',
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
  /** `password` is the generated one, in plain text; null if one was given. */
  | { readonly kind: 'created'; readonly operator: Operator; readonly password: string | null }
  | { readonly kind: 'email_taken' }
  /** Without an admin, nobody could add one. */
  | { readonly kind: 'first_admin' }

export async function createOperator(
  database: Database,
  actor: Actor,
  wanted: { email: string; name: string; role: OperatorRole; password: string | null },
): Promise<CreateOperatorResult> {
  const { password, ...profile } = wanted
  const { passwordHash, shown } = await chooseNewPassword(password)
  return inAuditedTransaction<CreateOperatorResult>(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    if (profile.role !== 'admin' && (await listEnabledAdmins(tx)).length === 0) {
      return { result: { kind: 'first_admin' }, entry: null }
    }
    const { result: operator, entry } = await addOperator(tx, actor, { ...profile, passwordHash })
    if (operator === null) return { result: { kind: 'email_taken' }, entry }
    return { result: { kind: 'created', operator, password: shown }, entry }
  })
}

/** Creates an admin. Null if there is an operator already. Of several concurrent calls one succeeds. */
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
    return addOperator(tx, actor, { ...profile, role: 'admin', passwordHash })
  })
}

async function addOperator(
  tx: Tx,
  actor: Actor,
  profile: Pick<Operator, 'email' | 'name' | 'role' | 'passwordHash'>,
): Promise<AuditedResult<Operator | null>> {
  const createdAt = await databaseTime(tx)
  const operatorId = mintReference('opr_', createdAt)
  const operator = { ...profile, operatorId, createdAt, disabledAt: null }
  const added = await addStaff(tx, OPERATORS, operator)
  if (added.result !== null) {
    const { role } = profile
    const event = { kind: 'account_created', accountId: operatorId, details: { role } } as const
    await recordSecurityEvents(tx, actor, [event], createdAt)
  }
  return added
}

export type ChangeOperatorResult =
  | { readonly kind: 'changed'; readonly operator: Operator }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_admin' }

/** The last enabled admin can't be disabled and stays an admin. */
export async function changeOperator(
  database: Database,
  actor: Actor,
  change: { operatorId: string; name?: string; role?: OperatorRole; disabled?: boolean },
): Promise<ChangeOperatorResult> {
  const { operatorId } = change
  return inAuditedTransaction<ChangeOperatorResult>(database, actor, async (tx) => {
    await lockGlobal(tx, 'operators')
    const at = await lockPerson(tx, operatorId)
    const before = await findOperatorById(tx, operatorId)
    if (before === null) return { result: { kind: 'unknown' }, entry: null }
    const { disabled = before.disabledAt !== null, name = before.name, role = before.role } = change
    const disabledAt = disabled ? (before.disabledAt ?? at) : null
    const after = { ...before, name, role, disabledAt }
    if (isEnabledAdmin(before) && !isEnabledAdmin(after)) {
      const admins = await listEnabledAdmins(tx)
      if (admins.length === 1) return { result: { kind: 'last_admin' }, entry: null }
    }
    const entry = await updateStaff(tx, OPERATORS, { before, after })
    await recordSecurityEvents(tx, actor, eventsOf(before, after), at)
    return { result: { kind: 'changed', operator: after }, entry }
  })
}

const isEnabledAdmin = ({ role, disabledAt }: Operator) => role === 'admin' && disabledAt === null

function eventsOf(before: Operator, after: Operator): SecurityEvent[] {
  const { operatorId: accountId } = after
  const events: SecurityEvent[] = []
  if (before.role !== after.role) {
    const details = { before: before.role, after: after.role }
    events.push({ kind: 'role_changed', accountId, details })
  }
  if ((before.disabledAt === null) !== (after.disabledAt === null)) {
    events.push({
      kind: after.disabledAt === null ? 'account_enabled' : 'account_disabled',
      accountId,
    })
  }
  return events
}
