import { hash } from '@node-rs/argon2'
import { mintPassword, mintReference } from '../core/ids.ts'
import { type Operator, operatorActor, operatorFields } from '../core/operator.ts'
import type { Database, Tx } from '../database/database.ts'
import { databaseTime, lockAlone, lockPerson } from '../sql/locks.ts'
import {
  countEnabledOperators,
  findOperatorByEmail,
  findOperatorById,
  insertOperator,
  isAnyOperator,
  operatorSessions,
  type SignedInOperator,
  updateOperator,
} from '../sql/operators.ts'
import { type Act, type Actor, audited } from './auditLog.ts'
import { type AccountKind, noteUse } from './staffAccounts.ts'

export const OPERATORS: AccountKind<Operator, 'operatorId'> = {
  noun: 'operator',
  tokenPrefix: 'flc_',
  // A day's work, and not a day longer.
  sessionMs: 12 * 3_600_000,
  owner: 'operatorId',
  idOf: ({ operatorId }) => operatorId,
  find: findOperatorById,
  findByEmail: findOperatorByEmail,
  update: updateOperator,
  sessions: operatorSessions,
}

const TOKEN = /^flc_[A-Za-z0-9_-]{43}$/

export async function useOperatorSession(
  database: Database,
  token: string,
  find: (token: string) => Promise<SignedInOperator | null>,
): Promise<SignedInOperator | null> {
  if (!TOKEN.test(token)) return null
  const signedIn = await find(token)
  if (signedIn !== null) await noteUse(database, operatorSessions, signedIn)
  return signedIn
}

export async function endOperatorSession(
  database: Database,
  { operatorId, sessionId }: { operatorId: string; sessionId: string },
): Promise<void> {
  const session = { ownerId: operatorId, sessionId }
  await database.transaction((tx) => operatorSessions.delete(tx, session))
}

type Wanted = { readonly email: string; readonly name: string; readonly passwordHash: string }

export type CreateOperatorResult =
  /** With the password that was made up, in plain only here; null where one was given. */
  | { readonly kind: 'created'; readonly operator: Operator; readonly password: string | null }
  | { readonly kind: 'email_taken' }

export async function createOperator(
  database: Database,
  actor: Actor,
  wanted: { email: string; name: string; password: string | null },
): Promise<CreateOperatorResult> {
  const { password: given, ...profile } = wanted
  const password = given ?? mintPassword()
  const passwordHash = await hash(password)
  return audited<CreateOperatorResult>(database, actor, async (tx) => {
    const { result: operator, entry } = await addOperator(tx, { ...profile, passwordHash })
    if (operator === null) return { result: { kind: 'email_taken' }, entry }
    const shown = given === null ? password : null
    return { result: { kind: 'created', operator, password: shown }, entry }
  })
}

/** Null where there is an operator already: the setup is done once, whoever tries at the same time. */
export async function createFirstOperator(
  database: Database,
  requestId: string,
  { password, ...profile }: { email: string; name: string; password: string },
): Promise<Operator | null> {
  const passwordHash = await hash(password)
  const actor = { name: operatorActor(profile.email), requestId }
  return audited(database, actor, async (tx) => {
    await lockAlone(tx, 'operators')
    if (await isAnyOperator(tx)) return { result: null, entry: null }
    return addOperator(tx, { ...profile, passwordHash })
  })
}

async function addOperator(tx: Tx, wanted: Wanted): Promise<Act<Operator | null>> {
  const createdAt = await databaseTime(tx)
  const operatorId = mintReference('opr_', createdAt)
  const operator = { ...wanted, operatorId, createdAt, disabledAt: null }
  if (!(await insertOperator(tx, operator))) return { result: null, entry: null }
  const subject = `operator:${operatorId}`
  const after = operatorFields(operator)
  return { result: operator, entry: { action: 'operator.create', subject, before: null, after } }
}

export type ChangeOperatorResult =
  | { readonly kind: 'changed'; readonly operator: Operator }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'last_one' }

/** Whoever is disabled is signed out everywhere. Somebody who can sign in must be left. */
export async function changeOperator(
  database: Database,
  actor: Actor,
  change: { operatorId: string; name?: string; disabled?: boolean },
): Promise<ChangeOperatorResult> {
  const { operatorId } = change
  return audited<ChangeOperatorResult>(database, actor, async (tx) => {
    await lockAlone(tx, 'operators')
    const at = await lockPerson(tx, operatorId)
    const before = await findOperatorById(tx, operatorId)
    if (before === null) return { result: { kind: 'unknown' }, entry: null }
    const { disabled = before.disabledAt !== null, name = before.name } = change
    const isLast = before.disabledAt === null && (await countEnabledOperators(tx)) === 1
    if (disabled && isLast) return { result: { kind: 'last_one' }, entry: null }
    const after = { ...before, name, disabledAt: disabled ? (before.disabledAt ?? at) : null }
    await updateOperator(tx, after)
    if (disabled) await operatorSessions.deleteAll(tx, { ownerId: operatorId, except: null })
    return {
      result: { kind: 'changed', operator: after },
      entry: {
        action: 'operator.change',
        subject: `operator:${operatorId}`,
        before: operatorFields(before),
        after: operatorFields(after),
      },
    }
  })
}
