import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createAuthenticator, type LocalOperator } from './api/kit/authenticate.ts'
import { openapiRoutes, openapiSettings } from './api/kit/http/openapi.ts'
import { refuseUnknownPaths } from './api/kit/http/unknownPaths.ts'
import { merchantApi } from './api/merchant/index.ts'
import { operatorApi } from './api/operator/index.ts'
import { publicApi } from './api/public/index.ts'
import { sandboxApi } from './api/sandbox/index.ts'
import { storeApi } from './api/store/index.ts'
import { walletApi } from './api/wallet/index.ts'
import { createHttpServer, type HttpTimeouts } from './httpServer.ts'
import { appRoutes } from './pages/apps.ts'
import { assetRoutes } from './pages/assets.ts'
import { checkoutRoutes } from './pages/checkout.ts'
import { linkPageRoutes } from './pages/link.ts'
import { referenceRoutes } from './pages/reference.ts'
import { startRoutes, unknownPathHandler } from './pages/start.ts'
import { walletAppRoutes } from './pages/walletApp.ts'
import type { Service } from './service.ts'

/**
 * Builds the HTTP server with the routes that the role of the process needs, not yet listening. Tests pass a `localOperator`,
 * whose token has all permissions of an operator.
 */
export async function buildApp(
  service: Service,
  {
    localOperator = null,
    ...timeouts
  }: { localOperator?: LocalOperator | null } & HttpTimeouts = {},
): Promise<FastifyInstance> {
  const app = createHttpServer(service, timeouts)
  const authenticate = createAuthenticator(service, localOperator)
  await app.register(swagger, openapiSettings(service.config))
  await app.register((scope) => publicApi(scope, service, authenticate))
  // A process that only runs background loops needs only the public endpoints: its health and metrics are among them.
  if (service.config.role !== 'loops') {
    await app.register((scope) => merchantApi(scope, service, authenticate))
    await app.register((scope) => sandboxApi(scope, service, authenticate))
    await app.register((scope) => walletApi(scope, service, authenticate))
    await app.register((scope) => storeApi(scope, service, authenticate))
    await app.register((scope) => operatorApi(scope, service, authenticate))
    await app.register((scope) => openapiRoutes(scope))
    await app.register((scope) => assetRoutes(scope))
    await app.register((scope) => startRoutes(scope, service))
    await app.register((scope) => appRoutes(scope, service))
    await app.register((scope) => checkoutRoutes(scope, service))
    await app.register((scope) => linkPageRoutes(scope, service))
    await app.register((scope) => walletAppRoutes(scope, service))
    await app.register((scope) => referenceRoutes(scope, service))
  }
  refuseUnknownPaths(app, unknownPathHandler(service))
  return app
}
