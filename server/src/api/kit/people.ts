import type {
  ChangePersonBody,
  CreatedPerson,
  People,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
} from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import type { StoreId } from '../../core/ids.ts'
import { passwordProblem } from '../../core/password.ts'
import { normaliseEmail, personFields } from '../../core/person.ts'
import { storableId } from '../../core/text.ts'
import { removeFactors } from '../../ops/factors.ts'
import { changePerson, createPerson, PEOPLE } from '../../ops/people.ts'
import { resetStaffPassword } from '../../ops/staffAccounts.ts'
import { listPeople } from '../../sql/people.ts'
import { requesterOf } from './accounts.ts'
import type { Acting } from './audiences.ts'
import { refuse, refuseInvalid, succeed } from './replies.ts'
import type { Call } from './route.ts'

// Handlers for the people of a store. The routes of store owners and of operators share them.

export async function sendPeople(
  { service, reply }: Call<unknown, { data: People }>,
  storeId: StoreId,
): Promise<FastifyReply> {
  const people = await listPeople(service.database, storeId)
  return succeed(reply, 'People', { people: people.map(personFields) })
}

export async function addPerson(
  { service, caller, body, reply }: Call<Acting, { body: PersonBody; data: CreatedPerson }>,
  storeId: StoreId,
): Promise<FastifyReply> {
  const { name, role, password = null } = body
  const email = normaliseEmail(body.email)!
  const problem = password === null ? null : passwordProblem(password, email)
  if (problem !== null) {
    return refuseInvalid(reply, [{ field: 'password', message: `password ${problem}` }])
  }
  const wanted = { storeId, email, name, role, password }
  const result = await createPerson(service.database, caller.actor, wanted)
  if (result.kind === 'email_taken') {
    return refuseInvalid(reply, [{ field: 'email', message: 'email belongs to another person' }])
  }
  const generated = result.password === null ? {} : { password: result.password }
  return succeed(reply, 'Person created', { ...personFields(result.person), ...generated })
}

type ChangeCall = Call<Acting, { params: PersonParams; body: ChangePersonBody; data: Person }>

/** With `ownStore`, only people of that store can be changed, and the store must keep an owner. */
export async function updatePerson(
  { service, caller, params, body, reply }: ChangeCall,
  ownStore: StoreId | null,
): Promise<FastifyReply> {
  const change = { ...body, personId: storableId(params.personId) }
  const person = await changePerson(service.database, caller.actor, change, ownStore)
  if (person === null) return refuse(reply, 'person_unknown')
  if (typeof person === 'string') return refuse(reply, person)
  service.personSessions.forgetAll()
  return succeed(reply, 'Person changed', personFields(person))
}

type ResetCall = Call<Acting, { params: PersonParams; data: ResetPerson }>

export async function resetPersonPassword(call: ResetCall) {
  const { service, params, reply } = call
  const id = storableId(params.personId)
  const reset = await resetStaffPassword(service.database, PEOPLE, { by: requesterOf(call), id })
  if (reset === null) return refuse(reply, 'person_unknown')
  service.personSessions.forgetAll()
  const { account, password } = reset
  return succeed(reply, 'Password set', { ...personFields(account), password })
}

/** For a person who has lost their devices. */
export async function removePersonFactors(
  call: Call<Acting, { params: PersonParams; data: null }>,
): Promise<FastifyReply> {
  const { service, params, reply } = call
  const owner = { kind: PEOPLE, id: storableId(params.personId), by: requesterOf(call) }
  const result = await removeFactors(service.database, owner)
  if (result === 'unknown') return refuse(reply, 'person_unknown')
  service.personSessions.forgetAll()
  return succeed(reply, 'Second factors removed', null)
}
