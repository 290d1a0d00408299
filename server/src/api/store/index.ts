import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { guardUnknownPaths } from '../kit/unknownPaths.ts'
import { storeBookRoutes } from './books.ts'
import { storePrivacyRoutes } from './clients.ts'
import { storeDeveloperRoutes } from './developers.ts'
import { storeOverviewRoutes } from './overview.ts'
import { storePaymentRoutes } from './paymentHistory.ts'
import { storePaymentsRoutes } from './payments.ts'
import { personSignInRoutes, storeSessionRoutes } from './session.ts'
import { storeSettingRoutes } from './settings.ts'

/** Endpoints for the people of a store: till and dashboard. */
export async function storeApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register((scope) => personSignInRoutes(scope, service))
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', authenticate.person)
    await guardUnknownPaths(signedIn, '/store/')
    const parts = [
      storeSessionRoutes,
      storePaymentsRoutes,
      storePaymentRoutes,
      storeOverviewRoutes,
      storeBookRoutes,
      storeDeveloperRoutes,
      storeSettingRoutes,
      storePrivacyRoutes,
    ]
    for (const part of parts) await signedIn.register((scope) => part(scope, service))
  })
}
