import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { MERCHANT } from '../kit/audiences.ts'
import { type Authenticator, authenticateRequests } from '../kit/authenticate.ts'
import { guardUnknownPaths } from '../kit/http/unknownPaths.ts'
import { routesFor } from '../kit/route.ts'
import { linkRoutes } from './links.ts'
import { paymentRoutes } from './payments.ts'
import { storeRoutes } from './store.ts'
import { webhookRoutes } from './webhooks.ts'

/** Endpoints for a shop's server, which authenticates with an API key. */
export async function merchantApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  authenticateRequests(app, authenticate.merchant)
  await guardUnknownPaths(app, '/merchant/')
  const route = await routesFor(app, service, MERCHANT)
  paymentRoutes(route)
  linkRoutes(route)
  storeRoutes(route)
  webhookRoutes(route)
}
