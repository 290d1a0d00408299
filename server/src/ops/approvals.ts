import {
  type Approval,
  approvalExpiry,
  approvalFields,
  type Decision,
  type DecisionRefusal,
  decisionRefusal,
} from '../core/approval.ts'
import type { CurrencyCode } from '../core/currencies.ts'
import { mintReference, parseWalletId } from '../core/ids.ts'
import { formatMinor } from '../core/money.ts'
import { canMoveMoney } from '../core/operator.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  denyPending,
  findApproval,
  findApprovalByReference,
  findApprovalLimit,
  insertApproval,
  listApprovalLimits,
  markDecided,
  replaceApprovalLimit,
} from '../sql/approvals.ts'
import { lockAccount, lockGlobal, makeReadsDurable } from '../sql/locks.ts'
import { findOperatorById, listOperators } from '../sql/operators.ts'
import { findStore } from '../sql/stores.ts'
import { findWallet } from '../sql/wallets.ts'
import {
  type Actor,
  type AuditedResult,
  inAuditedTransaction,
  notDone,
  recordAuditEntries,
} from './auditLog.ts'
import { amountText } from './businessMails.ts'
import type { MailQueue } from './mail.ts'
import {
  isSameMove,
  isStoreMove,
  lockMove,
  type MoneyMove,
  type MoveMoneyResult,
  moveCurrency,
  moveLocked,
  moveMode,
  referencesOf,
  type WithIdempotencyKey,
  wasMoved,
} from './moveMoney.ts'
import { recordSecurityEvent } from './securityEvents.ts'

type Resources = {
  readonly database: Database
  readonly mail: MailQueue
  readonly publicUrl: string
}

/** The actor that requests or decides. `operatorId` is null for a token that belongs to no operator, and for the command line. */
type ApprovalActor = { readonly actor: Actor; readonly operatorId: string | null }

/** A token has no session. */
type Approver = ApprovalActor & { readonly hasSession: boolean }

type RequestMoveResult =
  | MoveMoneyResult
  /** The operator was disabled or lost the permission while this request ran. */
  | { readonly kind: 'requester_disabled' }
  | { readonly kind: 'waiting' | 'waiting_before'; readonly approval: Approval; readonly at: Date }

/** Moves money, or requests an approval if the amount is above the limit of its currency. */
export async function requestMove(
  resources: Resources,
  { actor, operatorId }: ApprovalActor,
  move: MoneyMove & WithIdempotencyKey,
): Promise<RequestMoveResult> {
  return inAuditedTransaction<RequestMoveResult>(resources.database, actor, async (tx) => {
    const at = await lockMove(tx, move)
    const references = referencesOf(move, at)
    const subject = subjectOf(move)
    const isDone = move.key !== null && (await wasMoved(tx, move, [references[0]]))
    const existing =
      move.key && !isDone && (await findApprovalByReference(tx, { ...subject, references }))
    // The ledger has an approved move, so the code below handles its retry like any other.
    if (existing && existing.decision !== 'approve') {
      if (!isSameMove(existing, move, references)) return notDone({ kind: 'key_reused' })
      // The response acknowledges the first request again.
      await makeReadsDurable(tx)
      return notDone({ kind: 'waiting_before', approval: existing, at })
    }
    const limit = await findApprovalLimit(tx, moveCurrency(move))
    const isKeyUsed = isDone || (move.key !== null && (await wasMoved(tx, move, references)))
    if (limit === null || move.amount <= limit || isKeyUsed) {
      return moveLocked(tx, move, { references, at, mail: resources.mail })
    }
    const approval: Approval = {
      ...subject,
      approvalId: mintReference('apr_', at),
      kind: move.kind,
      mode: moveMode(move),
      currency: moveCurrency(move),
      amount: move.amount,
      note: move.note,
      reference: references[0],
      requestedBy: actor.name,
      requesterId: operatorId,
      requestedAt: at,
      expiresAt: approvalExpiry(at),
      decision: null,
      decidedBy: null,
      decidedAt: null,
    }
    return createApproval(tx, resources, { actor, move, approval })
  })
}

const subjectOf = (move: MoneyMove) => ({
  storeId: isStoreMove(move) ? move.store.storeId : null,
  walletPublicId: isStoreMove(move) ? null : move.wallet.publicId,
})

async function createApproval(
  tx: Tx,
  { mail, publicUrl }: Resources,
  { actor, move, approval }: { actor: Actor; move: MoneyMove; approval: Approval },
): Promise<AuditedResult<RequestMoveResult>> {
  const { approvalId, requestedAt: at, requesterId, amount, currency } = approval
  if (move.kind === 'top_up') {
    const wallet = await findWallet(tx, move.wallet.walletId)
    if (wallet!.erasedAt !== null) return notDone({ kind: 'erased' })
  }
  if (requesterId !== null) {
    await lockAccount(tx, requesterId)
    const requester = (await findOperatorById(tx, requesterId))!
    if (!canMoveMoney(requester)) return notDone({ kind: 'requester_disabled' })
  }
  await insertApproval(tx, approval)
  const details = {
    approval_id: approvalId,
    kind: move.kind,
    amount: `${formatMinor(amount, currency)} ${currency}`,
  }
  const { storeId } = approval
  const event = { kind: 'approval_requested', accountId: requesterId, storeId, details } as const
  await recordSecurityEvent(tx, actor, event, at)
  const operators = mail.isEnabled ? await listOperators(tx) : []
  const approvers = operators.filter(
    (operator) => operator.operatorId !== requesterId && canMoveMoney(operator),
  )
  await mail.add(
    tx,
    approvers.map(({ email, name, locale }) => ({
      to: email,
      locale: locale ?? 'en',
      content: {
        template: 'approval_needed',
        name,
        kind: move.kind,
        subject: isStoreMove(move) ? move.store.name : move.wallet.publicId,
        amount: amountText(amount, currency, locale ?? 'en'),
        by: actor.name,
        url: `${publicUrl}/operator#/approvals`,
      },
    })),
    at,
  )
  const after = approvalFields(approval, at)
  return {
    result: { kind: 'waiting', approval, at },
    entry: { action: 'approval.request', subject: `approval:${approvalId}`, before: null, after },
  }
}

type DecideResult =
  | { readonly kind: 'decided'; readonly approval: Approval; readonly at: Date }
  | { readonly kind: 'unknown' | DecisionRefusal }
  /** The money can't be moved now. The approval stays pending. */
  | Exclude<MoveMoneyResult, { kind: 'moved' | 'moved_before' }>

/** Approving moves the money in the same transaction, exactly once. */
export async function decideApproval(
  { database, mail }: Pick<Resources, 'database' | 'mail'>,
  { actor, operatorId, hasSession }: Approver,
  { approvalId, decision }: { approvalId: string; decision: Decision },
): Promise<DecideResult> {
  return inAuditedTransaction<DecideResult>(database, actor, async (tx) => {
    const found = await findApproval(tx, approvalId)
    if (found === null) return notDone({ kind: 'unknown' })
    const move = await moveOf(tx, found)
    const at = await lockMove(tx, move)
    // Disabling the requester, or changing their role, can cancel the approval.
    if (found.requesterId !== null) await lockAccount(tx, found.requesterId)
    // Read the approval again: it may have been decided while this transaction waited for the locks.
    const before = (await findApproval(tx, approvalId))!
    const refusal = decisionRefusal(before, { operatorId, hasSession, decision, now: at })
    if (refusal !== null) return notDone({ kind: refusal })
    const details = { approval_id: approvalId, requested_by: before.requestedBy }
    if (decision === 'approve') {
      const { result, entry } = await moveLocked(tx, move, {
        references: [before.reference],
        at,
        mail,
      })
      if (result.kind === 'moved_before') throw new Error(`${approvalId} was moved before`)
      if (result.kind !== 'moved') return notDone(result)
      const after = { ...(entry!.after as object), ...details, approved_by: actor.name }
      await recordAuditEntries(tx, [{ by: actor, entry: { ...entry!, after } }], at)
    }
    if ((await markDecided(tx, { approvalId, decision, by: actor.name, at })) !== 1) {
      throw new Error(`${approvalId} was decided twice`)
    }
    const approval = { ...before, decision, decidedBy: actor.name, decidedAt: at }
    const kind = decision === 'approve' ? 'approval_granted' : 'approval_denied'
    const event = { kind, accountId: operatorId, storeId: before.storeId, details } as const
    await recordSecurityEvent(tx, actor, event, at)
    return {
      result: { kind: 'decided', approval, at },
      entry: {
        action: `approval.${decision}`,
        subject: `approval:${approvalId}`,
        before: approvalFields(before, at),
        after: approvalFields(approval, at),
      },
    }
  })
}

/**
 * Denies the pending approvals of an operator who can no longer move money. The caller holds the operator's lock, which
 * requests and decisions take too.
 */
export async function cancelApprovals(
  tx: Tx,
  actor: Actor,
  { requesterId, at }: { requesterId: string; at: Date },
): Promise<void> {
  const cancelled = await denyPending(tx, { requesterId, by: actor.name, at })
  // Sent together: there may be many.
  const recorded = cancelled.map(({ approvalId, requestedBy, storeId }) => {
    const details = { approval_id: approvalId, requested_by: requestedBy }
    const event = { kind: 'approval_denied', accountId: requesterId, storeId, details } as const
    return recordSecurityEvent(tx, actor, event, at)
  })
  await Promise.all(recorded)
  const denied = { decision: 'deny', decidedBy: actor.name, decidedAt: at } as const
  const entries = cancelled.map((before) => ({
    by: actor,
    entry: {
      action: 'approval.deny',
      subject: `approval:${before.approvalId}`,
      before: approvalFields(before, at),
      after: approvalFields({ ...before, ...denied }, at),
    },
  }))
  await recordAuditEntries(tx, entries, at)
}

async function moveOf(tx: Tx, approval: Approval): Promise<MoneyMove> {
  const { kind, storeId, walletPublicId, mode, currency, amount, note } = approval
  if (kind === 'funding' || kind === 'payout') {
    const store = (await findStore(tx, storeId!))!
    return { kind, store, mode, amount, note }
  }
  const wallet = (await findWallet(tx, parseWalletId(walletPublicId!)!))!
  return { kind, wallet, currency, amount, note }
}

/** Sets the limit of a currency; null removes it. It applies to later requests only. */
export async function setApprovalLimit(
  database: Database,
  { actor, operatorId }: ApprovalActor,
  { currency, amount }: { currency: CurrencyCode; amount: bigint | null },
): Promise<void> {
  await inAuditedTransaction(database, actor, async (tx) => {
    const at = await lockGlobal(tx, 'approvalLimits')
    const limits = await listApprovalLimits(tx)
    const before = limits.find((limit) => limit.currency === currency)?.amount ?? null
    if (before === amount) return notDone(null)
    await replaceApprovalLimit(tx, { currency, amount, at })
    const change = { before: limitFields(before, currency), after: limitFields(amount, currency) }
    const details = { setting: 'approval_limit', ...change }
    const event = { kind: 'setting_changed', accountId: operatorId, details } as const
    await recordSecurityEvent(tx, actor, event, at)
    const subject = `approval-limit:${currency}`
    return { result: null, entry: { action: 'approval-limit.change', subject, ...change } }
  })
}

const limitFields = (amount: bigint | null, currency: CurrencyCode) => ({
  currency,
  amount: amount === null ? null : formatMinor(amount, currency),
})
