import type { FastifyInstance } from 'fastify'
import { refuse } from './errorReply.ts'

/** 405 with what the path does take, or 404 where there is no such path. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const routes: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() })
  })

  function allowedMethods(path: string): string[] {
    const parts = path.split('/')
    const matching = routes.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, i) =>
          part.startsWith(':') ? parts[i] !== '' : part === parts[i],
        ),
    )
    // A fixed path is no value of a parameter beside it: `create` is no payment id.
    const fixed = matching.filter((route) => !route.parts.some((part) => part.startsWith(':')))
    const chosen = fixed.length > 0 ? fixed : matching
    return [...new Set(chosen.flatMap((route) => route.methods))].sort()
  }

  app.addHook('onRequest', (request, reply, done) => {
    // Nearly all of them, so they are let through before anything is taken apart.
    const { url } = request.routeOptions
    if (url === request.url || (!request.is404 && !request.url.includes('/create'))) return done()
    const path = request.url.split('?')[0]!
    // A fixed path that a parameter swallowed, because it is there under another method only.
    const isSwallowed = path.endsWith('/create') && url !== path
    if (!request.is404 && !isSwallowed) return done()
    const allowed = allowedMethods(path)
    if (allowed.includes(request.method)) return done()
    if (allowed.length > 0) {
      return void refuse(reply.header('allow', allowed.join(', ')), 'method_not_allowed')
    }
    // Before the body is read: that there is no such path counts for more than its size.
    if (request.is404) return void refuse(reply, 'path_unknown')
    done()
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, 'path_unknown'))
}
