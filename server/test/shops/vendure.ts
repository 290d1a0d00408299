import { freePort } from '../setup/started.ts'
import { run } from './install.ts'
import type { OpenShop } from './scenario.ts'
import type { OrderState, Shop, ShopOrder } from './shop.ts'
import { startShopServer } from './shopServer.ts'

const ERROR = '... on ErrorResult { errorCode message }'
const PASSWORD = 'sesame-open'

type GraphqlData = Record<string, unknown>
type Refund = { state: string }
type AdminOrder = {
  state: string
  payments: { id: string; state: string; amount: number; refunds: Refund[] }[]
}
type PaymentMethod = {
  id: string
  handler: { code: string; args: { name: string; value: string }[] }
}

/** Fills the database of a Vendure server, starts the server, and adds the eligibility checker. */
export const openVendure: OpenShop = async ({ folder, databaseUrl, env }): Promise<Shop> => {
  const port = await freePort()
  const settings = {
    ...env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    SUPERADMIN_PASSWORD: PASSWORD,
  }
  await run(process.execPath, ['populate.mjs'], folder, settings)
  const server = await startShopServer({
    folder,
    args: ['server.mjs'],
    port,
    env: settings,
    readyPath: '/health',
  })
  const admin = createGraphqlClient(`${server.origin}/admin-api`)
  await admin(
    'mutation ($password: String!) { login(username: "superadmin", password: $password) { __typename } }',
    {
      password: PASSWORD,
    },
  )
  const { activeChannel } = await admin<{ activeChannel: { token: string } }>(
    '{ activeChannel { token } }',
  )
  await addChecker(admin)
  const sessions = new Map<string, GraphqlClient>()

  async function createPayment(key: string, shopper: GraphqlClient): Promise<ShopOrder> {
    const { createFlorinPayment } = await shopper<{ createFlorinPayment: { paymentId: string } }>(
      'mutation { createFlorinPayment { paymentId checkoutUrl } }',
    )
    const { activeOrder } = await shopper<{ activeOrder: { totalWithTax: number } }>(
      '{ activeOrder { totalWithTax } }',
    )
    const total = (activeOrder.totalWithTax / 100).toFixed(2)
    return { key, paymentId: createFlorinPayment.paymentId, total }
  }

  async function findAdminOrder(code: string): Promise<AdminOrder> {
    const { orders } = await admin<{ orders: { items: AdminOrder[] } }>(
      `query ($code: String!) {
        orders(options: { filter: { code: { eq: $code } } }) {
          items { state payments { id state amount refunds { state } } }
        }
      }`,
      { code },
    )
    return orders.items[0]!
  }

  return {
    server,
    exampleEnv: { SHOP_URL: server.origin },
    webhookPath: `/payments/florin/${activeChannel.token}/florin`,
    payloadOf: ({ key }) => ({ vendure_order: key, vendure_channel: activeChannel.token }),

    async order() {
      const shopper = createGraphqlClient(`${server.origin}/shop-api`)
      const code = await fillCart(shopper)
      sessions.set(code, shopper)
      const order = await createPayment(code, shopper)
      // A double click returns the same payment.
      const again = await createPayment(code, shopper)
      if (again.paymentId !== order.paymentId) throw new Error('The order has two payments')
      return order
    },
    createPayment: ({ key }) => createPayment(key, sessions.get(key)!),

    async orderMore({ key }) {
      const shopper = sessions.get(key)!
      await transition(shopper, 'AddingItems')
      await addTea(shopper)
      await transition(shopper, 'ArrangingPayment')
      return createPayment(key, shopper)
    },

    async stateOf({ key }): Promise<OrderState> {
      const { payments } = await findAdminOrder(key)
      const settled = payments.filter(({ state }) => state === 'Settled')
      const refunds = settled.flatMap((payment) => payment.refunds)
      if (refunds.some(({ state }) => state === 'Settled')) return 'refunded'
      return settled.length > 0 ? 'paid' : 'unpaid'
    },
    countRecordedPayments: async ({ key }) => (await findAdminOrder(key)).payments.length,

    async refund({ key }, part) {
      const [payment] = (await findAdminOrder(key)).payments
      await admin(
        `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ${ERROR} } }`,
        {
          input: {
            paymentId: payment!.id,
            amount: part === 'full' ? payment!.amount : payment!.amount - 1,
            lines: [],
            shipping: 0,
            adjustment: 0,
          },
        },
      )
    },
  }
}

async function fillCart(shopper: GraphqlClient): Promise<string> {
  await addTea(shopper)
  await shopper(`mutation {
    setCustomerForOrder(input: { firstName: "Ada", lastName: "Byron", emailAddress: "ada@example.com" }) { ${ERROR} }
  }`)
  await shopper(`mutation {
    setOrderShippingAddress(input: { streetLine1: "Kade 1", city: "Delft", countryCode: "NL" }) { ${ERROR} }
  }`)
  const { eligibleShippingMethods } = await shopper<{ eligibleShippingMethods: { id: string }[] }>(
    '{ eligibleShippingMethods { id } }',
  )
  await shopper(
    `mutation ($id: ID!) { setOrderShippingMethod(shippingMethodId: [$id]) { ${ERROR} } }`,
    {
      id: eligibleShippingMethods[0]!.id,
    },
  )
  await transition(shopper, 'ArrangingPayment')
  const { activeOrder } = await shopper<{ activeOrder: { code: string } }>(
    '{ activeOrder { code } }',
  )
  return activeOrder.code
}

async function addTea(shopper: GraphqlClient): Promise<void> {
  const { products } = await shopper<{ products: { items: { variants: { id: string }[] }[] } }>(
    '{ products { items { variants { id } } } }',
  )
  await shopper(
    `mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { ${ERROR} } }`,
    {
      id: products.items[0]!.variants[0]!.id,
    },
  )
}

const transition = (shopper: GraphqlClient, state: string) =>
  shopper(`mutation ($state: String!) { transitionOrderToState(state: $state) { ${ERROR} } }`, {
    state,
  })

/** Adds the eligibility checker to the payment method, as the shop owner does in the admin UI. */
async function addChecker(admin: GraphqlClient): Promise<void> {
  const { paymentMethods } = await admin<{ paymentMethods: { items: PaymentMethod[] } }>(
    '{ paymentMethods { items { id handler { code args { name value } } } } }',
  )
  const { id, handler } = paymentMethods.items[0]!
  await admin(
    'mutation ($input: UpdatePaymentMethodInput!) { updatePaymentMethod(input: $input) { id } }',
    {
      input: {
        id,
        handler: { code: handler.code, arguments: handler.args },
        checker: { code: 'florin-limits', arguments: [] },
      },
    },
  )
}

type GraphqlClient = <Data extends GraphqlData = GraphqlData>(
  query: string,
  variables?: GraphqlData,
) => Promise<Data>

/** Keeps the session, and rejects with the message of an error or of an error result. */
function createGraphqlClient(url: string): GraphqlClient {
  let token = ''
  return async <Data extends GraphqlData>(
    query: string,
    variables: GraphqlData = {},
  ): Promise<Data> => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (token !== '') headers.authorization = `Bearer ${token}`
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    token = response.headers.get('vendure-auth-token') ?? token
    const { data, errors } = (await response.json()) as {
      data: Data
      errors?: { message: string }[]
    }
    if (errors?.[0]) throw new Error(errors[0].message)
    for (const result of Object.values(data)) {
      const { errorCode, message } = (result ?? {}) as { errorCode?: string; message?: string }
      if (errorCode !== undefined) throw new Error(`${errorCode}: ${message}`)
    }
    return data
  }
}
