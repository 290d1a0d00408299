import type { Operator } from '../core/operator.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type StaffSession, staffSessions } from './staffSessions.ts'

const COLUMNS = `
  operator_id as "operatorId", email, name, password_hash as "passwordHash",
  created_at as "createdAt", disabled_at as "disabledAt", locale, invited_at as "invitedAt"`

export async function findOperatorById(on: Queryable, operatorId: string) {
  const rows = await on.query<Operator>(`select ${COLUMNS} from operator where operator_id = $1`, [
    operatorId,
  ])
  return rows[0] ?? null
}

export async function findOperatorByEmail(on: Queryable, email: string): Promise<Operator | null> {
  const rows = await on.query<Operator>(`select ${COLUMNS} from operator where email = $1`, [email])
  return rows[0] ?? null
}

/** Returns all of them, because there are few. */
export async function listOperators(on: Queryable): Promise<Operator[]> {
  return on.query<Operator>(`select ${COLUMNS} from operator order by operator_id`)
}

export async function hasOperators(on: Queryable): Promise<boolean> {
  const rows = await on.query('select 1 from operator limit 1')
  return rows.length > 0
}

/** False if another operator has the email address. */
export async function insertOperator(tx: Tx, operator: Operator): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into operator (operator_id, email, name, password_hash, created_at, locale, invited_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing`,
    [
      operator.operatorId,
      operator.email,
      operator.name,
      operator.passwordHash,
      operator.createdAt,
      operator.locale,
      operator.invitedAt,
    ],
  )
  return inserted === 1
}

export async function updateOperator(tx: Tx, operator: Operator): Promise<void> {
  await tx.execute(
    `update operator
     set name = $2, password_hash = $3, disabled_at = $4, locale = $5, invited_at = $6
     where operator_id = $1`,
    [
      operator.operatorId,
      operator.name,
      operator.passwordHash,
      operator.disabledAt,
      operator.locale,
      operator.invitedAt,
    ],
  )
}

export async function countEnabledOperators(on: Queryable): Promise<number> {
  const rows = await on.query<{ count: number }>(
    'select count(*)::int as count from operator where disabled_at is null',
  )
  return rows[0]!.count
}

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

export const operatorSessions = staffSessions({
  table: 'operator_session',
  ownerColumn: 'operator_id',
  owner: 'operatorId',
})

/** A session with the current data of its operator. */
export type SignedInOperator = StaffSession<'operatorId'> & {
  readonly email: string
  readonly name: string
}

export async function findSignedInOperators(on: Queryable, tokenHashes: readonly Buffer[]) {
  return on.query<SignedInOperator & { tokenHash: Buffer }>(
    `select ${operatorSessions.columns}, s.token_hash as "tokenHash", o.email, o.name
     from operator_session s
     join operator o on o.operator_id = s.operator_id
     where s.token_hash = any($1) and s.expires_at > now() and o.disabled_at is null`,
    [tokenHashes],
  )
}
