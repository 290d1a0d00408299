import { answer, errors } from '@florin/contract/common.js'
import { listOf } from '@florin/contract/fields.js'
import { StoreParams } from '@florin/contract/operator.js'
import {
  ChangePersonBody,
  CreatedPerson,
  FindPersonQuery,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
} from '@florin/contract/store.js'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { normaliseEmail, personFields } from '../../core/person.ts'
import type { Service } from '../../service.ts'
import { findPersonByEmail } from '../../sql/people.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { addPerson, resetPersonPassword, sendPeople, updatePerson } from '../kit/people.ts'
import { schemaProblems } from '../kit/validation.ts'
import { operatorCall } from './call.ts'
import { storeOf } from './stores.ts'

export async function operatorPeopleRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.post(
    '/operator/stores/:storeId/people',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'createPerson',
        summary: 'Let somebody work for a store',
        params: StoreParams,
        body: PersonBody,
        response: { 200: answer(CreatedPerson), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      return addPerson(operatorCall(service, request, reply), store.storeId)
    },
  )

  app.get(
    '/operator/stores/:storeId/people',
    {
      schema: {
        ...docs,
        operationId: 'listPeople',
        summary: 'The people of a store',
        params: StoreParams,
        response: { 200: answer(Type.Object({ people: listOf(Person) })), ...errors() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      return sendPeople(operatorCall(service, request, reply), store.storeId)
    },
  )

  app.get(
    '/operator/people',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'findPerson',
        summary: 'The person of an e-mail address, whichever the store',
        querystring: FindPersonQuery,
        response: { 200: answer(Type.Object({ people: listOf(Person) })), ...errors(400) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const email = normaliseEmail((request.query as { email: string }).email)
      const person = email && (await findPersonByEmail(service.database, email))
      return succeed(reply, 'People', { people: person ? [personFields(person)] : [] })
    },
  )

  app.patch(
    '/operator/people/:personId',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'changePerson',
        summary: 'Change name or role, or disable a person, which ends all sessions',
        params: PersonParams,
        body: ChangePersonBody,
        response: { 200: answer(Person), ...errors(400, 413, 415) },
      },
    },
    (request, reply) => updatePerson(operatorCall(service, request, reply), null),
  )

  app.post(
    '/operator/people/:personId/password',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'resetPassword',
        summary: 'Make up a new password; ends all sessions and any lock',
        params: PersonParams,
        response: { 200: answer(ResetPerson), ...errors(400, 413, 415) },
      },
    },
    (request, reply) => resetPersonPassword(operatorCall(service, request, reply)),
  )
}
