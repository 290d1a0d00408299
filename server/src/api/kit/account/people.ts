import type {
  ChangePersonBody,
  CreatedPerson,
  FoundPeople,
  ListedPerson,
  People,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
} from '@florin/contract/people.js'
import type { FastifyReply } from 'fastify'
import type { StoreId } from '../../../core/ids.ts'
import { normalizeEmail, type Person as PersonRow, personFields } from '../../../core/person.ts'
import { storableId } from '../../../core/text.ts'
import { removeFactors } from '../../../ops/factors.ts'
import { resendInvitation } from '../../../ops/passwordLinks.ts'
import { changePerson, createPerson, PEOPLE } from '../../../ops/people.ts'
import { resetStaffPassword } from '../../../ops/staffAccounts.ts'
import type { Service } from '../../../service.ts'
import { findAccountsWithFactor } from '../../../sql/factors.ts'
import { findPerson } from '../../../sql/people.ts'
import { findStores } from '../../../sql/stores.ts'
import type { ActingCaller } from '../audiences.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { requesterOf } from './accounts.ts'
import { mailContextOf } from './passwordLinks.ts'
import { passwordProblems } from './passwordProblems.ts'

// Handlers for the people of stores. The routes of store owners and of operators share most of them.

export async function sendPeople(
  { service, reply }: Pick<Call<unknown, { data: People }>, 'service' | 'reply'>,
  people: readonly PersonRow[],
): Promise<FastifyReply> {
  return succeed(reply, 'People', { people: await listedPeople(service, people) })
}

/** People of several stores, with the names of their stores. */
export async function sendFoundPeople(
  { service, reply }: Pick<Call<unknown, { data: FoundPeople }>, 'service' | 'reply'>,
  people: readonly PersonRow[],
): Promise<FastifyReply> {
  const [listed, stores] = await Promise.all([
    listedPeople(service, people),
    findStores(service.database, [...new Set(people.map(({ storeId }) => storeId))]),
  ])
  const names = new Map<number, string>(stores.map(({ storeId, name }) => [storeId, name]))
  return succeed(reply, 'People', {
    people: listed.map((person) => ({ ...person, store_name: names.get(person.store_id)! })),
  })
}

async function listedPeople(
  { database }: Service,
  people: readonly PersonRow[],
): Promise<ListedPerson[]> {
  const accountsWithFactor = await findAccountsWithFactor(
    database,
    people.map(({ personId }) => personId),
  )
  return people.map((person) => ({
    ...personFields(person),
    has_second_factor: accountsWithFactor.has(person.personId),
  }))
}

export async function addPerson(
  { service, caller, body, reply }: Call<ActingCaller, { body: PersonBody; data: CreatedPerson }>,
  { storeId, invitedBy, isLimited }: { storeId: StoreId; invitedBy: string; isLimited: boolean },
): Promise<FastifyReply> {
  const { name, role, password = null, locale = null } = body
  const email = normalizeEmail(body.email)!
  const problems = password === null ? [] : passwordProblems('password', password, email)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const fields = { storeId, email, name, role, password, locale }
  const invitation = { ...mailContextOf(service), invitedBy }
  const result = await createPerson(service.database, caller.actor, fields, invitation, {
    isLimited,
  })
  if (result.kind === 'email_taken') return refuseField(reply, 'email', 'belongs to another person')
  if (result.kind !== 'created') return refuse(reply, result.kind)
  const generated = result.password === null ? {} : { password: result.password }
  return succeed(reply, 'Person created', { ...personFields(result.person), ...generated })
}

type ChangeCall = Call<ActingCaller, { params: PersonParams; body: ChangePersonBody; data: Person }>

/** With `ownStore`, only people of that store can be changed; `changePerson` also protects its owners. */
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

type InviteCall = Call<ActingCaller, { params: PersonParams; data: Person }>

/** With `ownStore`, only people of that store can be invited. */
export async function invitePerson(
  { service, caller, params, reply }: InviteCall,
  { ownStore, invitedBy }: { ownStore: StoreId | null; invitedBy: string },
): Promise<FastifyReply> {
  const id = storableId(params.personId)
  const invitee = await findPerson(service.database, id)
  if (invitee === null || (ownStore !== null && invitee.storeId !== ownStore)) {
    return refuse(reply, 'person_unknown')
  }
  if (!service.mail.isEnabled) return refuse(reply, 'mail_off')
  const store = (await service.stores.get(invitee.storeId))!
  const invitation = { ...mailContextOf(service), invitedBy, store }
  const { actor } = caller
  const person = await resendInvitation(service.database, PEOPLE, { actor, id, invitation })
  if (person === null) return refuse(reply, 'not_invited')
  if (typeof person === 'string') return refuse(reply, person)
  return succeed(reply, 'Invitation sent', personFields(person))
}

type ResetCall = Call<ActingCaller, { params: PersonParams; data: ResetPerson }>

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
  call: Call<ActingCaller, { params: PersonParams; data: null }>,
): Promise<FastifyReply> {
  const { service, params, reply } = call
  const owner = { kind: PEOPLE, id: storableId(params.personId), by: requesterOf(call) }
  const result = await removeFactors(service.database, owner)
  if (result === 'unknown') return refuse(reply, 'person_unknown')
  service.personSessions.forgetAll()
  return succeed(reply, 'Second factors removed', null)
}
