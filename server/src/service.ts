import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Credential } from './core/credentials.ts'
import type { CurrencyCode } from './core/currencies.ts'
import type { Mode, PaymentId, StoreId, WalletNumber } from './core/ids.ts'
import { hashToken } from './core/ids.ts'
import { isFinal, type PaymentKey, type Status } from './core/payment.ts'
import type { PinLimits } from './core/pinLimits.ts'
import { decryptSecret } from './core/secrets.ts'
import type { Store } from './core/store.ts'
import { eventBody } from './core/webhook.ts'
import { batch } from './database/batch.ts'
import { type Database, openDatabase } from './database/database.ts'
import { schemaState } from './database/migrate.ts'
import { createMailSender } from './mail/sender.ts'
import {
  createMetrics,
  watchAuditChain,
  watchMail,
  watchPool,
  watchQueue,
  watchSecurityEvents,
} from './metrics.ts'
import { changeAnnouncer } from './ops/announceChanges.ts'
import { createAuditChain } from './ops/auditChain.ts'
import { createPayments } from './ops/createPayments.ts'
import { createKeyUseRecorder } from './ops/credentials.ts'
import type { Outbox } from './ops/events.ts'
import { expirePayments } from './ops/expirePayments.ts'
import { heldRequests } from './ops/heldRequests.ts'
import { ledgerAudits } from './ops/ledgerAudits.ts'
import { createMailQueue } from './ops/mail.ts'
import { createNodeReporter } from './ops/nodes.ts'
import { OPERATORS } from './ops/operators.ts'
import { authenticateToken } from './ops/operatorTokens.ts'
import { createOutcomeReader } from './ops/outcomes.ts'
import { payPayments } from './ops/payPayments.ts'
import { PEOPLE } from './ops/people.ts'
import { createPictureEncoder } from './ops/pictures.ts'
import {
  type PageRequest,
  readByIds,
  readPage,
  readPayments,
  readStatuses,
} from './ops/readPayments.ts'
import { refundPayments } from './ops/refundPayments.ts'
import { securityEventCounts } from './ops/securityEvents.ts'
import { authenticateStaff } from './ops/staffAccounts.ts'
import { createSessionUseRecorder, walletOfToken } from './ops/walletSessions.ts'
import { createCache } from './platform/cache.ts'
import { databaseClock } from './platform/databaseClock.ts'
import { loadCounter } from './platform/load.ts'
import { connectionLimits, readFileLimit } from './platform/openFiles.ts'
import { VERSION } from './platform/version.ts'
import { findCredentials } from './sql/credentials.ts'
import { databaseTime } from './sql/locks.ts'
import { findSignedInOperators } from './sql/operators.ts'
import { findActiveTokens } from './sql/operatorTokens.ts'
import { findSignedIn } from './sql/people.ts'
import { listPinLimits } from './sql/pinLimits.ts'
import { findRate } from './sql/rates.ts'
import { findSecrets } from './sql/secrets.ts'
import { findStores } from './sql/stores.ts'
import { findSessions, type Session, type SessionKey } from './sql/walletSessions.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { createPoster } from './webhooks/post.ts'
import { MAX_PER_HOST } from './webhooks/sendQueue.ts'

// A key that is revoked on another node is refused here after at most `maxAgeMs`.
const CACHE = { maxAgeMs: 3_000, maxEntries: 10_000 }
// Each item may take two locks. PostgreSQL has a few thousand for all connections together.
const MAX_BATCH_ITEMS = 128
const MAX_WAITING = 20_000
const MAX_WAIT_MS = 15_000
const MAX_FINAL_STATUSES = 50_000

/** A sign-in of the demo, for the start page. */
export type DemoSignIn = {
  readonly app: 'wallet' | 'till' | 'dashboard' | 'operator'
  readonly user: string
  readonly secret: string
}

/** Everything that routes and loops need, wired once. */
export type Service = ReturnType<typeof openService>

export function openService(
  config: Config,
  {
    databaseUrl,
    secretKey,
    pepper,
    log,
    isDistributed = false,
  }: {
    databaseUrl: string
    secretKey: Buffer
    pepper: Buffer
    log: Logger
    isDistributed?: boolean
  },
) {
  const metrics = createMetrics()
  const database: Database = openDatabase({
    url: databaseUrl,
    poolSize: config.poolSize,
    poolTimeoutMs: 5_000,
    isDistributed,
    onRetry: (code) => metrics.transactionRetries.inc({ code }),
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  watchPool(metrics, database)
  const clock = databaseClock(() => databaseTime(database))

  const webhookSecrets = createCache(async (owner: `${StoreId} ${Mode}`) => {
    const [storeId, mode] = owner.split(' ') as [string, Mode]
    const encrypted = await findSecrets(database, Number(storeId) as StoreId, mode)
    return encrypted.map((one) => decryptSecret(one, secretKey))
  }, CACHE)
  const dispatcher = createDispatcher({
    database,
    log,
    now: clock.now,
    poster: createPoster(
      { allowPrivate: config.allowPrivateWebhooks, allowedPorts: config.webhookPorts },
      { connectionsPerHost: MAX_PER_HOST },
    ),
    secretsOf: (storeId, mode) => webhookSecrets.get(`${storeId} ${mode}`),
    onAttempt: ({ outcome, mode, firstDelayMs }) => {
      metrics.webhooks.inc({ outcome, mode })
      if (firstDelayMs !== null) metrics.webhookDelay.observe(firstDelayMs / 1000)
    },
  })
  const mailSender =
    config.mail === null
      ? null
      : createMailSender({
          database,
          log,
          secretKey,
          service: new URL(config.publicUrl).host,
          smtp: config.mail,
          onResult: (result) => metrics.mails.inc({ result }),
        })
  const mail = createMailQueue({
    isEnabled: config.mail !== null,
    secretKey,
    onCommit: () => mailSender?.wake(),
  })
  const { changes, channel, announce } = changeAnnouncer(database, databaseUrl)
  const outbox: Outbox = {
    body: (change, type, at) => eventBody(type, change, { at, publicUrl: config.publicUrl }),
    choose: dispatcher.choose,
    mail,
    committed: (written) => {
      for (const { payment } of written.changes) {
        metrics.payments.inc({ outcome: payment.status, mode: payment.mode })
        announce(payment.paymentId)
      }
      dispatcher.onCommit(written)
    },
  }
  watchQueue(metrics, database, clock.now)
  if (mailSender !== null) watchMail(metrics, database, clock.now)
  const auditChain = createAuditChain(database, secretKey, ([first]) =>
    log.error({ finding: first }, 'the audit log was tampered with. Run: npx florin audit'),
  )
  watchAuditChain(metrics, auditChain.state)
  watchSecurityEvents(metrics, securityEventCounts)

  const activeRequests = { count: 0 }
  /** Turns an op over many requests into a function for one request. */
  function batched<Request, Result>(
    name: string,
    op: (database: Database, outbox: Outbox, requests: Request[]) => Promise<(Result | Error)[]>,
    concurrency: number,
    groupOf: (request: Request) => string,
  ) {
    return batch<Request, Result>((requests) => op(database, outbox, requests), {
      name,
      maxItems: MAX_BATCH_ITEMS,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      concurrency,
      activeRequests,
      groupOf,
      onBatch: (op, items) => metrics.batchItems.observe({ op }, items),
      onSplit: (op, error) => {
        metrics.batchSplits.inc({ op })
        log.error({ err: error, op }, 'a batch failed and is split')
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
        concurrency: 2,
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
  const operatorTokenOf = byToken('operator tokens', (hashes) => findActiveTokens(database, hashes))
  const walletSessionOf = batchedLookup<SessionKey, Session & SessionKey>(
    'wallet sessions',
    (keys) => findSessions(database, keys),
    ({ walletId, tokenHash }) => `${walletId} ${tokenHash.toString('hex')}`,
  )

  const byStore = ({ storeId }: PaymentKey) => `${storeId}`
  const create = batched('create', createPayments, 2, (one) => `${one.store.storeId}`)

  const readStatus = batched<PaymentKey, Status | null>('status', readStatuses, 2, byStore)
  /** Final statuses never change, so they are read from the database once. */
  const finalStatuses = new Map<PaymentId, { readonly mode: Mode; readonly status: Status }>()

  let draining = false
  let stopping = false
  let prepared = false
  let demoWallet: WalletNumber | null = null
  let demoSignIns: readonly DemoSignIn[] = []
  const isReady = async () =>
    prepared && !draining && (await schemaState(database).catch(() => null)) === 'current'
  const load = loadCounter()

  const connections = connectionLimits(readFileLimit())

  return {
    config,
    log,
    metrics,
    connections,
    held: heldRequests(connections.held),
    /** Makes /ready fail. Everything else still works. */
    beginDrain: () => {
      draining = true
    },
    isDraining: () => draining,
    /** Ends long polls with the current status. */
    beginStop: () => {
      draining = true
      stopping = true
      changes.wakeAll()
    },
    isStopping: () => stopping,
    /** Call when the database is migrated and has its first data. `wallet` is the demo wallet, which needs no PIN. */
    markPrepared: (wallet: WalletNumber | null = null, signIns: readonly DemoSignIn[] = []) => {
      prepared = true
      demoWallet = wallet
      demoSignIns = signIns
    },
    demoWallet: () => demoWallet,
    demoSignIns: () => demoSignIns,
    isReady,
    load,
    auditChain,
    ledgerAudits: ledgerAudits(database, secretKey, (error) =>
      log.error({ err: error }, 'a ledger audit failed'),
    ),
    node: createNodeReporter(database, { version: VERSION, isReady, takeLoad: load.take }),

    database,
    clock,
    secretKey,
    pepper,
    dispatcher,
    webhookSecrets,
    outbox,
    changes,
    channel,
    mail,
    mailSender,
    activation: { pepper, mail, publicUrl: config.publicUrl },

    createPayment: async (request: Parameters<typeof create>[0]) => {
      const result = await create(request)
      if (result.kind === 'created')
        metrics.payments.inc({ outcome: 'created', mode: request.mode })
      return result
    },
    payPayment: batched('pay', payPayments, 2, (one) => `${one.store.storeId} ${one.walletId}`),
    refundPayment: batched('refund', refundPayments, 2, byStore),
    expirePayment: batched('expire', expirePayments, 1, byStore),
    outcomes: createOutcomeReader(database),
    readPage: (request: PageRequest) => readPage(database, outbox, request),
    readStatus: async (key: PaymentKey): Promise<Status | null> => {
      const known = finalStatuses.get(key.paymentId)
      if (known !== undefined && known.mode === key.mode) return known.status
      const status = await readStatus(key)
      if (status !== null && isFinal(status)) {
        finalStatuses.set(key.paymentId, { mode: key.mode, status })
        if (finalStatuses.size > MAX_FINAL_STATUSES) {
          finalStatuses.delete(finalStatuses.keys().next().value!)
        }
      }
      return status
    },
    readPayment: batched('details', readPayments, 2, byStore),
    readById: batched('checkout', readByIds, 2, (one) => `${one.storeId}`),

    redrawPicture: createPictureEncoder(),
    keyUses: createKeyUseRecorder(database, clock.now),
    walletSessionUses: createSessionUseRecorder(database, clock.now),
    credentials: createCache(
      batchedLookup<string, Credential>(
        'credentials',
        (apiKeys) => findCredentials(database, apiKeys),
        (of) => (typeof of === 'string' ? of : of.apiKey),
      ),
      CACHE,
    ),
    stores: createCache(
      batchedLookup<StoreId, Store>(
        'stores',
        (storeIds) => findStores(database, storeIds),
        (of) => (typeof of === 'number' ? of : of.storeId),
      ),
      CACHE,
    ),
    rates: createCache((pair: `${CurrencyCode}/${CurrencyCode}`) => {
      const [from, to] = pair.split('/') as [CurrencyCode, CurrencyCode]
      return findRate(database, from, to)
    }, CACHE),
    pinLimits: createCache(async (_all: 'all'): Promise<PinLimits> => {
      const limits = await listPinLimits(database)
      return new Map(limits.map(({ currency, amount }) => [currency, amount]))
    }, CACHE),
    operatorTokens: createCache(
      (token: string) => authenticateToken(database, token, operatorTokenOf),
      CACHE,
    ),
    walletSessions: createCache(async (token: string): Promise<Session | null> => {
      const walletId = walletOfToken(token)
      return walletId && walletSessionOf({ walletId, tokenHash: hashToken(token) })
    }, CACHE),
    personSessions: createCache(
      (token: string) => authenticateStaff(database, PEOPLE, token, personOf),
      CACHE,
    ),
    operatorSessions: createCache(
      (token: string) => authenticateStaff(database, OPERATORS, token, operatorOf),
      CACHE,
    ),
  }
}
