import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const MAX_BODY_BYTES = 256 * 1024
const POLICY = [
  "default-src 'none'",
  "img-src 'self' data:",
  "form-action 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
].join('; ')

/**
 * Serves routes such as `'GET /orders'`, which return `{ status, type, headers, body }`. `orderRoutes` are below
 * `/orders/{id}`, such as `'POST /refund'`, and get the order.
 */
export function serve(port, { routes, orderRoutes, findOrder }) {
  async function handle(request) {
    const { method, headers } = request
    const { pathname } = new URL(request.url, 'http://localhost')
    // Refuse forms on other sites. Browsers report where a request comes from; webhooks have no such header.
    const site = headers['sec-fetch-site'] ?? 'same-origin'
    if (method === 'POST' && site !== 'same-origin') return { status: 403 }
    const body = await bodyOf(request)
    if (body === null) return { status: 413 }
    const input = { body, headers }
    const route = routes[`${method} ${pathname}`]
    if (route) return route(input)
    const [, id = '', rest = ''] = /^\/orders\/([\w-]+)(\/.*)?$/.exec(pathname) ?? []
    const order = findOrder(id)
    const orderRoute = orderRoutes[`${method} ${rest}`]
    if (!order || !orderRoute) return { status: 404, body: 'Not found.\n' }
    return orderRoute(order, input)
  }

  const server = createServer(async (request, response) => {
    const reply = await handle(request).catch((error) => {
      console.error(error)
      return { status: 500, body: 'Something went wrong. Please try again.\n' }
    })
    const { status = 200, type = 'text/plain; charset=utf-8', headers = {}, body } = reply
    response.writeHead(status, {
      'content-type': type,
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      ...headers,
    })
    response.end(body)
  })
  return new Promise((resolve) => server.listen(port, () => resolve(server)))
}

/** Protects a route with the shop's password. */
export function requirePassword(password, route) {
  const hash = (text) => createHash('sha256').update(text).digest()
  const expected = hash(`Basic ${Buffer.from(`shop:${password}`).toString('base64')}`)
  return (...args) => {
    const { headers } = args.at(-1)
    if (timingSafeEqual(hash(headers.authorization ?? ''), expected)) return route(...args)
    return { status: 401, headers: { 'www-authenticate': 'Basic realm="shop"' } }
  }
}

async function bodyOf(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
