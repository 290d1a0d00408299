import type { FastifyInstance } from 'fastify'
import type { Service } from '../../../service.ts'

const LOG_EVERY_MS = 10 * 60_000

/**
 * Records and logs forwarding headers while no proxy is trusted. Behind an untrusted proxy all clients have the
 * proxy's address, so they share the limits per address. Any client can send these headers, so this is only a hint.
 */
export function reportForwardedHeaders(app: FastifyInstance, service: Service): void {
  if (service.config.trustedProxies > 0) return
  let loggedMs = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers
    if (forwardedFor !== undefined || forwarded !== undefined) {
      service.node.recordForwarded(service.clock.now())
      if (performance.now() - loggedMs > LOG_EVERY_MS) {
        loggedMs = performance.now()
        service.log.warn(
          'a request carries X-Forwarded-For or Forwarded, but FLORIN_TRUST_PROXY is 0. Behind a proxy, set FLORIN_TRUST_PROXY to ' +
            'the number of proxies. Until then all clients share one address and its limits',
        )
      }
    }
    done()
  })
}
