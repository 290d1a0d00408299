import { hash } from '@node-rs/argon2'
import { mintReference } from '../../src/core/ids.ts'
import type { OperatorRole, Permission } from '../../src/core/operator.ts'
import { createToken } from '../../src/ops/operatorTokens.ts'
import { insertOperator, operatorSessions } from '../../src/sql/operators.ts'
import { insertSession, PASSWORD } from './people.ts'
import type { Headers, TestService } from './testService.ts'

const passwordHash = hash(PASSWORD)

export type TestOperator = { operatorId: string; email: string; name: string; headers: Headers }

let operatorCount = 0

/** A signed-in operator with `PASSWORD`. */
export async function createOperator(
  t: TestService,
  role: OperatorRole = 'admin',
): Promise<TestOperator> {
  const n = ++operatorCount
  const createdAt = new Date()
  const operatorId = mintReference('opr_', createdAt)
  const email = `operator${n}@florin.example`
  const name = `Operator ${n}`
  const operator = {
    operatorId,
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
  await t.database.transaction((tx) => insertOperator(tx, operator))
  return { operatorId, email, name, headers: await newOperatorSession(t, operatorId) }
}

/** Creates a session of an operator. */
export const newOperatorSession = (t: TestService, operatorId: string): Promise<Headers> =>
  insertSession(t, operatorSessions, operatorId, {
    cookie: '__Host-florin_operator',
    prefix: 'flc_',
  })

let tokenCount = 0

/** A token of an operator, or of the command line. */
export async function createTestToken(
  t: TestService,
  { operatorId, scopes }: { operatorId: string | null; scopes: readonly Permission[] },
): Promise<{ tokenId: string; headers: Headers }> {
  const owner =
    operatorId === null
      ? ({ operatorId, ownerName: 'command line' } as const)
      : { operatorId, ownerName: null }
  const settings = { label: `token ${++tokenCount}`, scopes, expiresAt: null }
  const created = await createToken(t.service, { name: 'test', requestId: null }, owner, settings)
  if (created.kind !== 'created') throw new Error('The label is taken')
  const { token, secret } = created
  return { tokenId: token.tokenId, headers: { authorization: `Bearer ${secret}` } }
}
