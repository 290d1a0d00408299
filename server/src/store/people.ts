import type { StoreId } from '../core/ids.ts'
import type { Person, Role } from '../core/person.ts'
import type { Queryable, Tx } from '../database/database.ts'

const COLUMNS = `
  person_id as "personId", store_id as "storeId", email, name, role, password_hash as "passwordHash",
  created_at as "createdAt", disabled_at as "disabledAt"`

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

/** False where another person has the address. */
export async function insertPerson(tx: Tx, person: Person): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into person (person_id, store_id, email, name, role, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing`,
    [
      person.personId,
      person.storeId,
      person.email,
      person.name,
      person.role,
      person.passwordHash,
      person.createdAt,
    ],
  )
  return inserted === 1
}

export async function updatePerson(tx: Tx, person: Person): Promise<void> {
  await tx.execute(
    `update person
     set name = $2, role = $3, password_hash = $4, disabled_at = $5
     where person_id = $1`,
    [person.personId, person.name, person.role, person.passwordHash, person.disabledAt],
  )
}

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

export type PersonSession = {
  readonly sessionId: string
  readonly personId: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly userAgent: string
  /** When the password was last typed. */
  readonly confirmedAt: Date
}

const SESSION_COLUMNS = `
  s.session_id as "sessionId", s.person_id as "personId", s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt", s.user_agent as "userAgent",
  coalesce(s.confirmed_at, s.created_at) as "confirmedAt"`

export async function insertPersonSession(
  tx: Tx,
  session: Omit<PersonSession, 'confirmedAt'> & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx.execute(
    `insert into person_session (
       session_id, person_id, token_hash, created_at, last_used_at, expires_at, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      session.sessionId,
      session.personId,
      session.tokenHash,
      session.createdAt,
      session.lastUsedAt,
      session.expiresAt,
      session.userAgent,
    ],
  )
}

/** Who holds a session, as that person is now. */
export type SignedIn = PersonSession & {
  readonly storeId: StoreId
  readonly email: string
  readonly name: string
  readonly role: Role
}

export async function findSignedIn(on: Queryable, tokenHash: Buffer): Promise<SignedIn | null> {
  const rows = await on.query<SignedIn>(
    `select ${SESSION_COLUMNS}, p.store_id as "storeId", p.email, p.name, p.role
     from person_session s
     join person p on p.person_id = s.person_id
     where s.token_hash = $1 and s.expires_at > now() and p.disabled_at is null`,
    [tokenHash],
  )
  return rows[0] ?? null
}

export async function listPersonSessions(
  on: Queryable,
  personId: string,
): Promise<PersonSession[]> {
  return on.query<PersonSession>(
    `select ${SESSION_COLUMNS}
     from person_session s
     where s.person_id = $1 and s.expires_at > now()
     order by s.session_id desc`,
    [personId],
  )
}

export async function setLastUsed(tx: Tx, sessionId: string): Promise<void> {
  await tx.execute('update person_session set last_used_at = now() where session_id = $1', [
    sessionId,
  ])
}

export async function setConfirmed(tx: Tx, sessionId: string): Promise<void> {
  await tx.execute('update person_session set confirmed_at = now() where session_id = $1', [
    sessionId,
  ])
}

export async function deletePersonSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  const deleted = await tx.execute(
    'delete from person_session where person_id = $1 and session_id = $2',
    [personId, sessionId],
  )
  return deleted === 1
}

/** All of them, but for the one that may stay. */
export async function deletePersonSessions(
  tx: Tx,
  { personId, except }: { personId: string; except: string | null },
): Promise<void> {
  await tx.execute(
    `delete from person_session
     where person_id = $1 and ($2::text is null or session_id <> $2)`,
    [personId, except],
  )
}

export async function sweepPersonSessions(tx: Tx, at: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from person_session
     where session_id in (select session_id from person_session where expires_at <= $1 limit $2)`,
    [at, limit],
  )
}
