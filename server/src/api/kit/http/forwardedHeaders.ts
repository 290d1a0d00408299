import type { FastifyInstance } from 'fastify'
import type { Service } from '../../../service.ts'

const LOG_EVERY_MS = 10 * 60_000

/**
 * Reports forwarding headers that contradict FLORIN_TRUST_PROXY. While it is 0 behind a proxy, all clients have the proxy's
 * address, so they share the limits per address. If it is larger than the number of proxies that append to X-Forwarded-For,
 * clients can choose their address. A client without a proxy can send these headers too, so this is only a hint.
 */
export function reportForwardedHeaders(app: FastifyInstance, service: Service): void {
  const { trustedProxies } = service.config
  let loggedMs = Number.NEGATIVE_INFINITY
  function warn(message: string): void {
    if (performance.now() - loggedMs <= LOG_EVERY_MS) return
    loggedMs = performance.now()
    service.log.warn(message)
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers
    if (forwardedFor === undefined && forwarded === undefined) return done()
    if (trustedProxies === 0) {
      service.node.recordForwarded(service.clock.now())
      warn(
        'a request carries X-Forwarded-For or Forwarded, but FLORIN_TRUST_PROXY is 0. Behind a proxy, set FLORIN_TRUST_PROXY to ' +
          'the number of proxies. Until then all clients share one address and its limits',
      )
    } else if (countAddresses(forwardedFor) < trustedProxies) {
      warn(
        `the X-Forwarded-For of a request has fewer addresses than FLORIN_TRUST_PROXY, which is ${trustedProxies}. If it is larger ` +
          'than the number of proxies, clients can forge their address. If a proxy replaces the header or only sends Forwarded, ' +
          'clients can share one address and its limits. See "The proxy" in docs/production.md',
      )
    }
    done()
  })
}

/** Node.js joins repeated headers with commas. */
const countAddresses = (header: string | string[] | undefined): number =>
  header === undefined ? 0 : String(header).split(',').length
