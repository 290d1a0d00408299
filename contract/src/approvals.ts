import Type, { type Static } from 'typebox'
import {
  currency,
  currencyCode,
  decimal,
  described,
  integer,
  listOf,
  mode,
  money,
  nextCursor,
  nullable,
  string,
  wireTime,
} from './fields.ts'
import { PageQuery } from './operator.ts'
import { MOVE_KINDS } from './values.ts'

export const Approval = Type.Object(
  {
    approval_id: string("The approval's id."),
    state: Type.Enum(['pending', 'approved', 'denied', 'expired'], {
      description: 'Money moves only when it becomes `approved`.',
    }),
    kind: Type.Enum(MOVE_KINDS, { description: 'The movement of money that was requested.' }),
    store_id: nullable(integer("The store's number. Null for a wallet.")),
    wallet_id: nullable(string("The wallet's id. Null for a store.")),
    name: string('The current name of the store or the payer.'),
    mode: mode(),
    amount: money('The amount.'),
    currency: currencyCode(),
    note: nullable(string('The note of the movement.')),
    reference: string('Id of the movement in the ledger, once it is approved.'),
    requested_by: string('The operator, token or user of the command line that requested it.'),
    requested_at: wireTime('Time of the request, UTC.'),
    expires_at: wireTime('Time when the approval expires, UTC.'),
    decided_by: nullable(
      string(
        'The operator who approved it, or the operator, token or user of the command line that denied it. Null without a decision.',
      ),
    ),
    decided_at: nullable(wireTime('Time of the decision, UTC. Null without a decision.')),
    can_decide: Type.Boolean({
      description: 'True if it is pending and you can approve it.',
    }),
  },
  { title: 'Approval', description: 'A movement of money that needs a second operator.' },
)
export type Approval = Static<typeof Approval>

export const ApprovalQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(
    Type.Enum(['pending', 'decided'], {
      description: 'Only pending approvals, or only approved, denied and expired ones.',
    }),
  ),
})
export type ApprovalQuery = Static<typeof ApprovalQuery>

export const ApprovalList = Type.Object(
  {
    approvals: listOf(Approval, 'Approvals, newest first.'),
    next_cursor: nextCursor(),
  },
  { title: 'ApprovalList', description: 'One page of approvals.' },
)
export type ApprovalList = Static<typeof ApprovalList>

export const ApprovalParams = Type.Object({ approvalId: string("The approval's id.") })
export type ApprovalParams = Static<typeof ApprovalParams>

export const DecisionBody = Type.Object(
  {
    decision: Type.Enum(['approve', 'deny'], {
      description: '`approve` moves the money immediately; `deny` closes the request.',
    }),
  },
  { title: 'DecisionBody' },
)
export type DecisionBody = Static<typeof DecisionBody>

export const ApprovalLimits = Type.Object(
  {
    limits: listOf(
      Type.Object({
        currency: currencyCode(),
        amount: money('The largest amount that one operator can move alone.'),
      }),
      'One entry for each currency with a limit.',
    ),
  },
  { title: 'ApprovalLimits', description: 'The limits.' },
)
export type ApprovalLimits = Static<typeof ApprovalLimits>

export const ApprovalLimitBody = Type.Object(
  {
    currency: described(currency(), 'ISO 4217 code in upper case.'),
    amount: nullable(
      described(
        decimal(),
        'A larger amount needs a second operator. 0 means every amount; null means no limit.',
      ),
    ),
  },
  { title: 'ApprovalLimitBody' },
)
export type ApprovalLimitBody = Static<typeof ApprovalLimitBody>
