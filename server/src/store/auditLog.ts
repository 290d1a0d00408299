import type { Queryable, Tx } from '../database/database.ts'

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
      entries.map((entry) => entry.at.toISOString()),
      entries.map((entry) => entry.actor),
      entries.map((entry) => entry.action),
      entries.map((entry) => entry.subject),
      entries.map((entry) => json(entry.before)),
      entries.map((entry) => json(entry.after)),
      entries.map((entry) => entry.requestId),
      entries.map((entry) => entry.actId),
    ],
  )
}

export async function hasAuditEntry(on: Queryable, actId: string): Promise<boolean> {
  const rows = await on.query('select 1 from audit_log where act_id = $1', [actId])
  return rows.length > 0
}

export async function listAuditEntries(
  on: Queryable,
  filter: {
    actor: string | null
    action: string | null
    subject: string | null
    from: Date | null
    to: Date | null
    before: bigint | null
    limit: number
  },
): Promise<AuditEntry[]> {
  return on.query<AuditEntry>(
    `select entry_id as "entryId", at, actor, action, subject, before, after,
       request_id as "requestId"
     from audit_log
     where ($1::text is null or actor = $1)
       and ($2::text is null or action = $2)
       and ($3::text is null or subject = $3)
       and ($4::timestamptz is null or at >= $4)
       and ($5::timestamptz is null or at < $5)
       and ($6::bigint is null or entry_id < $6)
     order by entry_id desc
     limit $7`,
    [
      filter.actor,
      filter.action,
      filter.subject,
      filter.from,
      filter.to,
      filter.before,
      filter.limit,
    ],
  )
}
