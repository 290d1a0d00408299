import { startLoops } from '../../src/loops.ts'
import { newLink } from '../setup/links.ts'
import { startReceiver } from '../setup/receiver.ts'
import { type Headers, startTestService, USD } from '../setup/testService.ts'
import { eventually } from '../webhooks/shop.ts'

export type ExampleShop = Awaited<ReturnType<typeof openExampleShop>>

export const ORDER = {
  amount: 12.5,
  currency: 'USD',
  reference_id: 'order-1041',
  products: [
    { name: 'Darjeeling, 100 g', quantity: 2, price: 3.25 },
    { name: 'Porcelain cup', quantity: 1, price: 6 },
  ],
}

export const LINK = { title: 'Concert ticket', amount: 18, currency: 'USD', max_payments: 80 }

/** Opens a service with a sandbox store and a webhook receiver, for the examples of one language. */
export async function openExampleShop() {
  const t = await startTestService()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as { port: number }
  const receiver = await startReceiver()
  const stopLoops = startLoops(t.service)
  const { store } = await t.createStore({
    name: 'Tea House',
    currency: USD,
    feeBps: 100,
    refundFeeMinor: 50n,
    domain: 'tea.example',
    email: 'hello@tea.example',
    phone: '+1 555 0100',
    maxAmountMinor: 100_000n,
    dailyLimitMinor: 1_000_000n,
  })
  await t.fund(store, 'sandbox', '100')
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.0842' })
  const credentials = `/operator/stores/${store.storeId}/credentials`
  const issued = await t.call('POST', credentials, t.operator, { mode: 'sandbox' })
  const { api_key, api_secret, webhook_secret } = issued.body.data
  const keys: Headers = { 'api-key': api_key, 'api-secret': api_secret }

  const create = async (fields: object = {}) =>
    (await t.createPayment(keys, { ...ORDER, ...fields })).payment_id

  return {
    receiver,
    env: {
      FLORIN_URL: `http://127.0.0.1:${port}`,
      FLORIN_API_KEY: api_key as string,
      FLORIN_API_SECRET: api_secret as string,
      FLORIN_WEBHOOK_SECRET: webhook_secret as string,
    },
    createPending: () => create(),
    createLink: () => newLink(t, keys, LINK),
    async createPaid(): Promise<string> {
      const id = await create()
      await t.call('POST', `/sandbox/payment/${id}/pay`, keys, {})
      return id
    },
    /** Creates a paid payment whose webhook is recorded as delivered. */
    async createDelivered(): Promise<string> {
      const id = await create({ webhook_url: receiver.url })
      await t.call('POST', `/sandbox/payment/${id}/pay`, keys, {})
      await eventually(async () => {
        const { body } = await t.call('GET', `/merchant/payment/${id}/webhooks`, keys)
        if (body.data.events[0]?.state !== 'delivered') throw new Error('not delivered yet')
      })
      return id
    },
    async close(): Promise<void> {
      await stopLoops()
      await t.close()
      await receiver.close()
    },
  }
}
