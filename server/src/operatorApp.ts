import type { FastifyInstance } from 'fastify'
import { createAuthenticator, type LocalOperator } from './api/kit/authenticate.ts'
import { refuseUnknownPaths } from './api/kit/http/unknownPaths.ts'
import { operatorApi } from './api/operator/index.ts'
import { createHttpServer } from './httpServer.ts'
import type { Service } from './service.ts'

/** Builds only the operator's endpoints, for the command line: all routes would double its start time. */
export async function buildOperatorApp(
  service: Service,
  localOperator: LocalOperator,
): Promise<FastifyInstance> {
  const app = createHttpServer(service)
  const authenticate = createAuthenticator(service, localOperator)
  await app.register((scope) => operatorApi(scope, service, authenticate))
  refuseUnknownPaths(app)
  return app
}
