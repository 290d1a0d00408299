// A small web shop: takes orders, shows the QR code, receives webhooks, and refunds payments.
import { readFileSync } from 'node:fs'
import { Florin, FlorinError, WebhookVerificationError, webhooks } from '@florin/sdk'
import { openOrders } from './orders.mjs'
import { messagePage, orderPage, ordersPage, productsPage, stateOf } from './pages.mjs'
import { CURRENCY, itemsOf, linesOf, totalOf } from './products.mjs'
import { requirePassword, serve } from './serve.mjs'

const { PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env
const { SHOP_PASSWORD, SHOP_ORDERS = 'orders.json' } = process.env
const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET, FLORIN_WEBHOOK_SECRET } = process.env
if (!SHOP_PASSWORD || !FLORIN_WEBHOOK_SECRET) {
  throw new Error('Set SHOP_PASSWORD and FLORIN_WEBHOOK_SECRET.')
}

const florin = new Florin({
  baseUrl: FLORIN_URL,
  apiKey: FLORIN_API_KEY,
  apiSecret: FLORIN_API_SECRET,
})
const orders = openOrders(SHOP_ORDERS)
const serveFile = (name, type) => {
  const body = readFileSync(new URL(name, import.meta.url))
  return () => ({ type, body })
}

const htmlResponse = (body, status = 200) => ({ status, type: 'text/html; charset=utf-8', body })
const seeOther = (location) => ({ status: 303, headers: { location } })

const routes = {
  'GET /': () => htmlResponse(productsPage()),
  'GET /shop.css': serveFile('shop.css', 'text/css'),
  'GET /waiting.js': serveFile('waiting.js', 'text/javascript'),
  'GET /orders': requirePassword(SHOP_PASSWORD, () =>
    htmlResponse(ordersPage(orders.newestFirst())),
  ),
  'POST /orders': async ({ body }) => {
    const items = itemsOf(new URLSearchParams(body.toString()))
    if (items.length === 0) return htmlResponse(messagePage('Choose something first.'), 400)
    return createPayment(orders.add(items))
  },
  'POST /hook': receiveEvent,
}

const orderRoutes = {
  'GET ': (order) => htmlResponse(orderPage(order, `${FLORIN_URL}/pay/${order.payment?.id}`)),
  'GET /state': (order) => ({ body: stateOf(order) }),
  'GET /qr.svg': async (order) => ({
    type: 'image/svg+xml',
    body: await florin.payments.qr(order.payment?.id),
  }),
  'POST /pay': createPayment,
  'POST /refund': requirePassword(SHOP_PASSWORD, refundOrder),
}

/**
 * Creates a payment for the order, unless it has one that is pending or paid. The idempotency key makes retries safe, even
 * after a crash. A failed or expired payment is final; the next attempt is a new payment.
 */
async function createPayment(order) {
  const needsPayment = !order.payment || ['failed', 'expired'].includes(order.payment.status)
  if (needsPayment) {
    const params = {
      amount: totalOf(order),
      currency: CURRENCY,
      reference_id: order.id,
      products: linesOf(order).map(({ name, quantity, price }) => ({ name, quantity, price })),
      webhook_url: `${SHOP_URL}/hook`,
      return_url: `${SHOP_URL}/orders/${order.id}`,
    }
    const idempotencyKey = `order-${order.id}-${order.attempts}`
    try {
      const { payment_id } = await florin.payments.create(params, { idempotencyKey })
      // After a crash, the same key returns the same payment. Its webhook may have come before the payment was stored.
      const { status } = await florin.payments.status(payment_id)
      orders.setPayment(order, payment_id, status)
    } catch (error) {
      // The order is stored; the customer can try again on its page.
      if (!(error instanceof FlorinError)) throw error
      console.error(error.message)
    }
  }
  return seeOther(`/orders/${order.id}`)
}

/** Verifies the raw body. Responds with 2xx to duplicates, too. */
async function receiveEvent({ body, headers }) {
  try {
    const event = await webhooks.constructEvent(body, headers, FLORIN_WEBHOOK_SECRET)
    if (orders.apply(event)) console.log(`${event.data.reference.id} is ${event.data.status}`)
    return { status: 204 }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { status: 400, body: error.message }
  }
}

/** The webhook updates the order, as for a refund at the till. */
async function refundOrder(order) {
  try {
    await florin.payments.refund(order.payment?.id, { idempotencyKey: `refund-${order.id}` })
    return seeOther('/orders')
  } catch (error) {
    if (!(error instanceof FlorinError)) throw error
    return htmlResponse(ordersPage(orders.newestFirst(), error.message), 409)
  }
}

await serve(Number(PORT), { routes, orderRoutes, findOrder: orders.get })
console.log(`The shop is open at ${SHOP_URL}`)
