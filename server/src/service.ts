import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Credential } from './core/credentials.ts'
import type { CurrencyCode } from './core/currencies.ts'
import type { Mode, PaymentId, StoreId, WalletNumber } from './core/ids.ts'
import { hashToken } from './core/ids.ts'
import { isFinal, type PaymentKey, type Status } from './core/payment.ts'
import { decryptSecret } from './core/secrets.ts'
import type { Store } from './core/store.ts'
import { signerOf } from './core/webhook.ts'
import { batch } from './database/batch.ts'
import { createChannel } from './database/channel.ts'
import { type Database, openDatabase } from './database/database.ts'
import { schemaState } from './database/migrate.ts'
import { createMetrics, watchPool, watchQueue } from './metrics.ts'
import { createPayments } from './ops/createPayments.ts'
import type { Outbox } from './ops/events.ts'
import { expirePayments } from './ops/expirePayments.ts'
import { heldRequests } from './ops/heldRequests.ts'
import { createKeyUses } from './ops/keyUses.ts'
import { ledgerAudits } from './ops/ledgerAudits.ts'
import { thisNode } from './ops/nodes.ts'
import { useOperatorSession } from './ops/operators.ts'
import { paymentChanges } from './ops/paymentChanges.ts'
import { payPayments } from './ops/payPayments.ts'
import { useSession } from './ops/personSessions.ts'
import { createOutcomes } from './ops/readOutcomes.ts'
import {
  type PageRequest,
  readByIds,
  readPage,
  readPayments,
  readStatuses,
} from './ops/readPayments.ts'
import { pictureRedrawer } from './ops/redrawPicture.ts'
import { refundPayments } from './ops/refundPayments.ts'
import { walletOfToken } from './ops/sessions.ts'
import { recent } from './platform/cache.ts'
import { databaseClock } from './platform/databaseClock.ts'
import { loadCounter } from './platform/load.ts'
import { connectionLimits, readFileLimit } from './platform/openFiles.ts'
import { VERSION } from './platform/version.ts'
import { findCredentials, findOperatorTokens } from './sql/credentials.ts'
import { databaseTime } from './sql/locks.ts'
import { findSignedInOperators } from './sql/operators.ts'
import { findSignedIn } from './sql/people.ts'
import { findRate } from './sql/rates.ts'
import { findSessions, type Session, type SessionKey } from './sql/sessions.ts'
import { findSecrets, findStores } from './sql/stores.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { MAX_PER_HOST } from './webhooks/sendQueue.ts'
import { createPoster } from './webhooks/post.ts'

// A key revoked on another node is refused here at the latest after this.
const REMEMBER_MS = 3_000
const MAX_REMEMBERED = 10_000
// Each may hold two locks, of which a server has a few thousand for everybody.
const MAX_BATCH_ITEMS = 128
const MAX_WAITING = 20_000
const MAX_WAIT_MS = 15_000
const MAX_FINALS = 50_000

/** Everything that the HTTP side and the loops need, wired once. */
export type Service = ReturnType<typeof openService>

export function openService(
  config: Config,
  {
    databaseUrl,
    secretKey,
    pepper,
    log,
    isSpread = false,
  }: {
    databaseUrl: string
    secretKey: Buffer
    pepper: Buffer
    log: Logger
    isSpread?: boolean
  },
) {
  const metrics = createMetrics()
  const database: Database = openDatabase({
    url: databaseUrl,
    poolSize: config.poolSize,
    poolTimeoutMs: 5_000,
    isSpread,
    onRetry: (code) => metrics.transactionRetries.inc({ code }),
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  watchPool(metrics, database)
  const clock = databaseClock(() => databaseTime(database))

  const remember = { maxAgeMs: REMEMBER_MS, maxEntries: MAX_REMEMBERED }
  const webhookSigners = recent(async (owner: `${StoreId} ${Mode}`) => {
    const [storeId, mode] = owner.split(' ') as [string, Mode]
    const sealed = await findSecrets(database, Number(storeId) as StoreId, mode)
    return sealed.map((one) => signerOf(decryptSecret(one, secretKey)))
  }, remember)
  const changes = paymentChanges(() => channel.isOpen())
  const channel = createChannel({
    url: databaseUrl,
    name: 'florin_payment',
    onWords: (ids) => {
      for (const id of ids.split(' ')) changes.announce(id as PaymentId)
    },
    onGap: changes.wakeAll,
  })
  /** Left to gather for a moment: one notice for many, which no payment waits for. */
  const tellOthers = batch<PaymentId, true>(
    async (ids) => {
      await channel.say(database, ids.join(' '))
      return ids.map(() => true)
    },
    { name: 'notices', maxItems: 200, maxWaiting: MAX_WAITING, inFlight: 1, gatherMs: 50 },
  )
  const dispatcher = createDispatcher({
    database,
    log,
    publicUrl: config.publicUrl,
    now: clock.now,
    poster: createPoster(
      { allowPrivate: config.allowPrivateWebhooks, allowedPorts: config.webhookPorts },
      { connectionsPerHost: MAX_PER_HOST },
    ),
    signersOf: (storeId, mode) => webhookSigners.get(`${storeId} ${mode}`),
    onChange: ({ paymentId, mode, status }) => {
      metrics.payments.inc({ outcome: status, mode })
      changes.announce(paymentId)
      tellOthers(paymentId).catch(() => {})
    },
    onAttempt: ({ outcome, mode, firstDelayMs }) => {
      metrics.webhooks.inc({ outcome, mode })
      if (firstDelayMs !== null) metrics.webhookDelay.observe(firstDelayMs / 1000)
    },
  })
  watchQueue(metrics, database, clock.now)

  const crowd = { requests: 0 }
  /** The op over many requests as a function for one. */
  function batched<Request, Result>(
    name: string,
    op: (database: Database, outbox: Outbox, requests: Request[]) => Promise<(Result | Error)[]>,
    inFlight: number,
    groupOf: (request: Request) => string,
  ) {
    return batch<Request, Result>((requests) => op(database, dispatcher.outbox, requests), {
      name,
      maxItems: MAX_BATCH_ITEMS,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      inFlight,
      crowd,
      groupOf,
      onBatch: (op, items) => metrics.batchItems.observe({ op }, items),
      onSplit: (op, error) => {
        metrics.batchSplits.inc({ op })
        log.error({ err: error, op }, 'a batch failed and is run one by one')
      },
    })
  }

  /**
   * Batches lookups: concurrent requests share a query. A flood of invalid keys and tokens uses at most two
   * connections, and valid ones are still found.
   */
  function batchedLookup<Key, Row>(
    name: string,
    find: (keys: Key[]) => Promise<Row[]>,
    nameOf: (of: Key | Row) => string | number,
  ) {
    return batch<Key, Row | null>(
      async (keys) => {
        const rows = new Map((await find(keys)).map((row) => [nameOf(row), row]))
        return keys.map((key) => rows.get(nameOf(key)) ?? null)
      },
      {
        name,
        maxItems: MAX_BATCH_ITEMS,
        maxWaiting: MAX_WAITING,
        maxWaitMs: MAX_WAIT_MS,
        inFlight: 2,
      },
    )
  }

  /** Looks up a row by its token. Only hashes of tokens are stored. */
  function byToken<Row extends { readonly tokenHash: Buffer }>(
    name: string,
    find: (hashes: Buffer[]) => Promise<Row[]>,
  ) {
    const one = batchedLookup<{ tokenHash: Buffer }, Row>(
      name,
      (keys) => find(keys.map(({ tokenHash }) => tokenHash)),
      ({ tokenHash }) => tokenHash.toString('hex'),
    )
    return (token: string) => one({ tokenHash: hashToken(token) })
  }
  const personOf = byToken('people', (hashes) => findSignedIn(database, hashes))
  const operatorOf = byToken('operator sessions', (hashes) =>
    findSignedInOperators(database, hashes),
  )
  const operatorTokenOf = byToken('operator tokens', (hashes) =>
    findOperatorTokens(database, hashes),
  )
  const walletSessionOf = batchedLookup<SessionKey, Session & SessionKey>(
    'wallet sessions',
    (keys) => findSessions(database, keys),
    ({ walletId, tokenHash }) => `${walletId} ${tokenHash.toString('hex')}`,
  )

  const byStore = ({ storeId }: PaymentKey) => `${storeId}`
  const create = batched('create', createPayments, 2, (one) => `${one.store.storeId}`)

  const readStatus = batched<PaymentKey, Status | null>('status', readStatuses, 2, byStore)
  /** What no other node can change any more is told without asking the database. */
  const finals = new Map<PaymentId, { readonly mode: Mode; readonly status: Status }>()

  let leaving = false
  let stopping = false
  let prepared = false
  let demoWallet: WalletNumber | null = null
  const isReady = async () =>
    prepared && !leaving && (await schemaState(database).catch(() => null)) === 'current'
  const load = loadCounter()

  const connections = connectionLimits(readFileLimit())

  return {
    config,
    log,
    metrics,
    connections,
    held: heldRequests(connections.held),
    /** From here on it is not ready any more, and otherwise serves as before. */
    beginLeave: () => {
      leaving = true
    },
    isLeaving: () => leaving,
    /** From here on nobody is kept waiting: long polls answer with what they have. */
    beginStop: () => {
      leaving = true
      stopping = true
      changes.wakeAll()
    },
    isStopping: () => stopping,
    /** Migrated, and with its first data written; a demo has a wallet that everybody may try. */
    markPrepared: (wallet: WalletNumber | null = null) => {
      prepared = true
      demoWallet = wallet
    },
    demoWallet: () => demoWallet,
    isReady,
    load,
    ledgerAudits: ledgerAudits(database, (error) =>
      log.error({ err: error }, 'an audit of the ledger did not come to its end'),
    ),
    node: thisNode(database, { version: VERSION, isReady, takeLoad: load.take }),

    database,
    clock,
    secretKey,
    pepper,
    dispatcher,
    webhookSigners,
    changes,
    channel,

    createPayment: async (request: Parameters<typeof create>[0]) => {
      const result = await create(request)
      if (result.kind === 'created')
        metrics.payments.inc({ outcome: 'created', mode: request.mode })
      return result
    },
    payPayment: batched('pay', payPayments, 2, (one) => `${one.store.storeId} ${one.walletId}`),
    refundPayment: batched('refund', refundPayments, 2, byStore),
    expirePayment: batched('expire', expirePayments, 1, byStore),
    outcomes: createOutcomes(database),
    readPage: (request: PageRequest) => readPage(database, dispatcher.outbox, request),
    readStatus: async (key: PaymentKey): Promise<Status | null> => {
      const known = finals.get(key.paymentId)
      if (known !== undefined && known.mode === key.mode) return known.status
      const status = await readStatus(key)
      if (status !== null && isFinal(status)) {
        finals.set(key.paymentId, { mode: key.mode, status })
        if (finals.size > MAX_FINALS) finals.delete(finals.keys().next().value!)
      }
      return status
    },
    readPayment: batched('details', readPayments, 2, byStore),
    readById: batched('checkout', readByIds, 2, (one) => `${one.storeId}`),

    redrawPicture: pictureRedrawer(),
    keyUses: createKeyUses(database, clock.now),
    credentials: recent(
      batchedLookup<string, Credential>(
        'credentials',
        (apiKeys) => findCredentials(database, apiKeys),
        (of) => (typeof of === 'string' ? of : of.apiKey),
      ),
      remember,
    ),
    stores: recent(
      batchedLookup<StoreId, Store>(
        'stores',
        (storeIds) => findStores(database, storeIds),
        (of) => (typeof of === 'number' ? of : of.storeId),
      ),
      remember,
    ),
    rates: recent((pair: `${CurrencyCode}/${CurrencyCode}`) => {
      const [from, to] = pair.split('/') as [CurrencyCode, CurrencyCode]
      return findRate(database, from, to)
    }, remember),
    operators: recent(
      async (token: string) => (await operatorTokenOf(token))?.label ?? null,
      remember,
    ),
    sessions: recent(async (token: string): Promise<Session | null> => {
      const walletId = walletOfToken(token)
      return walletId && walletSessionOf({ walletId, tokenHash: hashToken(token) })
    }, remember),
    people: recent((token: string) => useSession(database, token, personOf), remember),
    operatorSessions: recent(
      (token: string) => useOperatorSession(database, token, operatorOf),
      remember,
    ),
  }
}
