import { afterAll, beforeAll } from 'vitest'
import { openShop, type Shop } from '../../sdk/test/shop.ts'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { type Client, type Keys, LANGUAGES, type Language, startClient } from './client.ts'
import { type FaultyProxy, startFaultyProxy } from './faultyProxy.ts'

/** What a case needs. The client reaches the service through the proxy. */
export type TestContext = {
  readonly shop: Shop
  readonly receiver: Receiver
  readonly client: Client
  readonly proxy: FaultyProxy
  readonly keys: Keys
}

export type Case = readonly [name: string, run: (context: TestContext) => Promise<void>]

/** Opens a shop and starts a client for each language. */
export function openContexts(): { readonly all: TestContext[] } {
  const contexts = { all: [] as TestContext[] }
  beforeAll(async () => {
    for (const language of LANGUAGES) contexts.all.push(await openContext(language))
  })
  afterAll(async () => {
    await Promise.all(contexts.all.map(closeContext))
  })
  return contexts
}

async function openContext(language: Language): Promise<TestContext> {
  const shop = await openShop()
  const receiver = await startReceiver()
  const proxy = await startFaultyProxy(shop.keys.baseUrl)
  const { apiKey, apiSecret } = shop.keys
  const keys = { base_url: proxy.url, api_key: apiKey, api_secret: apiSecret }
  return { shop, receiver, client: startClient(language), proxy, keys }
}

async function closeContext({ shop, receiver, client, proxy }: TestContext): Promise<void> {
  await client.close()
  await proxy.close()
  await receiver.close()
  await shop.close()
}

export const ORDER = { amount: '5', currency: 'USD' }
export const UNKNOWN = `pay_${'0'.repeat(26)}`

/** Creates a payment with the client, and returns its id. */
export async function create({ client, keys }: TestContext, fields: object = {}): Promise<string> {
  const created = await client.call(keys, 'payments.create', [{ ...ORDER, ...fields }])
  return created.payment_id
}

let referenceCount = 0
/** A reference that no other case uses. */
export const newReference = () => `reference-${++referenceCount}`

/** The payments of the service with this reference. */
export const listPayments = async ({ shop }: TestContext, reference_id: string) =>
  (await shop.florin.payments.list({ reference_id }).page()).items
