import { ErrorBody, malformedRequest, media } from '@florin/contract/common.js'
import { described } from '@florin/contract/fields.js'
import { StoreParams } from '@florin/contract/operator.js'
import { LogoParams, ServiceState } from '@florin/contract/service.js'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseStoreId } from '../../core/ids.ts'
import type { Store } from '../../core/store.ts'
import { escapeHtml } from '../../core/text.ts'
import type { Service } from '../../service.ts'
import { findLogo } from '../../sql/logos.ts'
import { type Audience, OPERATOR, type OperatorCaller } from '../kit/audiences.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { refuse, sendJson } from '../kit/replies.ts'
import { type DeclareRoute, routesFor } from '../kit/route.ts'
import { IMAGE_ERRORS, linkQrRoute } from './linkQr.ts'

const SERVICE: Audience<null> = { tag: 'Service', security: [], callerOf: () => null }
const METRICS: Audience<OperatorCaller> = {
  ...OPERATOR,
  tag: SERVICE.tag,
  security: [{ bearer: [] }],
}

/** Endpoints without credentials, and the metrics. */
export async function publicApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  const route = await routesFor(app, service, SERVICE)
  stateRoutes(route)
  logoRoutes(route)
  linkQrRoute(route)
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', authenticate.operator)
    metricsRoute(await routesFor(signedIn, service, METRICS))
  })
}

function stateRoutes(route: DeclareRoute<null>): void {
  route('GET /health', {
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    response: ServiceState,
    onlyErrors: { 400: malformedRequest },
    handler: ({ reply }) => sendJson(reply, 200, { status: 200, message: 'Alive' }),
  })

  route('GET /ready', {
    operationId: 'getReady',
    summary: 'Check that requests can be served',
    description: 'Checks the database, its migrations and its initial data.',
    response: ServiceState,
    onlyErrors: {
      400: malformedRequest,
      503: described(
        ErrorBody,
        'The process is starting or stopping, or the database is unavailable',
      ),
    },
    handler: async ({ service, reply }) => {
      if (!(await service.isReady())) return refuse(reply, 'not_ready')
      return sendJson(reply, 200, { status: 200, message: 'Ready' })
    },
  })
}

function metricsRoute(route: DeclareRoute<OperatorCaller>): void {
  route('GET /metrics', {
    operationId: 'getMetrics',
    summary: 'Get Prometheus metrics',
    permission: 'metrics',
    response: media('Prometheus text format', 'text/plain'),
    handler: async ({ service, reply }) => {
      const { registry, text } = service.metrics
      return reply.header('content-type', registry.contentType).send(await text())
    },
  })
}

const LOGO_ERRORS = {
  404: described(ErrorBody, 'There is no such store'),
  ...IMAGE_ERRORS,
}
const ONE_HOUR = 'public, max-age=3600'
const ONE_YEAR = 'public, max-age=31536000, immutable'

function logoRoutes(route: DeclareRoute<null>): void {
  route('GET /stores/:storeId/logo.svg', {
    operationId: 'getLogo',
    summary: 'Get the default logo of a store',
    description: 'Returns the logo that is drawn for a store that has not uploaded one.',
    params: StoreParams,
    response: media('The logo', 'image/svg+xml'),
    onlyErrors: LOGO_ERRORS,
    handler: async ({ service, params, reply }) => {
      const store = await findStore(service, params)
      if (store === null) return refuse(reply, 'store_unknown')
      return sendLogo(reply, 'image/svg+xml', ONE_HOUR, defaultLogo(store))
    },
  })

  route('GET /stores/:storeId/logo/:file', {
    operationId: 'getOwnLogo',
    summary: 'Get the uploaded logo of a store',
    description: 'Returns the current logo, even if `file` is an older one.',
    params: LogoParams,
    response: media('The logo', 'image/png', 'image/svg+xml'),
    onlyErrors: LOGO_ERRORS,
    handler: async ({ service, params, reply }) => {
      const store = await findStore(service, params)
      if (store === null) return refuse(reply, 'store_unknown')
      const logo = await findLogo(service.database, store.storeId)
      if (logo === null) return sendLogo(reply, 'image/svg+xml', ONE_HOUR, defaultLogo(store))
      const isCurrent = params.file === `${logo.hash}.png`
      return sendLogo(reply, 'image/png', isCurrent ? ONE_YEAR : ONE_HOUR, logo.png)
    },
  })
}

function sendLogo(
  reply: FastifyReply,
  type: 'image/svg+xml' | 'image/png',
  cacheControl: string,
  image: string | Buffer,
): FastifyReply {
  return reply
    .header('content-type', type)
    .header('cache-control', cacheControl)
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(image)
}

async function findStore(service: Service, params: StoreParams): Promise<Store | null> {
  const storeId = parseStoreId(params.storeId)
  return storeId && service.stores.get(storeId)
}

/** The first letter of the name, on a colour that depends only on the store's number. */
function defaultLogo({ name, storeId }: Store): string {
  const letter = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '·')
  const hue = (storeId * 137) % 360
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${letter}">` +
    `<rect width="96" height="96" rx="22" fill="hsl(${hue} 45% 34%)"/>` +
    `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="48" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${letter}</text></svg>`
  )
}
