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
import { resetStaffPassword } from '../../ops/staffAccounts.ts'
import { listOperators } from '../../sql/operators.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function operatorRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/operators', {
    operationId: 'listOperators',
    summary: 'List operators',
    permission: 'read',
    data: OperatorList,
    handler: async ({ service, reply }) => {
      const operators = await listOperators(service.database)
      return succeed(reply, 'Operators', { operators: operators.map(operatorFields) })
    },
  })

  route('POST /operator/operators', {
    operationId: 'createOperator',
    summary: 'Add an operator',
    permission: 'admin',
    confirmed: true,
    body: OperatorBody,
    data: CreatedOperator,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      const { name, role, password = null } = body
      const wanted = { email: normaliseEmail(body.email)!, name, role, password }
      const result = await createOperator(service.database, caller.actor, wanted)
      if (result.kind === 'first_admin') return refuse(reply, 'first_admin')
      if (result.kind === 'email_taken') {
        const message = 'email belongs to another operator'
        return refuseInvalid(reply, [{ field: 'email', message }])
      }
      const generated = result.password === null ? {} : { password: result.password }
      const fields = operatorFields(result.operator)
      return succeed(reply, 'Operator created', { ...fields, ...generated })
    },
  })

  route('PATCH /operator/operators/:operatorId', {
    operationId: 'changeOperator',
    summary: 'Change or disable an operator',
    permission: 'admin',
    confirmed: true,
    description:
      'Changes the fields in the body. Disabling an operator ends all their sessions, and their tokens stop working. One admin who can sign in must remain.',
    params: OperatorParams,
    body: ChangeOperatorBody,
    data: Operator,
    errors: [409],
    handler: async ({ service, caller, params, body, reply }) => {
      const change = { ...body, operatorId: storableId(params.operatorId) }
      const result = await changeOperator(service.database, caller.actor, change)
      if (result.kind === 'last_admin') return refuse(reply, 'last_admin')
      if (result.kind !== 'changed') return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      service.operatorTokens.forgetAll()
      return succeed(reply, 'Operator changed', operatorFields(result.operator))
    },
  })

  route('POST /operator/operators/:operatorId/password', {
    operationId: 'resetOperatorPassword',
    summary: 'Reset the password of an operator',
    permission: 'admin',
    confirmed: true,
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
