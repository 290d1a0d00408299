import type { Operator, OperatorRole } from '../core/operator.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type AccountColumns, factorColumns } from './factors.ts'
import { createStaffSessions, type StaffSession } from './staffSessions.ts'

const COLUMNS = `
  operator_id as "operatorId", email, name, role, password_hash as "passwordHash",
  created_at as "createdAt", disabled_at as "disabledAt",
  password_change_required as "passwordChangeRequired", signed_in_at as "signedInAt", locale,
  invited_at as "invitedAt"`

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

/** Returns all operators, because there are few. */
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
    `insert into operator (
       operator_id, email, name, role, password_hash, created_at, password_change_required, locale,
       invited_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (email) do nothing`,
    [
      operator.operatorId,
      operator.email,
      operator.name,
      operator.role,
      operator.passwordHash,
      operator.createdAt,
      operator.passwordChangeRequired,
      operator.locale,
      operator.invitedAt,
    ],
  )
  return inserted === 1
}

export async function updateOperator(tx: Tx, operator: Operator): Promise<void> {
  await tx.execute(
    `update operator
     set name = $2, role = $3, password_hash = $4, disabled_at = $5, password_change_required = $6,
       signed_in_at = $7, locale = $8, invited_at = $9
     where operator_id = $1`,
    [
      operator.operatorId,
      operator.name,
      operator.role,
      operator.passwordHash,
      operator.disabledAt,
      operator.passwordChangeRequired,
      operator.signedInAt,
      operator.locale,
      operator.invitedAt,
    ],
  )
}

/** The ids of the admins who can sign in. One who was invited can't until they have chosen a password. */
export async function listEnabledAdmins(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ operatorId: string }>(
    `select operator_id as "operatorId"
     from operator
     where disabled_at is null and invited_at is null and role = 'admin'`,
  )
  return rows.map(({ operatorId }) => operatorId)
}

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

export const operatorSessions = createStaffSessions({
  table: 'operator_session',
  ownerColumn: 'operator_id',
})

/** A session with the current data of its operator. */
export type SignedInOperator = StaffSession &
  AccountColumns & {
    readonly operatorId: string
    readonly role: OperatorRole
    /** When operators began to need a second factor; null if they don't. */
    readonly secondFactorSince: Date | null
  }

export async function findSignedInOperators(on: Queryable, tokenHashes: readonly Buffer[]) {
  return on.query<SignedInOperator & { tokenHash: Buffer }>(
    `select ${operatorSessions.columns}, s.operator_id as "operatorId", s.token_hash as "tokenHash",
       o.email, o.name, o.role, o.password_change_required as "passwordChangeRequired",
       ${factorColumns('o.operator_id')}, o.created_at as "accountCreatedAt", f.since as "secondFactorSince"
     from operator_session s
     join operator o on o.operator_id = s.operator_id
     left join security_setting f on f.name = 'operator_second_factor'
     where s.token_hash = any($1) and s.expires_at > now() and o.disabled_at is null`,
    [tokenHashes],
  )
}
