import Fastify from 'fastify'
import { serve } from '../lib/child.mjs'

// The upper bound for one process of this framework: parses the request and responds with the same bytes as Florin, written
// by a serializer for that shape. It checks, stores and looks up nothing.
const ROUTES = {
  create: ['post', '/merchant/payment/create'],
  status: ['get', '/merchant/payment/:paymentId/status'],
  details: ['get', '/merchant/payment/:paymentId'],
  pay: ['post', '/wallet/payment/:qrCode/pay'],
}

let app

serve({
  /** `samples`: a real response of Florin for each call, as text. */
  async start({ samples }) {
    app = Fastify({ logger: false })
    for (const [call, text] of Object.entries(samples)) {
      const [method, path] = ROUTES[call]
      const response = JSON.parse(text)
      app[method](path, { schema: { response: { 200: schemaOf(response) } } }, async () => response)
    }
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: app.server.address().port }
  },
  stop: () => app.close(),
})

function schemaOf(value) {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? null) }
  if (typeof value !== 'object') {
    return { type: Number.isInteger(value) ? 'integer' : typeof value }
  }
  const properties = Object.entries(value).map(([name, child]) => [name, schemaOf(child)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
