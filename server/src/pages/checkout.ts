import { localeOf } from '@florin/shared/locales.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { headerOf } from '../api/kit/headers.ts'
import { refuse, succeed } from '../api/kit/replies.ts'
import { sourceOf } from '../api/kit/throttle.ts'
import { basePathOf } from '../config.ts'
import { parsePaymentId } from '../core/ids.ts'
import { preferredLocale } from '../core/locales.ts'
import type { Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { drawCheckout } from './checkoutView.ts'
import { drawUnknown } from './outcomeView.ts'
import { pageHtml, pagePolicy, sendPage } from './page.ts'
import { eventStreams, isQueued } from './streams.ts'

const ENTRY = 'src/checkout/main.ts'
const hidden = { schema: { hide: true } }

/** Where a shop sends its customers: the code, then what became of it. Whoever has the id may look. */
export async function checkoutRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const basePath = basePathOf(service.config)
  const streams = eventStreams(app, service)

  app.get('/pay/:paymentId', hidden, async (request, reply) => {
    const { lang } = request.query as { lang?: unknown }
    const locale = localeOf(String(lang)) ?? preferredLocale(headerOf(request, 'accept-language'))
    const found = await find(service, request)
    const drawn =
      found === null
        ? drawUnknown(locale)
        : drawCheckout({ ...found, locale, basePath, now: service.clock.now() })
    const framers = found?.store.embedOrigins ?? []
    // The older header knows no list; the policy, which every browser of today reads, has it.
    if (framers.length > 0) reply.removeHeader('x-frame-options')
    reply.code(found === null ? 404 : 200)
    reply.header('content-security-policy', pagePolicy(framers.join(' ') || "'none'"))
    reply.header('vary', 'accept-language')
    return sendPage(reply, pageHtml({ locale, basePath, entry: await entryOf(ENTRY), ...drawn }))
  })

  /** For a page that gets no stream, and asks every few seconds instead. */
  app.get('/pay/:paymentId/state', hidden, async (request, reply) => {
    const found = await find(service, request)
    if (found === null) return refuse(reply, 'payment_unknown')
    return succeed(reply, 'Payment status', { status: found.payment.status })
  })

  // Only GET: a stream without a body would tell nothing and never end.
  const stream = { ...hidden, exposeHeadRoute: false }
  app.get('/pay/:paymentId/events', stream, async (request, reply) => {
    const found = await find(service, request)
    if (found === null) return refuse(reply, 'payment_unknown')
    if (streams.isClosing() || service.isStopping() || isQueued(reply)) return refuse(reply, 'busy')
    const { storeId, mode, paymentId } = found.payment
    const release = service.held.take('stream', sourceOf(request), paymentId)
    // The script of the page asks for the state every few seconds instead.
    if (release === null) return refuse(reply, 'busy')
    const read = () => service.readStatus({ storeId, mode, paymentId })
    streams.open(reply, paymentId, { read, release })
    return reply
  })
}

/** Null for whatever the public may not see: no such payment, or its store is suspended. */
async function find(service: Service, request: FastifyRequest) {
  const parsed = parsePaymentId((request.params as { paymentId: string }).paymentId)
  if (parsed === null) return null
  const [payment, store] = await Promise.all([
    service.readById(parsed),
    service.stores.get(parsed.storeId),
  ])
  return payment === null || store === null || store.suspended ? null : { payment, store }
}
