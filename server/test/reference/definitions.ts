import { type ExampleShop, LINK, ORDER } from './shop.ts'
import type { Request } from './sources.ts'

/** An example request, the same in every language. */
type Definition = {
  readonly operationId: string
  /** Returns the id of what the request needs: a payment in a certain state, or a link. */
  readonly subject?: (shop: ExampleShop) => Promise<string>
  readonly request: (id: string) => Omit<Request, 'headers'> & { headers?: Request['headers'] }
  /** The code with the SDK. It logs the result. */
  readonly typescript: (id: string) => string
  /** The logged values, if they are not the data of the response. */
  readonly logged?: (data: Record<string, unknown>) => unknown[]
}

const get = (url: string) => ({ method: 'GET', url })
const post = (url: string, body?: unknown) => ({ method: 'POST', url, body })
const patch = (url: string, body: unknown) => ({ method: 'PATCH', url, body })
const HOOK = 'https://shop.example/hook'
/** From an hour ago until in an hour. */
function hourAround() {
  const wire = (hours: number) => {
    const at = new Date(Date.now() + hours * 3_600_000)
    return at.toISOString().slice(0, 19).replace('T', ' ')
  }
  return { created_from: wire(-1), created_to: wire(1) }
}

/** Run in this order: later examples use the results of earlier ones. */
export const DEFINITIONS: readonly Definition[] = [
  {
    operationId: 'createPayment',
    request: () => ({
      ...post('/merchant/payment/create', { ...ORDER, webhook_url: HOOK }),
      headers: { 'idempotency-key': 'order-1041' },
    }),
    typescript: () => `const payment = await florin.payments.create(
  {
    amount: 12.5,
    currency: 'USD',
    reference_id: 'order-1041',
    products: [
      { name: 'Darjeeling, 100 g', quantity: 2, price: 3.25 },
      { name: 'Porcelain cup', quantity: 1, price: 6 },
    ],
    webhook_url: '${HOOK}',
  },
  { idempotencyKey: 'order-1041' },
)
console.log(payment)`,
  },
  {
    operationId: 'getPayment',
    subject: (shop) => shop.createDelivered(),
    request: (id) => get(`/merchant/payment/${id}`),
    typescript: (id) => `const payment = await florin.payments.retrieve('${id}')
console.log(payment)`,
  },
  {
    operationId: 'getPaymentStatus',
    subject: (shop) => shop.createPaid(),
    request: (id) => get(`/merchant/payment/${id}/status?wait=30`),
    typescript: (id) => `const payment = await florin.payments.status('${id}', { wait: 30 })
console.log(payment)`,
  },
  {
    operationId: 'refundPayment',
    subject: (shop) => shop.createPaid(),
    request: (id) => ({
      ...post(`/merchant/payment/${id}/refund`),
      headers: { 'idempotency-key': 'refund-1041' },
    }),
    typescript: (id) => `const refund = await florin.payments.refund('${id}', {
  idempotencyKey: 'refund-1041',
})
console.log(refund)`,
  },
  {
    operationId: 'listPayments',
    request: () => get('/merchant/payments?status=refunded&limit=10'),
    typescript: () => `const payments = florin.payments.list({ status: 'refunded', limit: 10 })
for await (const payment of payments) console.log(payment)`,
    logged: ({ payments }) => payments as unknown[],
  },
  {
    operationId: 'expirePayment',
    subject: (shop) => shop.createPending(),
    request: (id) => post(`/merchant/payment/${id}/expire`),
    typescript: (id) => `const payment = await florin.payments.expire('${id}')
console.log(payment)`,
  },
  {
    operationId: 'getQrImage',
    subject: (shop) => shop.createPending(),
    request: (id) => ({
      ...get(`/merchant/payment/${id}/qr?format=png&size=400`),
      saveAs: 'qr.png',
    }),
    typescript: (id) => `const image = await florin.payments.qr('${id}', {
  format: 'png',
  size: 400,
})
await writeFile('qr.png', image)`,
  },
  {
    operationId: 'createLink',
    request: () => ({
      ...post('/merchant/links', LINK),
      headers: { 'idempotency-key': 'link-concert' },
    }),
    typescript: () => `const link = await florin.links.create(
  { title: 'Concert ticket', amount: 18, currency: 'USD', max_payments: 80 },
  { idempotencyKey: 'link-concert' },
)
console.log(link)`,
  },
  {
    operationId: 'listLinks',
    request: () => get('/merchant/links?active=true&limit=1'),
    typescript: () => `const { items } = await florin.links.list({ active: true, limit: 1 }).page()
for (const link of items) console.log(link)`,
    logged: ({ links }) => links as unknown[],
  },
  {
    operationId: 'getLink',
    subject: (shop) => shop.createLink(),
    request: (id) => get(`/merchant/links/${id}`),
    typescript: (id) => `const link = await florin.links.retrieve('${id}')
console.log(link)`,
  },
  {
    operationId: 'changeLink',
    subject: (shop) => shop.createLink(),
    request: (id) => patch(`/merchant/links/${id}`, { active: false }),
    typescript: (id) => `const link = await florin.links.update('${id}', {
  active: false,
})
console.log(link)`,
  },
  {
    operationId: 'getLinkQrImage',
    subject: (shop) => shop.createLink(),
    request: (id) => ({
      ...get(`/merchant/links/${id}/qr?format=png&size=400`),
      saveAs: 'link.png',
    }),
    typescript: (id) => `const image = await florin.links.qr('${id}', {
  format: 'png',
  size: 400,
})
await writeFile('link.png', image)`,
  },
  {
    operationId: 'getBalance',
    request: () => get('/merchant/balance'),
    typescript: () => 'console.log(await florin.balance())',
  },
  {
    operationId: 'getQuote',
    request: () => get('/merchant/quote?amount=12.50&currency=EUR'),
    typescript: () => `const quote = await florin.quote({ amount: '12.50', currency: 'EUR' })
console.log(quote)`,
  },
  {
    operationId: 'getStore',
    request: () => get('/merchant/store'),
    typescript: () => 'console.log(await florin.store())',
  },
  {
    operationId: 'listPaymentWebhooks',
    subject: (shop) => shop.createDelivered(),
    request: (id) => get(`/merchant/payment/${id}/webhooks`),
    typescript: (id) => `const events = await florin.payments.webhooks('${id}')
for (const event of events) console.log(event)`,
    logged: ({ events }) => events as unknown[],
  },
  {
    operationId: 'listEvents',
    request: () => get('/merchant/events?limit=1'),
    typescript: () => `const { items } = await florin.events.list({ limit: 1 }).page()
for (const event of items) console.log(event)`,
    logged: ({ events }) => events as unknown[],
  },
  {
    operationId: 'redeliverWebhook',
    subject: (shop) => shop.createDelivered(),
    request: (id) => post(`/merchant/payment/${id}/webhooks/redeliver`),
    typescript: (id) => `const event = await florin.payments.redeliver('${id}')
console.log(event)`,
  },
  {
    operationId: 'redeliverEvents',
    request: () => post('/merchant/events/redeliver', hourAround()),
    typescript: () => `const { events } = await florin.events.redeliver({
  created_from: '${hourAround().created_from}',
  created_to: '${hourAround().created_to}',
})
console.log(events)`,
    logged: ({ events }) => [events],
  },
  {
    operationId: 'sandboxPay',
    subject: (shop) => shop.createPending(),
    request: (id) => post(`/sandbox/payment/${id}/pay`, { outcome: 'insufficient_balance' }),
    typescript: (id) => `const payment = await florin.sandbox.pay('${id}', {
  outcome: 'insufficient_balance',
})
console.log(payment)`,
  },
  {
    operationId: 'sandboxExpire',
    subject: (shop) => shop.createPending(),
    request: (id) => post(`/sandbox/payment/${id}/expire`),
    typescript: (id) => `const payment = await florin.sandbox.expire('${id}')
console.log(payment)`,
  },
]

/** A complete program around code with the SDK. */
export function typescriptSource(code: string): string[] {
  const writes = code.includes('writeFile(')
  return [
    ...(writes ? ["import { writeFile } from 'node:fs/promises'"] : []),
    "import { Florin } from '@florin/sdk'",
    '',
    'const florin = new Florin({',
    '  baseUrl: process.env.FLORIN_URL!,',
    '  apiKey: process.env.FLORIN_API_KEY!,',
    '  apiSecret: process.env.FLORIN_API_SECRET!,',
    '})',
    ...code.split('\n'),
  ]
}
