import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { walletRoutes } from './payments.ts'
import { walletSessionRoutes } from './session.ts'

/** Endpoints for a payer's wallet. */
export async function walletApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register((scope) => walletSessionRoutes(scope, service, authenticate))
  await app.register((scope) => walletRoutes(scope, service, authenticate))
}
