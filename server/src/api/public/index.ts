import { ErrorBody, errors, malformedRequest, media } from '@florin/contract/common.js'
import { described, string } from '@florin/contract/fields.js'
import { StoreParams } from '@florin/contract/operator.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { asStoreId } from '../../core/ids.ts'
import type { Store } from '../../core/store.ts'
import { escapeHtml } from '../../core/text.ts'
import type { Service } from '../../service.ts'
import { findLogo } from '../../sql/logos.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { refuse, sendJson } from '../kit/errorReply.ts'

const StateBody = Type.Object(ErrorBody.properties, { description: 'Yes' })

const FOR_GOOD = 'public, max-age=31536000, immutable'

/** What needs no credentials, and the metrics. */
export async function publicRoutes(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  app.get(
    '/health',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getHealth',
        summary: 'Whether the process is alive',
        response: { 200: StateBody, 400: malformedRequest },
      },
    },
    async (_request, reply) => sendJson(reply, 200, { status: 200, message: 'Alive' }),
  )

  app.get(
    '/ready',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getReady',
        summary: 'Whether requests can be served: database, migrations, first data',
        response: {
          200: StateBody,
          400: malformedRequest,
          503: described(ErrorBody, 'Not yet, or no longer'),
        },
      },
    },
    async (_request, reply) => {
      if (!(await service.isReady())) return refuse(reply, 'not_ready')
      return sendJson(reply, 200, { status: 200, message: 'Ready' })
    },
  )

  app.get(
    '/metrics',
    {
      onRequest: authenticate.operator,
      schema: {
        tags: ['Service'],
        security: [{ bearer: [] }],
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        response: { 200: media('Prometheus text format', 'text/plain'), ...errors() },
      },
    },
    async (_request, reply) => {
      const { registry, text } = service.metrics
      return reply.header('content-type', registry.contentType).send(await text())
    },
  )

  app.get(
    '/stores/:storeId/logo.svg',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getLogo',
        summary: 'The mark of a store that has no logo of its own',
        params: StoreParams,
        response: {
          200: media('The mark', 'image/svg+xml'),
          404: described(ErrorBody, 'There is no such store'),
          500: described(ErrorBody, 'Internal error; the x-request-id header names it'),
          503: described(ErrorBody, 'The database is away; see Retry-After'),
        },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      return reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', 'public, max-age=3600')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(mark(store.name, store.storeId))
    },
  )

  app.get(
    '/stores/:storeId/logo/:file',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOwnLogo',
        summary: 'The logo that a store has uploaded; the one of today also for an older one',
        params: Type.Object({
          ...StoreParams.properties,
          file: string('Names the picture by its hash.'),
        }),
        response: {
          200: media('The logo', 'image/png', 'image/svg+xml'),
          404: described(ErrorBody, 'There is no such store'),
          500: described(ErrorBody, 'Internal error; the x-request-id header names it'),
          503: described(ErrorBody, 'The database is away; see Retry-After'),
        },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const { file } = request.params as { file: string }
      const logo = await findLogo(service.database, store.storeId)
      // Who kept the address of an older one sees the one of today.
      const isOfToday = file === `${logo?.hash}.png`
      return reply
        .header('content-type', logo === null ? 'image/svg+xml' : 'image/png')
        .header('cache-control', isOfToday ? FOR_GOOD : 'public, max-age=3600')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(logo?.png ?? mark(store.name, store.storeId))
    },
  )
}

/** Null for what is no store. */
async function storeOf(service: Service, request: FastifyRequest): Promise<Store | null> {
  const { storeId } = request.params as { storeId: string }
  const id = /^\d{1,7}$/.test(storeId) ? asStoreId(Number(storeId)) : null
  return id && service.stores.get(id)
}

/** The first letter on a colour that stays the same for the store. */
function mark(name: string, storeId: number): string {
  const letter = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '·')
  const hue = (storeId * 137) % 360
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="${letter}">` +
    `<rect width="96" height="96" rx="22" fill="hsl(${hue} 45% 34%)"/>` +
    `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="48" ` +
    `font-weight="600" text-anchor="middle" dominant-baseline="central">${letter}</text></svg>`
  )
}
