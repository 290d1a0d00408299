import { OwnSecurityEventQuery, SecurityEventList } from '@florin/contract/securityEvents.js'
import { sendOwnEvents } from '../kit/account/securityEvents.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function securityEventRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/account/security-events', {
    operationId: 'listOwnSecurityEvents',
    summary: 'List your security events',
    description: 'Lists the security events of the signed-in person, newest first.',
    query: OwnSecurityEventQuery,
    data: SecurityEventList,
    handler: ({ service, caller, query, reply }) =>
      sendOwnEvents(service, reply, query, {
        filter: { accounts: [caller.personId] },
        storeId: caller.storeId,
      }),
  })

  route('GET /store/security-events', {
    operationId: 'listStoreSecurityEvents',
    summary: "List the store's security events",
    description: 'Lists the security events of the store and its people, newest first.',
    roles: ['owner'],
    query: OwnSecurityEventQuery,
    data: SecurityEventList,
    handler: ({ service, caller, query, reply }) =>
      sendOwnEvents(service, reply, query, {
        filter: { storeId: caller.storeId },
        storeId: caller.storeId,
      }),
  })
}
