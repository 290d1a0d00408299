import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createEventStreams, type Stream } from '../api/kit/http/streams.ts'
import { clientNetworkOf } from '../api/kit/http/throttle.ts'
import { refuse, succeed } from '../api/kit/replies.ts'
import { basePathOf } from '../config.ts'
import { parsePaymentId } from '../core/ids.ts'
import { isFinal, type Status } from '../core/payment.ts'
import type { Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { renderCheckout } from './checkoutView.ts'
import { renderUnknown } from './outcomeView.ts'
import { pageHtml, pageLocaleOf, pagePolicy, sendPage } from './page.ts'

const ENTRY = 'src/checkout/main.ts'
type PaymentRoute = { readonly Params: { readonly paymentId: string } }

const hidden = { schema: { hide: true } }

/** The checkout page: it shows the payment code, then the outcome. Anyone with the payment id can open it. */
export async function checkoutRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const basePath = basePathOf(service.config)
  const streams = createEventStreams(app, service)

  app.get<PaymentRoute>('/pay/:paymentId', hidden, async (request, reply) => {
    const locale = pageLocaleOf(request)
    const found = await findPaymentAndStore(service, request)
    const rendered =
      found === null
        ? renderUnknown(locale)
        : renderCheckout({ ...found, locale, basePath, now: service.clock.now() })
    const embedOrigins = found?.store.embedOrigins ?? []
    // X-Frame-Options can't list origins. All current browsers use `frame-ancestors` of the policy instead.
    if (embedOrigins.length > 0) reply.removeHeader('x-frame-options')
    reply.code(found === null ? 404 : 200)
    reply.header('content-security-policy', pagePolicy(embedOrigins.join(' ') || "'none'"))
    reply.header('vary', 'accept-language')
    return sendPage(reply, pageHtml({ locale, basePath, entry: await entryOf(ENTRY), ...rendered }))
  })

  // The page polls this path every few seconds while its stream is broken, and every 30 seconds otherwise.
  app.get<PaymentRoute>('/pay/:paymentId/state', hidden, async (request, reply) => {
    const found = await findPaymentAndStore(service, request)
    if (found === null) return refuse(reply, 'payment_unknown')
    return succeed(reply, 'Payment status', { status: found.payment.status })
  })

  // Only GET: the response to HEAD would never end.
  const stream = { ...hidden, exposeHeadRoute: false }
  app.get<PaymentRoute>('/pay/:paymentId/events', stream, async (request, reply) => {
    const found = await findPaymentAndStore(service, request)
    if (found === null) return refuse(reply, 'payment_unknown')
    if (streams.isRefused()) return refuse(reply, 'busy')
    const { storeId, mode, paymentId } = found.payment
    const release = service.heldRequests.take('stream', clientNetworkOf(request), paymentId)
    // The script of the page then polls the state.
    if (release === null) return refuse(reply, 'busy')
    let sent: Status | null = null
    const refresh = ({ send, finish }: Stream) => {
      // A failed read is retried at the next heartbeat. Notifications can get lost, so each heartbeat reads again.
      service.readStatus({ storeId, mode, paymentId }).then(
        (status) => {
          if (status === null || status === sent) return
          sent = status
          send(status)
          if (isFinal(status)) finish()
        },
        () => {},
      )
    }
    streams.open(reply, {
      watch: (wake) => service.changes.watch(paymentId, wake),
      onWake: refresh,
      onHeartbeat: refresh,
      release,
    })
    return reply
  })
}

/** Null if there is no such payment, or if its store is suspended. */
async function findPaymentAndStore(
  service: Service,
  { params }: Pick<FastifyRequest<PaymentRoute>, 'params'>,
) {
  const parsed = parsePaymentId(params.paymentId)
  if (parsed === null) return null
  const [payment, store] = await Promise.all([
    service.readPaymentById(parsed),
    service.stores.get(parsed.storeId),
  ])
  return payment === null || store === null || store.suspended ? null : { payment, store }
}
