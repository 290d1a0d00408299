import { createRequire } from 'node:module'
import type { SwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { rolesFor } from '../core/person.ts'
import { personCookie, walletCookie } from './sessionCookie.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const NOT_NEEDED = 'x-not-needed'
/** Which people of a store may call it; everybody who is signed in where it is absent. */
const ROLES = 'x-roles'

type Body = { required: boolean; content: Record<string, { schema: Record<string, unknown> }> }

export const OPENAPI: SwaggerOptions = {
  // The plugin calls every body required; which one is not, only the route knows.
  transform: ({ schema, url, route }) => {
    const { body } = schema ?? {}
    const { needsNoBody, scope, roles } = route.config ?? {}
    const isOpen = scope === undefined && roles === undefined
    const forWhom =
      url.startsWith('/store/') && !isOpen ? { [ROLES]: rolesFor({ scope, roles }) } : {}
    const noBody = body && needsNoBody ? { body: { ...body, [NOT_NEEDED]: true } } : {}
    return { schema: { ...schema, ...forWhom, ...noBody }, url }
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
      version,
      description:
        'Ask for money with one call, show the QR code, learn of the outcome, send it back in full. ' +
        'The same address serves live and sandbox; the API key decides. Amounts go in as JSON numbers ' +
        'and come back as decimal strings; times are UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Merchant', description: 'What a shop calls' },
      { name: 'Webhooks', description: "What the merchant's server is told" },
      { name: 'Sandbox', description: 'Plays the payer; sandbox keys only' },
      { name: 'Wallet', description: "What a payer's wallet calls" },
      { name: 'Store', description: 'What the people of a store call: till and dashboard' },
      { name: 'Operator', description: 'Runs the service' },
      { name: 'Service', description: 'Health and documents' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
        apiSecret: { type: 'apiKey', in: 'header', name: 'api-secret' },
        bearer: { type: 'http', scheme: 'bearer' },
        person: { type: 'apiKey', in: 'cookie', name: personCookie.name },
        wallet: { type: 'apiKey', in: 'cookie', name: walletCookie.name },
      },
    },
  },
}

// The reference page brings its own script and styles along; nothing is fetched from elsewhere.
const DOCS_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** The OpenAPI document and a reference page drawn from it. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  app.get(
    '/openapi.json',
    {
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'This document',
        response: {
          200: { description: 'OpenAPI 3.1', type: 'object', additionalProperties: true },
        },
      },
    },
    async (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify(app.swagger())),
  )
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/docs')) reply.header('content-security-policy', DOCS_POLICY)
  })
  // Heavy, and of no use to the command line, which builds the same app without it.
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Florin API',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
    },
  })
}
