import { ROLES } from '@florin/contract/values.js'
import { hash } from '@node-rs/argon2'
import { hashToken, mintReference, mintToken } from '../../src/core/ids.ts'
import type { Role } from '../../src/core/person.ts'
import type { Store } from '../../src/core/store.ts'
import { insertPerson, personSessions } from '../../src/sql/people.ts'
import type { Headers, TestResponse, TestService } from './testService.ts'

export const PUBLIC_ORIGIN = 'https://pay.example.com'
export const PASSWORD = 'correct horse battery'
const passwordHash = hash(PASSWORD)

export type TestPerson = { personId: string; email: string; name: string; headers: Headers }

let personCount = 0

/** A signed-in person of the store. All share one password hash, to save time. */
export async function createPerson(
  t: TestService,
  store: Store,
  role: Role = 'owner',
): Promise<TestPerson> {
  const n = ++personCount
  const createdAt = new Date()
  const personId = mintReference('prs_', createdAt)
  const email = `${role}${n}@shop.example`
  const name = `Person ${n}`
  const person = {
    personId,
    storeId: store.storeId,
    email,
    name,
    role,
    passwordHash: await passwordHash,
    passwordChangeRequired: false,
    createdAt,
    signedInAt: null,
    disabledAt: null,
    locale: null,
    invitedAt: null,
  }
  await t.database.transaction((tx) => insertPerson(tx, person))
  return { personId, email, name, headers: await newSession(t, personId) }
}

export async function createPersonOfEachRole(
  t: TestService,
  store: Store,
): Promise<Record<Role, TestPerson>> {
  const pairs = ROLES.map(async (role) => [role, await createPerson(t, store, role)] as const)
  return Object.fromEntries(await Promise.all(pairs)) as Record<Role, TestPerson>
}

/** Creates a session of a person. */
export const newSession = (t: TestService, personId: string): Promise<Headers> =>
  insertSession(t, personSessions, personId, { cookie: '__Host-florin_person', prefix: 'flp_' })

/** Creates a session, and returns the headers that a browser sends with its cookie from our own page. */
export async function insertSession(
  t: TestService,
  sessions: typeof personSessions,
  ownerId: string,
  { cookie, prefix }: { cookie: string; prefix: string },
): Promise<Headers> {
  const token = mintToken(prefix)
  const createdAt = new Date()
  await t.database.transaction((tx) =>
    sessions.insert(tx, {
      sessionId: mintReference('ses_', createdAt),
      ownerId,
      createdAt,
      lastUsedAt: createdAt,
      userAgent: 'test',
      address: '127.0.0.1',
      tokenHash: hashToken(token),
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
    }),
  )
  return { cookie: `${cookie}=${token}`, origin: PUBLIC_ORIGIN }
}

/** The headers with which a browser returns the first cookie of a response from our own page. */
export const cookieOf = ({ headers }: TestResponse): Headers => ({
  cookie: String(headers['set-cookie']).split(';')[0]!,
  origin: PUBLIC_ORIGIN,
})
