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

export async function insertAuditEntry(
  tx: Tx,
  entry: Omit<AuditEntry, 'entryId'> & { actId: string },
): Promise<void> {
  await tx.execute(
    `insert into audit_log (at, actor, action, subject, before, after, request_id, act_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.at,
      entry.actor,
      entry.action,
      entry.subject,
      entry.before === null ? null : JSON.stringify(entry.before),
      entry.after === null ? null : JSON.stringify(entry.after),
      entry.requestId,
      entry.actId,
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
