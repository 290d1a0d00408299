import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { SCOPES } from '../../contract/dist/values.js'
import { hashToken, mintToken } from '../../server/dist/core/ids.js'
import { NEW_STORE_SETTINGS } from '../../server/dist/core/storeSettings.js'
import { openDatabase } from '../../server/dist/database/database.js'
import { migrate } from '../../server/dist/database/migrate.js'
import { issueCredential } from '../../server/dist/ops/credentials.js'
import { moveMoney } from '../../server/dist/ops/moveMoney.js'
import { createStore } from '../../server/dist/ops/stores.js'
import { createWallet } from '../../server/dist/ops/wallets.js'
import { insertSession } from '../../server/dist/sql/walletSessions.js'

const STORES = 1_000
const WALLETS = 250

const ACTOR = { name: 'bench', requestId: null }
const NO_MAIL = { isEnabled: false, add: async () => {} }
const CONCURRENCY = 8
const DAY_MS = 24 * 3_600_000
const LARGE_AMOUNT = 10n ** 9n

const SETTINGS = {
  ...NEW_STORE_SETTINGS,
  currency: 'USD',
  domain: 'shop.example.com',
  email: 'hello@shop.example.com',
  phone: '+15550100000',
  feeBps: 100,
  refundFeeMinor: 50n,
  minAmountMinor: 10n,
  maxAmountMinor: 1_000_000n,
  // Limits are checked on every create but never reached.
  dailyLimitMinor: 100_000_000_000n,
  monthlyLimitMinor: 1_000_000_000_000n,
  // The maximum, so that unpaid payments don't expire in a later round.
  expiresAfterSeconds: 86_400,
}

export const open = (url, { isDistributed = false } = {}) =>
  openDatabase({ url, poolSize: CONCURRENCY, poolTimeoutMs: 5_000, isDistributed })

/**
 * Creates stores with keys and money, and signed-in wallets with money, with the service's own ops. Then clones the
 * database once for each of `copies`, so that all variants start with the same rows.
 */
export async function createFixtures({
  url,
  copies,
  print,
  stores: storeCount = STORES,
  wallets: walletCount = WALLETS,
  isDistributed = false,
}) {
  await migrate(url)
  const secretKey = randomBytes(32)
  const database = open(url, { isDistributed })
  const stores = []
  const wallets = []
  try {
    await inParallel(storeCount, async (n) => {
      stores[n] = await makeStore(database, n, secretKey)
    })
    print(`${storeCount} stores created`)
    await inParallel(walletCount, async (n) => {
      wallets[n] = await makeWallet(database, n)
    })
    print(`${walletCount} wallets created`)
    await database.query('vacuum analyze')
  } finally {
    await database.close()
  }
  return { stores, wallets, secretKey, urls: await copyDatabase(url, copies) }
}

async function makeStore(database, n, secretKey) {
  const name = `Store ${String(n).padStart(4, '0')}`
  const store = await createStore(database, ACTOR, { ...SETTINGS, name }, secretKey)
  // A refund takes more from the store than the payment gave it, so the store needs some money.
  const funding = {
    store,
    mode: 'live',
    kind: 'funding',
    amount: LARGE_AMOUNT,
    note: null,
    key: null,
  }
  await moveMoney(database, ACTOR, funding, NO_MAIL)
  const issued = await issueCredential({ database, mail: NO_MAIL }, ACTOR, {
    storeId: store.storeId,
    mode: 'live',
    label: '',
    scopes: SCOPES,
    expiresAt: null,
  })
  return { store, apiKey: issued.credential.apiKey, apiSecret: issued.apiSecret }
}

async function makeWallet(database, n) {
  const number = String(n).padStart(4, '0')
  const profile = {
    mode: 'live',
    name: `Payer ${number}`,
    email: `payer-${number}@example.com`,
    phone: `+1555020${number}`,
    pin: '805217',
  }
  // These PINs are never used, so any pepper works.
  const { wallet } = await createWallet(database, ACTOR, profile, { pepper: randomBytes(32) })
  const topUp = {
    wallet,
    currency: 'USD',
    kind: 'top_up',
    amount: LARGE_AMOUNT,
    note: null,
    key: null,
  }
  await moveMoney(database, ACTOR, topUp, NO_MAIL)
  // Insert the session directly, because a sign-in would hash the PIN again.
  const { walletId } = wallet
  const token = mintToken(`flw_${walletId}_`)
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + DAY_MS)
  const session = {
    walletId,
    tokenHash: hashToken(token),
    createdAt,
    expiresAt,
    userAgent: '',
    address: '',
  }
  await database.transaction((tx) => insertSession(tx, session))
  return { walletId, token }
}

async function inParallel(count, work) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function copyDatabase(url, names) {
  const urls = {}
  const server = new URL(url)
  const original = server.pathname.slice(1)
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    for (const name of names) {
      await client.query(`create database ${name} template ${original}`)
      server.pathname = `/${name}`
      urls[name] = server.href
    }
    return urls
  } finally {
    await client.end()
  }
}
