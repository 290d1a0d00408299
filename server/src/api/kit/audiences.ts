import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../ops/auditLog.ts'
import type { SignedInOperator } from '../../sql/operators.ts'
import type { Merchant, OperatorAccess, StorePerson, WalletSession } from './authenticate.ts'

/** One kind of client: how OpenAPI documents its endpoints, and the caller that its hook authenticates. */
export type Audience<Caller> = {
  readonly tag: string
  readonly security: readonly Record<string, string[]>[]
  readonly callerOf: (request: FastifyRequest) => Caller
}

/** A caller that the audit log can name: a person, an operator or a token. */
export type ActingCaller = { readonly actor: Actor }

/** The audience of endpoints that need no credentials, such as sign-in. */
export const withoutCredentials = ({ tag }: Audience<unknown>): Audience<null> => ({
  tag,
  security: [],
  callerOf: () => null,
})

const API_KEY_SECURITY = [{ apiKey: [], apiSecret: [] }]

export const MERCHANT: Audience<Merchant> = {
  tag: 'Merchant',
  security: API_KEY_SECURITY,
  callerOf: (request) => request.merchant!,
}
export const SANDBOX: Audience<Merchant> = { ...MERCHANT, tag: 'Sandbox' }

export const WALLET: Audience<WalletSession> = {
  tag: 'Wallet',
  security: [{ bearer: [] }, { wallet: [] }],
  callerOf: (request) => request.session!,
}

/** A person who is signed in to a store. */
export const PERSON: Audience<StorePerson> = {
  tag: 'Store',
  security: [{ person: [] }],
  callerOf: (request) => request.person!,
}

/** A person who acts for the store in the mode that the path names. */
export type PersonInMode = StorePerson &
  Pick<Merchant, 'mode' | 'canSeeWebhooks'> & { readonly apiKey: null }
export const PERSON_IN_MODE: Audience<PersonInMode> = {
  ...PERSON,
  callerOf: (request) => {
    const { mode, canSeeWebhooks } = request.merchant!
    return { ...request.person!, mode, canSeeWebhooks, apiKey: null }
  },
}

/** The name that an email shows: of the operator, or of the token. */
export const operatorName = ({ operator, actor }: OperatorCaller): string =>
  operator?.name ?? actor.name

/** An operator, or a token. A token has no session. */
export type OperatorCaller = OperatorAccess & {
  readonly actor: Actor
  readonly operator: SignedInOperator | null
}
export const OPERATOR: Audience<OperatorCaller> = {
  tag: 'Operator',
  security: [{ bearer: [] }, { operator: [] }],
  callerOf: (request) => ({
    ...request.operatorAccess!,
    actor: request.actor!,
    operator: request.operator,
  }),
}
