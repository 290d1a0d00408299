import { SignedInPerson } from '@florin/contract/people.js'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { storeProfile } from '../../core/paymentView.ts'
import { refundCapOf, scopesOf } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import type { Service } from '../../service.ts'
import type { SignedInPerson as PersonSession } from '../../sql/people.ts'
import { accountFactorRoutes } from '../kit/account/accountFactors.ts'
import { accountSessionRoutes } from '../kit/account/accountSessions.ts'
import { PERSON_ACCOUNTS } from '../kit/account/accounts.ts'
import { accountState, selfOfPerson } from '../kit/account/self.ts'
import { accountSignInRoutes } from '../kit/account/signIn.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function signInRoutes(route: DeclareRoute<null>): void {
  accountSignInRoutes(route, PERSON_ACCOUNTS, {
    data: SignedInPerson,
    viewOf: async (service: Service, token) => {
      const signedIn = await service.personSessions.get(token)
      if (signedIn === null) return null
      const store = (await service.stores.get(signedIn.storeId))!
      return signedInView(signedIn, store, service.config.publicUrl)
    },
  })
}

/** These routes have no roles and scopes, so they work in a suspended store too. */
export function sessionRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/session', {
    operationId: 'getPersonSession',
    summary: 'Get the current session',
    description: 'Returns the signed-in person, the store, and the scopes of the role.',
    ownAccount: 'password',
    data: SignedInPerson,
    handler: ({ service, caller, reply }) =>
      succeed(reply, 'Signed in', signedInView(caller, caller.store, service.config.publicUrl)),
  })
  accountSessionRoutes(route, PERSON_ACCOUNTS)
  accountFactorRoutes(route, PERSON_ACCOUNTS)
}

function signedInView(signedIn: PersonSession, store: Store, publicUrl: string) {
  const { personId, email, name, role, sessionId, expiresAt } = signedIn
  const cap = refundCapOf(role, store)
  return {
    account: accountState(selfOfPerson(signedIn, store)),
    person: { person_id: personId, email, name, role },
    may: [...scopesOf(role, store)],
    refund_cap: cap === null ? null : formatMinor(cap, store.currency),
    session: { session_id: sessionId, expires_at: wireTime(expiresAt) },
    store: {
      id: store.storeId,
      ...storeProfile(store, publicUrl),
      currency: store.currency,
      time_zone: store.timeZone,
      locale: store.locale,
      suspended: store.suspended,
    },
  }
}
