import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { CreatePaymentBody } from '../../contract/dist/payments.js'
import { PayBody } from '../../contract/dist/wallet.js'
import { createdView, receiptView, refundView } from '../../server/dist/api/kit/views.js'
import { localDay, monthOf } from '../../server/dist/core/calendar.js'
import { isValidCredential } from '../../server/dist/core/credentials.js'
import { hashToken, mintPaymentId, parsePaymentId } from '../../server/dist/core/ids.js'
import { limitOf } from '../../server/dist/core/limits.js'
import { validateCreate } from '../../server/dist/core/newPayment.js'
import { decidePay, decideRefund } from '../../server/dist/core/payment.js'
import { paymentView } from '../../server/dist/core/paymentView.js'
import { mintQrNumber } from '../../server/dist/core/qr.js'
import { parseQrCode } from '../../server/dist/core/qrCode.js'
import { eventBody } from '../../server/dist/core/webhook.js'
import { walletOfToken } from '../../server/dist/ops/walletSessions.js'
import { createCache } from '../../server/dist/platform/cache.js'
import { findCredential } from '../../server/dist/sql/credentials.js'
import { findStore } from '../../server/dist/sql/stores.js'
import { findSessions } from '../../server/dist/sql/walletSessions.js'
import { serve } from '../lib/child.mjs'
import { STATEMENTS } from './baselineStatements.mjs'

// Implements the service's calls on the same tables, one transaction per change, with the fewest possible round trips. A pay
// request takes four: begin, one statement that locks and reads, one that writes everything, commit. See bench/README.md.

const INT8 = 20
const DATE = 1082
const types = {
  getTypeParser(oid, format) {
    if (oid === INT8) return (text) => BigInt(text)
    if (oid === DATE) return (text) => text
    return pg.types.getTypeParser(oid, format)
  },
}
const UNIQUE_VIOLATION = '23505'
const CACHE = { maxAgeMs: 3_000, maxEntries: 10_000 }

class Refusal extends Error {
  constructor(statusCode, message) {
    super(message)
    this.statusCode = statusCode
  }
}

let app
let pool

serve({
  async start({ databaseUrl, poolSize, publicUrl }) {
    pool = new pg.Pool({
      connectionString: databaseUrl,
      max: poolSize,
      types,
      options: '-c timezone=UTC',
      // Keep connections while other variants are measured: a new one would have to prepare the statements again.
      idleTimeoutMillis: 0,
    })
    app = buildApp(publicUrl)
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: app.server.address().port }
  },
  async stop() {
    await app.close()
    await pool.end()
  },
})

/** Runs a statement that is prepared once per connection. */
async function run(connection, name, values) {
  return (await connection.query({ name, text: STATEMENTS[name], values })).rows
}

async function transaction(work) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function buildApp(publicUrl) {
  const app = Fastify({ logger: false })
  const database = { query: async (text, values) => (await pool.query(text, values)).rows }
  const merchants = createCache(async (apiKey) => {
    const credential = await findCredential(database, apiKey)
    return credential && { credential, store: await findStore(database, credential.storeId) }
  }, CACHE)
  const stores = createCache((storeId) => findStore(database, storeId), CACHE)
  const sessions = createCache(async (token) => {
    const walletId = walletOfToken(token)
    const [session = null] = await findSessions(database, [
      { walletId, tokenHash: hashToken(token) },
    ])
    return session
  }, CACHE)
  app.decorateRequest('merchant', null)
  app.decorateRequest('session', null)

  async function authenticateMerchant(request) {
    const merchant = await merchants.get(String(request.headers['api-key']))
    const secret = String(request.headers['api-secret'])
    if (!isValidCredential(merchant?.credential ?? null, secret, new Date())) {
      throw new Refusal(401, 'Invalid API credentials')
    }
    if (merchant.store.suspended) throw new Refusal(403, 'This store is suspended')
    request.merchant = merchant
  }
  async function authenticateWallet(request) {
    request.session = await sessions.get(String(request.headers.authorization).slice(7))
    if (request.session === null) throw new Refusal(401, 'Sign in first')
  }
  const merchantRoute = { onRequest: authenticateMerchant }

  /** Store, mode and id of a payment of this merchant. */
  function keyOf(request) {
    const { storeId, mode } = request.merchant.credential
    const parsed = parsePaymentId(request.params.paymentId)
    if (parsed?.storeId !== storeId) throw new Refusal(404, 'Payment not found')
    return [storeId, mode, parsed.paymentId]
  }

  app.post(
    '/merchant/payment/create',
    { onRequest: authenticateMerchant, schema: { body: CreatePaymentBody } },
    async (request, reply) => {
      const { credential, store } = request.merchant
      const terms = {
        store,
        rate: null,
        webhookRules: { allowPrivate: true, allowedPorts: new Set() },
      }
      const { payment: requested, problems } = validateCreate(request.body, terms, new Set())
      if (requested === null) return reply.code(400).send({ status: 400, errors: problems })
      const at = new Date()
      const { storeId, mode } = credential
      const day = localDay(at, store.timeZone)
      const payment = {
        ...requested,
        storeId,
        mode,
        paymentId: mintPaymentId(at, storeId),
        qrNumber: mintQrNumber(at),
        expiresAt: new Date(at.getTime() + requested.expiresInSeconds * 1000),
      }
      const response = createdView(payment, store, 'en')
      const key = request.headers['idempotency-key'] ?? null
      const fingerprint = key && createHash('sha256').update(JSON.stringify(request.body)).digest()
      try {
        await transaction(async (tx) => {
          const counters = await run(tx, 'CREATE', [
            storeId,
            mode,
            payment.paymentId,
            payment.qrNumber,
            payment.gross,
            payment.fee,
            payment.currency,
            payment.requestAmount,
            payment.requestCurrency,
            payment.conversionRate,
            payment.client && JSON.stringify(payment.client),
            payment.products.length === 0 ? null : JSON.stringify(payment.products),
            payment.payload,
            payment.referenceId,
            payment.referenceNote,
            payment.webhookUrl,
            at,
            payment.expiresAt,
            day,
            monthOf(day),
            key,
            fingerprint,
            key && JSON.stringify(response),
          ])
          if (counters.some(({ period, used }) => used > limitOf(store, period))) {
            throw new Refusal(400, 'amount is above a limit of the store')
          }
        })
      } catch (error) {
        if (key === null || error.code !== UNIQUE_VIOLATION) throw error
        return replay({ storeId, mode, key, fingerprint })
      }
      return response
    },
  )

  async function replay({ storeId, mode, key, fingerprint }) {
    const [stored] = await database.query(
      'select fingerprint, answer from idempotency where store_id = $1 and mode = $2 and key = $3',
      [storeId, mode, key],
    )
    if (!stored?.fingerprint.equals(fingerprint)) throw new Refusal(422, 'This key was used before')
    return JSON.parse(stored.answer)
  }

  app.get('/merchant/payment/:paymentId/status', merchantRoute, async (request) => {
    const key = keyOf(request)
    const [found] = await run(pool, 'READ_STATUS', key)
    if (found === undefined) throw new Refusal(404, 'Invalid payment id')
    const data = { payment_id: key[2], status: found.status }
    return { status: 200, message: 'Payment status', data }
  })

  app.get('/merchant/payment/:paymentId', merchantRoute, async (request) => {
    const [row] = await run(pool, 'READ_DETAILS', keyOf(request))
    if (row === undefined) throw new Refusal(404, 'Payment request not found')
    const payment = row.overdue ? { ...row, status: 'expired' } : row
    const latestAttempt = row.called_at && {
      at: row.called_at,
      statusCode: row.status_code,
      error: row.error,
      responseBody: row.answer,
    }
    const record = { payment, payer: row.walletId && payerOf(row, row.walletId), latestAttempt }
    const data = paymentView(record, request.merchant.store, publicUrl)
    return { status: 200, message: 'Payment details', data }
  })

  app.post(
    '/wallet/payment/:qrCode/pay',
    { onRequest: authenticateWallet, schema: { body: PayBody } },
    async (request) => {
      const { walletId, mode } = request.session
      const code = parseQrCode(request.params.qrCode)
      if (typeof code === 'string') throw new Refusal(400, 'qr_code is not valid')
      const store = await stores.get(code.storeId)
      if (code.mode !== mode || store === null) throw new Refusal(404, 'Payment not found')
      const paid = await transaction(async (tx) => {
        const { storeId, number } = code
        const [row] = await run(tx, 'LOCK_TO_PAY', [storeId, number, mode, walletId])
        const at = new Date()
        const decision = decidePay({
          payment: row ?? null,
          walletId,
          isWalletLocked: row?.isWalletLocked ?? false,
          pinLimit: null,
          isStoreSuspended: store.suspended,
          balance: row?.balance,
          recentFailures: 0,
          at,
          donation: request.body.donation_amount ?? undefined,
        })
        if (decision.kind === 'paid_already') return row
        if (decision.kind !== 'pay')
          throw new Refusal(409, decision.reason ?? 'insufficient balance')
        const { donation } = decision
        const payment = { ...row, status: 'completed', donation, walletId, settledAt: at }
        await run(tx, 'PAY', [
          storeId,
          mode,
          payment.paymentId,
          at,
          randomUUID(),
          walletId,
          payment.gross,
          payment.fee,
          donation,
          ...eventParameters('payment.completed', payment, {
            payer: payerOf(row, walletId),
            store,
            at,
          }),
          payment.currency,
        ])
        return payment
      })
      const data = receiptView(paid, store, publicUrl)
      return { status: 200, message: 'Payment completed', data }
    },
  )

  app.post('/merchant/payment/:paymentId/refund', merchantRoute, async (request) => {
    const { store } = request.merchant
    const key = keyOf(request)
    const refunded = await transaction(async (tx) => {
      const [row] = await run(tx, 'LOCK_TO_REFUND', key)
      const terms = { storeBalance: row?.balance ?? 0n, feeMinor: store.refundFeeMinor }
      const decision = decideRefund(row ?? null, terms)
      if (decision.kind === 'refuse') throw new Refusal(400, decision.reason)
      const { fee, waivedFee } = decision
      const at = new Date()
      const payment = { ...row, status: 'refunded', refundFee: fee, refundedAt: at }
      const payer = payerOf(row, row.walletId)
      await run(tx, 'REFUND', [
        ...key,
        at,
        randomUUID(),
        row.walletId,
        row.gross,
        fee,
        row.currency,
        ...eventParameters('payment.refunded', payment, { payer, store, at }),
        waivedFee,
      ])
      return payment
    })
    return { status: 200, message: 'Payment refunded', data: refundView(refunded) }
  })

  /** URL, host and body of the event. Without a URL, it is not sent and has no body. */
  function eventParameters(type, payment, { payer, store, at }) {
    const url = payment.webhookUrl
    if (url === null) return [null, null, null]
    const body = eventBody(type, { payment, payer, store }, { at, publicUrl })
    return [url, new URL(url).host, body]
  }

  return app
}

const payerOf = (row, walletId) => ({
  walletId,
  publicId: row.publicId,
  name: row.payer_name,
  email: row.payer_email,
  phone: row.payer_phone,
})
