// Fills an empty database: one product, one country, one shipping method, and Florin as the payment method.
import { bootstrap } from '@vendure/core'
import { populate } from '@vendure/core/cli/index.js'
import { config } from './vendure-config.mjs'

const { FLORIN_URL, FLORIN_API_KEY, FLORIN_API_SECRET, FLORIN_WEBHOOK_SECRET } = process.env
const settings = {
  baseUrl: FLORIN_URL,
  apiKey: FLORIN_API_KEY,
  apiSecret: FLORIN_API_SECRET,
  webhookSecret: FLORIN_WEBHOOK_SECRET,
  returnUrl: process.env.RETURN_URL ?? 'http://localhost:8000/checkout/return',
}

const app = await populate(
  () => bootstrap(config),
  {
    defaultLanguage: 'en',
    defaultZone: 'Europe',
    countries: [{ name: 'Netherlands', code: 'NL', zone: 'Europe' }],
    taxRates: [{ name: 'Standard Tax', percentage: 21 }],
    shippingMethods: [{ name: 'Post', price: 350 }],
    paymentMethods: [
      {
        name: 'Florin',
        handler: {
          code: 'florin',
          arguments: Object.entries(settings).map(([name, value]) => ({ name, value })),
        },
      },
    ],
    collections: [],
  },
  'products.csv',
)
await app.close()
// Some timers of Vendure would keep the process running.
process.exit(0)
