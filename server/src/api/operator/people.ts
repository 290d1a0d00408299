import { StoreParams } from '@florin/contract/operator.js'
import {
  ChangePersonBody,
  CreatedPerson,
  FindPersonQuery,
  FoundPeople,
  People,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
} from '@florin/contract/people.js'
import Type from 'typebox'
import { normalizeEmail } from '../../core/person.ts'
import { searchWords } from '../../core/searchWords.ts'
import type { Service } from '../../service.ts'
import { findPersonByEmail, listPeople, searchPeople } from '../../sql/people.ts'
import {
  addPerson,
  invitePerson,
  removePersonFactors,
  resetPersonPassword,
  sendFoundPeople,
  sendPeople,
  updatePerson,
} from '../kit/account/people.ts'
import { type OperatorCaller, operatorName } from '../kit/audiences.ts'
import { refuseField } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import type { StoreOperator } from './subjects.ts'

/** A search returns at most this many people. A longer text finds fewer. */
const MAX_FOUND = 50

export function storePersonRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/people', {
    operationId: 'createPerson',
    summary: 'Add a person to a store',
    permission: 'admin',
    needsConfirmation: true,
    params: StoreParams,
    body: PersonBody,
    data: CreatedPerson,
    errors: [409],
    handler: (call) => {
      const { storeId } = call.caller.store
      return addPerson(call, { storeId, invitedBy: operatorName(call.caller), isLimited: false })
    },
  })

  route('GET /operator/stores/:storeId/people', {
    operationId: 'listPeople',
    summary: 'List the people of a store',
    permission: 'read',
    params: StoreParams,
    data: People,
    handler: async (call) =>
      sendPeople(call, await listPeople(call.service.database, call.caller.store.storeId)),
  })
}

export function personRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/people', {
    operationId: 'findPerson',
    summary: 'Find people',
    permission: 'read',
    description:
      'Searches the people of all stores, by email address or by the beginnings of words in their names and addresses.',
    query: FindPersonQuery,
    data: FoundPeople,
    handler: async (call) => {
      const { service, query, reply } = call
      const { email, search } = query
      if (email === undefined && search === undefined) {
        return refuseField(reply, 'search', 'or email is required')
      }
      const found =
        email === undefined
          ? await searchPeople(service.database, searchWords(search), MAX_FOUND)
          : await findByEmail(service, email)
      return sendFoundPeople(call, found)
    },
  })

  route('POST /operator/people/:personId/invitation', {
    operationId: 'invitePerson',
    summary: 'Resend the invitation of a person',
    permission: 'admin',
    needsConfirmation: true,
    description: 'Emails a new link to a person who has not chosen a password yet.',
    params: PersonParams,
    hasOptionalBody: true,
    data: Person,
    errors: [409],
    handler: (call) => invitePerson(call, { ownStore: null, invitedBy: operatorName(call.caller) }),
  })

  route('PATCH /operator/people/:personId', {
    operationId: 'changePerson',
    summary: 'Change or disable a person',
    permission: 'admin',
    needsConfirmation: true,
    description: 'Changes the fields in the body. Disabling a person ends all their sessions.',
    params: PersonParams,
    body: ChangePersonBody,
    data: Person,
    handler: (call) => updatePerson(call, null),
  })

  route('POST /operator/people/:personId/password', {
    operationId: 'resetPassword',
    summary: 'Reset the password of a person',
    permission: 'admin',
    description: 'Generates a password, ends all sessions of the person, and unlocks the account.',
    needsConfirmation: true,
    params: PersonParams,
    hasOptionalBody: true,
    data: ResetPerson,
    handler: resetPersonPassword,
  })

  route('DELETE /operator/people/:personId/factors', {
    operationId: 'removePersonFactors',
    summary: 'Remove the second factors of a person',
    permission: 'admin',
    description:
      'For a person who has lost their devices. Removes passkeys, authenticator app and recovery codes, and ends all sessions.',
    needsConfirmation: true,
    params: PersonParams,
    hasOptionalBody: true,
    data: Type.Null(),
    handler: removePersonFactors,
  })
}

async function findByEmail({ database }: Service, text: string) {
  const email = normalizeEmail(text)
  const person = email && (await findPersonByEmail(database, email))
  return person ? [person] : []
}
