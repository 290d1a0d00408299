import { errors, IdempotencyHeaders, successBody } from '@florin/contract/common.js'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Static, TSchema, TUnknown } from 'typebox'
import type { Service } from '../../service.ts'
import type { Audience } from './audiences.ts'
import type { RouteConfig } from './authenticate.ts'
import { acceptAnything, acceptJson, acceptPictures, MAX_OPEN_BODY_BYTES } from './http/bodies.ts'
import type { FieldProblem } from './http/validation.ts'
import { keyProblem } from './idempotency.ts'
import { type Reply, refuseInvalid } from './replies.ts'

type CallTypes = {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly data?: unknown
}

/** The argument of a handler: the parts of the request, as the schema types them, and the authenticated caller. */
export type Call<Caller, Types extends CallTypes = CallTypes> = {
  readonly service: Service
  readonly caller: Caller
  readonly params: Types['params']
  readonly query: Types['query']
  readonly body: Types['body']
  readonly request: FastifyRequest
  readonly reply: Reply<Types['data']>
}

type Route<
  Caller,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
> = RouteConfig & {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** The section of the API reference, if it is not that of the audience. */
  readonly tag?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** A body of any type is accepted, and not parsed. */
  readonly ignoresBody?: boolean
  /** The body is a PNG or JPEG file: the handler gets its bytes as `request.body`. */
  readonly takesPicture?: boolean
  readonly takesIdempotencyKey?: boolean
  /** The `data` of a successful response. */
  readonly data?: Data
  /** The `data` of a response with status 202, if the request needs an approval. */
  readonly accepted?: TSchema
  /** The whole successful response, if it is not `{ status, message, data }`. */
  readonly response?: TSchema
  /** Statuses of errors that can't be derived from the other fields. */
  readonly errors?: readonly number[]
  /** Error responses with a body of their own. */
  readonly errorBodies?: Readonly<Record<number, TSchema>>
  /** All error responses, if the common ones don't apply. */
  readonly onlyErrors?: Readonly<Record<number, TSchema>>
  /** Validation that the schema can't do. By default, a route without `hasOwnChecks` checks its Idempotency-Key, if it takes one. */
  readonly check?: (request: FastifyRequest) => readonly FieldProblem[]
  /** The handler reports the problems of the schema itself, together with its own: see `schemaProblems`. */
  readonly hasOwnChecks?: boolean
  readonly preValidation?: RouteShorthandOptions['preValidation']
  readonly handler: (
    call: Call<
      Caller,
      { params: Static<Params>; query: Static<Query>; body: Static<Body>; data: Static<Data> }
    >,
  ) => FastifyReply | Promise<FastifyReply>
}

/** Declares a route of an audience. The endpoint is its method and path. */
export type DeclareRoute<Caller> = <
  Params extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
  Data extends TSchema = TUnknown,
>(
  endpoint: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  route: Route<Caller, Params, Query, Body, Data>,
) => void

/** Returns the function that declares the routes of an audience. Add hooks to `app` before you call `routesFor`. */
export async function routesFor<Caller>(
  app: FastifyInstance,
  service: Service,
  audience: Audience<Caller>,
): Promise<DeclareRoute<Caller>> {
  // Content type parsers belong to a Fastify instance, so each kind of body needs its own.
  const instances = { json: app, anything: app, pictures: app }
  await app.register(async (child) => {
    acceptJson(child)
    instances.json = child
  })
  await app.register(async (child) => {
    acceptAnything(child)
    instances.anything = child
  })
  await app.register(async (child) => {
    acceptPictures(child)
    instances.pictures = child
  })

  const isOpen = audience.security.length === 0
  return (endpoint, route) => {
    const [method = '', url = ''] = endpoint.split(' ')
    const { handler, hasOwnChecks = false } = route
    const bodyKind = route.takesPicture ? 'pictures' : route.ignoresBody ? 'anything' : 'json'
    const instance = instances[bodyKind]
    const check = route.check ?? (route.takesIdempotencyKey && !hasOwnChecks ? checkKey : undefined)
    instance.route({
      method,
      url,
      ...(isOpen ? { bodyLimit: MAX_OPEN_BODY_BYTES } : {}),
      attachValidation: hasOwnChecks,
      config: configOf(route),
      schema: schemaOf(route, audience),
      ...preValidationOf(route),
      // Not async: that would add a promise to each request.
      handler: (request, reply) => {
        const problems = check?.(request) ?? NO_PROBLEMS
        if (problems.length > 0) return refuseInvalid(reply, problems)
        return handler({
          service,
          caller: audience.callerOf(request),
          params: request.params as Static<NonNullable<typeof route.params>>,
          query: request.query as Static<NonNullable<typeof route.query>>,
          body: request.body as Static<NonNullable<typeof route.body>>,
          request,
          reply,
        })
      },
    })
  }
}

const NO_PROBLEMS: readonly FieldProblem[] = []

type AnyRoute = Omit<Route<never, TSchema, TSchema, TSchema, TSchema>, 'handler'>

const checkKey = (request: FastifyRequest): readonly FieldProblem[] => {
  const problem = keyProblem(request)
  return problem === null ? NO_PROBLEMS : [problem]
}

const configOf = (route: AnyRoute): RouteConfig => ({
  scope: route.scope,
  roles: route.roles,
  permission: route.permission,
  needsConfirmation: route.needsConfirmation,
  ownAccount: route.ownAccount,
  hasOptionalBody: route.hasOptionalBody,
})

/** For validation and for OpenAPI. */
function schemaOf(route: AnyRoute, audience: Audience<unknown>) {
  const { operationId, summary, description, params, query, body, takesIdempotencyKey } = route
  const success = route.response ?? successBody(route.data!)
  return {
    tags: [route.tag ?? audience.tag],
    security: audience.security,
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    ...(route.takesPicture ? { consumes: ['image/png', 'image/jpeg'] } : {}),
    ...(takesIdempotencyKey ? { headers: IdempotencyHeaders } : {}),
    response: { 200: success, ...acceptedOf(route), ...errorsOf(route) },
  }
}

const acceptedOf = ({ accepted }: AnyRoute) =>
  accepted === undefined ? {} : { 202: successBody(accepted, 202, 'Waits for a second operator') }

const errorsOf = (route: AnyRoute) =>
  route.onlyErrors ?? { ...errors(...statusesOf(route)), ...route.errorBodies }

/** The errors that follow from the inputs of a route, and its own. */
function statusesOf(route: AnyRoute): number[] {
  const {
    query,
    body,
    hasOptionalBody,
    takesPicture,
    ignoresBody,
    takesIdempotencyKey,
    needsConfirmation,
  } = route
  const takesBody = body !== undefined || hasOptionalBody === true || takesPicture === true
  return [
    ...(route.errors ?? []),
    ...(query !== undefined || takesBody || takesIdempotencyKey ? [400] : []),
    ...(takesBody || ignoresBody ? [413] : []),
    ...(takesIdempotencyKey ? [409, 422] : []),
    ...(needsConfirmation ? [428] : []),
  ]
}

function preValidationOf({ body, hasOptionalBody, preValidation }: AnyRoute) {
  if (preValidation !== undefined) return { preValidation }
  if (body === undefined || !hasOptionalBody) return {}
  const addEmptyBody: RouteShorthandOptions['preValidation'] = (request, _reply, done) => {
    // Also for `null`: some HTTP clients send it for no body.
    request.body ??= {}
    done()
  }
  return { preValidation: addEmptyBody }
}
