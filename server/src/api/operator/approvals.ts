import {
  Approval,
  ApprovalLimitBody,
  ApprovalLimits,
  ApprovalList,
  ApprovalParams,
  ApprovalQuery,
  DecisionBody,
} from '@florin/contract/approvals.js'
import type { FastifyReply } from 'fastify'
import {
  approvalFields,
  decisionRefusal,
  type Approval as StoredApproval,
} from '../../core/approval.ts'
import { parseCurrency } from '../../core/currencies.ts'
import { parseWalletId } from '../../core/ids.ts'
import { formatMinor, parseDecimal } from '../../core/money.ts'
import { amountMessage } from '../../core/newPayment.ts'
import { storableId } from '../../core/text.ts'
import { decideApproval, setApprovalLimit } from '../../ops/approvals.ts'
import type { Service } from '../../service.ts'
import { listApprovalLimits, listApprovals } from '../../sql/approvals.ts'
import { findStores } from '../../sql/stores.ts'
import { findWallets } from '../../sql/wallets.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { pageOf, pageQuery, parseIdCursor } from '../kit/paging.ts'
import { type Reply, refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function approvalRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/approvals', {
    operationId: 'listApprovals',
    summary: 'List approvals',
    description: 'Lists movements of money that wait for a second operator, and earlier ones.',
    permission: 'read',
    query: ApprovalQuery,
    data: ApprovalList,
    handler: getApprovals,
  })

  route('POST /operator/approvals/:approvalId', {
    operationId: 'decideApproval',
    summary: 'Approve or deny a movement of money',
    description:
      'Approving moves the money. You cannot decide your own requests or those of your tokens. A token can only deny. If the money cannot be moved now, the approval stays pending.',
    permission: 'money',
    needsConfirmation: true,
    params: ApprovalParams,
    body: DecisionBody,
    data: Approval,
    errors: [409],
    handler: decide,
  })

  route('GET /operator/approval-limits', {
    operationId: 'listApprovalLimits',
    summary: 'List approval limits',
    description: 'Lists the largest amounts that one operator can move alone.',
    permission: 'read',
    data: ApprovalLimits,
    handler: ({ service, reply }) => sendLimits(service, reply, 'Approval limits'),
  })

  route('PUT /operator/approval-limits', {
    operationId: 'setApprovalLimit',
    summary: 'Set an approval limit',
    description:
      'Sets or removes the limit of a currency. Larger amounts need a second operator. Pending approvals do not change.',
    permission: 'admin',
    needsConfirmation: true,
    body: ApprovalLimitBody,
    data: ApprovalLimits,
    handler: setLimit,
  })
}

/** The approvals with the names of their stores and payers, and whether the caller can approve them. */
async function approvalViews(
  { database }: Service,
  { owner: { operatorId }, operator, permissions }: OperatorCaller,
  { approvals, now }: { approvals: readonly StoredApproval[]; now: Date },
): Promise<Approval[]> {
  const storeIds = approvals.flatMap(({ storeId }) => storeId ?? [])
  const walletIds = approvals.flatMap(
    ({ walletPublicId }) => (walletPublicId && parseWalletId(walletPublicId)) || [],
  )
  const [stores, wallets] = await Promise.all([
    findStores(database, storeIds),
    findWallets(database, walletIds),
  ])
  const names = new Map<number | string, string>([
    ...stores.map(({ storeId, name }) => [storeId, name] as const),
    ...wallets.map(({ publicId, name }) => [publicId, name] as const),
  ])
  return approvals.map((approval) => {
    const refusal = decisionRefusal(approval, {
      hasSession: operator !== null,
      operatorId,
      decision: 'approve',
      now,
    })
    return {
      ...approvalFields(approval, now),
      name: names.get(approval.storeId ?? approval.walletPublicId!)!,
      can_decide: refusal === null && permissions.includes('money'),
    }
  })
}

export async function approvalView(
  service: Service,
  caller: OperatorCaller,
  { approval, at }: { approval: StoredApproval; at: Date },
): Promise<Approval> {
  const [view] = await approvalViews(service, caller, { approvals: [approval], now: at })
  return view!
}

type ListCall = Call<OperatorCaller, { query: ApprovalQuery; data: ApprovalList }>

async function getApprovals({ service, caller, query, reply }: ListCall): Promise<FastifyReply> {
  const { limit, cursor, problems } = pageQuery(query)
  const before = cursor(parseIdCursor('apr_'))
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { state = null } = query
  const found = await listApprovals(service.database, { state, before, limit: limit + 1 })
  const { items, nextCursor } = pageOf(found, limit, (last) => last.approvalId)
  const now = service.clock.now()
  return succeed(reply, 'Approvals', {
    approvals: await approvalViews(service, caller, { approvals: items, now }),
    next_cursor: nextCursor,
  })
}

type DecideCall = Call<
  OperatorCaller,
  { params: ApprovalParams; body: DecisionBody; data: Approval }
>

async function decide({ service, caller, params, body, reply }: DecideCall): Promise<FastifyReply> {
  const result = await decideApproval(
    service,
    {
      actor: caller.actor,
      operatorId: caller.owner.operatorId,
      hasSession: caller.operator !== null,
    },
    { approvalId: storableId(params.approvalId), decision: body.decision },
  )
  switch (result.kind) {
    case 'decided': {
      const message = body.decision === 'approve' ? 'Approved' : 'Denied'
      const { walletPublicId } = result.approval
      if (walletPublicId !== null) {
        service.announce({ paymentId: null, walletId: parseWalletId(walletPublicId) })
      }
      return succeed(reply, message, await approvalView(service, caller, result))
    }
    case 'unknown':
      return refuse(reply, 'approval_unknown')
    case 'insufficient_balance':
      return refuse(reply, 'balance_not_covered')
    case 'erased':
      return refuse(reply, 'wallet_erased')
    default:
      return refuse(reply, result.kind)
  }
}

type LimitCall = Call<OperatorCaller, { body: ApprovalLimitBody; data: ApprovalLimits }>

async function setLimit({ service, caller, body, reply }: LimitCall): Promise<FastifyReply> {
  const currency = parseCurrency(body.currency)
  if (currency === null) return refuseField(reply, 'currency', 'is not known')
  const amount = body.amount === null ? null : parseDecimal(body.amount, currency)
  if (amount !== null && typeof amount !== 'bigint') {
    return refuseField(reply, 'amount', amountMessage(amount, currency))
  }
  const by = { actor: caller.actor, operatorId: caller.owner.operatorId }
  await setApprovalLimit(service.database, by, { currency, amount })
  return sendLimits(service, reply, 'Approval limit set')
}

async function sendLimits(
  { database }: Service,
  reply: Reply<ApprovalLimits>,
  message: string,
): Promise<FastifyReply> {
  const limits = await listApprovalLimits(database)
  return succeed(reply, message, {
    limits: limits.map(({ currency, amount }) => ({
      currency,
      amount: formatMinor(amount, currency),
    })),
  })
}
