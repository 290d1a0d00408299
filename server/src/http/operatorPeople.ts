import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { normaliseEmail, personFields, type Role } from '../core/person.ts'
import { isStorable } from '../core/text.ts'
import { changePerson, createPerson, resetPassword } from '../ops/people.ts'
import type { Service } from '../service.ts'
import { findPersonByEmail, listPeople } from '../store/people.ts'
import { refuse, refuseInvalid, succeed } from './errorReply.ts'
import { storeOf } from './operatorStores.ts'
import { answer, OPERATOR_DOCS as docs, errors } from './schemas/common.ts'
import { listOf } from './schemas/fields.ts'
import { StoreParams } from './schemas/operator.ts'
import {
  ChangePersonBody,
  CreatedPerson,
  FindPersonQuery,
  PersonBody,
  PersonParams,
  PersonView,
  ResetPerson,
} from './schemas/store.ts'
import { schemaProblems } from './validation.ts'

export async function operatorPeopleRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { database } = service

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
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as {
        email: string
        name: string
        role: Role
        password?: string | null
      }
      const { storeId } = store
      const { name, role, password = null } = fields
      const email = normaliseEmail(fields.email)!
      const wanted = { storeId, email, name, role, password }
      const result = await createPerson(database, request.actor!, wanted)
      if (result.kind === 'email_taken') {
        return refuseInvalid(reply, [
          { field: 'email', message: 'email belongs to another person' },
        ])
      }
      const made = result.password === null ? {} : { password: result.password }
      return succeed(reply, 'Person created', { ...personFields(result.person), ...made })
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
        response: { 200: answer(Type.Object({ people: listOf(PersonView) })), ...errors() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const people = await listPeople(database, store.storeId)
      return succeed(reply, 'People', { people: people.map(personFields) })
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
        response: { 200: answer(Type.Object({ people: Type.Array(PersonView) })), ...errors(400) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const email = normaliseEmail((request.query as { email: string }).email)
      const person = email && (await findPersonByEmail(database, email))
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
        response: { 200: answer(PersonView), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const changes = request.body as { name?: string; role?: Role; disabled?: boolean }
      const change = { ...changes, personId: personIdOf(request) }
      const person = await changePerson(database, request.actor!, change)
      if (person === null) return refuse(reply, 'person_unknown')
      service.people.forgetAll()
      return succeed(reply, 'Person changed', personFields(person))
    },
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
    async (request, reply) => {
      const reset = await resetPassword(database, request.actor!, personIdOf(request))
      if (reset === null) return refuse(reply, 'person_unknown')
      service.people.forgetAll()
      const { person, password } = reset
      return succeed(reply, 'Password set', { ...personFields(person), password })
    },
  )
}

/** A name that cannot be stored names nobody. */
function personIdOf(request: FastifyRequest): string {
  const { personId } = request.params as { personId: string }
  return isStorable(personId) ? personId : ''
}
