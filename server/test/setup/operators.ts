import { hash } from '@node-rs/argon2'
import { hashToken, mintReference, mintToken } from '../../src/core/ids.ts'
import { insertOperator, operatorSessions } from '../../src/sql/operators.ts'
import { PASSWORD, PUBLIC_ORIGIN } from './people.ts'
import type { Headers, TestService } from './testService.ts'

const passwordHash = hash(PASSWORD)

export type TestOperator = { operatorId: string; email: string; name: string; headers: Headers }

let operators = 0

/** A signed-in operator. All share one password hash, because hashing is slow. */
export async function createOperator(t: TestService): Promise<TestOperator> {
  const n = ++operators
  const createdAt = new Date()
  const operatorId = mintReference('opr_', createdAt)
  const [email, name] = [`operator${n}@florin.example`, `Operator ${n}`]
  const operator = {
    operatorId,
    email,
    name,
    createdAt,
    disabledAt: null,
    locale: null,
    invitedAt: null,
  }
  const kept = { ...operator, passwordHash: await passwordHash }
  await t.database.transaction((tx) => insertOperator(tx, kept))
  return { operatorId, email, name, headers: await newOperatorSession(t, operatorId) }
}

/** The headers that a browser sends with the session cookie from our own page. */
export async function newOperatorSession(t: TestService, operatorId: string): Promise<Headers> {
  const token = mintToken('flc_')
  const createdAt = new Date()
  await t.database.transaction((tx) =>
    operatorSessions.insert(tx, {
      sessionId: mintReference('ses_', createdAt),
      operatorId,
      createdAt,
      lastUsedAt: createdAt,
      userAgent: 'test',
      tokenHash: hashToken(token),
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
    }),
  )
  return { cookie: `__Host-florin_operator=${token}`, origin: PUBLIC_ORIGIN }
}
