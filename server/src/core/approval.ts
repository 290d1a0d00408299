import type { MOVE_KINDS } from '@florin/contract/values.js'
import { wireTime } from './calendar.ts'
import type { CurrencyCode } from './currencies.ts'
import type { Mode, StoreId } from './ids.ts'
import { formatMinor } from './money.ts'

export type MoveKind = (typeof MOVE_KINDS)[number]

const VALID_MS = 7 * 86_400_000

export const approvalExpiry = (requestedAt: Date) => new Date(requestedAt.getTime() + VALID_MS)

export type Decision = 'approve' | 'deny'

/** A movement of money above the limit of its currency, which a second operator has to approve. */
export type Approval = {
  readonly approvalId: string
  readonly kind: MoveKind
  /** Either a store or a wallet. */
  readonly storeId: StoreId | null
  readonly walletPublicId: string | null
  readonly mode: Mode
  readonly currency: CurrencyCode
  readonly amount: bigint
  readonly note: string | null
  readonly reference: string
  readonly requestedBy: string
  /** Null for a token that belongs to no operator, and for the command line. */
  readonly requesterId: string | null
  readonly requestedAt: Date
  readonly expiresAt: Date
  readonly decision: Decision | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired'

function approvalState({ decision, expiresAt }: Approval, now: Date): ApprovalState {
  if (decision !== null) return decision === 'approve' ? 'approved' : 'denied'
  return expiresAt > now ? 'pending' : 'expired'
}

export type DecisionRefusal =
  | 'approval_decided'
  | 'approval_expired'
  | 'approval_own'
  | 'approval_no_operator'

/**
 * Why a caller can't decide; null if they can. The requester can't, and neither can a token of the requester. A caller
 * without a session, such as a token or the command line, can only deny: the requester may be using it.
 */
export function decisionRefusal(
  approval: Approval,
  {
    operatorId,
    hasSession,
    decision,
    now,
  }: { operatorId: string | null; hasSession: boolean; decision: Decision; now: Date },
): DecisionRefusal | null {
  const state = approvalState(approval, now)
  if (state === 'expired') return 'approval_expired'
  if (state !== 'pending') return 'approval_decided'
  if (operatorId !== null && operatorId === approval.requesterId) return 'approval_own'
  if (!hasSession && decision === 'approve') return 'approval_no_operator'
  return null
}

/** The approval, for responses and the audit log. */
export function approvalFields(approval: Approval, now: Date) {
  return {
    approval_id: approval.approvalId,
    state: approvalState(approval, now),
    kind: approval.kind,
    store_id: approval.storeId,
    wallet_id: approval.walletPublicId,
    mode: approval.mode,
    amount: formatMinor(approval.amount, approval.currency),
    currency: approval.currency,
    note: approval.note,
    reference: approval.reference,
    requested_by: approval.requestedBy,
    requested_at: wireTime(approval.requestedAt),
    expires_at: wireTime(approval.expiresAt),
    decided_by: approval.decidedBy,
    decided_at: approval.decidedAt && wireTime(approval.decidedAt),
  }
}
