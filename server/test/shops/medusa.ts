import { freePort } from '../setup/started.ts'
import { run } from './install.ts'
import type { OpenShop } from './scenario.ts'
import type { OrderState, Shop, ShopOrder } from './shop.ts'
import { startShopServer } from './shopServer.ts'

const PROVIDER = 'pp_florin_florin'
const ADMIN = { email: 'owner@example.com', password: 'sesame-open' }
const CLI = 'node_modules/@medusajs/cli/cli.js'

type Call = <Data>(path: string, body?: object) => Promise<Data>
type Session = { id: string; amount: number; data: { payment_id: string; session_id: string } }
type Collection = { payment_collection: { id: string; payment_sessions: Session[] } }
type Payment = { id: string; amount: number; captured_at: string | null; refunds: object[] }
type Order = { id: string; payment_collections: { payments: Payment[] }[] }

/** Migrates and fills an empty database, adds an admin, and starts Medusa. */
export const openMedusa: OpenShop = async ({ folder, databaseUrl, env }): Promise<Shop> => {
  const port = await freePort()
  const settings = {
    ...env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'secret-of-tokens',
    COOKIE_SECRET: 'secret-of-cookies',
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
  }
  const medusa = (...args: string[]) => run(process.execPath, [CLI, ...args], folder, settings)
  await medusa('db:migrate')
  const seeded = await medusa('exec', './seed.js')
  await medusa('user', '-e', ADMIN.email, '-p', ADMIN.password)
  const server = await startShopServer({
    folder,
    args: [CLI, 'start'],
    port,
    env: settings,
    readyPath: '/health',
  })
  const key = /PUBLISHABLE_KEY=(\S+)/.exec(seeded)![1]!
  const store = createClient(server.origin, { 'x-publishable-api-key': key })
  const login = await createClient(server.origin, {})<{ token: string }>(
    '/auth/user/emailpass',
    ADMIN,
  )
  const admin = createClient(server.origin, { authorization: `Bearer ${login.token}` })
  const { regions } = await store<{ regions: { id: string }[] }>('/store/regions')
  const { products } = await store<{ products: { variants: { id: string }[] }[] }>(
    '/store/products?fields=*variants',
  )
  const tea = { variant_id: products[0]!.variants[0]!.id, quantity: 1 }
  const collections = new Map<string, string>()
  const sessionOfPayment = new Map<string, string>()

  async function createPayment(cartId: string): Promise<ShopOrder> {
    const { payment_collection } = await store<Collection>(
      `/store/payment-collections/${collections.get(cartId)}/payment-sessions`,
      { provider_id: PROVIDER },
    )
    const { amount, data } = payment_collection.payment_sessions[0]!
    sessionOfPayment.set(data.payment_id, data.session_id)
    return { key: cartId, paymentId: data.payment_id, total: amount.toFixed(2) }
  }

  /** The payments of the order that was placed for a cart. */
  async function paymentsOf({ key: cartId }: ShopOrder): Promise<Payment[]> {
    const { orders } = await admin<{ orders: Order[] }>(
      `/admin/orders?q=${emailOf(cartId)}&fields=id,email,*payment_collections.payments,*payment_collections.payments.refunds`,
    )
    return orders.flatMap((order) => order.payment_collections).flatMap(({ payments }) => payments)
  }

  return {
    server,
    exampleEnv: { SHOP_URL: server.origin, PUBLISHABLE_KEY: key },
    webhookPath: '/hooks/payment/florin_florin',
    payloadOf: ({ paymentId }) => ({ medusa_session: sessionOfPayment.get(paymentId)! }),

    async order() {
      const { cart } = await store<{ cart: { id: string } }>('/store/carts', {
        region_id: regions[0]!.id,
        items: [tea],
      })
      await store(`/store/carts/${cart.id}`, { email: emailOf(cart.id) })
      const { payment_collection } = await store<Collection>('/store/payment-collections', {
        cart_id: cart.id,
      })
      collections.set(cart.id, payment_collection.id)
      return createPayment(cart.id)
    },
    createPayment: ({ key: cartId }) => createPayment(cartId),

    async orderMore({ key: cartId }) {
      await store(`/store/carts/${cartId}/line-items`, tea)
      return createPayment(cartId)
    },

    async stateOf(order): Promise<OrderState> {
      const payments = await paymentsOf(order)
      if (payments.some(({ refunds }) => refunds.length > 0)) return 'refunded'
      return payments.some(({ captured_at }) => captured_at !== null) ? 'paid' : 'unpaid'
    },
    countRecordedPayments: async (order) => (await paymentsOf(order)).length,

    async refund(order, part) {
      const { id, amount } = (await paymentsOf(order))[0]!
      await admin(`/admin/payments/${id}/refund`, {
        amount: part === 'full' ? amount : amount - 0.01,
      })
    },
  }
}

/** Each cart has its own email address, so that the admin API finds its order. */
const emailOf = (cartId: string) => `${cartId.toLowerCase()}@example.com`

function createClient(origin: string, headers: Readonly<Record<string, string>>): Call {
  return async <Data>(path: string, body?: object): Promise<Data> => {
    const response = await fetch(origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const data = (await response.json()) as Data & { message?: string }
    if (!response.ok) throw new Error(`${path}: ${data.message}`)
    return data
  }
}
