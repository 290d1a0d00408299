import type { Locale } from '@florin/shared/locales.js'
import { mintReference, type StoreId } from '../core/ids.ts'
import { Overloaded } from '../core/limitConcurrency.ts'
import { type Person, personActor, personFields, type Role } from '../core/person.ts'
import type { Database, Tx } from '../database/database.ts'
import { isLockTimeout } from '../database/errors.ts'
import { lock, lockAccount } from '../sql/locks.ts'
import {
  countNewPeople,
  findPerson,
  findPersonByEmail,
  insertPerson,
  listPeople,
  personSessions,
  updatePerson,
} from '../sql/people.ts'
import { findStore } from '../sql/stores.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, notDone } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'
import type { MailContext } from './mail.ts'
import {
  addInvitation,
  canInvite,
  findInvitationLimit,
  type InvitationLimit,
} from './passwordLinks.ts'
import { addStaff, chooseNewPassword, updateStaff } from './staffAccounts.ts'
import type { StaffKind } from './staffKind.ts'

export const PEOPLE: StaffKind<Person> = {
  noun: 'person',
  title: 'Florin',
  pageOf: ({ role }) => (role === 'cashier' ? 'till' : 'dashboard'),
  tokenPrefix: 'flp_',
  // A long shift. It is not extended by use, so a till that is never signed out needs a new sign-in the next morning.
  sessionMs: 12 * 3_600_000,
  confirmationMs: 15 * 60_000,
  idOf: ({ personId }) => personId,
  find: findPerson,
  findByEmail: findPersonByEmail,
  insert: insertPerson,
  update: updatePerson,
  fields: personFields,
  actorName: ({ email, storeId }) => personActor(email, storeId),
  sessions: personSessions,
}

type CreatePersonResult =
  /** `password` is the generated one, in plain text; null if one was given or an invitation was emailed. */
  | { readonly kind: 'created'; readonly person: Person; readonly password: string | null }
  | { readonly kind: 'email_taken' | 'too_many_people' | InvitationLimit }

/** A stolen session must not make the list of people very long, because the whole list is read at once. */
const MAX_PEOPLE_PER_DAY = 200
const DAY_MS = 24 * 3_600_000

export async function createPerson(
  database: Database,
  actor: Actor,
  fields: {
    storeId: StoreId
    email: string
    name: string
    role: Role
    locale: Locale | null
    password: string | null
    passwordChangeRequired?: boolean
  },
  /** Null: never invite, generate a password instead. */
  invitation: (MailContext & { readonly invitedBy: string }) | null,
  /** `isLimited` limits how many people are added within 24 hours. For requests by people of the store, not by operators. */
  { isLimited = false }: { isLimited?: boolean } = {},
): Promise<CreatePersonResult> {
  const { password, passwordChangeRequired = true, ...profile } = fields
  const isInvited = password === null && invitation !== null && canInvite(invitation, profile.email)
  const { passwordHash, minted } = await chooseNewPassword(actor, password)
  const { storeId } = profile
  return inStoreTransaction<CreatePersonResult>(database, { storeId, actor }, async (tx) => {
    const createdAt = await lock(tx, { stores: [storeId] })
    const dayAgo = new Date(createdAt.getTime() - DAY_MS)
    const added = isLimited ? await countNewPeople(tx, storeId, dayAgo) : 0
    if (added >= MAX_PEOPLE_PER_DAY) return notDone({ kind: 'too_many_people' })
    if (isInvited) {
      const limit = await findInvitationLimit(tx, profile, createdAt)
      if (limit !== null) return notDone({ kind: limit })
    }
    const personId = mintReference('prs_', createdAt)
    const account = {
      ...profile,
      personId,
      passwordHash,
      passwordChangeRequired: passwordChangeRequired && !isInvited,
      createdAt,
      invitedAt: isInvited ? createdAt : null,
      signedInAt: null,
      disabledAt: null,
    }
    const { result: person, entry } = await addStaff(tx, PEOPLE, { actor, account })
    if (person === null) return { result: { kind: 'email_taken' }, entry }
    if (!isInvited) {
      return { result: { kind: 'created', person, password: minted }, entry }
    }
    const store = (await findStore(tx, person.storeId))!
    await addInvitation(tx, PEOPLE, person, { ...invitation, store }, createdAt)
    return { result: { kind: 'created', person, password: null }, entry }
  })
}

type ChangePersonResult = Person | null | 'last_owner' | 'owner_role_by_operator'

/**
 * Null for an unknown person, or one of another store. `ownStore` is the store of the person who makes the change, or null for an
 * operator. That store must keep an owner who can sign in, and the role of an owner can't be changed.
 */
export async function changePerson(
  database: Database,
  actor: Actor,
  { personId, ...changes }: { personId: string; name?: string; role?: Role; disabled?: boolean },
  ownStore: StoreId | null,
): Promise<ChangePersonResult> {
  const change = async (tx: Tx): Promise<AuditedResult<ChangePersonResult>> => {
    // Lock the account first, so that payments of the store don't wait for it. A timeout means that the account is stuck, not the
    // store.
    const accountLockedAt = await lockAccount(tx, personId).catch((error: unknown) => {
      throw isLockTimeout(error) ? new Overloaded() : error
    })
    // Serialized, so that two owners can't disable each other.
    const at = ownStore === null ? accountLockedAt : await lock(tx, { stores: [ownStore] })
    const before = await findPerson(tx, personId)
    if (before === null || (ownStore !== null && before.storeId !== ownStore)) return notDone(null)
    const {
      disabled = before.disabledAt !== null,
      name = before.name,
      role = before.role,
    } = changes
    const disabledAt = disabled ? (before.disabledAt ?? at) : null
    const after = { ...before, name, role, disabledAt }
    if (ownStore !== null && isActiveOwner(before) && !isActiveOwner(after)) {
      const owners = (await listPeople(tx, ownStore)).filter(isActiveOwner)
      if (owners.length === 1) return notDone('last_owner')
    }
    // An owner who could demote another one could then reset their password, and act in their name.
    if (ownStore !== null && before.role === 'owner' && after.role !== 'owner') {
      return notDone('owner_role_by_operator')
    }
    const entry = await updateStaff(tx, PEOPLE, { actor, before, after, at })
    return { result: after, entry }
  }
  return ownStore === null
    ? inAuditedTransaction(database, actor, change)
    : inStoreTransaction(database, { storeId: ownStore, actor }, change)
}

/** An owner who was invited can't sign in until they have chosen a password. */
const isActiveOwner = ({ role, disabledAt, invitedAt }: Person) =>
  role === 'owner' && disabledAt === null && invitedAt === null
