import {
  ChangeOperatorBody,
  CreatedOperator,
  Operator,
  OperatorBody,
  OperatorList,
  OperatorParams,
  ResetOperator,
  SecuritySettings,
} from '@florin/contract/operators.js'
import Type from 'typebox'
import { operatorFields } from '../../core/operator.ts'
import { normalizeEmail } from '../../core/person.ts'
import { storableId } from '../../core/text.ts'
import { removeFactors } from '../../ops/factors.ts'
import {
  changeOperator,
  createOperator,
  OPERATORS,
  requireOperatorSecondFactor,
} from '../../ops/operators.ts'
import { resendInvitation } from '../../ops/passwordLinks.ts'
import { resetStaffPassword } from '../../ops/staffAccounts.ts'
import { findAccountsWithFactor } from '../../sql/factors.ts'
import { findOperatorById, listOperators } from '../../sql/operators.ts'
import { findSecuritySetting } from '../../sql/securitySettings.ts'
import { requesterOf } from '../kit/account/accounts.ts'
import { mailContextOf } from '../kit/account/passwordLinks.ts'
import { passwordProblems } from '../kit/account/passwordProblems.ts'
import { type OperatorCaller, operatorName } from '../kit/audiences.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function operatorRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/operators', {
    operationId: 'listOperators',
    summary: 'List operators',
    permission: 'read',
    data: OperatorList,
    handler: async ({ service, reply }) => {
      const operators = await listOperators(service.database)
      const accountsWithFactor = await findAccountsWithFactor(
        service.database,
        operators.map(({ operatorId }) => operatorId),
      )
      return succeed(reply, 'Operators', {
        operators: operators.map((operator) => ({
          ...operatorFields(operator),
          has_second_factor: accountsWithFactor.has(operator.operatorId),
        })),
      })
    },
  })

  route('POST /operator/operators', {
    operationId: 'createOperator',
    summary: 'Add an operator',
    permission: 'admin',
    needsConfirmation: true,
    body: OperatorBody,
    data: CreatedOperator,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      const { name, role, password = null, locale = null } = body
      const email = normalizeEmail(body.email)!
      const problems = password === null ? [] : passwordProblems('password', password, email)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const newOperator = { email, name, role, password, locale }
      const invitation = { ...mailContextOf(service), invitedBy: operatorName(caller) }
      const result = await createOperator(service.database, caller.actor, newOperator, invitation)
      if (result.kind === 'first_admin') return refuse(reply, 'first_admin')
      if (result.kind === 'email_taken') {
        return refuseField(reply, 'email', 'belongs to another operator')
      }
      const generated = result.password === null ? {} : { password: result.password }
      const fields = operatorFields(result.operator)
      return succeed(reply, 'Operator created', { ...fields, ...generated })
    },
  })

  route('POST /operator/operators/:operatorId/invitation', {
    operationId: 'inviteOperator',
    summary: 'Resend the invitation of an operator',
    permission: 'admin',
    needsConfirmation: true,
    description: 'Emails a new link to an operator who has not chosen a password yet.',
    params: OperatorParams,
    hasOptionalBody: true,
    data: Operator,
    errors: [409],
    handler: async ({ service, caller, params, reply }) => {
      const id = storableId(params.operatorId)
      const operator = await findOperatorById(service.database, id)
      if (operator === null) return refuse(reply, 'operator_unknown')
      if (!service.mail.isEnabled) return refuse(reply, 'mail_off')
      const invitedBy = operatorName(caller)
      const invitation = { ...mailContextOf(service), invitedBy, store: null }
      const { actor } = caller
      const invited = await resendInvitation(service.database, OPERATORS, { actor, id, invitation })
      if (invited === null) return refuse(reply, 'not_invited')
      if (typeof invited === 'string') return refuse(reply, invited)
      return succeed(reply, 'Invitation sent', operatorFields(invited))
    },
  })

  route('PATCH /operator/operators/:operatorId', {
    operationId: 'changeOperator',
    summary: 'Change or disable an operator',
    permission: 'admin',
    needsConfirmation: true,
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
    needsConfirmation: true,
    description:
      'Generates a password, ends all sessions of the operator, and unlocks the account.',
    params: OperatorParams,
    hasOptionalBody: true,
    data: ResetOperator,
    handler: async (call) => {
      const { service, params, reply } = call
      const reset = await resetStaffPassword(service.database, OPERATORS, {
        by: requesterOf(call),
        id: storableId(params.operatorId),
      })
      if (reset === null) return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      const { account, password } = reset
      return succeed(reply, 'Password set', { ...operatorFields(account), password })
    },
  })

  route('DELETE /operator/operators/:operatorId/factors', {
    operationId: 'removeOperatorFactors',
    summary: 'Remove the second factors of an operator',
    permission: 'admin',
    description:
      'For an operator who has lost their devices. Removes passkeys, authenticator app and recovery codes, and ends all sessions.',
    needsConfirmation: true,
    params: OperatorParams,
    hasOptionalBody: true,
    data: Type.Null(),
    handler: async (call) => {
      const { service, params, reply } = call
      const owner = { kind: OPERATORS, id: storableId(params.operatorId), by: requesterOf(call) }
      const result = await removeFactors(service.database, owner)
      if (result === 'unknown') return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Second factors removed', null)
    },
  })
}

/** Settings of the service that concern accounts. */
export function securitySettingRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/security-settings', {
    operationId: 'getSecuritySettings',
    summary: 'Get the security settings',
    permission: 'read',
    data: SecuritySettings,
    handler: async ({ service, reply }) => {
      const since = await findSecuritySetting(service.database, 'operator_second_factor')
      return succeed(reply, 'Security settings', { operator_second_factor: since !== null })
    },
  })

  route('PUT /operator/security-settings', {
    operationId: 'setSecuritySettings',
    summary: 'Change the security settings',
    permission: 'admin',
    needsConfirmation: true,
    body: SecuritySettings,
    data: SecuritySettings,
    handler: async ({ service, caller, body, reply }) => {
      const isRequired = body.operator_second_factor
      await requireOperatorSecondFactor(service.database, caller.actor, isRequired)
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Security settings changed', { operator_second_factor: isRequired })
    },
  })
}
