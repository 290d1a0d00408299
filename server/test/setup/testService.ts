import { randomBytes } from 'node:crypto'
import { SCOPES } from '@florin/contract/values.js'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Scope } from '../../src/core/credentials.ts'
import type { CurrencyCode } from '../../src/core/currencies.ts'
import { hashToken, type Mode, mintToken, mintWalletId } from '../../src/core/ids.ts'
import { parseDecimal } from '../../src/core/money.ts'
import type { Store, StoreSettings } from '../../src/core/store.ts'
import { NEW_STORE_SETTINGS } from '../../src/core/storeSettings.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { issueCredential } from '../../src/ops/credentials.ts'
import { moveMoney } from '../../src/ops/moveMoney.ts'
import { createStore } from '../../src/ops/stores.ts'
import { openService } from '../../src/service.ts'
import { insertSession } from '../../src/sql/walletSessions.ts'
import {
  claimPhone,
  findWallet,
  insertWallet,
  nextWalletNumber,
  type Wallet,
} from '../../src/sql/wallets.ts'
import { CITUS_URL } from '../citus/cluster/clusterDatabase.ts'
import { allowLongWaits } from './longWaits.ts'
import { createTestDatabase } from './testDatabase.ts'

export type Headers = Record<string, string>
export type TestResponse = {
  status: number
  headers: Record<string, unknown>
  text: string
  body: JsonBody
}
// Tests read responses of every type.
// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape.
type JsonBody = any
export type TestStore = { store: Store; live: Headers; sandbox: Headers }
export type TestWallet = { wallet: Wallet; headers: Headers }
export type TestService = Awaited<ReturnType<typeof startTestService>>

/** The response to an injected request, with its parsed body if it is JSON. */
export function toTestResponse(response: {
  statusCode: number
  headers: Record<string, unknown>
  payload: string
}): TestResponse {
  const { statusCode: status, headers, payload: text } = response
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json')
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined }
}

export const USD = 'USD' as CurrencyCode
const ACTOR = { name: 'test', requestId: null }
const OPERATOR_TOKEN = 'flo_test-operator'

const OWN_WORKER = `
  create function run_command_on_workers(command text)
  returns table (success boolean, result text) language plpgsql as $$
    begin
      execute command into result;
      success := true;
      return next;
    end $$`

let isDistributed = false
/** Makes new services send the statements for Citus. Plain PostgreSQL accepts them too. */
export function pretendDistributed(value: boolean): void {
  isDistributed = value
}

/**
 * A complete service on a separate database. Requests go through the real HTTP layer without a port, and wait for connections
 * and locks as long as they need. With `limitsWaits`, they get 503 after the limits of the service.
 */
export async function startTestService(
  env: Record<string, string> = {},
  { limitsWaits = false } = {},
) {
  const testDatabase = await createTestDatabase()
  const config: Config = readConfig({
    FLORIN_DATA: '/nonexistent',
    FLORIN_PUBLIC_URL: 'https://pay.example.com',
    FLORIN_WEBHOOK_PRIVATE: 'allow',
    FLORIN_UNSAFE: '1',
    DATABASE_URL: testDatabase.url,
    ...env,
  })
  const service = openService(config, {
    databaseUrl: testDatabase.url,
    secretKey: randomBytes(32),
    pepper: randomBytes(32),
    isDistributed,
    log: pino({ level: 'silent' }),
  })
  // The stand-in for Citus has no shards, and is its own worker.
  if (CITUS_URL !== undefined) await service.cluster?.renew()
  else if (isDistributed) await service.database.query(OWN_WORKER)
  service.markPrepared()
  const app = await buildApp(service, {
    localOperator: { token: OPERATOR_TOKEN, name: 'test operator' },
  })
  const { database } = service
  if (!limitsWaits) allowLongWaits(database)
  let walletCount = 0

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS',
    url: string,
    headers: Headers = {},
    body?: unknown,
  ): Promise<TestResponse> {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body)
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    return toTestResponse(response)
  }

  async function issue(
    store: Store,
    mode: Mode,
    scopes: readonly Scope[] = SCOPES,
  ): Promise<Headers> {
    const settings = { storeId: store.storeId, mode, label: 'test', scopes, expiresAt: null }
    const { credential, apiSecret } = (await issueCredential(service, ACTOR, settings))!
    return { 'api-key': credential.apiKey, 'api-secret': apiSecret }
  }

  async function fund(store: Store, mode: Mode, amount: string): Promise<void> {
    const minor = parseDecimal(amount, store.currency) as bigint
    const move = { store, mode, kind: 'funding', amount: minor, note: null, key: null } as const
    await moveMoney(database, ACTOR, move, service.mail)
  }

  return {
    app,
    service,
    database,
    databaseUrl: testDatabase.url,
    limitsWaits,
    operator: { authorization: `Bearer ${OPERATOR_TOKEN}` } as Headers,
    call,
    issue,
    fund,

    /** A store with keys in both modes. It has no fees or limits by default. */
    async createStore(settings: Partial<StoreSettings> = {}): Promise<TestStore> {
      const all = { ...NEW_STORE_SETTINGS, name: 'Test Store', currency: USD, ...settings }
      const store = await createStore(database, ACTOR, all, service.secretKey)
      return { store, live: await issue(store, 'live'), sandbox: await issue(store, 'sandbox') }
    },

    /** A signed-in wallet without a PIN. */
    async createWallet({
      mode = 'live',
      balance = '0',
      currency = USD,
    }: {
      mode?: Mode
      balance?: string
      currency?: CurrencyCode
    } = {}): Promise<TestWallet> {
      const number = ++walletCount
      const session = await database.transaction(async (tx) => {
        const walletId = await nextWalletNumber(tx)
        const phone = `+1555${String(number).padStart(7, '0')}`
        await claimPhone(tx, phone, walletId)
        await insertWallet(tx, {
          walletId,
          publicId: mintWalletId(walletId),
          mode,
          name: `Payer ${number}`,
          email: `payer${number}@example.com`,
          phone,
          pinHash: null,
          locale: null,
          createdAt: new Date(),
        })
        const token = mintToken(`flw_${walletId}_`)
        const expiresAt = new Date(Date.now() + 3_600_000)
        await insertSession(tx, {
          walletId,
          tokenHash: hashToken(token),
          createdAt: new Date(),
          expiresAt,
          userAgent: '',
          address: '',
        })
        return { token, walletId }
      })
      const wallet = (await findWallet(database, session.walletId))!
      const amount = parseDecimal(balance, currency) as bigint
      if (amount > 0n) {
        const move = { wallet, currency, kind: 'top_up', amount, note: null, key: null } as const
        await moveMoney(database, ACTOR, move, service.mail)
      }
      return { wallet, headers: { authorization: `Bearer ${session.token}` } }
    },

    async createPayment(
      keys: Headers,
      body: Record<string, unknown> = {},
    ): Promise<{ payment_id: string; qr_code: string }> {
      const response = await call('POST', '/merchant/payment/create', keys, {
        amount: 10,
        currency: 'USD',
        ...body,
      })
      if (response.status !== 200)
        throw new Error(`Create returned ${response.status}: ${response.text}`)
      return response.body.data
    },

    /** Moves the times of a payment into the past in the database. */
    async makeOverdue(paymentId: string): Promise<void> {
      const nowMs = Date.now()
      await database.transaction((tx) =>
        tx.execute('update payment set created_at = $2, expires_at = $3 where payment_id = $1', [
          paymentId,
          new Date(nowMs - 7_200_000),
          new Date(nowMs - 1_000),
        ]),
      )
    },

    /** The findings of a ledger audit. Empty if the ledger is sound. */
    async auditFindings(options?: Parameters<typeof auditLedger>[1]) {
      const audit = await auditLedger(database, options)
      return audit.checks.flatMap((check) => check.findings)
    },

    async close(): Promise<void> {
      await app.close()
      await service.close()
      await testDatabase.drop()
    },
  }
}
