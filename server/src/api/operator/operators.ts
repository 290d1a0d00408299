import { answer, errors } from '@florin/contract/common.js'
import { listOf } from '@florin/contract/fields.js'
import {
  ChangeOperatorBody,
  CreatedOperator,
  Operator,
  OperatorBody,
  OperatorParams,
  ResetOperator,
  SignedInOperator,
} from '@florin/contract/operators.js'
import { PasswordBody } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { operatorFields } from '../../core/operator.ts'
import { normaliseEmail } from '../../core/person.ts'
import { isStorable } from '../../core/text.ts'
import { changeAccountPassword, resetAccountPassword } from '../../ops/accounts.ts'
import {
  changeOperator,
  createOperator,
  endOperatorSession,
  OPERATORS,
} from '../../ops/operators.ts'
import type { Service } from '../../service.ts'
import { listOperators } from '../../sql/operators.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { operatorCookie } from '../kit/sessionCookie.ts'
import { refusePassword } from '../kit/signIn.ts'
import { schemaProblems } from '../kit/validation.ts'
import { operatorWhoAmI } from './session.ts'

/** Operators among themselves, and the session of the one who asks. */
export async function operatorOperatorRoutes(
  app: FastifyInstance,
  service: Service,
): Promise<void> {
  const { database } = service

  app.get(
    '/operator/session',
    {
      schema: {
        ...docs,
        operationId: 'getOperatorSession',
        summary: 'Who is signed in',
        response: { 200: answer(SignedInOperator), ...errors(409) },
      },
    },
    async (request, reply) =>
      request.operator === null
        ? refuse(reply, 'no_session')
        : succeed(reply, 'Signed in', operatorWhoAmI(request.operator)),
  )

  app.delete(
    '/operator/session',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'signOutOperator',
        summary: 'Sign out',
        response: { 200: answer(Type.Null()), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      if (request.operator === null) return refuse(reply, 'no_session')
      await endOperatorSession(database, request.operator)
      service.operatorSessions.forget(operatorCookie.tokenOf(request)!)
      operatorCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  )

  app.post(
    '/operator/password',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'changeOperatorPassword',
        summary: 'Change the own password; ends all other sessions',
        body: PasswordBody,
        response: { 200: answer(Type.Null()), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      if (request.operator === null) return refuse(reply, 'no_session')
      const { operatorId: id, sessionId } = request.operator
      const { current, new: next } = request.body as { current: string; new: string }
      const change = { actor: request.actor!, id, sessionId, current, next }
      const result = await changeAccountPassword(database, OPERATORS, change)
      const refused = refusePassword(reply, result)
      if (refused !== null) return refused
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Password changed', null)
    },
  )

  app.get(
    '/operator/operators',
    {
      schema: {
        ...docs,
        operationId: 'listOperators',
        summary: 'Who runs the service',
        response: {
          200: answer(Type.Object({ operators: listOf(Operator) })),
          ...errors(),
        },
      },
    },
    async (_request, reply) => {
      const operators = await listOperators(database)
      return succeed(reply, 'Operators', { operators: operators.map(operatorFields) })
    },
  )

  app.post(
    '/operator/operators',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'createOperator',
        summary: 'Let somebody run the service',
        body: OperatorBody,
        response: { 200: answer(CreatedOperator), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as { email: string; name: string; password?: string | null }
      const { name, password = null } = fields
      const wanted = { email: normaliseEmail(fields.email)!, name, password }
      const result = await createOperator(database, request.actor!, wanted)
      if (result.kind === 'email_taken') {
        return refuseInvalid(reply, [
          { field: 'email', message: 'email belongs to another operator' },
        ])
      }
      const made = result.password === null ? {} : { password: result.password }
      return succeed(reply, 'Operator created', { ...operatorFields(result.operator), ...made })
    },
  )

  app.patch(
    '/operator/operators/:operatorId',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'changeOperator',
        summary: 'Change the name, or disable an operator, which ends all sessions',
        params: OperatorParams,
        body: ChangeOperatorBody,
        response: { 200: answer(Operator), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const changes = request.body as { name?: string; disabled?: boolean }
      const change = { ...changes, operatorId: operatorIdOf(request) }
      const result = await changeOperator(database, request.actor!, change)
      if (result.kind === 'last_one') return refuse(reply, 'last_operator')
      if (result.kind !== 'changed') return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Operator changed', operatorFields(result.operator))
    },
  )

  app.post(
    '/operator/operators/:operatorId/password',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'resetOperatorPassword',
        summary: 'Make up a new password; ends all sessions and any lock',
        params: OperatorParams,
        response: { 200: answer(ResetOperator), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const who = { actor: request.actor!, id: operatorIdOf(request) }
      const reset = await resetAccountPassword(database, OPERATORS, who)
      if (reset === null) return refuse(reply, 'operator_unknown')
      service.operatorSessions.forgetAll()
      const { account, password } = reset
      return succeed(reply, 'Password set', { ...operatorFields(account), password })
    },
  )
}

/** A name that cannot be stored names nobody. */
function operatorIdOf(request: FastifyRequest): string {
  const { operatorId } = request.params as { operatorId: string }
  return isStorable(operatorId) ? operatorId : ''
}
