import type { Approval, Decision } from '../core/approval.ts'
import type { CurrencyCode } from '../core/currencies.ts'
import type { Queryable, Tx } from '../database/database.ts'

const COLUMNS = `
  approval_id as "approvalId", kind, store_id as "storeId", wallet_id as "walletPublicId", mode, currency,
  amount, note, reference, requested_by as "requestedBy", requester_id as "requesterId",
  requested_at as "requestedAt", expires_at as "expiresAt", decision, decided_by as "decidedBy",
  decided_at as "decidedAt"`

export async function insertApproval(tx: Tx, approval: Approval): Promise<void> {
  await tx.execute(
    `insert into approval (
       approval_id, kind, store_id, wallet_id, mode, currency, amount, note, reference, requested_by,
       requester_id, requested_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      approval.approvalId,
      approval.kind,
      approval.storeId,
      approval.walletPublicId,
      approval.mode,
      approval.currency,
      approval.amount,
      approval.note,
      approval.reference,
      approval.requestedBy,
      approval.requesterId,
      approval.requestedAt,
      approval.expiresAt,
    ],
  )
}

export async function findApproval(on: Queryable, approvalId: string): Promise<Approval | null> {
  const rows = await on.query<Approval>(
    `select ${COLUMNS}
     from approval
     where approval_id = $1`,
    [approvalId],
  )
  return rows[0] ?? null
}

/**
 * The approval of an earlier request with the same Idempotency-Key, from which the references are derived. If there are several,
 * that with the first reference.
 */
export async function findApprovalByReference(
  on: Queryable,
  {
    storeId,
    walletPublicId,
    references,
  }: Pick<Approval, 'storeId' | 'walletPublicId'> & { readonly references: readonly string[] },
): Promise<Approval | null> {
  const rows = await on.query<Approval>(
    `select ${COLUMNS}
     from approval
     where reference = any($1::text[])
       and store_id is not distinct from $2::int
       and wallet_id is not distinct from $3::text
     order by array_position($1::text[], reference)
     limit 1`,
    [references, storeId, walletPublicId],
  )
  return rows[0] ?? null
}

/** Newest first. Without a state, returns all approvals. An expired approval counts as decided. */
export async function listApprovals(
  on: Queryable,
  filter: { state: 'pending' | 'decided' | null; before: string | null; limit: number },
): Promise<Approval[]> {
  const conditions = {
    pending: 'and decided_at is null and expires_at > now()',
    decided: 'and (decided_at is not null or expires_at <= now())',
  }
  return on.query<Approval>(
    `select ${COLUMNS}
     from approval
     where ($1::text is null or approval_id < $1) ${filter.state === null ? '' : conditions[filter.state]}
     order by approval_id desc
     limit $2`,
    [filter.before, filter.limit],
  )
}

export async function markDecided(
  tx: Tx,
  decided: { approvalId: string; decision: Decision; by: string; at: Date },
): Promise<number> {
  return tx.execute(
    `update approval
     set decision = $2, decided_by = $3, decided_at = $4
     where approval_id = $1 and decided_at is null`,
    [decided.approvalId, decided.decision, decided.by, decided.at],
  )
}

/** Denies the pending approvals that an operator requested. Returns them as they were. */
export async function denyPending(
  tx: Tx,
  { requesterId, by, at }: { requesterId: string; by: string; at: Date },
): Promise<Approval[]> {
  const pending = await tx.query<Approval>(
    `select ${COLUMNS}
     from approval
     where requester_id = $1 and decided_at is null and expires_at > $2
     order by approval_id`,
    [requesterId, at],
  )
  await tx.execute(
    `update approval
     set decision = 'deny', decided_by = $2, decided_at = $3
     where approval_id = any($1) and decided_at is null`,
    [pending.map(({ approvalId }) => approvalId), by, at],
  )
  return pending
}

// ── Limits ──────────────────────────────────────────────────────────────────────────────────────

type ApprovalLimit = { readonly currency: CurrencyCode; readonly amount: bigint }

export async function listApprovalLimits(on: Queryable): Promise<ApprovalLimit[]> {
  return on.query<ApprovalLimit>('select currency, amount from approval_limit order by currency')
}

/** The largest amount that one operator can move alone. Null for no limit. */
export async function findApprovalLimit(
  on: Queryable,
  currency: CurrencyCode,
): Promise<bigint | null> {
  const rows = await on.query<{ amount: bigint }>(
    'select amount from approval_limit where currency = $1',
    [currency],
  )
  return rows[0]?.amount ?? null
}

/** The caller holds the global lock `approvalLimits`. */
export async function replaceApprovalLimit(
  tx: Tx,
  { currency, amount, at }: { currency: CurrencyCode; amount: bigint | null; at: Date },
): Promise<void> {
  await tx.execute('delete from approval_limit where currency = $1', [currency])
  if (amount === null) return
  await tx.execute(
    'insert into approval_limit (currency, amount, changed_at) values ($1, $2, $3)',
    [currency, amount, at],
  )
}
