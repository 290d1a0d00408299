import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { refuse } from '../replies.ts'

type KnownRoute = { readonly parts: readonly string[]; readonly methods: readonly string[] }

declare module 'fastify' {
  interface FastifyInstance {
    knownRoutes: KnownRoute[]
  }
}

/** Records all routes, so that a 405 response can list the allowed methods. Call it before any route is added. */
export function recordRoutes(app: FastifyInstance): void {
  const routes: KnownRoute[] = []
  app.decorate('knownRoutes', routes)
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() })
  })
}

/**
 * Responds with 405 and the methods of a path, or calls `onUnknown` for a path that doesn't exist. Call it after all
 * plugins: the hook must run after theirs, because credentials are checked first.
 */
export function refuseUnknownPaths(
  app: FastifyInstance,
  onUnknown: UnknownPathHandler = refusePath,
): void {
  app.addHook('onRequest', unknownPathHook(app, onUnknown))
  app.setNotFoundHandler(refusePath)
}

/** Responds to a path that doesn't exist. */
type UnknownPathHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** Runs the hooks of `app`, which check credentials, for unknown paths under `prefix` too. */
export async function guardUnknownPaths(app: FastifyInstance, prefix: `/${string}/`) {
  await app.register(async (scope) => void scope.setNotFoundHandler(refusePath), { prefix })
}

const refusePath = (_request: FastifyRequest, reply: FastifyReply) => refuse(reply, 'path_unknown')

/** Paths that a parameter of another route matches too: `create` is not a payment id. */
const SHADOWED = /\/(?:create|options)(?:\?|$)/

const mayBeShadowed = (url: string) => url.includes('%') || SHADOWED.test(url)

function unknownPathHook(
  { knownRoutes }: FastifyInstance,
  onUnknown: UnknownPathHandler,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { url } = request.routeOptions
    // Fast path for nearly all requests.
    if (url === request.url || (!request.is404 && !mayBeShadowed(request.url))) return done()
    // As the router reads it: `%63reate` is `create`.
    const path = decodeURI(request.url.split('?')[0]!)
    // A parameter of another route matched the path, which may exist under another method.
    const isShadowed = SHADOWED.test(path) && url !== path
    if (!request.is404 && !isShadowed) return done()
    const allowed = allowedMethods(knownRoutes, path)
    if (allowed.includes(request.method)) return done()
    if (allowed.length > 0) {
      return void refuse(reply.header('allow', allowed.join(', ')), 'method_not_allowed')
    }
    // Before the body is read: an unknown path takes precedence over a body that is too large.
    if (request.is404) return void onUnknown(request, reply)
    done()
  }
}

function allowedMethods(routes: readonly KnownRoute[], path: string): string[] {
  const parts = path.split('/')
  const matching = routes.filter(
    (route) =>
      route.parts.length === parts.length &&
      route.parts.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i])),
  )
  // A fixed path takes precedence over a parameter: `create` is not a payment id.
  const fixed = matching.filter((route) => !route.parts.some((part) => part.startsWith(':')))
  const chosen = fixed.length > 0 ? fixed : matching
  return [...new Set(chosen.flatMap((route) => route.methods))].sort()
}
