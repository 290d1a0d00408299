import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StoreId } from '../../core/ids.ts'
import { normaliseEmail, personFields, type Role } from '../../core/person.ts'
import { isStorable } from '../../core/text.ts'
import { changePerson, createPerson, resetPassword } from '../../ops/people.ts'
import type { Service } from '../../service.ts'
import { listPeople } from '../../sql/people.ts'
import { refuse, refuseInvalid, succeed } from './replies.ts'
import { schemaProblems } from './validation.ts'

/** Who works for a store, as the operator and its owner look after it. */
export async function sendPeople(service: Service, reply: FastifyReply, storeId: StoreId) {
  const people = await listPeople(service.database, storeId)
  return succeed(reply, 'People', { people: people.map(personFields) })
}

type NewPerson = { email: string; name: string; role: Role; password?: string | null }

export async function addPerson(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  storeId: StoreId,
) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { name, role, password = null, ...fields } = request.body as NewPerson
  const email = normaliseEmail(fields.email)!
  const wanted = { storeId, email, name, role, password }
  const result = await createPerson(service.database, request.actor!, wanted)
  if (result.kind === 'email_taken') {
    return refuseInvalid(reply, [{ field: 'email', message: 'email belongs to another person' }])
  }
  const made = result.password === null ? {} : { password: result.password }
  return succeed(reply, 'Person created', { ...personFields(result.person), ...made })
}

/** With an `ownStore` only its people, of whom one stays an owner. */
export async function alterPerson(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ownStore: StoreId | null,
) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const changes = request.body as { name?: string; role?: Role; disabled?: boolean }
  const change = { ...changes, personId: personIdOf(request) }
  const person = await changePerson(service.database, request.actor!, change, ownStore)
  if (person === null) return refuse(reply, 'person_unknown')
  if (typeof person === 'string') return refuse(reply, person)
  service.people.forgetAll()
  return succeed(reply, 'Person changed', personFields(person))
}

export async function renewPassword(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const reset = await resetPassword(service.database, request.actor!, personIdOf(request))
  if (reset === null) return refuse(reply, 'person_unknown')
  service.people.forgetAll()
  const { person, password } = reset
  return succeed(reply, 'Password set', { ...personFields(person), password })
}

/** A name that cannot be stored names nobody. */
export function personIdOf(request: FastifyRequest): string {
  const { personId } = request.params as { personId: string }
  return isStorable(personId) ? personId : ''
}
