import { join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { type Database, openDatabase, type Queryable } from '@florin/server/database/database.js'
import { pendingMigrations, schemaState } from '@florin/server/database/migrate.js'
import { isCluster } from '@florin/server/embedded/cluster.js'
import { startEmbedded } from '@florin/server/embedded/server.js'
import { listErasedWithBalance } from '@florin/server/sql/erasure.js'
import { reasonOf } from '../local.ts'
import { checkDemo } from './demo.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkKeys } from './keys.ts'
import { checkProxy } from './proxy.ts'

const OLDEST_VERSION = 15
const CONNECT_MS = 5_000
const CLOCK_WARNING_MS = 2_000
/** Webhooks are refused when their time is five minutes off; long before that something is wrong. */
const CLOCK_PROBLEM_MS = 60_000
/** Beside the pools: who listens for news, migrates, audits or holds the embedded server. */
const FURTHER_CONNECTIONS = 5

/** Starts the embedded database for as long as it takes, unless it runs; changes nothing in any. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataFolder } = config
  if (databaseUrl !== null) {
    return look(
      databaseUrl,
      config,
      'Check DATABASE_URL, and that PostgreSQL runs and lets this machine in.',
    )
  }
  if (!(await isCluster(join(dataFolder, 'postgres')))) {
    return [ok('database', 'none yet; the first start makes the embedded one')]
  }
  try {
    const embedded = await startEmbedded({
      folder: dataFolder,
      archive: config.archiveFolder,
      log: () => {},
    })
    const todo = `Look into ${join(dataFolder, 'postgres.log')}`
    return await look(embedded.url, config, todo).finally(embedded.stop)
  } catch (error) {
    return [problem('database', reasonOf(error), `Look into ${join(dataFolder, 'postgres.log')}`)]
  }
}

/** Connects as the service does, so that what keeps the service from it is found. */
async function look(url: string, config: Config, todo: string): Promise<Finding[]> {
  const database = openDatabase({ url, poolSize: 1, poolTimeoutMs: CONNECT_MS })
  try {
    await database.query('select 1')
  } catch (error) {
    await database.close()
    return [problem('database', `cannot be reached: ${reasonOf(error)}`, todo)]
  }
  try {
    return [
      await version(database),
      ...(await tables(database, config)),
      ...(await server(database, config)),
      await clock(database),
      ...(config.archiveFolder === null ? [] : [await archive(database)]),
    ]
  } finally {
    await database.close()
  }
}

async function version(database: Queryable): Promise<Finding> {
  const [row] = await database.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::int as number`,
  )
  const says = `PostgreSQL ${row!.version} answers`
  if (row!.number >= OLDEST_VERSION * 10_000) return ok('database', says)
  return problem('database', says, `Use PostgreSQL ${OLDEST_VERSION} or newer.`)
}

async function tables(database: Database, config: Config): Promise<Finding[]> {
  if ((await schemaState(database)) === 'empty') {
    return [ok('migrations', 'no tables yet; the first start makes them')]
  }
  try {
    const pending = await pendingMigrations(database)
    if (pending.length === 0) {
      return [
        ok('migrations', 'up to date'),
        ...(await checkKeys(database, config)),
        ...(await checkDemo(database, config)),
        ...(await erasedWallets(database)),
        ...(await checkProxy(database)),
      ]
    }
    const names = pending.map(({ name }) => name).join(', ')
    return [problem('migrations', `not applied: ${names}`, 'Run: npx florin migrate')]
  } catch (error) {
    return [problem('migrations', reasonOf(error), 'Use the version of Florin that made them.')]
  }
}

const NAMED_AT_MOST = 20

async function erasedWallets(database: Queryable): Promise<Finding[]> {
  const wallets = await listErasedWithBalance(database, NAMED_AT_MOST)
  if (wallets.length === 0) return []
  const says = `a refund has come to one that was erased: ${wallets.join(', ')}`
  const todo = 'Withdraw it, and hand it out: npx florin wallets withdraw'
  return [warning('wallets', says, todo)]
}

/** Settings of the server that money depends on, and those of the session that must reach it. */
async function server(database: Queryable, config: Config): Promise<Finding[]> {
  const rows = await database.query<{ name: string; setting: string }>(
    `select name, setting
     from pg_settings
     where name = any($1)`,
    [['fsync', 'full_page_writes', 'synchronous_commit', 'TimeZone', 'max_connections']],
  )
  const set = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const findings = ['fsync', 'full_page_writes', 'synchronous_commit']
    .filter((name) => set[name] === 'off')
    .map((name) =>
      problem(
        'durability',
        `${name} is off: a power cut would lose payments that were acknowledged`,
        `Set ${name} = on in postgresql.conf, or for this database, and reload.`,
      ),
    )
  if (findings.length === 0) findings.push(ok('durability', 'what is acknowledged is on the disk'))
  findings.push(
    set.TimeZone === 'UTC'
      ? ok('time zone', 'sessions work in UTC, whatever the server does')
      : problem(
          'time zone',
          `sessions work in ${set.TimeZone}: the settings of a session do not arrive`,
          'Connect to PostgreSQL directly, or let the pooler in between pass on "options".',
        ),
  )
  const wanted = config.poolSize * config.processes + FURTHER_CONNECTIONS
  const says = `${set.max_connections} allowed, up to ${wanted} wanted by Florin`
  findings.push(
    Number(set.max_connections) >= wanted
      ? ok('connections', says)
      : warning('connections', says, 'Raise max_connections or lower FLORIN_POOL_SIZE.'),
  )
  return findings
}

/** What is due when is decided by the database's clock, webhooks are signed by this machine's. */
async function clock(database: Queryable): Promise<Finding> {
  const beforeMs = Date.now()
  const [row] = await database.query<{ now: Date }>('select clock_timestamp() as now')
  const afterMs = Date.now()
  const theirs = row!.now.getTime()
  // As far apart as they are at least, however long the question was under way.
  const apartMs = Math.max(0, beforeMs - theirs, theirs - afterMs)
  const says = `this machine and the database are ${(apartMs / 1000).toFixed(1)} s apart`
  if (apartMs < CLOCK_WARNING_MS) return ok('clock', says)
  const todo = 'Let both set their clocks by NTP.'
  return apartMs < CLOCK_PROBLEM_MS ? warning('clock', says, todo) : problem('clock', says, todo)
}

/** What cannot be archived stays in the database's folder, until that is full. */
async function archive(database: Queryable): Promise<Finding> {
  const [row] = await database.query<{ isOn: boolean; isFailing: boolean; last: string | null }>(
    `select current_setting('archive_mode') = 'on' and current_setting('archive_command') <> '' as "isOn",
       last_archived_wal as last,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
     from pg_stat_archiver`,
  )
  const { isOn, isFailing, last } = row!
  if (!isOn) {
    const says = 'the running database was started without FLORIN_ARCHIVE, and keeps no log'
    return problem('archive', says, 'Stop everything that uses it, and start with the setting.')
  }
  if (isFailing) {
    const says = 'the log cannot be written to FLORIN_ARCHIVE'
    return problem('archive', says, 'Look into postgres.log, and at the room in that folder.')
  }
  return ok('archive', last === null ? 'on; nothing is in it yet' : `on; the last one is ${last}`)
}
