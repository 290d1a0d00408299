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

export type NewAuditEntry = Omit<AuditEntry, 'entryId'> & { readonly actId: string }

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

/** The distinct subjects of an actor's actions outside of requests. */
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

export type AuditFilter = {
  readonly actor: string | null
  readonly action: string | null
  readonly subject: string | null
  readonly from: Date | null
  readonly to: Date | null
  /** Only entries older than this one. */
  readonly before: bigint | null
}

/** Newest first. The statement has only the given conditions, so that each combination gets its own plan. */
export async function listAuditEntries(
  on: Queryable,
  filter: AuditFilter & { readonly limit: number },
): Promise<AuditEntry[]> {
  const values: unknown[] = [filter.limit]
  const conditions = (
    [
      ['actor =', filter.actor],
      ['action =', filter.action],
      ['subject =', filter.subject],
      ['at >=', filter.from],
      ['at <', filter.to],
      ['entry_id <', filter.before],
    ] as const
  )
    .filter(([, value]) => value !== null)
    .map(([condition, value]) => `${condition} $${values.push(value)}`)
  return on.query<AuditEntry>(
    `select entry_id as "entryId", at, actor, action, subject, before, after,
       request_id as "requestId"
     from audit_log
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by entry_id desc
     limit $1`,
    values,
  )
}
