import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { readConfig } from '../../server/dist/config.js'
import { mintReference, mintWalletId } from '../../server/dist/core/ids.js'
import { balanceDeltas, walletMoneyTransfer } from '../../server/dist/core/ledger.js'
import { wordsText } from '../../server/dist/core/searchWords.js'
import { NEW_STORE_SETTINGS } from '../../server/dist/core/storeSettings.js'
import { createLog, open } from '../../server/dist/open.js'
import { moveMoney } from '../../server/dist/ops/moveMoney.js'
import { createStore } from '../../server/dist/ops/stores.js'
import { findStore } from '../../server/dist/sql/stores.js'
import { copyRows } from './copy.mjs'
import { generateHistory, MODE } from './history.mjs'
import { createTimeline } from './timeline.mjs'

const ACTOR = { name: 'bench', requestId: null }
const NO_MAIL = { isEnabled: false, add: async () => {} }
const STORES = 1_000
const STORE_CONCURRENCY = 8
const WALLETS = 5_000
const BATCH_SIZE = 10_000
const REPORT_EVERY = 250_000
const DAY_MS = 86_400_000
const TOP_UP = 10n ** 12n
const FUNDING = 10n ** 7n

// A payment grows in place when it is settled. Rows written at their final length would leave free space in every page,
// and new payments would go to old pages. This is the fill factor of pages that the service has written.
const PAYMENT_FILL_FACTOR = 94

const PAYMENT = {
  store_id: (p) => p.storeId,
  mode: (p) => p.mode,
  payment_id: (p) => p.paymentId,
  qr_number: (p) => p.qrNumber,
  status: (p) => p.status,
  gross: (p) => p.gross,
  fee: (p) => p.fee,
  donation: (p) => p.donation,
  currency: (p) => p.currency,
  request_amount: (p) => p.requestAmount,
  request_currency: (p) => p.requestCurrency,
  conversion_rate: (p) => p.conversionRate,
  client: (p) => p.client,
  products: (p) => (p.products.length === 0 ? null : p.products),
  reference_id: (p) => p.referenceId,
  words: wordsText,
  created_at: (p) => p.createdAt,
  expires_at: (p) => p.expiresAt,
  usage_day: (p) => p.usageDay,
  usage_month: (p) => p.usageMonth,
  settled_at: (p) => p.settledAt,
  settled_by: (p) => p.settledAt && randomUUID(),
  wallet_id: (p) => p.walletId,
  failure: (p) => p.failure,
  refund_fee: (p) => p.refundFee,
  refunded_at: (p) => p.refundedAt,
  refunded_by: (p) => p.refundedAt && randomUUID(),
}
const EVENT = {
  store_id: (e) => e.storeId,
  payment_id: (e) => e.paymentId,
  sequence: (e) => e.sequence,
  mode: () => MODE,
  type: (e) => e.type,
  created_at: (e) => e.createdAt,
}
const TRANSFER = {
  reference: (t) => t.reference,
  kind: (t) => t.kind,
  mode: (t) => t.mode,
  debit: (t) => t.debit,
  credit: (t) => t.credit,
  amount: (t) => t.amount,
  currency: (t) => t.currency,
  at: (t) => t.at,
  note: (t) => t.note,
  store_id: (t) => t.storeId,
}
const WALLET_TRANSFER = { ...TRANSFER, wallet_id: (t) => t.walletId }

/**
 * Fills the database of a data folder with payments and their events, transfers, balances and usage. The service's own
 * functions create the payments, events and transfers (see history.mjs); COPY writes all but the stores' balances, with all
 * indexes and constraints in place.
 */
export async function fill({ folder, demo, payments: count, print, demoShare }) {
  const config = readConfig({ FLORIN_DATA: folder })
  const { service, close } = await open(config, {
    log: createLog('warn'),
    print,
    upgrade: false,
  })
  const { database } = service
  const { connectionString } = database.pool.options
  const clients = {}
  try {
    const startedMs = performance.now()
    for (const table of ['payment', 'event', 'transfer', 'wallet_transfer']) {
      clients[table] = new pg.Client({ connectionString })
      await clients[table].connect()
    }
    const stores = [await findStore(database, demo.store.id), ...(await makeStores(service))]
    const wallets = await makeWallets(clients.payment)
    const previousFillFactor = await setFillFactor(clients.payment, 'payment', PAYMENT_FILL_FACTOR)
    const nowMs = Date.now()
    const balances = trackBalances()

    const writeBatch = ({ payments, events, transfers }) => {
      balances.add(payments, transfers)
      const ofWallets = transfers.filter((t) => t.walletId !== null)
      const ofStores = transfers.filter((t) => t.storeId !== null)
      return Promise.all([
        copyRows(clients.payment, 'payment', PAYMENT, payments),
        copyRows(clients.event, 'event', EVENT, events),
        copyRows(clients.transfer, 'transfer', TRANSFER, ofStores),
        copyRows(clients.wallet_transfer, 'wallet_transfer', WALLET_TRANSFER, ofWallets),
      ])
    }
    await writeBatch({
      payments: [],
      events: [],
      transfers: createTopUps(wallets, new Date(nowMs)),
    })
    // Compute the next batch while PostgreSQL writes the previous one.
    let written = Promise.resolve()
    let done = 0
    const settings = { stores, wallets, count, batchSize: BATCH_SIZE, nowMs, demoShare }
    const laterTransfers = createTimeline()
    for (const batch of generateHistory(settings)) {
      const transfers = laterTransfers.take(batch.transfers, batch.payments.at(-1).createdAt)
      await written
      written = writeBatch({ ...batch, transfers })
      written.catch(() => {})
      done += batch.payments.length
      if (done % REPORT_EVERY === 0) print(`${done} of ${count} payments written`)
    }
    await written
    const rest = laterTransfers.take([], new Date(nowMs + DAY_MS))
    await writeBatch({ payments: [], events: [], transfers: rest })
    await balances.write(clients.payment)
    await setFillFactor(clients.payment, 'payment', previousFillFactor)
    const filledMs = performance.now() - startedMs
    // Bring the database into the state after autovacuum and a checkpoint.
    await clients.payment.query('vacuum analyze')
    await clients.payment.query('checkpoint')
    const { rows } = await clients.payment.query(
      'select pg_database_size(current_database()) as bytes',
    )
    const vacuumMs = performance.now() - startedMs - filledMs
    return { filledMs, vacuumMs, bytes: Number(rows[0].bytes) }
  } finally {
    for (const connection of Object.values(clients)) await connection.end()
    await close()
  }
}

/** Sets the fill factor of a table and returns the previous one. */
async function setFillFactor(client, table, percent) {
  const { rows } = await client.query(
    `select option_value as before
     from pg_class, pg_options_to_table(reloptions)
     where oid = '${table}'::regclass and option_name = 'fillfactor'`,
  )
  await client.query(`alter table ${table} set (fillfactor = ${percent})`)
  return rows[0].before
}

/** Each store gets some money, so that its balance covers every refund. */
async function makeStores({ database, secretKey }) {
  const makeStore = async () => {
    const settings = {
      ...NEW_STORE_SETTINGS,
      name: 'Bench Store',
      currency: 'USD',
      feeBps: 100,
      refundFeeMinor: 50n,
    }
    const store = await createStore(database, ACTOR, settings, secretKey)
    const funding = { store, mode: MODE, kind: 'funding', amount: FUNDING, note: null, key: null }
    await moveMoney(database, ACTOR, funding, NO_MAIL)
    return store
  }
  const stores = []
  while (stores.length < STORES) {
    stores.push(...(await Promise.all(Array.from({ length: STORE_CONCURRENCY }, makeStore))))
  }
  return stores
}

/** Creates wallets without PINs, because hashing PINs would take most of the time. */
async function makeWallets(client) {
  const { rows } = await client.query(
    `select nextval('wallet_number')::int as "walletId" from generate_series(1, $1)`,
    [WALLETS],
  )
  const wallets = rows.map(({ walletId }) => ({
    walletId,
    publicId: mintWalletId(walletId),
    name: `Payer ${walletId}`,
    email: `payer-${walletId}@example.com`,
    phone: `+1777${1_000_000 + walletId}`,
  }))
  await copyRows(client, 'wallet', WALLET, wallets)
  await copyRows(client, 'wallet_phone', WALLET_PHONE, wallets)
  return wallets
}

const WALLET_PHONE = { wallet_id: (w) => w.walletId, phone: (w) => w.phone }
const WALLET = {
  ...WALLET_PHONE,
  public_id: (w) => w.publicId,
  mode: () => MODE,
  name: (w) => w.name,
  email: (w) => w.email,
  created_at: () => new Date(),
}

const createTopUps = (wallets, at) =>
  wallets.map(({ walletId }) =>
    walletMoneyTransfer(
      {
        reference: mintReference('top_', at),
        mode: MODE,
        currency: 'USD',
        at,
        walletId,
        note: null,
      },
      'top_up',
      TOP_UP,
    ),
  )

/** Adds up balances and usage, to write them once at the end. */
function trackBalances() {
  const stores = new Map()
  const wallets = new Map()
  const usage = new Map()
  const addUp = (map, key, delta, amounts) => {
    const sum = map.get(key)
    if (sum === undefined) map.set(key, delta)
    else for (const amount of amounts) sum[amount] += delta[amount]
  }
  return {
    add(payments, transfers) {
      const deltas = balanceDeltas(transfers)
      for (const delta of deltas.stores) {
        addUp(stores, delta.storeId, delta, ['balance', 'fees', 'gifts'])
      }
      for (const delta of deltas.wallets) addUp(wallets, delta.walletId, delta, ['balance'])
      for (const { storeId, status, gross, usageDay, usageMonth } of payments) {
        // A failed or expired payment has a usage row, but no longer counts.
        const used = status === 'failed' || status === 'expired' ? 0n : gross
        for (const [period, starts] of [
          ['day', usageDay],
          ['month', usageMonth],
        ]) {
          addUp(usage, `${storeId} ${starts} ${period}`, { storeId, period, starts, used }, [
            'used',
          ])
        }
      }
    },
    async write(client) {
      await copyRows(client, 'wallet_balance', WALLET_BALANCE, [...wallets.values()])
      await copyRows(client, 'usage', USAGE, [...usage.values()])
      const rows = [...stores.values()]
      await client.query(
        `update store_balance b
         set balance = b.balance + v.balance, fees = b.fees + v.fees, gifts = b.gifts + v.gifts
         from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[])
           as v (store_id, balance, fees, gifts)
         where b.store_id = v.store_id and b.mode = '${MODE}'`,
        ['storeId', 'balance', 'fees', 'gifts'].map((key) => rows.map((row) => row[key])),
      )
    },
  }
}

const WALLET_BALANCE = {
  wallet_id: (w) => w.walletId,
  currency: (w) => w.currency,
  balance: (w) => w.balance,
}
const USAGE = {
  store_id: (u) => u.storeId,
  mode: () => MODE,
  period: (u) => u.period,
  starts: (u) => u.starts,
  used: (u) => u.used,
}
