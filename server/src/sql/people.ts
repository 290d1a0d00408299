import type { StoreId } from '../core/ids.ts'
import type { Person, Role } from '../core/person.ts'
import { personWords, prefixQuery } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type AccountColumns, factorColumns } from './factors.ts'
import { createStaffSessions, type StaffSession } from './staffSessions.ts'

const COLUMNS = `
  person_id as "personId", store_id as "storeId", email, name, role, password_hash as "passwordHash",
  created_at as "createdAt", disabled_at as "disabledAt",
  password_change_required as "passwordChangeRequired", signed_in_at as "signedInAt", locale,
  invited_at as "invitedAt"`

const wordVector = (words: string) => `array_to_tsvector(string_to_array(${words}, ' '))`

export async function findPerson(on: Queryable, personId: string): Promise<Person | null> {
  const rows = await on.query<Person>(`select ${COLUMNS} from person where person_id = $1`, [
    personId,
  ])
  return rows[0] ?? null
}

export async function findPersonByEmail(on: Queryable, email: string): Promise<Person | null> {
  const rows = await on.query<Person>(`select ${COLUMNS} from person where email = $1`, [email])
  return rows[0] ?? null
}

export async function listPeople(on: Queryable, storeId: StoreId): Promise<Person[]> {
  return on.query<Person>(
    `select ${COLUMNS}
     from person
     where store_id = $1
     order by person_id`,
    [storeId],
  )
}

/** Counts the people of a store that were added after a time, by its people or by operators. */
export async function countNewPeople(
  on: Queryable,
  storeId: StoreId,
  since: Date,
): Promise<number> {
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from person
     where store_id = $1 and created_at > $2`,
    [storeId, since],
  )
  return rows[0]!.count
}

/** People of all stores, by name. Each of the words begins a word of their name or email address. */
export async function searchPeople(
  on: Queryable,
  words: readonly string[],
  limit: number,
): Promise<Person[]> {
  if (words.length === 0) return []
  // Sorted after the limit: with an order, the planner might read all people in that order.
  return on.query<Person>(
    `select ${COLUMNS}
     from person
     where person_id in (select person_id from person where words @@ $1::tsquery limit $2)
     order by name, person_id`,
    [prefixQuery(words), limit],
  )
}

type PersonName = Pick<Person, 'personId' | 'email' | 'name'>

/** The people with these ids or email addresses. */
export async function findPeople(
  on: Queryable,
  { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
): Promise<PersonName[]> {
  return on.query<PersonName>(
    `select person_id as "personId", email, name
     from person
     where person_id = any($1) or email = any($2)`,
    [ids, emails],
  )
}

/** False if another person has the email address. */
export async function insertPerson(tx: Tx, person: Person): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into person (
       person_id, store_id, email, name, role, password_hash, created_at, password_change_required,
       locale, invited_at, words)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${wordVector('$11')})
     on conflict (email) do nothing`,
    [
      person.personId,
      person.storeId,
      person.email,
      person.name,
      person.role,
      person.passwordHash,
      person.createdAt,
      person.passwordChangeRequired,
      person.locale,
      person.invitedAt,
      personWords(person).join(' '),
    ],
  )
  return inserted === 1
}

export async function updatePerson(tx: Tx, person: Person): Promise<void> {
  await tx.execute(
    `update person
     set name = $2, role = $3, password_hash = $4, disabled_at = $5, password_change_required = $6,
       signed_in_at = $7, locale = $8, invited_at = $9, words = ${wordVector('$10')}
     where person_id = $1`,
    [
      person.personId,
      person.name,
      person.role,
      person.passwordHash,
      person.disabledAt,
      person.passwordChangeRequired,
      person.signedInAt,
      person.locale,
      person.invitedAt,
      personWords(person).join(' '),
    ],
  )
}

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

export const personSessions = createStaffSessions({
  table: 'person_session',
  ownerColumn: 'person_id',
})

/** A session with the current data of its person. */
export type SignedInPerson = StaffSession &
  AccountColumns & {
    readonly personId: string
    readonly storeId: StoreId
    readonly role: Role
  }

export async function findSignedInPeople(on: Queryable, tokenHashes: readonly Buffer[]) {
  return on.query<SignedInPerson & { tokenHash: Buffer }>(
    `select ${personSessions.columns}, s.person_id as "personId", s.token_hash as "tokenHash",
       p.store_id as "storeId", p.email, p.name, p.role, p.password_change_required as "passwordChangeRequired",
       ${factorColumns('p.person_id')}, p.created_at as "accountCreatedAt"
     from person_session s
     join person p on p.person_id = s.person_id
     where s.token_hash = any($1) and s.expires_at > now() and p.disabled_at is null`,
    [tokenHashes],
  )
}
