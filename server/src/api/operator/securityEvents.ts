import {
  OwnSecurityEventQuery,
  SecurityEventList,
  SecurityEventQuery,
} from '@florin/contract/securityEvents.js'
import { normalizeEmail } from '../../core/person.ts'
import type { Service } from '../../service.ts'
import { findAccountsByEmail } from '../../sql/securityEvents.ts'
import { sendEvents, sendOwnEvents } from '../kit/account/securityEvents.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { schemaProblems } from '../kit/http/validation.ts'
import { pageQuery, parseEntryCursor } from '../kit/paging.ts'
import { refuse, refuseInvalid } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function securityEventRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/security-events', {
    operationId: 'listSecurityEvents',
    summary: 'List security events',
    permission: 'read',
    description:
      'Lists sign-ins and changes of accounts and credentials, newest first. Events are deleted after 400 days.',
    query: SecurityEventQuery,
    data: SecurityEventList,
    hasOwnChecks: true,
    handler: listAll,
  })

  route('GET /operator/account/security-events', {
    operationId: 'listOwnOperatorEvents',
    summary: 'List your security events',
    permission: 'read',
    description: 'Lists the security events of the signed-in operator, newest first.',
    query: OwnSecurityEventQuery,
    data: SecurityEventList,
    errors: [409],
    handler: async ({ service, caller, query, reply }) => {
      if (caller.operator === null) return refuse(reply, 'no_session')
      const filter = { accounts: [caller.operator.operatorId] }
      return sendOwnEvents(service, reply, query, { filter, storeId: null })
    },
  })
}

type ListCall = Call<OperatorCaller, { query: SecurityEventQuery; data: SecurityEventList }>

async function listAll({ service, query, request, reply }: ListCall) {
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const from = page.time('from')
  const to = page.time('to')
  const before = page.cursor(parseEntryCursor)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { account, kind, store, address } = query
  return sendEvents(service, reply, {
    kind,
    accounts: account === undefined ? undefined : await accountsOf(service, account),
    storeId: store,
    address,
    from,
    to,
    before,
    limit: page.limit,
    storeOfReader: null,
  })
}

/** The accounts with an email address, or the account with an id. */
function accountsOf({ database }: Service, account: string) {
  const email = normalizeEmail(account)
  return account.includes('@') && email !== null ? findAccountsByEmail(database, email) : [account]
}
