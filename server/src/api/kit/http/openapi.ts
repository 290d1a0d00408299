import type { SwaggerOptions } from '@fastify/swagger'
import { malformedRequest } from '@florin/contract/common.js'
import { described } from '@florin/contract/fields.js'
import { EVENT_TYPES } from '@florin/contract/values.js'
import { WebhookBody } from '@florin/contract/webhooks.js'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { basePathOf, type Config } from '../../../config.ts'
import type { Scope } from '../../../core/credentials.ts'
import { rolesFor } from '../../../core/person.ts'
import { VERSION } from '../../../platform/version.ts'
import { operatorCookie, personCookie, walletCookie } from '../account/sessionCookie.ts'
import { compress, once, sendCompressed } from './compressed.ts'
import { type SharingDocument, shareComponents } from './openapiComponents.ts'

const X_OPTIONAL_BODY = 'x-optional-body'
/** Roles that may call an endpoint of a store. Absent if the route names neither a scope nor roles. */
const X_ROLES = 'x-roles'
/** The permission that an operator or token needs. */
const X_PERMISSION = 'x-permission'

type Body = { required: boolean; content: Record<string, { schema: Record<string, unknown> }> }
type Security = readonly Record<string, readonly string[]>[]

/** The OpenAPI document. `/docs` is rendered from it. */
export const openapiSettings = (config: Config): SwaggerOptions => ({
  transform: ({ schema, url, route }) => {
    const { scope, roles, permission, hasOptionalBody } = route.config ?? {}
    const { body, consumes } = schema ?? {}
    const hasRoles = url.startsWith('/store/') && (scope ?? roles) !== undefined
    return {
      schema: {
        ...schema,
        security: withScope(schema?.security ?? [], scope),
        ...(permission === undefined ? {} : { [X_PERMISSION]: permission }),
        ...(hasRoles ? { [X_ROLES]: rolesFor({ scope, roles }) } : {}),
        // The plugin marks every body as required. `transformObject` corrects it.
        ...(body && hasOptionalBody ? { body: { ...body, [X_OPTIONAL_BODY]: true } } : {}),
        // A picture has no schema in the route, because Fastify would validate its bytes.
        ...(consumes ? { body: { type: 'string' } } : {}),
      },
      url,
    }
  },
  transformObject: (document) => {
    if (!('openapiObject' in document)) throw new Error('The document must be OpenAPI')
    const { openapiObject } = document
    for (const operation of Object.values(openapiObject.paths ?? {}).flatMap((path) =>
      Object.values(path ?? {}),
    )) {
      correctOperation(operation as Operation)
    }
    shareComponents(openapiObject as SharingDocument)
    return openapiObject
  },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: VERSION,
      description:
        'Create a payment, show its QR code, receive the outcome by webhook, and refund it in full. ' +
        'Live and sandbox use the same URL; the API key selects the mode. Amounts are decimal strings in ' +
        'responses. In requests, amounts of payments and donations and prices of products are JSON numbers, and all other ' +
        'amounts are decimal strings. Times are UTC.',
      contact: { name: 'The operator of this instance', url: config.publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePathOf(config) || '/', description: 'This instance' }],
    tags: [
      { name: 'Merchant', description: 'For the server of a shop' },
      { name: 'Webhooks', description: 'Events that are posted to your server' },
      { name: 'Sandbox', description: 'Simulates the payer; sandbox keys only' },
      { name: 'Wallet', description: "For a payer's wallet" },
      { name: 'Store', description: 'For the people of a store: till and dashboard' },
      { name: 'Operator', description: 'For the people who run the service' },
      { name: 'Service', description: 'Health, metrics, public images and documentation' },
    ],
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type) }])),
    components: {
      schemas: { WebhookBody: WebhookBody as object },
      securitySchemes: {
        apiKey: apiKey('header', 'api-key', "The store's API key. It selects live or sandbox."),
        apiSecret: apiKey('header', 'api-secret', 'The secret of the API key.'),
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a wallet session, or of an operator.',
        },
        person: apiKey('cookie', personCookie.name, 'The session of a person of a store.'),
        wallet: apiKey('cookie', walletCookie.name, 'The session of a wallet in a browser.'),
        operator: apiKey('cookie', operatorCookie.name, 'The session of an operator in a browser.'),
      },
    },
  },
})

const apiKey = (location: 'header' | 'cookie', name: string, description: string) => ({
  type: 'apiKey' as const,
  in: location,
  name,
  description,
})

type Parameter = { name: string; in: string; schema: Record<string, unknown> }

type Operation = { requestBody?: Body; parameters?: Parameter[] }

function correctOperation({ requestBody, parameters }: Operation) {
  const schema = requestBody?.content['application/json']?.schema
  if (requestBody && schema?.[X_OPTIONAL_BODY]) {
    delete schema[X_OPTIONAL_BODY]
    requestBody.required = false
  }
  // `unit` is only for error messages; see `integerQuery`.
  for (const { schema } of parameters ?? []) delete schema.unit
}

/** OpenAPI lists the required scopes beside the name of the security scheme. */
const withScope = (security: Security, scope: Scope | undefined) =>
  security.map((requirement) =>
    Object.fromEntries(
      Object.keys(requirement).map((name) => [
        name,
        scope !== undefined && ['apiKey', 'person'].includes(name) ? [scope] : [],
      ]),
    ),
  )

const webhook = (type: (typeof EVENT_TYPES)[number]) => ({
  tags: ['Webhooks'],
  operationId: type.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase()),
  summary: `Payment ${type.split('.')[1]}`,
  security: [],
  parameters: Object.entries({
    'webhook-id': 'The id of the event, the same on every attempt. Use it to ignore duplicates.',
    'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Two signatures, separated by a space, while a secret is rotated.',
  }).map(([name, description]) => ({
    name,
    in: 'header' as const,
    required: true,
    description,
    schema: { type: 'string' as const },
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookBody' } } },
  },
  responses: {
    200: { description: 'Any 2xx within 15 seconds: the event is delivered.' },
    410: { description: 'The event is not retried.' },
    default: { description: 'The event is retried later.' },
  },
})

export async function openapiRoutes(app: FastifyInstance): Promise<void> {
  // The document never changes while the process runs.
  const document = once(() => compress(JSON.stringify(app.swagger())))

  app.get(
    '/openapi.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI document',
        description:
          'The response is compressed if `Accept-Encoding` allows it. Send its ETag in `If-None-Match` to get 304 if nothing changed.',
        response: {
          200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true },
          304: described(Type.Null(), 'Your copy is current'),
          400: malformedRequest,
        },
      },
    },
    async (request, reply) => {
      const compressed = await document()
      reply.header('content-type', 'application/json; charset=utf-8')
      return sendCompressed(request, reply, compressed)
    },
  )
}
