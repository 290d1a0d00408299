import type { AddressInfo } from 'node:net'
import { startLoops } from '../../server/src/loops.ts'
import { startTestService } from '../../server/test/setup/testService.ts'
import { Florin, type FlorinOptions } from '../src/index.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

/** Starts a service with a funded store, and the SDK with its sandbox keys. */
export async function openShop() {
  const t = await startTestService()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  const stopLoops = startLoops(t.service)
  const { store, live } = await t.createStore({ feeBps: 100, refundFeeMinor: 50n })
  await t.fund(store, 'sandbox', '1000')
  const path = `/operator/stores/${store.storeId}`
  const issued = await t.call('POST', `${path}/credentials`, t.operator, { mode: 'sandbox' })
  const { api_key: apiKey, api_secret: apiSecret, webhook_secret: secret } = issued.body.data
  const baseUrl = `http://127.0.0.1:${port}`
  const withKeys = (options: Partial<FlorinOptions> = {}) =>
    new Florin({ apiKey, apiSecret, baseUrl, ...options })
  return {
    t,
    store,
    live,
    secret: secret as string,
    keys: { apiKey: apiKey as string, apiSecret: apiSecret as string, baseUrl },
    florin: withKeys(),
    withKeys,
    async rotateSecret(): Promise<string> {
      const rotated = await t.call('POST', `${path}/webhook-secret/rotate`, t.operator, {
        mode: 'sandbox',
      })
      return rotated.body.data.webhook_secret
    },
    async close(): Promise<void> {
      await stopLoops()
      const closed = t.close()
      // Close all connections, because a stopping service waits for requests in progress.
      t.app.server.closeAllConnections()
      await closed
    },
  }
}
