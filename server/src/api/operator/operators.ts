import {
  ChangeOperatorBody,
  CreatedOperator,
  Operator,
  OperatorBody,
  OperatorList,
  OperatorParams,
  ResetOperator,
} from '@florin/contract/operators.js'
import { operatorFields } from '../../core/operator.ts'
import { normaliseEmail } from '../../core/person.ts'
import { storableId } from '../../core/text.ts'
import { changeOperator, createOperator, OPERATORS } from '../../ops/operators.ts'
import { resendInvitation } from '../../ops/passwordLinks.ts'
import { resetStaffPassword } from '../../ops/staffAccounts.ts'
import { findOperatorById, listOperators } from '../../sql/operators.ts'
import { type OperatorCaller, operatorName } from '../kit/audiences.ts'
import { linkMailOf } from '../kit/passwordLinks.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function operatorRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/operators', {
    operationId: 'listOperators',
    summary: 'List operators',
    data: OperatorList,
    handler: async ({ service, reply }) => {
      const operators = await listOperators(service.database)
      return succeed(reply, 'Operators', { operators: operators.map(operatorFields) })
    },
  })

  route('POST /operator/operators', {
    operationId: 'createOperator',
    summary: 'Add an operator',
    body: OperatorBody,
    data: CreatedOperator,
    handler: async ({ service, caller, body, reply }) => {
      const { name, password = null, locale = null } = body
      const wanted = { email: normaliseEmail(body.email)!, name, password, locale }
      const invitation = { ...linkMailOf(service), invitedBy: operatorName(caller) }
      const result = await createOperator(service.database, caller.actor, wanted, invitation)
      if (result.kind === 'email_taken') {
        const message = 'email belongs to another operator'
        return refuseInvalid(reply, [{ field: 'email', message }])
      }
      const generated = result.password === null ? {} : { password: result.password }
      const fields = operatorFields(result.operator)
      return succeed(reply, 'Operator created', { ...fields, ...generated })
    },
  })

  route('POST /operator/operators/:operatorId/invitation', {
    operationId: 'inviteOperator',
    summary: 'Mail the invitation of an operator again',
    description: 'Mails a new link to an operator who has not chosen a password yet.',
    params: OperatorParams,
    optionalBody: true,
    data: Operator,
    errors: [409],
    handler: async ({ service, caller, params, reply }) => {
      if (!service.mail.isEnabled) return refuse(reply, 'mail_off')
      const id = storableId(params.operatorId)
      const known = await findOperatorById(service.database, id)
      if (known === null) return refuse(reply, 'operator_unknown')
      const invitedBy = operatorName(caller)
      const invitation = { ...linkMailOf(service), invitedBy, store: null }
      const { actor } = caller
      const invited = await resendInvitation(service.database, OPERATORS, { actor, id, invitation })
      if (invited === null) return refuse(reply, 'not_invited')
      return succeed(reply, 'Invitation sent', operatorFields(invited))
    },
  })

  route('PATCH /operator/operators/:operatorId', {
    operationId: 'changeOperator',
    summary: 'Change or disable an operator',
    description: 'Changes the fields in the body. Disabling an operator ends all their sessions.',
    params: OperatorParams,
    body: ChangeOperatorBody,
    data: Operator,
    errors: [409],
    handler: async ({ service, caller, params, body, reply }) => {
      const change = { ...body, operatorId: storableId(params.operatorId) }
      const result = await changeOperator(service.database, caller.actor, change)
      if (result.kind === 'last_one') return refuse(reply, 'last_operator')
      if (result.kind !== 'changed') return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Operator changed', operatorFields(result.operator))
    },
  })

  route('POST /operator/operators/:operatorId/password', {
    operationId: 'resetOperatorPassword',
    summary: 'Reset the password of an operator',
    description:
      'Generates a password, ends all sessions of the operator, and unlocks the account.',
    params: OperatorParams,
    optionalBody: true,
    data: ResetOperator,
    handler: async ({ service, caller, params, reply }) => {
      const reset = await resetStaffPassword(service.database, OPERATORS, {
        actor: caller.actor,
        id: storableId(params.operatorId),
      })
      if (reset === null) return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      const { account, password } = reset
      return succeed(reply, 'Password set', { ...operatorFields(account), password })
    },
  })
}
