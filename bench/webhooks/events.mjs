import { randomBytes } from 'node:crypto'
import { readConfig } from '../../server/dist/config.js'
import { validateCreate } from '../../server/dist/core/newPayment.js'
import { NO_PIN_LIMITS } from '../../server/dist/core/pinLimits.js'
import { NEW_STORE_SETTINGS } from '../../server/dist/core/storeSettings.js'
import { eventIdOf } from '../../server/dist/core/webhook.js'
import { createLog } from '../../server/dist/open.js'
import { createStore } from '../../server/dist/ops/stores.js'
import { openService } from '../../server/dist/service.js'
import { mustBe } from '../lib/figures.mjs'
import { makeOrder } from '../lib/order.mjs'

const ACTOR = { name: 'bench', requestId: null }
const BATCH_SIZE = 1_000

/**
 * Creates and pays payments with the service's own ops; nothing sends their webhooks. The result is event rows with real
 * bodies, and due deliveries.
 */
export async function makeEvents({ databaseUrl, url, count, print }) {
  const config = readConfig({ DATABASE_URL: databaseUrl, FLORIN_WEBHOOK_PRIVATE: 'allow' })
  const secretKey = randomBytes(32)
  const service = openService(config, {
    databaseUrl,
    secretKey,
    pepper: randomBytes(32),
    log: createLog('warn'),
  })
  try {
    const settings = { ...NEW_STORE_SETTINGS, name: 'Bench Store', currency: 'USD', feeBps: 100 }
    const store = await createStore(service.database, ACTOR, settings, secretKey)
    const terms = {
      store,
      rate: null,
      webhookRules: { allowPrivate: true, allowedPorts: new Set() },
    }
    for (let from = 0; from < count; from += BATCH_SIZE) {
      const numbers = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, n) => from + n)
      await Promise.all(
        numbers.map(async (number) => {
          const body = { ...makeOrder(number), webhook_url: url }
          const { payment, problems } = validateCreate(body, terms, new Set())
          mustBe(problems.length, 0, 'validation problems')
          const result = await service.createPayment({
            store,
            mode: 'sandbox',
            payment,
            idempotencyKey: null,
            by: null,
            apiKey: null,
          })
          mustBe(result.kind, 'created', 'create')
          const paid = await service.payPayment({
            store,
            mode: 'sandbox',
            qrNumber: result.payment.qrNumber,
            idempotencyKey: null,
            walletId: store.sandboxWalletId,
            pinLimits: NO_PIN_LIMITS,
            isPinVerified: true,
            sandbox: { outcome: 'completed' },
          })
          mustBe(paid.kind, 'paid', 'pay')
        }),
      )
      print(`${from + numbers.length} of ${count} payments created and paid`)
    }
    const rows = await service.database.query('select payment_id, sequence, body from event')
    const events = rows.map((row) => ({
      id: eventIdOf(row.payment_id, row.sequence),
      body: row.body,
    }))
    mustBe(events.length, count, 'events')
    return { events, secretKey: secretKey.toString('base64') }
  } finally {
    await service.close()
  }
}
