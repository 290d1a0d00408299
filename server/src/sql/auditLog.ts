import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type AuditEntry = {
  readonly entryId: bigint
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly requestId: string | null
}

type NewAuditEntry = Omit<AuditEntry, 'entryId'> & { readonly actId: string }

export async function insertAuditEntries(tx: Tx, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await tx.execute(
    `insert into audit_log (at, actor, action, subject, before, after, request_id, act_id)
     select *
     from unnest(
       $1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[],
       $8::uuid[])`,
    [
      ...columns(entries, 'at', 'actor', 'action', 'subject'),
      entries.map((entry) => json(entry.before)),
      entries.map((entry) => json(entry.after)),
      ...columns(entries, 'requestId', 'actId'),
    ],
  )
}

export async function hasAuditEntry(on: Queryable, actId: string): Promise<boolean> {
  const rows = await on.query('select 1 from audit_log where act_id = $1', [actId])
  return rows.length > 0
}

/** Whether an operator created an activation code that disabled the PIN of this wallet. */
export async function wasPinDisabled(on: Queryable, subject: string): Promise<boolean> {
  const rows = await on.query(
    `select 1
     from audit_log
     where subject = $1 and action = 'wallet.activation' and after @> '{"end_sessions": true}'
     limit 1`,
    [subject],
  )
  return rows.length > 0
}

/** The distinct subjects of an action that an actor performed outside requests. */
export async function listSubjects(
  on: Queryable,
  { actor, action }: { actor: string; action: string },
): Promise<string[]> {
  const rows = await on.query<{ subject: string }>(
    `select distinct subject
     from audit_log
     where actor = $1
       and action = $2
       and request_id is null
     order by subject`,
    [actor, action],
  )
  return rows.map(({ subject }) => subject)
}

/** Absent and null conditions match every entry. */
export type AuditFilter = {
  readonly actor?: string | null
  readonly action?: string | null
  readonly subject?: string | null
  readonly from?: Date | null
  readonly to?: Date | null
  /** Only entries older than this one. */
  readonly before?: bigint | null
}

type Condition = readonly [text: string, value: unknown]

const rangeConditions = ({ from, to, before }: AuditFilter): readonly Condition[] => [
  ['at >=', from],
  ['at <', to],
  ['entry_id <', before],
]

/** Contains only the conditions with a value, so that each combination gets its own plan. */
function whereClause(conditions: readonly Condition[], values: unknown[]): string {
  const clauses = conditions
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([text, value]) => {
      const parameter = `$${values.push(value)}`
      return text.includes('?') ? text.replace('?', parameter) : `${text} ${parameter}`
    })
  return clauses.length > 0 ? `where ${clauses.join(' and ')}` : ''
}

const COLUMNS = `
  entry_id as "entryId", at, actor, action, subject, before, after, request_id as "requestId"`

/** Newest first. */
export async function listAuditEntries(
  on: Queryable,
  filter: AuditFilter & { readonly limit: number },
): Promise<AuditEntry[]> {
  const values: unknown[] = [filter.limit]
  const { actor, action, subject } = filter
  const where = whereClause(
    [['actor =', actor], ['action =', action], ['subject =', subject], ...rangeConditions(filter)],
    values,
  )
  return on.query<AuditEntry>(
    `select ${COLUMNS}
     from audit_log
     ${where}
     order by entry_id desc
     limit $1`,
    values,
  )
}

type ScanEnd = { readonly entryId: bigint; readonly at: Date }

/** The nth newest entry in the range of the filter, with any actor, action and subject; null if there are fewer. */
export async function findNthEntry(
  on: Queryable,
  filter: AuditFilter,
  n: number,
): Promise<ScanEnd | null> {
  const values: unknown[] = [n - 1]
  const rows = await on.query<ScanEnd>(
    `select entry_id as "entryId", at
     from audit_log
     ${whereClause(rangeConditions(filter), values)}
     order by entry_id desc
     offset $1
     limit 1`,
    values,
  )
  return rows[0] ?? null
}

/** Entries that contain the texts of the filter, newest first, down to the entry `last`. No index helps, so bound the range. */
export async function searchAuditEntries(
  on: Queryable,
  filter: AuditFilter & { readonly limit: number; readonly last: bigint | null },
): Promise<AuditEntry[]> {
  const values: unknown[] = [filter.limit]
  const { actor, action, subject, last } = filter
  const where = whereClause(
    [
      ['position(lower(?) in lower(actor)) > 0', actor],
      ['position(lower(?) in lower(action)) > 0', action],
      ['position(lower(?) in lower(subject)) > 0', subject],
      ['entry_id >=', last],
      ...rangeConditions(filter),
    ],
    values,
  )
  return on.query<AuditEntry>(
    `select ${COLUMNS}
     from audit_log
     ${where}
     order by entry_id desc
     limit $1`,
    values,
  )
}
