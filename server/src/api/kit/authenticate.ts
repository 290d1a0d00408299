import type { Refusal } from '@florin/contract/refusals.js'
import { PERMISSIONS } from '@florin/contract/values.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../core/credentials.ts'
import { API_KEY, isValidCredential } from '../../core/credentials.ts'
import { type Mode, parseWalletId } from '../../core/ids.ts'
import {
  operatorActor,
  type Permission,
  permissionsOf,
  tokenActor,
  tokenPermissions,
} from '../../core/operator.ts'
import { personActor, type Role, scopesOf } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import type { Actor } from '../../ops/auditLog.ts'
import { OPERATORS } from '../../ops/operators.ts'
import { PEOPLE } from '../../ops/people.ts'
import { sessionName } from '../../ops/walletSessions.ts'
import type { Service } from '../../service.ts'
import type { SignedInOperator } from '../../sql/operators.ts'
import type { TokenOwner } from '../../sql/operatorTokens.ts'
import type { SignedInPerson } from '../../sql/people.ts'
import type { Session } from '../../sql/walletSessions.ts'
import {
  accountRefusal,
  isConfirmed,
  type OwnAccount,
  readIfRestricted,
  selfOfOperator,
  selfOfPerson,
} from './account/self.ts'
import {
  isCrossOrigin,
  operatorCookie,
  personCookie,
  walletCookie,
} from './account/sessionCookie.ts'
import { headerOf, userAgentOf } from './http/headers.ts'
import { clientAddressOf, clientNetworkOf, createThrottle } from './http/throttle.ts'
import { refuse } from './replies.ts'

/** A store and mode that a request acts for: by an API key, or by a person, who is the actor. */
export type Merchant = {
  readonly store: Store
  readonly mode: Mode
  readonly scopes: readonly Scope[]
  readonly actor: Actor | null
  readonly apiKey: string | null
  /** Whether the caller may see the addresses of webhooks, which can contain secrets, and the responses to them. */
  readonly canSeeWebhooks: boolean
}

/** A signed-in wallet. */
export type WalletSession = Session & { readonly token: string }

/** A person who is signed in to a store. */
export type StorePerson = SignedInPerson & {
  readonly store: Store
  readonly scopes: readonly Scope[]
  readonly actor: Actor
}

/** The owner of an operator's session or token, and what it allows now. */
export type OperatorAccess = {
  readonly owner: TokenOwner
  readonly permissions: readonly Permission[]
  /** Null for a session and for the command line. */
  readonly tokenExpiresAt: Date | null
}

/** What a route requires. */
export type RouteConfig = {
  readonly scope?: Scope | undefined
  /** The roles that may call it. With a scope, both must allow the call; see `PAGE_ROLES`. */
  readonly roles?: readonly Role[] | undefined
  /** The permission that an operator or token needs. A route for operators without one is for admins only. */
  readonly permission?: Permission | undefined
  /** Requires that the session was confirmed recently by password, code or passkey. Operator tokens need no confirmation. */
  readonly needsConfirmation?: boolean | undefined
  /** Set for routes of the signed-in account; see `OwnAccount`. */
  readonly ownAccount?: OwnAccount | undefined
  /** The body may be absent or empty, even with the content type of JSON. With a `body` schema, the handler then gets an empty object. */
  readonly hasOptionalBody?: boolean | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    merchant: Merchant | null
    session: WalletSession | null
    person: StorePerson | null
    /** Null for an operator with a token instead of a session. */
    operator: SignedInOperator | null
    operatorAccess: OperatorAccess | null
    actor: Actor | null
    rawBody: Buffer | null
  }
  interface FastifyContextConfig extends RouteConfig {}
}

/** Names the headers of the merchant API. The same for every failure, so that it reveals nothing. */
const CHALLENGE = 'ApiKey headers="api-key api-secret"'

/** The command line, which calls the app in its own process with a token that exists nowhere else. */
export type LocalOperator = { readonly token: string; readonly name: string }

/** Failures per API key and network, or per network for operators. */
const MAX_FAILURES_PER_MINUTE = 60
/** Failures per network, for all API keys and for the sessions of wallets and people. */
const MAX_TOTAL_FAILURES_PER_MINUTE = 600

export function createAuthenticator(service: Service, localOperator: LocalOperator | null) {
  const failures = createThrottle('wrong credentials', MAX_FAILURES_PER_MINUTE)
  const totalFailures = createThrottle('wrong credentials in total', MAX_TOTAL_FAILURES_PER_MINUTE)
  const requests = createThrottle('requests', service.config.requestsPerMinute)
  /** Counts a request once, also if it is authenticated again. */
  const isWithinRate = (authenticated: Merchant | StorePerson | null, key: string) =>
    authenticated !== null || requests.take(key)
  const isFromOtherOrigin = (request: FastifyRequest) =>
    isCrossOrigin(request, { publicUrl: service.config.publicUrl, requireOrigin: true })

  async function merchant(request: FastifyRequest, reply: FastifyReply) {
    const apiKey = headerOf(request, 'api-key') ?? ''
    const secret = headerOf(request, 'api-secret') ?? ''
    const network = clientNetworkOf(request)
    const { credentials, stores } = service
    const isKey = API_KEY.test(apiKey)
    const cached = isKey ? credentials.peek(apiKey) : undefined
    let credential = isKey ? (cached ?? (await credentials.get(apiKey))) : null
    const now = service.clock.now()
    let isValid = isValidCredential(credential, secret, now)
    if (!isValid && cached !== undefined) {
      // Another process may have replaced the secret. Unknown keys are read again too, so that they take the same time.
      credential = await credentials.refresh(apiKey)
      isValid = isValidCredential(credential, secret, now)
    }
    if (!isValid || credential === null) {
      const isWithinLimits = [
        failures.take(`${apiKey} ${network}`),
        totalFailures.take(network),
      ].every(Boolean)
      reply.header('www-authenticate', CHALLENGE)
      return refuseFailure(reply, isWithinLimits, 'invalid_credentials')
    }
    if (!isWithinRate(request.merchant, apiKey)) return refuse(reply, 'too_many_requests')
    service.keyUses.record(apiKey)

    const { storeId } = credential
    const store = stores.peek(storeId) ?? (await stores.get(storeId))
    if (store === null || store.suspended) return refuse(reply, 'store_suspended')
    const scope = request.routeOptions.config?.scope
    if (scope !== undefined && !credential.scopes.includes(scope)) {
      return refuse(reply, 'missing_scope')
    }
    const { mode, scopes } = credential
    request.merchant = { store, mode, scopes, actor: null, apiKey, canSeeWebhooks: true }
  }

  async function wallet(request: FastifyRequest, reply: FastifyReply) {
    const bearer = bearerOf(request)
    const token = bearer ?? walletCookie.tokenOf(request)
    if (token === null) return refuse(reply, 'not_signed_in')
    const session = await service.walletSessions.get(token)
    if (session === null) {
      return refuseFailure(reply, totalFailures.take(clientNetworkOf(request)), 'not_signed_in')
    }
    if (isOtherSession(request, (id) => parseWalletId(id) !== session.walletId)) {
      return refuse(reply, 'not_signed_in')
    }
    // Browsers never send a bearer token by themselves.
    if (bearer === null && isFromOtherOrigin(request)) return refuse(reply, 'cross_origin')
    service.walletSessionUses.record(sessionName(session))
    const { walletId, publicId, mode } = session
    request.session = { walletId, publicId, mode, token }
  }

  async function person(request: FastifyRequest, reply: FastifyReply) {
    const token = personCookie.tokenOf(request)
    if (token === null) return refuse(reply, 'not_signed_in')
    const found = await service.personSessions.get(token)
    if (found === null) {
      return refuseFailure(reply, totalFailures.take(clientNetworkOf(request)), 'not_signed_in')
    }
    if (isOtherSession(request, (id) => id !== found.sessionId)) {
      return refuse(reply, 'not_signed_in')
    }
    if (isFromOtherOrigin(request)) return refuse(reply, 'cross_origin')
    if (!isWithinRate(request.person, found.personId)) return refuse(reply, 'too_many_requests')

    const store = (await service.stores.get(found.storeId))!
    const signedIn = await readIfRestricted(service.personSessions, {
      token,
      session: found,
      selfOf: (session) => selfOfPerson(session, store),
    })
    if (signedIn === null) return refuse(reply, 'not_signed_in')
    const scopes = scopesOf(signedIn.role, store)
    const { scope, roles, needsConfirmation, ownAccount } = request.routeOptions.config ?? {}
    const now = service.clock.now()
    const refusal = accountRefusal(selfOfPerson(signedIn, store), ownAccount, now)
    if (refusal !== null) return refuse(reply, refusal)
    if ((scope ?? roles) !== undefined && store.suspended) return refuse(reply, 'store_suspended')
    if (scope !== undefined && !scopes.includes(scope)) return refuse(reply, 'role_not_allowed')
    if (roles?.includes(signedIn.role) === false) return refuse(reply, 'role_not_allowed')
    const session = { token, session: signedIn, now }
    if (needsConfirmation && !(await isConfirmed(PEOPLE, service.personSessions, session))) {
      return refuse(reply, 'password_needed')
    }
    const actor = actorOf(request, personActor(signedIn.email, store.storeId))
    request.person = { ...signedIn, store, scopes, actor }
    request.actor = actor
  }

  async function operator(request: FastifyRequest, reply: FastifyReply) {
    const token = bearerOf(request)
    if (token === null && operatorCookie.tokenOf(request) !== null) {
      return signedInOperator(request, reply)
    }
    if (token === null) return refuse(reply, 'invalid_operator_token')
    const found = await bearerAccess(token)
    if (found === null) {
      return refuseFailure(reply, failures.take(clientNetworkOf(request)), 'invalid_operator_token')
    }
    const { name, ...access } = found
    if (!allows(request, access)) return refuse(reply, 'permission_missing')
    if (request.routeOptions.config?.ownAccount !== undefined) return refuse(reply, 'no_session')
    request.operatorAccess = access
    request.actor = actorOf(request, name)
  }

  /** For the operator console, whose session is a cookie. */
  async function signedInOperator(request: FastifyRequest, reply: FastifyReply) {
    const token = operatorCookie.tokenOf(request)!
    const found = await service.operatorSessions.get(token)
    if (found === null) {
      return refuseFailure(reply, failures.take(clientNetworkOf(request)), 'invalid_operator_token')
    }
    if (isOtherSession(request, (id) => id !== found.sessionId)) {
      return refuse(reply, 'invalid_operator_token')
    }
    if (isFromOtherOrigin(request)) return refuse(reply, 'cross_origin')
    const signedIn = await readIfRestricted(service.operatorSessions, {
      token,
      session: found,
      selfOf: selfOfOperator,
    })
    if (signedIn === null) return refuse(reply, 'invalid_operator_token')
    const { operatorId, email, role } = signedIn
    const { needsConfirmation, ownAccount } = request.routeOptions.config ?? {}
    const now = service.clock.now()
    const refusal = accountRefusal(selfOfOperator(signedIn), ownAccount, now)
    if (refusal !== null) return refuse(reply, refusal)
    const owner = { operatorId, ownerName: null }
    const access = { owner, permissions: permissionsOf(role), tokenExpiresAt: null }
    if (!allows(request, access)) return refuse(reply, 'permission_missing')
    const session = { token, session: signedIn, now }
    if (needsConfirmation && !(await isConfirmed(OPERATORS, service.operatorSessions, session))) {
      return refuse(reply, 'password_needed')
    }
    request.operator = signedIn
    request.operatorAccess = access
    request.actor = actorOf(request, operatorActor(email))
  }

  /** The name of a bearer token in the audit log, and what it allows. */
  async function bearerAccess(token: string): Promise<(OperatorAccess & { name: string }) | null> {
    if (localOperator !== null && token === localOperator.token) {
      const owner = { operatorId: null, ownerName: 'command line' } as const
      return { name: localOperator.name, owner, permissions: PERMISSIONS, tokenExpiresAt: null }
    }
    const found = await service.operatorTokens.get(token)
    if (found === null) return null
    const { operatorId, ownerName } = found
    return {
      name: tokenActor(found),
      owner: { operatorId, ownerName } as TokenOwner,
      permissions: tokenPermissions(found.scopes, found.role),
      tokenExpiresAt: found.expiresAt,
    }
  }

  return { merchant, wallet, person, operator }
}

/** A route that names no permission is for admins. */
function allows(request: FastifyRequest, { permissions }: OperatorAccess): boolean {
  const { permission = 'admin' } = request.routeOptions.config ?? {}
  return permissions.includes(permission)
}

/** The actor of a request, for the audit log and security events. */
export const actorOf = (request: FastifyRequest, name: string): Actor => ({
  ...originOf(request),
  name,
})

/** The actor of a request, with the account of its session. */
export const accountActor = (request: FastifyRequest): Actor => ({
  ...request.actor!,
  accountId: request.person?.personId ?? request.operator?.operatorId ?? null,
})

/** Where a request came from. `payerActor` adds the name of a payer. */
export const originOf = (request: FastifyRequest) => ({
  requestId: request.id,
  source: { address: clientAddressOf(request), device: userAgentOf(request) },
})

/** Only failures count against the limits, so valid credentials work despite failures from the same network. */
function refuseFailure(reply: FastifyReply, isWithinLimits: boolean, refusal: Refusal) {
  return refuse(reply, isWithinLimits ? refusal : 'too_many_wrong_credentials')
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** If the body of a request arrives later than this, its credentials are checked again. */
const RECHECK_AFTER_MS = 1_000

/**
 * Authenticates the requests of an instance before their bodies arrive, and again after a late body: it can take up to 30
 * seconds, and the credentials may be revoked meanwhile.
 */
export function authenticateRequests(
  app: FastifyInstance,
  authenticate: Authenticator[keyof Authenticator],
): void {
  app.addHook('onRequest', authenticate)
  // Not async: that would add a promise to each request.
  app.addHook('preValidation', (request, reply, done) => {
    if (reply.elapsedTime <= RECHECK_AFTER_MS) return done()
    authenticate(request, reply).then(() => {
      if (!reply.sent) done()
    }, done)
  })
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,300})$/i.exec(headerOf(request, 'authorization') ?? '')
  return match?.[1] ?? null
}

/**
 * All tabs of a browser share one cookie. A page names the session or wallet that it shows, so that it never acts in
 * a session that another person opened later in another tab.
 */
function isOtherSession(request: FastifyRequest, isOther: (id: string) => boolean): boolean {
  const shown = headerOf(request, 'x-florin-session')
  return shown !== undefined && isOther(shown)
}
