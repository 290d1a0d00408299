import type { SwaggerOptions } from '@fastify/swagger'
import { malformedRequest } from '@florin/contract/common.js'
import { described } from '@florin/contract/fields.js'
import { WebhookBody } from '@florin/contract/webhooks.js'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { basePathOf, type Config } from '../../config.ts'
import type { Scope } from '../../core/credentials.ts'
import { rolesFor } from '../../core/person.ts'
import { EVENT_TYPES } from '../../core/webhook.ts'
import { VERSION } from '../../platform/version.ts'
import { compress, once, sendCompressed } from './compressed.ts'
import { operatorCookie, personCookie, walletCookie } from './sessionCookie.ts'

const NOT_NEEDED = 'x-not-needed'
/** Which people of a store may call it; everybody who is signed in where it is absent. */
const ROLES = 'x-roles'

type Body = { required: boolean; content: Record<string, { schema: Record<string, unknown> }> }
type Security = readonly Record<string, readonly string[]>[]

/** What is told of each call beside its schema; `/docs` and the SDK's types are made from it. */
export const openapiSettings = (config: Config): SwaggerOptions => ({
  transform: ({ schema, url, route }) => {
    const { scope, roles, needsNoBody } = route.config ?? {}
    const { body } = schema ?? {}
    const isOpen = scope === undefined && roles === undefined
    return {
      schema: {
        ...schema,
        security: withScope(schema?.security ?? [], scope),
        ...(url.startsWith('/store/') && !isOpen ? { [ROLES]: rolesFor({ scope, roles }) } : {}),
        // The plugin calls every body required; which one is not, only the route knows.
        ...(body && needsNoBody ? { body: { ...body, [NOT_NEEDED]: true } } : {}),
      },
      url,
    }
  },
  transformObject: (document) => {
    if (!('openapiObject' in document)) throw new Error('The document must be OpenAPI')
    for (const operation of Object.values(document.openapiObject.paths ?? {}).flatMap((path) =>
      Object.values(path ?? {}),
    )) {
      const { requestBody } = operation as { requestBody?: Body }
      const schema = requestBody?.content['application/json']?.schema
      if (requestBody && schema?.[NOT_NEEDED]) {
        delete schema[NOT_NEEDED]
        requestBody.required = false
      }
    }
    return document.openapiObject
  },
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Florin',
      version: VERSION,
      description:
        'Ask for money with one call, show the QR code, learn of the outcome, send it back in full. ' +
        'The same address serves live and sandbox; the API key decides. Amounts go in as JSON numbers ' +
        'and come back as decimal strings; times are UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePathOf(config) || '/', description: 'This instance' }],
    tags: [
      { name: 'Merchant', description: 'What a shop calls' },
      { name: 'Webhooks', description: "What the merchant's server is told" },
      { name: 'Sandbox', description: 'Plays the payer; sandbox keys only' },
      { name: 'Wallet', description: "What a payer's wallet calls" },
      { name: 'Store', description: 'What the people of a store call: till and dashboard' },
      { name: 'Operator', description: 'Runs the service' },
      { name: 'Service', description: 'Health and documents' },
    ],
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type) }])),
    components: {
      schemas: { WebhookBody: WebhookBody as object },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'api-key',
          description: "A store's key, which decides between live and sandbox.",
        },
        apiSecret: {
          type: 'apiKey',
          in: 'header',
          name: 'api-secret',
          description: 'What proves the key.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a wallet that is signed in, or of an operator.',
        },
        person: {
          type: 'apiKey',
          in: 'cookie',
          name: personCookie.name,
          description: 'Somebody of a store who is signed in.',
        },
        wallet: {
          type: 'apiKey',
          in: 'cookie',
          name: walletCookie.name,
          description: 'A wallet that is signed in, in a browser.',
        },
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: operatorCookie.name,
          description: 'An operator who is signed in, in a browser.',
        },
      },
    },
  },
})

/** OpenAPI has a place for what a key or a role must be allowed: beside the name of the scheme. */
const withScope = (security: Security, scope: Scope | undefined) =>
  security.map((one) =>
    Object.fromEntries(
      Object.keys(one).map((name) => [
        name,
        scope !== undefined && ['apiKey', 'person'].includes(name) ? [scope] : [],
      ]),
    ),
  )

const webhook = (type: (typeof EVENT_TYPES)[number]) => ({
  tags: ['Webhooks'],
  operationId: type.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase()),
  summary: `A payment became ${type.split('.')[1]}`,
  security: [],
  parameters: Object.entries({
    'webhook-id': 'The same on every attempt: one that you have seen needs nothing more.',
    'webhook-timestamp': 'When it was sent, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; two of them, with a space between, while a secret is being replaced.',
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
    200: { description: 'Any 2xx within 15 seconds: it was taken.' },
    410: { description: 'Nobody wants it: it is not sent again.' },
    default: { description: 'It is sent again later.' },
  },
})

export async function openapiRoutes(app: FastifyInstance): Promise<void> {
  // The document is the same for everybody and never changes while the process runs.
  const document = once(() => compress(JSON.stringify(app.swagger())))

  app.get(
    '/openapi.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'This document',
        description:
          'Compressed if you accept it. Send its ETag in If-None-Match: 304 if nothing changed.',
        response: {
          200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true },
          304: described(Type.Null(), 'The document that If-None-Match names is current'),
          400: malformedRequest,
        },
      },
    },
    async (request, reply) => {
      const made = await document()
      reply.header('content-type', 'application/json; charset=utf-8')
      return sendCompressed(request, reply, made)
    },
  )
}
