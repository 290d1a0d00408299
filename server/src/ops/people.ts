import { hash } from '@node-rs/argon2'
import { mintPassword, mintReference, type StoreId } from '../core/ids.ts'
import { type Person, personFields, type Role } from '../core/person.ts'
import type { Database } from '../database/database.ts'
import { databaseTime, lock, lockPerson } from '../sql/locks.ts'
import {
  findPerson,
  findPersonByEmail,
  insertPerson,
  listPeople,
  personSessions,
  updatePerson,
} from '../sql/people.ts'
import { type Actor, audited } from './auditLog.ts'
import { type AccountKind, changeAccountPassword, resetAccountPassword } from './staffAccounts.ts'

export const PEOPLE: AccountKind<Person, 'personId'> = {
  noun: 'person',
  tokenPrefix: 'flp_',
  // A long shift. It does not slide: a till that nobody signs out is closed the next morning.
  sessionMs: 12 * 3_600_000,
  owner: 'personId',
  idOf: ({ personId }) => personId,
  find: findPerson,
  findByEmail: findPersonByEmail,
  update: updatePerson,
  sessions: personSessions,
}

const subjectOf = (personId: string) => `person:${personId}`

export type CreatePersonResult =
  /** With the password that was made up, in plain only here; null where one was given. */
  | { readonly kind: 'created'; readonly person: Person; readonly password: string | null }
  | { readonly kind: 'email_taken' }

export async function createPerson(
  database: Database,
  actor: Actor,
  wanted: { storeId: StoreId; email: string; name: string; role: Role; password: string | null },
): Promise<CreatePersonResult> {
  const { password: given, ...profile } = wanted
  const password = given ?? mintPassword()
  const passwordHash = await hash(password)
  return audited<CreatePersonResult>(database, actor, async (tx) => {
    const createdAt = await databaseTime(tx)
    const personId = mintReference('prs_', createdAt)
    const person = { ...profile, personId, passwordHash, createdAt, disabledAt: null }
    if (!(await insertPerson(tx, person))) return { result: { kind: 'email_taken' }, entry: null }
    return {
      result: { kind: 'created', person, password: given === null ? password : null },
      entry: {
        action: 'person.create',
        subject: subjectOf(personId),
        before: null,
        after: personFields(person),
      },
    }
  })
}

/**
 * Null where there is no such person, or none of that store. Whoever is disabled is signed out
 * everywhere. People of a store change each other only as long as it has an owner, and no owner's role.
 */
export async function changePerson(
  database: Database,
  actor: Actor,
  { personId, ...changes }: { personId: string; name?: string; role?: Role; disabled?: boolean },
  ownStore: StoreId | null,
): Promise<Person | null | 'last_owner' | 'owner_role_by_operator'> {
  return audited<Person | null | 'last_owner' | 'owner_role_by_operator'>(
    database,
    actor,
    async (tx) => {
      // One after the other, or two owners could disable each other.
      if (ownStore !== null) await lock(tx, { stores: [ownStore] })
      const at = await lockPerson(tx, personId)
      const before = await findPerson(tx, personId)
      if (before === null || (ownStore !== null && before.storeId !== ownStore)) {
        return { result: null, entry: null }
      }
      const {
        disabled = before.disabledAt !== null,
        name = before.name,
        role = before.role,
      } = changes
      const after = {
        ...before,
        name,
        role,
        disabledAt: disabled ? (before.disabledAt ?? at) : null,
      }
      if (ownStore !== null && isActiveOwner(before) && !isActiveOwner(after)) {
        const owners = (await listPeople(tx, ownStore)).filter(isActiveOwner)
        if (owners.length === 1) return { result: 'last_owner', entry: null }
      }
      // Or one owner could take the role, make up a password, and act under the other's name.
      if (ownStore !== null && before.role === 'owner' && after.role !== 'owner') {
        return { result: 'owner_role_by_operator', entry: null }
      }
      await updatePerson(tx, after)
      if (disabled) await personSessions.deleteAll(tx, { ownerId: personId, except: null })
      return {
        result: after,
        entry: {
          action: 'person.change',
          subject: subjectOf(personId),
          before: personFields(before),
          after: personFields(after),
        },
      }
    },
  )
}

const isActiveOwner = (person: Person) => person.role === 'owner' && person.disabledAt === null

export async function resetPassword(
  database: Database,
  actor: Actor,
  personId: string,
): Promise<{ person: Person; password: string } | null> {
  const reset = await resetAccountPassword(database, PEOPLE, { actor, id: personId })
  return reset && { person: reset.account, password: reset.password }
}

export async function changePassword(
  database: Database,
  actor: Actor,
  { personId, ...change }: { personId: string; sessionId: string; current: string; next: string },
): Promise<'changed' | 'wrong' | 'locked'> {
  return changeAccountPassword(database, PEOPLE, { ...change, actor, id: personId })
}
