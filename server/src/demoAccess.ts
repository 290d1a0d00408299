import { parseWalletId } from './core/ids.ts'
import type { Database, Queryable } from './database/database.ts'
import { DEMO_ACTOR } from './demo.ts'
import type { Actor } from './ops/auditLog.ts'
import { revokeCredential } from './ops/credentials.ts'
import { changeOperator } from './ops/operators.ts'
import { revokeToken } from './ops/operatorTokens.ts'
import { changePerson } from './ops/people.ts'
import { lockWallet } from './ops/wallets.ts'
import { listSubjects } from './sql/auditLog.ts'
import { findCredential } from './sql/credentials.ts'
import { findOperatorById, listEnabledAdmins } from './sql/operators.ts'
import { listTokensOf } from './sql/operatorTokens.ts'
import { findPerson } from './sql/people.ts'
import { findWallet, isLockedByOperator } from './sql/wallets.ts'

/** A credential or account of the demo that still works. Its secret was written to `demo.json`. */
export type DemoAccess = {
  readonly kind: 'API key' | 'operator token' | 'operator' | 'person' | 'wallet'
  readonly id: string
}

/** The audit log lists everything that the demo created, even if `demo.json` is deleted or on another machine. */
export async function findDemoAccess(on: Queryable): Promise<DemoAccess[]> {
  const tokens = await listTokensOf(on, 'demo')
  return [
    ...(await findCreated(on, 'API key', 'credential.issue')),
    ...tokens.map((id) => ({ kind: 'operator token', id }) as const),
    ...(await findCreated(on, 'operator', 'operator.create')),
    ...(await findCreated(on, 'person', 'person.create')),
    ...(await findCreated(on, 'wallet', 'wallet.create')),
  ]
}

type CreatedKind = Exclude<DemoAccess['kind'], 'operator token'>

async function findCreated(on: Queryable, kind: CreatedKind, action: string) {
  const found: DemoAccess[] = []
  for (const subject of await listSubjects(on, { actor: DEMO_ACTOR.name, action })) {
    const id = subject.slice(subject.indexOf(':') + 1)
    if (await isUsable(on, kind, id)) found.push({ kind, id })
  }
  return found
}

async function isUsable(on: Queryable, kind: CreatedKind, id: string): Promise<boolean> {
  switch (kind) {
    case 'API key':
      return (await findCredential(on, id))?.revokedAt === null
    case 'operator':
      return (await findOperatorById(on, id))?.disabledAt === null
    case 'person':
      return (await findPerson(on, id))?.disabledAt === null
    case 'wallet': {
      const wallet = await findWallet(on, parseWalletId(id)!)
      return wallet?.erasedAt === null && !isLockedByOperator(wallet)
    }
  }
}

/** For example "2 API keys, 1 wallet". */
export function describeAccess(found: readonly DemoAccess[]): string {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  return kinds
    .map((kind) => {
      const count = found.filter((access) => access.kind === kind).length
      const plural = kind === 'person' ? 'people' : `${kind}s`
      return `${count} ${count === 1 ? kind : plural}`
    })
    .join(', ')
}

/**
 * Revokes, disables or locks all access of the demo. Returns null and changes nothing if all admins are operators of the
 * demo, because one admin who can sign in must remain.
 */
export async function revokeDemoAccess(database: Database, actor: Actor) {
  const found = await findDemoAccess(database)
  const operators = found.filter(({ kind }) => kind === 'operator').map(({ id }) => id)
  const admins = await listEnabledAdmins(database)
  if (operators.length > 0 && admins.every((id) => operators.includes(id))) return null
  for (const access of found) await revoke(database, actor, access)
  return found
}

async function revoke(database: Database, actor: Actor, { kind, id }: DemoAccess): Promise<void> {
  switch (kind) {
    case 'API key':
      await revokeCredential(database, actor, id)
      return
    case 'operator token':
      await revokeToken(database, actor, id)
      return
    case 'operator':
      await changeOperator(database, actor, { operatorId: id, disabled: true })
      return
    case 'person':
      await changePerson(database, actor, { personId: id, disabled: true }, null)
      return
    case 'wallet': {
      const wallet = await findWallet(database, parseWalletId(id)!)
      if (wallet !== null) await lockWallet(database, actor, wallet)
    }
  }
}
