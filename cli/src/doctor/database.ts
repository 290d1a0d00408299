import { join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { isDistributedAt } from '@florin/server/database/citus/distribute.js'
import { type Database, openDatabase, type Queryable } from '@florin/server/database/database.js'
import { DatabaseUnavailable, SettingsIgnored } from '@florin/server/database/errors.js'
import { pendingMigrations, schemaState } from '@florin/server/database/migrate.js'
import { isCluster } from '@florin/server/embedded/cluster.js'
import { refuseInterruptedRestore } from '@florin/server/embedded/interruptedRestore.js'
import { startEmbedded } from '@florin/server/embedded/server.js'
import { EmbeddedSetupError } from '@florin/server/embedded/setupError.js'
import { listErasedWithBalance } from '@florin/server/sql/erasure.js'
import { privilegeAdvice } from '@florin/server/startErrors.js'
import { countConnections } from '../connections.ts'
import { reasonOf } from '../local.ts'
import { checkCluster } from './cluster.ts'
import { OTHER_FOLDER } from './dataFolder.ts'
import { checkDemo } from './demo.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkKeys } from './keys.ts'
import { checkProxy } from './proxy.ts'

const OLDEST_VERSION = 15
const CONNECT_TIMEOUT_MS = 5_000
const CLOCK_WARNING_MS = 2_000
/** A difference this large means that one clock is wrong. If the database's clock is off by five minutes, receivers reject webhooks. */
const CLOCK_PROBLEM_MS = 60_000

/** Checks the database. Starts the embedded one for the duration of the check. Changes no data. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataFolder } = config
  if (databaseUrl !== null) {
    return inspect(
      databaseUrl,
      config,
      'Check DATABASE_URL, and that PostgreSQL runs and accepts connections from this machine.',
    )
  }
  try {
    if (!(await isCluster(join(dataFolder, 'postgres')))) return [await checkMissing(dataFolder)]
  } catch (error) {
    return [problem('database', `cannot be accessed: ${reasonOf(error)}`, OTHER_FOLDER)]
  }
  try {
    const embedded = await startEmbedded({
      folder: dataFolder,
      archive: config.archiveFolder,
      log: () => {},
    })
    const fix = `See ${join(dataFolder, 'postgres.log')}.`
    try {
      return await inspect(embedded.url, config, fix)
    } finally {
      await embedded.stop()
    }
  } catch (error) {
    return [problem('database', reasonOf(error), `See ${join(dataFolder, 'postgres.log')}.`)]
  }
}

async function checkMissing(dataFolder: string): Promise<Finding> {
  try {
    await refuseInterruptedRestore(dataFolder)
  } catch (error) {
    if (error instanceof EmbeddedSetupError) {
      return problem('database', 'none: a restore was interrupted or is running', error.message)
    }
  }
  return ok('database', 'none yet; the first start creates it')
}

/** Connects like the service, to find the same problems. */
async function inspect(url: string, config: Config, fix: string): Promise<Finding[]> {
  const database = openDatabase({ url, poolSize: 1, poolTimeoutMs: CONNECT_TIMEOUT_MS })
  try {
    await database.query('select 1')
  } catch (error) {
    await database.close()
    if (error instanceof DatabaseUnavailable && error.cause instanceof SettingsIgnored) {
      return [problem('database', `unusable: ${error.cause.message}`, 'Check DATABASE_URL.')]
    }
    return [problem('database', `unreachable: ${reasonOf(error)}`, fix)]
  }
  try {
    const isDistributed = await isDistributedAt(url)
    const cluster = isDistributed ? await checkCluster(database) : []
    // Without all workers, statements on distributed tables fail. The findings already say so.
    if (cluster.some(({ check, state }) => check === 'worker' && state === 'problem')) {
      return [await checkVersion(database), ...cluster]
    }
    return [
      await checkVersion(database),
      ...cluster,
      ...(await checkTables(database, config)),
      ...(await checkServer(database, countConnections(config, { isDistributed }))),
      await checkClock(database),
      ...(config.archiveFolder === null ? [] : [await checkArchiving(database)]),
    ]
  } catch (error) {
    const advice = privilegeAdvice(error)
    if (advice !== null) return [problem('database', reasonOf(error), advice)]
    if (!(error instanceof DatabaseUnavailable)) throw error
    return [problem('database', `unreachable: ${reasonOf(error)}`, fix)]
  } finally {
    await database.close()
  }
}

async function checkVersion(database: Queryable): Promise<Finding> {
  const [row] = await database.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::int as number`,
  )
  const message = `PostgreSQL ${row!.version} responds`
  if (row!.number >= OLDEST_VERSION * 10_000) return ok('database', message)
  return problem('database', message, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)
}

async function checkTables(database: Database, config: Config): Promise<Finding[]> {
  if ((await schemaState(database)) === 'empty') {
    return [ok('migrations', 'no tables yet; the first start creates them')]
  }
  const pending = await pendingMigrations(database).catch((error: unknown) => reasonOf(error))
  if (typeof pending === 'string') {
    return [problem('migrations', pending, 'Use the version of Florin that created them.')]
  }
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ')
    return [problem('migrations', `not applied: ${names}`, 'Run: npx florin migrate')]
  }
  return [
    ok('migrations', 'up to date'),
    ...(await checkKeys(database, config)),
    ...(await checkDemo(database, config)),
    ...(await checkErasedWallets(database)),
    ...(await checkProxy(database)),
  ]
}

const MAX_LISTED = 20

async function checkErasedWallets(database: Queryable): Promise<Finding[]> {
  const wallets = await listErasedWithBalance(database, MAX_LISTED)
  if (wallets.length === 0) return []
  const message = `erased wallets received refunds: ${wallets.join(', ')}`
  const fix = 'Withdraw the money and pay it out: npx florin wallets withdraw'
  return [warning('wallets', message, fix)]
}

/** Checks server settings that protect money, and the number of connections. */
async function checkServer(database: Queryable, connections: number): Promise<Finding[]> {
  const rows = await database.query<{ name: string; setting: string }>(
    `select name, setting
     from pg_settings
     where name = any($1)`,
    [
      [
        'default_transaction_read_only',
        'fsync',
        'full_page_writes',
        'synchronous_commit',
        'max_connections',
      ],
    ],
  )
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const findings = ['fsync', 'full_page_writes', 'synchronous_commit']
    .filter((name) => settings[name] === 'off')
    .map((name) =>
      problem(
        'durability',
        `${name} is off: a power failure would lose acknowledged payments`,
        // Only this one can also be set for a database or role.
        name === 'synchronous_commit'
          ? `Set ${name} = on where it is off: in postgresql.conf, or for this database or its role. Then reload.`
          : `Set ${name} = on in postgresql.conf, and reload.`,
      ),
    )
  if (findings.length === 0) findings.push(ok('durability', 'acknowledged writes are on disk'))
  if (settings.default_transaction_read_only === 'on') {
    const fix =
      'If its disk is full, free space. Then set default_transaction_read_only = off where it is on.'
    findings.push(problem('database', 'read only: no payment can be stored', fix))
  }
  const message = `${settings.max_connections} allowed, Florin uses up to ${connections}`
  findings.push(
    Number(settings.max_connections) >= connections
      ? ok('connections', message)
      : warning('connections', message, 'Raise max_connections or lower FLORIN_POOL_SIZE.'),
  )
  return findings
}

/** Compares this machine's clock with the database's. */
async function checkClock(database: Queryable): Promise<Finding> {
  const beforeMs = Date.now()
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  const afterMs = Date.now()
  const databaseMs = row!.now.getTime()
  // A lower bound that does not depend on the duration of the query.
  const differenceMs = Math.max(0, beforeMs - databaseMs, databaseMs - afterMs)
  const message = `this machine and the database differ by ${(differenceMs / 1000).toFixed(1)} s`
  if (differenceMs < CLOCK_WARNING_MS) return ok('clock', message)
  const fix = 'Synchronize both clocks with NTP.'
  return differenceMs < CLOCK_PROBLEM_MS
    ? warning('clock', message, fix)
    : problem('clock', message, fix)
}

/** Checks that the write-ahead log is archived. Segments that can't be archived are kept and fill the disk of the database. */
async function checkArchiving(database: Queryable): Promise<Finding> {
  const [row] = await database.query<{ isOn: boolean; isFailing: boolean; last: string | null }>(
    `select current_setting('archive_mode') = 'on' and current_setting('archive_command') <> '' as "isOn",
       last_archived_wal as last,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
     from pg_stat_archiver`,
  )
  const { isOn, isFailing, last } = row!
  if (!isOn) {
    const message = 'the running database was started without FLORIN_ARCHIVE and archives no log'
    return problem(
      'archive',
      message,
      'Stop everything that uses the database, and start again with FLORIN_ARCHIVE.',
    )
  }
  if (isFailing) {
    const message = 'the log cannot be written to FLORIN_ARCHIVE'
    return problem('archive', message, 'Check postgres.log and the free space in that folder.')
  }
  return ok('archive', last === null ? 'on; empty so far' : `on; last segment ${last}`)
}
