import { FlorinPlugin } from '@florin/vendure'
import { DefaultLogger, LogLevel } from '@vendure/core'

const { DATABASE_URL, PORT = '3000', HOST = '127.0.0.1', SUPERADMIN_PASSWORD } = process.env
if (!DATABASE_URL || !SUPERADMIN_PASSWORD) {
  throw new Error('Set DATABASE_URL and SUPERADMIN_PASSWORD: see the README of @florin/vendure.')
}

/** @type {import('@vendure/core').VendureConfig} */
export const config = {
  apiOptions: {
    hostname: HOST,
    port: Number(PORT),
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'superadmin', password: SUPERADMIN_PASSWORD },
    cookieOptions: { secret: SUPERADMIN_PASSWORD },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: DATABASE_URL,
    // Creates the tables of the example. A real shop uses migrations.
    synchronize: true,
    logging: false,
  },
  logger: new DefaultLogger({ level: LogLevel.Info, timestamp: false }),
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [FlorinPlugin.init({ serverUrl: process.env.SHOP_URL ?? `http://127.0.0.1:${PORT}` })],
}
