const { defineConfig } = require('@medusajs/framework/utils')

const { PORT = '9000' } = process.env
const backend = process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}`

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: 'http://localhost:8000',
      adminCors: backend,
      authCors: backend,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: '@florin/medusa',
            id: 'florin',
            options: {
              baseUrl: process.env.FLORIN_URL,
              apiKey: process.env.FLORIN_API_KEY,
              apiSecret: process.env.FLORIN_API_SECRET,
              webhookSecret: process.env.FLORIN_WEBHOOK_SECRET,
              webhookUrl: `${backend}/hooks/payment/florin_florin`,
              returnUrl: process.env.RETURN_URL ?? 'http://localhost:8000/checkout/return',
            },
          },
        ],
      },
    },
  ],
})
