import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { WALLET, withoutCredentials } from '../kit/audiences.ts'
import { type Authenticator, authenticateRequests } from '../kit/authenticate.ts'
import { routesFor } from '../kit/route.ts'
import { accountRoutes } from './account.ts'
import { activationRoutes, signupRoutes } from './activation.ts'
import { activityRoutes } from './activity.ts'
import { eventRoutes } from './events.ts'
import { linkRoutes } from './links.ts'
import { paymentRoutes } from './payments.ts'
import { demoRoutes, sessionRoutes, signInRoutes } from './session.ts'
import { storeRoutes } from './stores.ts'

/** Endpoints for a payer's wallet. Unknown paths under `/wallet/` are 404, even without credentials. */
export async function walletApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register(async (open) => {
    const route = await routesFor(open, service, withoutCredentials(WALLET))
    signInRoutes(route)
    activationRoutes(route)
    signupRoutes(route)
    if (service.config.isDemo) demoRoutes(route)
  })
  await app.register(async (signedIn) => {
    authenticateRequests(signedIn, authenticate.wallet)
    const route = await routesFor(signedIn, service, WALLET)
    sessionRoutes(route)
    accountRoutes(route)
    paymentRoutes(route)
    linkRoutes(route)
    activityRoutes(route)
    storeRoutes(route)
    eventRoutes(signedIn, service)
  })
}
