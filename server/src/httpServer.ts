import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import { BodyError, MAX_OPEN_BODY_BYTES, refuseEncodedBodies } from './api/kit/http/bodies.ts'
import { limitConnections } from './api/kit/http/connections.ts'
import { reportForwardedHeaders } from './api/kit/http/forwardedHeaders.ts'
import { headerOf, MAX_HEADERS_BYTES } from './api/kit/http/headers.ts'
import { lazySchemas } from './api/kit/http/lazySchemas.ts'
import { addSecurityHeaders } from './api/kit/http/securityHeaders.ts'
import { closeUnfinishedRequests } from './api/kit/http/unfinishedRequests.ts'
import { recordRoutes } from './api/kit/http/unknownPaths.ts'
import { refuseUnreadable, replaceNodeResponses } from './api/kit/http/unreadable.ts'
import { problemsOf } from './api/kit/http/validation.ts'
import { refuse, refuseInvalid } from './api/kit/replies.ts'
import type { Config } from './config.ts'
import { Overloaded } from './core/limitConcurrency.ts'
import {
  CommitUnknown,
  DatabaseUnavailable,
  isLockTimeout,
  isStatementTimeout,
} from './database/errors.ts'
import type { Service } from './service.ts'

const REQUEST_FIELDS = [
  'merchant',
  'session',
  'person',
  'operator',
  'operatorAccess',
  'actor',
  'rawBody',
] as const
const MAX_BODY_BYTES = 256 * 1024
const MAX_PARAM_LENGTH = 16 * 1024
const REQUEST_TIMEOUT_MS = 30_000
const SEND_TIMEOUT_MS = 60_000

/** A request must arrive within `requestTimeoutMs`. A client must read some of its response within `sendTimeoutMs`. */
export type HttpTimeouts = { readonly requestTimeoutMs?: number; readonly sendTimeoutMs?: number }

/** Creates the HTTP server without routes: its limits, headers, logs and responses to errors. */
export function createHttpServer(
  service: Service,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS, sendTimeoutMs = SEND_TIMEOUT_MS }: HttpTimeouts = {},
): FastifyInstance {
  const app = Fastify(fastifyOptions(service.config, requestTimeoutMs))
  for (const field of REQUEST_FIELDS) app.decorateRequest(field, null)

  limitConnections(app, sendTimeoutMs)
  addSecurityHeaders(app, service.config)
  addMetricsAndLogs(app, service)
  replaceNodeResponses(app)
  reportForwardedHeaders(app, service)
  closeConnections(app, service)
  closeUnfinishedRequests(app)
  handleErrors(app, service)
  refuseEncodedBodies(app)
  recordRoutes(app)
  return app
}

function fastifyOptions(
  { trustedProxies }: Config,
  requestTimeoutMs: number,
): FastifyHttpOptions<Server> {
  return {
    // `addMetricsAndLogs` logs requests, without headers and bodies.
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    // With `false`, Fastify doesn't read the forwarding headers of each request.
    trustProxy: trustedProxies === 0 ? false : (_address, hop) => hop < trustedProxies,
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: MAX_HEADERS_BYTES,
      headersTimeout: requestTimeoutMs,
      // Node.js checks every 30 seconds by default, which would double the timeout.
      connectionsCheckingInterval: requestTimeoutMs / 6,
      // Node.js would refuse with an empty body. `replaceNodeResponses` refuses instead.
      requireHostHeader: false,
    },
    // `limitConnections` sets the timeout of connections.
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: refuseUnreadable,
    // For a URL that the router can't parse, such as `http://`.
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
        // Errors carry the invalid value and its schema.
        verbose: true,
        strict: false,
        // Compiling the meta-schema takes longer than compiling the schemas of most requests.
        validateSchema: false,
      },
    },
  }
}

/** While the process drains, each connection ends with its request. */
function closeConnections(app: FastifyInstance, service: Service): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (service.isDraining()) reply.header('connection', 'close')
    done()
  })
  // A connection that was busy when closing began would stay open until its keep-alive timeout.
  let closingIdle: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    closingIdle = setInterval(() => app.server.closeIdleConnections(), 100)
  })
  app.addHook('onClose', async () => clearInterval(closingIdle))
}

/**
 * Changes URLs that Fastify would refuse as malformed (400), so that they get a 404. `*` becomes an unknown path, and an id that
 * can't be decoded becomes an unknown id.
 */
function decodableUrl(url: string): string {
  if (url === '*') return '/*'
  return url.includes('%') && !isDecodable(url) ? url.replaceAll('%', '%25') : url
}

function isDecodable(url: string): boolean {
  try {
    // Use the result: the bundler removes a call of `decodeURIComponent` whose result is unused.
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

function addMetricsAndLogs(app: FastifyInstance, { metrics, log, load }: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern of the route, not the path: each id would create a time series.
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
    if (isLoad(route, request.query)) load.record(reply.elapsedTime, reply.statusCode)
    if (log.isLevelEnabled('debug') || reply.statusCode >= 500) {
      const level = reply.statusCode >= 500 ? 'error' : 'debug'
      log[level](
        {
          requestId: request.id,
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request completed',
      )
    }
    done()
  })
}

const NOT_LOAD = new Set(['/ready', '/wallet/events', '/store/changes', '/pay/:paymentId/events'])

/**
 * Whether a request counts as load. Excludes requests that wait for an event, because their duration says nothing about the
 * service, and `/ready`, where 503 is a normal response.
 */
function isLoad(route: string, query: unknown): boolean {
  if (NOT_LOAD.has(route)) return false
  return (query as { wait?: unknown } | undefined)?.wait === undefined
}

const isOpen = ({ routeOptions }: FastifyRequest) => routeOptions.bodyLimit === MAX_OPEN_BODY_BYTES

function handleErrors(app: FastifyInstance, { log }: Service): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.validation) {
      return refuseInvalid(reply, problemsOf(error))
    }
    if (error instanceof BodyError) {
      return refuseInvalid(reply, [{ field: 'body', message: error.message }])
    }
    switch (error.code) {
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return refuse(reply, 'unsupported_media_type')
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return refuse(reply, isOpen(request) ? 'open_body_too_large' : 'body_too_large')
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return refuseInvalid(reply, [{ field: 'body', message: 'body was cut off' }])
    }
    // The client closed the connection before the body was complete, which is not an error of the service. Also check
    // `complete`: a request that was read to the end is destroyed too.
    if (request.raw.destroyed && !request.raw.complete)
      return refuseInvalid(reply, [{ field: 'body', message: 'body was cut off' }])
    if (error instanceof Overloaded || isStatementTimeout(error)) return refuse(reply, 'busy')
    if (isLockTimeout(error)) {
      const hasKey = headerOf(request, 'idempotency-key') !== undefined
      return refuse(reply, hasKey ? 'key_in_use' : 'busy')
    }
    if (error instanceof CommitUnknown || error instanceof DatabaseUnavailable) {
      log.error({ err: error, requestId: request.id }, 'database unavailable')
      return refuse(reply, 'database_unavailable')
    }
    log.error({ err: error, requestId: request.id }, 'internal error')
    return refuse(reply, 'internal')
  })
}
