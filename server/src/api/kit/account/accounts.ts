import type { Operator } from '../../../core/operator.ts'
import type { Person } from '../../../core/person.ts'
import type { Account, Requester } from '../../../ops/accountNotices.ts'
import { OPERATORS } from '../../../ops/operators.ts'
import type { Site } from '../../../ops/passkeys.ts'
import { PEOPLE } from '../../../ops/people.ts'
import type { StaffKind } from '../../../ops/staffKind.ts'
import type { Service } from '../../../service.ts'
import type { ActingCaller, OperatorCaller } from '../audiences.ts'
import type { StorePerson } from '../authenticate.ts'
import { localeOfRequest } from '../http/headers.ts'
import type { Call } from '../route.ts'
import { type OwnAccount, type Self, selfOfOperator, selfOfPerson } from './self.ts'
import { operatorCookie, personCookie } from './sessionCookie.ts'

/** The accounts of an audience. Their routes are declared once for both audiences. */
export type Accounts<Caller, StaffAccount extends Account> = {
  readonly kind: StaffKind<StaffAccount>
  readonly path: '/store' | '/operator'
  /** Part of the operation ids. */
  readonly noun: 'Person' | 'Operator'
  readonly operationIds: { readonly changePassword: string; readonly confirm: string }
  /** The statuses of errors that only this audience has. An operator token has no session, so it gets 409. */
  readonly errors: readonly number[]
  readonly selfOf: (caller: Caller) => Self
  readonly cookie: typeof personCookie
  readonly sessionsOf: (service: Service) => {
    readonly forget: (token: string) => void
    readonly forgetAll: () => void
  }
}

export const PERSON_ACCOUNTS: Accounts<StorePerson, Person> = {
  kind: PEOPLE,
  path: '/store',
  noun: 'Person',
  operationIds: { changePassword: 'changePassword', confirm: 'confirmPassword' },
  errors: [],
  selfOf: (caller) => selfOfPerson(caller, caller.store),
  cookie: personCookie,
  sessionsOf: ({ personSessions }) => personSessions,
}

export const OPERATOR_ACCOUNTS: Accounts<OperatorCaller, Operator> = {
  kind: OPERATORS,
  path: '/operator',
  noun: 'Operator',
  operationIds: { changePassword: 'changeOperatorPassword', confirm: 'confirmOperator' },
  errors: [409],
  // `authenticate` refuses tokens for these routes.
  selfOf: ({ operator }) => selfOfOperator(operator!),
  cookie: operatorCookie,
  sessionsOf: ({ operatorSessions }) => operatorSessions,
}

/** The access of a route for the caller's own account. Every operator has the permission to read. */
export const ownAccount = (path: '/store' | '/operator', part: OwnAccount) =>
  path === '/store' ? { ownAccount: part } : ({ ownAccount: part, permission: 'read' } as const)

export const requesterOf = ({
  service,
  caller,
  request,
}: Pick<Call<ActingCaller>, 'service' | 'caller' | 'request'>): Requester => ({
  actor: caller.actor,
  locale: localeOfRequest(request),
  mail: service.mail,
})

export const siteOf = ({ config, secretKey, clock }: Service): Site => ({
  publicUrl: config.publicUrl,
  key: secretKey,
  now: clock.now(),
})
