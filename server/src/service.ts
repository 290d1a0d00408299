import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Mode, StoreId, WalletNumber } from './core/ids.ts'
import type { PaymentKey, Status } from './core/payment.ts'
import { decryptSecret } from './core/secrets.ts'
import { eventBody } from './core/webhook.ts'
import { batch, batchByPart } from './database/batch.ts'
import { openCluster } from './database/citus/cluster.ts'
import type { ShardMap } from './database/citus/shardMap.ts'
import { type Database, openDatabase } from './database/database.ts'
import { DatabaseUnavailable } from './database/errors.ts'
import { schemaState } from './database/migrate.ts'
import { createSeparateRuns } from './database/quarantine.ts'
import { CACHE, createLookups } from './lookups.ts'
import { createMailSender } from './mail/sender.ts'
import {
  createMetrics,
  watchAuditChain,
  watchMail,
  watchPool,
  watchQueue,
  watchSecurityEvents,
} from './metrics.ts'
import { createChangeAnnouncer } from './ops/announceChanges.ts'
import { createAuditChain } from './ops/auditChain.ts'
import { createPayments } from './ops/createPayments.ts'
import { createKeyUseRecorder } from './ops/credentials.ts'
import type { Outbox } from './ops/events.ts'
import { expirePayments } from './ops/expirePayments.ts'
import { cacheFinalStatuses } from './ops/finalStatuses.ts'
import { createHeldRequests } from './ops/heldRequests.ts'
import { createLedgerAudits } from './ops/ledgerAudits.ts'
import { createMailQueue } from './ops/mail.ts'
import { createNodeReporter } from './ops/nodes.ts'
import { createOutcomeReader } from './ops/outcomes.ts'
import { createDownloadReads, createOwnerReads, createStoreReads } from './ops/ownerReads.ts'
import { payLinks } from './ops/payLinks.ts'
import { createBusinessReader } from './ops/paymentTotals.ts'
import { payPayments } from './ops/payPayments.ts'
import { createPictureEncoder } from './ops/pictures.ts'
import { readPayments, readPaymentsByIds, readStatuses } from './ops/readPayments.ts'
import { refundPayments } from './ops/refundPayments.ts'
import { securityEventCounts } from './ops/securityEvents.ts'
import { createSessionUseRecorder } from './ops/walletSessions.ts'
import { createCache } from './platform/cache.ts'
import { createDatabaseClock } from './platform/databaseClock.ts'
import { createLoadCounter } from './platform/load.ts'
import { connectionLimits, readFileLimit } from './platform/openFiles.ts'
import { VERSION } from './platform/version.ts'
import { readDatabaseTime } from './sql/locks.ts'
import { findSecrets } from './sql/secrets.ts'
import { createDispatcher } from './webhooks/dispatcher.ts'
import { createPoster } from './webhooks/post.ts'
import { MAX_PER_HOST } from './webhooks/sendQueue.ts'

// Each item may take two locks. PostgreSQL has a few thousand for all connections together.
const MAX_BATCH_ITEMS = 128
const MAX_WAITING = 20_000
const MAX_WAIT_MS = 15_000

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
    applicationName,
  }: {
    databaseUrl: string
    secretKey: Buffer
    pepper: Buffer
    log: Logger
    isDistributed?: boolean
    applicationName?: string | undefined
  },
) {
  const metrics = createMetrics()
  const options = {
    url: databaseUrl,
    poolSize: config.poolSize,
    poolTimeoutMs: 5_000,
    isDistributed,
    applicationName,
    onRetry: (code: string) => metrics.transactionRetries.inc({ code }),
    onIdleError: (error: Error) =>
      log.warn({ err: new DatabaseUnavailable(error) }, 'a database connection was lost'),
  }
  const database: Database = openDatabase(options)
  const cluster = isDistributed ? openCluster(database, options) : null
  const runOn = cluster?.run ?? (<T>(work: (on: Database) => Promise<T>) => work(database))
  watchPool(metrics, database)
  const clock = createDatabaseClock(() => readDatabaseTime(database))

  const webhookSecrets = createCache(async (owner: `${StoreId} ${Mode}`) => {
    const [storeId, mode] = owner.split(' ') as [string, Mode]
    const encrypted = await findSecrets(database, Number(storeId) as StoreId, mode)
    return encrypted.map((secret) => decryptSecret(secret, secretKey))
  }, CACHE)
  const dispatcher = createDispatcher({
    database,
    log,
    now: clock.now,
    poster: createPoster(
      { allowPrivate: config.allowPrivateWebhooks, allowedPorts: config.webhookPorts },
      { connectionsPerHost: MAX_PER_HOST, now: clock.now },
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
          onResult: (outcome) => metrics.mails.inc({ outcome }),
        })
  const mail = createMailQueue({
    isEnabled: config.mail !== null,
    secretKey,
    onCommit: () => mailSender?.wake(),
  })
  const { changes, channel, announce, announceCreated } = createChangeAnnouncer(
    database,
    databaseUrl,
  )
  const outbox: Outbox = {
    bodyOf: (change, type, at) => eventBody(type, change, { at, publicUrl: config.publicUrl }),
    choose: dispatcher.choose,
    mail,
    onCommit: (written) => {
      for (const { payment } of written.changes) {
        metrics.payments.inc({ outcome: payment.status, mode: payment.mode })
        announce(payment)
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
  const separateRuns = createSeparateRuns(config.poolSize)
  // On a cluster, a batch uses a connection to each server that it needs. Leave some for everything else.
  const slots = { free: Math.max(1, config.poolSize - 2), waiting: new Set<() => void>() }
  /**
   * Turns an op over many requests into a function for one request. On a cluster, `workersOf` names the workers that a request
   * needs. A batch contains only requests that need the same workers, so one that is down doesn't affect the other batches.
   */
  function batchRequests<Request, Result>(
    op: string,
    run: (database: Database, outbox: Outbox, requests: Request[]) => Promise<(Result | Error)[]>,
    {
      locksOf,
      workersOf,
      concurrency = 2,
      usesSeveralWorkers = false,
    }: {
      locksOf: (request: Request) => readonly string[]
      workersOf: (map: ShardMap, request: Request) => string
      concurrency?: number
      usesSeveralWorkers?: boolean
    },
  ) {
    const createBatch = () =>
      batch<Request, Result>((requests) => runOn((on) => run(on, outbox, requests)), {
        maxItems: MAX_BATCH_ITEMS,
        maxWaiting: MAX_WAITING,
        maxWaitMs: MAX_WAIT_MS,
        concurrency: cluster === null ? concurrency : 1,
        activeRequests,
        locksOf,
        separateRuns,
        ...(cluster === null ? {} : { slots, usesSeveralWorkers }),
        onBatch: (items) => metrics.batchItems.observe({ op }, items),
        onSplit: (error) => {
          metrics.batchSplits.inc({ op })
          log.error({ err: error, op }, 'a batch failed and is split')
        },
      })
    return cluster === null
      ? createBatch()
      : batchByPart(createBatch, (request) => workersOf(cluster.map, request))
  }

  type WithStoreId = { readonly storeId: StoreId }
  const ofStore = {
    locksOf: ({ storeId }: WithStoreId) => [`store ${storeId}`],
    workersOf: (map: ShardMap, { storeId }: WithStoreId) => map.workerOfStore(storeId),
  }
  type WithStoreAndWallet = { readonly store: WithStoreId; readonly walletId: WalletNumber }
  const ofStoreAndWallet = {
    locksOf: ({ store, walletId }: WithStoreAndWallet) => [
      ...ofStore.locksOf(store),
      `wallet ${walletId}`,
    ],
    workersOf: (map: ShardMap, { store, walletId }: WithStoreAndWallet) =>
      `${ofStore.workersOf(map, store)} ${map.workerOfWallet(walletId)}`,
  }
  const create = batchRequests('create', createPayments, {
    locksOf: ({ store }) => ofStore.locksOf(store),
    workersOf: (map, { store }) => ofStore.workersOf(map, store),
  })
  const payLink = batchRequests('pay link', payLinks, ofStoreAndWallet)
  const readStatus = batchRequests<PaymentKey, Status | null>('status', readStatuses, ofStore)

  let isDraining = false
  let isStopping = false
  let isPrepared = false
  let demoWallet: WalletNumber | null = null
  let demoSignIns: readonly DemoSignIn[] = []
  const isReady = async () =>
    isPrepared && !isDraining && (await schemaState(database).catch(() => null)) === 'current'
  const load = createLoadCounter()

  const connections = connectionLimits(readFileLimit())

  return {
    config,
    log,
    metrics,
    connections,
    heldRequests: createHeldRequests(connections.maxHeld),
    /** Makes /ready fail. Everything else still works. */
    beginDrain: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
    /** Makes /ready fail, ends streams, and ends long polls with the current status. */
    beginStop: () => {
      isDraining = true
      isStopping = true
      changes.wakeAll()
    },
    isStopping: () => isStopping,
    /** Call when the database is migrated and has its first data. `wallet` is the demo wallet, whose sign-in needs no PIN. */
    markPrepared: (wallet: WalletNumber | null = null, signIns: readonly DemoSignIn[] = []) => {
      isPrepared = true
      demoWallet = wallet
      demoSignIns = signIns
    },
    demoWallet: () => demoWallet,
    demoSignIns: () => demoSignIns,
    isReady,
    load,
    auditChain,
    ledgerAudits: createLedgerAudits(database, secretKey, (error) =>
      log.error({ err: error }, 'a ledger audit failed'),
    ),
    node: createNodeReporter(database, { version: VERSION, isReady, takeLoad: load.take }),

    database,
    /** Null on one PostgreSQL. */
    cluster,
    close: async () => {
      await cluster?.close()
      await database.close()
    },
    clock,
    secretKey,
    pepper,
    dispatcher,
    webhookSecrets,
    outbox,
    changes,
    announce,
    channel,
    mail,
    mailSender,
    activation: { pepper, mail, publicUrl: config.publicUrl },

    createPayment: async (request: Parameters<typeof create>[0]) => {
      const result = await create(request)
      if (result.kind === 'created') {
        metrics.payments.inc({ outcome: 'created', mode: request.mode })
        announceCreated(request.store.storeId)
      }
      return result
    },
    payPayment: batchRequests('pay', payPayments, ofStoreAndWallet),
    payLink: async (request: Parameters<typeof payLink>[0]) => {
      const result = await payLink(request)
      if (result.kind === 'paid') {
        metrics.payments.inc({ outcome: 'created', mode: request.mode })
      }
      return result
    },
    refundPayment: batchRequests('refund', refundPayments, {
      ...ofStore,
      // Payers are known only after the payments are read, so each payment stands for the lock of its payer.
      locksOf: (request) => [...ofStore.locksOf(request), `payment ${request.paymentId}`],
      usesSeveralWorkers: true,
    }),
    expirePayment: batchRequests('expire', expirePayments, { ...ofStore, concurrency: 1 }),
    outcomes: createOutcomeReader(database),
    readBusiness: createBusinessReader(database),
    // These limit the reads of one store or wallet that run at the same time.
    ...createStoreReads({ database, outbox }, createOwnerReads(config.poolSize)),
    readOfWallet: createOwnerReads<WalletNumber>(config.poolSize),
    /** The same reads of a store with limits for operators, so that a flood by the store's people doesn't get them refused. */
    operatorReads: createStoreReads({ database, outbox }, createOwnerReads(config.poolSize)),
    downloadReads: createStoreReads({ database, outbox }, createDownloadReads()),
    readStatus: cacheFinalStatuses(readStatus),
    readPayment: batchRequests('details', readPayments, { ...ofStore, usesSeveralWorkers: true }),
    readPaymentById: batchRequests('checkout', readPaymentsByIds, ofStore),

    encodePicture: createPictureEncoder(),
    keyUses: createKeyUseRecorder(database, clock.now),
    walletSessionUses: createSessionUseRecorder(database, clock.now),
    ...createLookups(database, clock.now),
  }
}
