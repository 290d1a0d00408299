import {
  ChangePersonBody,
  CreatedPerson,
  People,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
} from '@florin/contract/people.js'
import Type from 'typebox'
import { storableId } from '../../core/text.ts'
import { findPerson, listPeople } from '../../sql/people.ts'
import {
  addPerson,
  invitePerson,
  removePersonFactors,
  resetPersonPassword,
  sendPeople,
  updatePerson,
} from '../kit/account/people.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { refuse } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

/** The owner manages the people of the store. */
export function peopleRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/people', {
    operationId: 'listTeam',
    summary: 'List people',
    roles: ['owner'],
    data: People,
    handler: ({ service, caller: { storeId }, reply }) =>
      service.readOfStore(storeId, async () =>
        sendPeople({ service, reply }, await listPeople(service.database, storeId)),
      ),
  })

  route('POST /store/people', {
    operationId: 'addToTeam',
    summary: 'Add a person',
    roles: ['owner'],
    needsConfirmation: true,
    body: PersonBody,
    data: CreatedPerson,
    errors: [409],
    handler: (call) => {
      const { storeId, name } = call.caller
      return addPerson(call, { storeId, invitedBy: name, isLimited: true })
    },
  })

  route('POST /store/people/:personId/invitation', {
    operationId: 'inviteAgain',
    summary: 'Resend the invitation',
    description: 'Emails a new link to a person who has not chosen a password yet.',
    roles: ['owner'],
    needsConfirmation: true,
    params: PersonParams,
    hasOptionalBody: true,
    data: Person,
    errors: [409],
    handler: (call) => {
      const { storeId, name } = call.caller
      return invitePerson(call, { ownStore: storeId, invitedBy: name })
    },
  })

  route('PATCH /store/people/:personId', {
    operationId: 'changeInTeam',
    summary: 'Change or disable a person',
    description:
      'Changes the name or role, or disables or enables the person. A store must keep an owner who can sign in. Only the operator can change the role of an owner.',
    roles: ['owner'],
    needsConfirmation: true,
    params: PersonParams,
    body: ChangePersonBody,
    data: Person,
    errors: [409],
    handler: (call) => updatePerson(call, call.caller.storeId),
  })

  route('POST /store/people/:personId/password', {
    operationId: 'resetInTeam',
    summary: 'Reset the password of a person',
    description:
      'Generates a new password and ends all sessions of the person. Only the operator can reset the password of an owner.',
    roles: ['owner'],
    needsConfirmation: true,
    params: PersonParams,
    hasOptionalBody: true,
    data: ResetPerson,
    errors: [409],
    handler: async (call) => {
      const { service, caller, params, reply } = call
      const person = await findPerson(service.database, storableId(params.personId))
      if (person?.storeId !== caller.storeId) return refuse(reply, 'person_unknown')
      // An owner must not be able to take over the account of another one.
      if (person.role === 'owner') return refuse(reply, 'owner_by_operator')
      return resetPersonPassword(call)
    },
  })

  route('DELETE /store/people/:personId/factors', {
    operationId: 'removeFactorsInTeam',
    summary: 'Remove the second factors of a person',
    description:
      'For a person who has lost their devices. Removes passkeys, authenticator app and recovery codes, and ends all sessions. Only the operator can remove the second factors of an owner.',
    roles: ['owner'],
    needsConfirmation: true,
    params: PersonParams,
    hasOptionalBody: true,
    data: Type.Null(),
    errors: [409],
    handler: async (call) => {
      const { service, caller, params, reply } = call
      const person = await findPerson(service.database, storableId(params.personId))
      if (person?.storeId !== caller.storeId) return refuse(reply, 'person_unknown')
      if (person.role === 'owner') return refuse(reply, 'owner_factors_by_operator')
      return removePersonFactors(call)
    },
  })
}
