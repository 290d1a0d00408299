import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { authenticator, type LocalOperator } from './api/kit/authenticate.ts'
import { BodyError, refuseEncodedBodies } from './api/kit/bodies.ts'
import { refuse, refuseInvalid } from './api/kit/errorReply.ts'
import { noteForwardedHeaders } from './api/kit/forwardedHeaders.ts'
import { headerOf, MAX_HEADERS_BYTES } from './api/kit/headers.ts'
import { lazySchemas } from './api/kit/lazySchemas.ts'
import { openapiRoutes, openapiSettings } from './api/kit/openapi.ts'
import { addSecurityHeaders } from './api/kit/securityHeaders.ts'
import { answerUnknownPaths } from './api/kit/unknownPaths.ts'
import { answerForNode, refuseUnreadable } from './api/kit/unreadable.ts'
import { problemsOf } from './api/kit/validation.ts'
import { merchantRoutes } from './api/merchant/payments.ts'
import { merchantMoreRoutes } from './api/merchant/store.ts'
import { webhookRoutes } from './api/merchant/webhooks.ts'
import { operatorRoutes } from './api/operator/routes.ts'
import { operatorSignInRoutes } from './api/operator/session.ts'
import { publicRoutes } from './api/public/service.ts'
import { sandboxRoutes } from './api/sandbox/payments.ts'
import { storeBookRoutes } from './api/store/books.ts'
import { storePrivacyRoutes } from './api/store/clients.ts'
import { storeDeveloperRoutes } from './api/store/developers.ts'
import { storeOverviewRoutes } from './api/store/overview.ts'
import { storePaymentRoutes } from './api/store/paymentHistory.ts'
import { storePaymentsRoutes } from './api/store/payments.ts'
import { storeSessionRoutes } from './api/store/session.ts'
import { storeSettingRoutes } from './api/store/settings.ts'
import { walletRoutes } from './api/wallet/payments.ts'
import { walletSessionRoutes } from './api/wallet/session.ts'
import { Overloaded } from './database/batch.ts'
import {
  CommitUnknown,
  DatabaseAway,
  isLockTimeout,
  isStatementTimeout,
} from './database/errors.ts'
import { appRoutes } from './pages/apps.ts'
import { assetRoutes } from './pages/assets.ts'
import { checkoutRoutes } from './pages/checkout.ts'
import { referenceRoutes } from './pages/reference.ts'
import { walletAppRoutes } from './pages/walletApp.ts'
import type { Service } from './service.ts'

const MAX_BODY_BYTES = 256 * 1024
const MAX_URL_PART = 16 * 1024
const REQUEST_MS = 30_000

/**
 * The HTTP side of the service, not yet listening. With a `localOperator` whoever built this app may
 * call it as an operator without a port, as the command line does. Whoever takes longer than `requestMs`
 * to say what is wanted is cut off.
 */
export async function buildApp(
  service: Service,
  {
    localOperator = null,
    requestMs = REQUEST_MS,
  }: { localOperator?: LocalOperator | null; requestMs?: number } = {},
): Promise<FastifyInstance> {
  const { trustedProxies } = service.config
  const app = Fastify({
    // What is worth a line is logged here below, without headers or bodies.
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    // Looking for those who passed a request on costs each one something, where nobody may.
    trustProxy: trustedProxies === 0 ? false : (_address, hop) => hop < trustedProxies,
    requestTimeout: requestMs,
    // Node looks every half minute by itself, so that the slow would have twice the time.
    http: {
      maxHeaderSize: MAX_HEADERS_BYTES,
      headersTimeout: requestMs,
      connectionsCheckingInterval: requestMs / 6,
      // Node would refuse with an empty body. `answerForNode` refuses instead.
      requireHostHeader: false,
    },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_URL_PART },
    clientErrorHandler: refuseUnreadable,
    // An address such as `http://` that the router cannot take apart.
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 'path_unknown'),
    rewriteUrl: (request) => decodableUrl(request.url ?? '/'),
    schemaController: { compilersFactory: lazySchemas },
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
        // Errors carry the value that they are about.
        verbose: true,
        strict: false,
      },
    },
  })
  app.decorateRequest('merchant', null)
  app.decorateRequest('session', null)
  app.decorateRequest('person', null)
  app.decorateRequest('operator', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('rawBody', null)
  const authenticate = authenticator(service, localOperator)

  addSecurityHeaders(app, service.config)
  addMetricsAndLogs(app, service)
  answerForNode(app)
  noteForwardedHeaders(app, service)
  app.addHook('onRequest', (_request, reply, done) => {
    // What still comes in is served, but on a connection that ends with it.
    if (service.isLeaving()) reply.header('connection', 'close')
    done()
  })
  // What was busy when it began to close is idle later, and would be kept for another minute.
  let closingIdle: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    closingIdle = setInterval(() => app.server.closeIdleConnections(), 100)
  })
  app.addHook('onClose', async () => clearInterval(closingIdle))
  // Credentials come first, before it is even looked whether the path exists.
  app.addHook('onRequest', (request, reply, done) => {
    // The route counts, because a path may be spelled with percent codes; without one, the path.
    const path = request.routeOptions.url ?? request.url
    // Not async, so that whoever needs no credentials is not kept waiting for a promise.
    if (path.startsWith('/merchant/') || path.startsWith('/sandbox/')) {
      return authenticate.merchant(request, reply)
    }
    const signsIn = path === '/store/session' && request.method === 'POST'
    if (path.startsWith('/store/') && !signsIn) return authenticate.person(request, reply)
    done()
  })
  answerErrors(app, service)
  answerUnknownPaths(app)
  refuseEncodedBodies(app)

  await app.register(swagger, openapiSettings(service.config))
  await app.register((scope) => publicRoutes(scope, service, authenticate))
  // Who only works in the background is asked how it is, and nothing else.
  if (service.config.role === 'loops' && localOperator === null) return app
  await app.register((scope) => merchantRoutes(scope, service))
  await app.register((scope) => merchantMoreRoutes(scope, service))
  await app.register((scope) => webhookRoutes(scope, service))
  await app.register((scope) => sandboxRoutes(scope, service))
  await app.register((scope) => walletSessionRoutes(scope, service, authenticate))
  await app.register((scope) => walletRoutes(scope, service, authenticate))
  await app.register((scope) => storeSessionRoutes(scope, service))
  await app.register((scope) => storePaymentsRoutes(scope, service))
  await app.register((scope) => storePaymentRoutes(scope, service))
  await app.register((scope) => storeOverviewRoutes(scope, service))
  await app.register((scope) => operatorSignInRoutes(scope, service))
  await app.register((scope) => storeBookRoutes(scope, service))
  await app.register((scope) => storeDeveloperRoutes(scope, service))
  await app.register((scope) => storeSettingRoutes(scope, service))
  await app.register((scope) => storePrivacyRoutes(scope, service))
  await app.register((scope) => operatorRoutes(scope, service, authenticate))
  await app.register((scope) => assetRoutes(scope))
  await app.register((scope) => appRoutes(scope, service))
  await app.register((scope) => checkoutRoutes(scope, service))
  await app.register((scope) => walletAppRoutes(scope, service))
  await app.register((scope) => openapiRoutes(scope))
  await app.register((scope) => referenceRoutes(scope, service))
  return app
}

/** A stray percent sign is part of an id that does not exist, not a malformed request. */
function decodableUrl(url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

function addMetricsAndLogs(app: FastifyInstance, { metrics, log, load }: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern of the route, never the path: ids would make a series each.
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    if (isLoad(route, request.query)) load.note(reply.elapsedTime, reply.statusCode)
    if (log.isLevelEnabled('debug') || reply.statusCode >= 500) {
      const line = { requestId: request.id, method: request.method, route }
      const level = reply.statusCode >= 500 ? 'error' : 'debug'
      log[level](
        { ...line, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      )
    }
    done()
  })
}

/**
 * Neither what asks to be held until something happens, since how long that takes says nothing about us,
 * nor whoever asks whether we are ready, since no is an answer there.
 */
function isLoad(route: string, query: unknown): boolean {
  if (route.endsWith('/events') || route === '/ready') return false
  return (query as { wait?: string } | undefined)?.wait === undefined
}

function answerErrors(app: FastifyInstance, { log }: Service): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.validation) {
      return refuseInvalid(reply, problemsOf(error.validation))
    }
    if (error instanceof BodyError) {
      return refuseInvalid(reply, [{ field: 'body', message: error.message }])
    }
    switch (error.code) {
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return refuse(reply, 'unsupported_media_type')
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return refuse(reply, 'body_too_large')
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return refuseInvalid(reply, [{ field: 'body', message: 'body was cut off' }])
    }
    // Whoever hung up in the middle of a body gets no answer, and is no fault of ours. A request that
    // has come whole is destroyed as well, once it was read.
    if (request.raw.destroyed && !request.raw.complete)
      return refuseInvalid(reply, [{ field: 'body', message: 'body was cut off' }])
    if (error instanceof Overloaded || isStatementTimeout(error)) return refuse(reply, 'busy')
    if (isLockTimeout(error)) {
      const isRepeat = headerOf(request, 'idempotency-key') !== undefined
      return refuse(reply, isRepeat ? 'key_in_use' : 'busy')
    }
    if (error instanceof CommitUnknown || error instanceof DatabaseAway) {
      log.error({ err: error, requestId: request.id }, 'the database is away')
      return refuse(reply, 'database_unavailable')
    }
    log.error({ err: error, requestId: request.id }, 'internal error')
    return refuse(reply, 'internal')
  })
}
