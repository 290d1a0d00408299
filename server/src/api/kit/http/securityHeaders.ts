import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../config.ts'

/** Default headers of every response. Pages, assets and images override some of them. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = { ...SECURITY_HEADERS }
  if (config.publicUrl.startsWith('https://')) {
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
