import { SCOPES } from '@florin/contract/values.js'
import { pino } from 'pino'
import { expect } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { CurrencyCode } from '../../src/core/currencies.ts'
import { NEW_STORE_SETTINGS } from '../../src/core/storeSettings.ts'
import { open } from '../../src/open.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { issueCredential } from '../../src/ops/credentials.ts'
import { createStore } from '../../src/ops/stores.ts'
import { until } from './started.ts'

const log = pino({ level: 'silent' })
const ACTOR = { name: 'test', requestId: null }

type Shop = {
  /** Creates a payment with this reference, and pays it. */
  readonly pay: (reference: string) => Promise<void>
  /** A time after all earlier commits and before all later ones. */
  readonly moment: () => Promise<Date>
  /** The references of paid payments. Also checks the ledger. */
  readonly paid: () => Promise<string[]>
  readonly sql: (text: string) => Promise<unknown[]>
}

/** Starts the service with these settings, creates a store, runs `work` and stops the service. */
export async function withShop<T>(
  env: Record<string, string | undefined>,
  work: (shop: Shop, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  const opened = await open(config, { log, print: () => {}, upgrade: true })
  const { database, secretKey } = opened.service
  const app = await buildApp(opened.service)
  try {
    const settings = { ...NEW_STORE_SETTINGS, name: 'Shop', currency: 'USD' as CurrencyCode }
    const { storeId } = await createStore(database, ACTOR, settings, secretKey)
    const fields = { storeId, mode: 'sandbox', label: '', scopes: SCOPES, expiresAt: null } as const
    const { credential, apiSecret } = (await issueCredential(opened.service, ACTOR, fields))!
    const headers = { 'api-key': credential.apiKey, 'api-secret': apiSecret }
    const post = async (url: string, payload: object) => {
      const response = await app.inject({ method: 'POST', url, headers, payload })
      expect(response.statusCode).toBe(200)
      return response.json()
    }
    const now = async () => {
      const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
      return row!.now
    }
    return await work(
      {
        async pay(reference_id) {
          const body = { amount: 3, currency: 'USD', reference_id }
          const { data } = await post('/merchant/payment/create', body)
          await post(`/sandbox/payment/${data.payment_id}/pay`, {})
        },
        async moment() {
          // Round up to a full millisecond, because a Date is no finer, and wait for a later one.
          const at = new Date((await now()).getTime() + 1)
          await until(async () => (await now()) > at)
          return at
        },
        async paid() {
          const rows = await database.query<{ id: string }>(
            `select reference_id as id from payment where status = 'completed' order by payment_id`,
          )
          const { checks } = await auditLedger(database)
          expect(checks.flatMap(({ findings }) => findings)).toEqual([])
          return rows.map(({ id }) => id)
        },
        sql: (text) => database.query(text),
      },
      config,
    )
  } finally {
    await app.close()
    await opened.close()
  }
}
