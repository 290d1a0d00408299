import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../server/dist/database/migrate.js'
import { mustBeClean } from './lib/checks.mjs'
import { startChild } from './lib/child.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { cpuOfPostgres, postmasterOf } from './lib/cpu.mjs'
import { median, mustBe, roundTo } from './lib/figures.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { startProcess } from './lib/service.mjs'
import { createFixtures, open } from './rates/fixtures.mjs'
import * as requests from './rates/requests.mjs'

const NO_CLUSTER =
  'Set BENCH_CITUS_URL to an empty database on the coordinator of a Citus cluster on this machine, with its workers added.'
const CLUSTER_URL = process.env.BENCH_CITUS_URL
const SHARDS = Number(process.env.BENCH_SHARDS ?? 8)
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 3_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const WARM_UP_ROUNDS = 2
const IDLE_MS = 5_000
const CONNECTIONS = 64
const SHOPS = 200
const WALLETS = 100

const TARGETS = { create: 2.5, status: 2.5, details: 2.5, pay: 4 }

/** Compares the database CPU per request of a cluster with that of one PostgreSQL, on the same machine. */
export const run = withCleanup(async (print, cleanups) => {
  if (!CLUSTER_URL) {
    print(`skipped: ${NO_CLUSTER}`)
    return { table: {}, targets: [] }
  }
  const single = await startSingle(print, cleanups)
  const cluster = await startCluster(print, cleanups)
  const load = await startChild(fileURLToPath(new URL('./lib/load.mjs', import.meta.url)), {})
  cleanups.push(() => load.stop())
  for (const variant of [single, cluster]) variant.idleCpu = await measureIdleCpu(variant)
  const rounds = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    for (const variant of round % 2 === 0 ? [single, cluster] : [cluster, single]) {
      rounds.push(...(await measure(variant, { load, round, print })))
    }
  }
  for (const { name, database } of [single, cluster]) await mustBeClean(database, name)
  return { shards: SHARDS, rounds, ...summarize(rounds.filter(({ round }) => round > 0)) }
})

async function startSingle(print, cleanups) {
  const { folder, url } = await startPostgres(print, cleanups)
  return startService('one PostgreSQL', { folder, url, isDistributed: false, print, cleanups }, [
    postmasterOf(folder),
  ])
}

async function startCluster(print, cleanups) {
  await migrate(CLUSTER_URL, { distribute: true })
  const client = new pg.Client({ connectionString: CLUSTER_URL })
  await client.connect()
  cleanups.push(() => client.end())
  for (const table of ['payment', 'wallet']) {
    const { rows } = await client.query(
      'select count(*)::int as count from pg_dist_shard where logicalrelid = $1::regclass',
      [table],
    )
    if (rows[0].count !== SHARDS) {
      await client.query(
        `select alter_distributed_table('${table}', shard_count => ${SHARDS}, cascade_to_colocated => true)`,
      )
    }
  }
  const { rows } = await client.query(
    `select pid
     from (select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid) c
     union all
     select result
     from run_command_on_workers($$select split_part(pg_read_file('postmaster.pid'), chr(10), 1)$$)`,
  )
  const postmasters = rows.map(({ pid }) => Number(pid))
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return startService(
    'cluster',
    { folder, url: CLUSTER_URL, isDistributed: true, print, cleanups },
    postmasters,
  )
}

async function startService(name, { folder, url, isDistributed, print, cleanups }, postmasters) {
  const database = open(url, { isDistributed })
  cleanups.push(() => database.close())
  const { stores, wallets, secretKey } = await createFixtures({
    url,
    copies: [],
    print,
    stores: SHOPS,
    wallets: WALLETS,
    isDistributed,
  })
  const key = secretKey.toString('base64')
  const service = await startProcess(folder, {
    DATABASE_URL: url,
    FLORIN_SECRET_KEY: key,
    FLORIN_PEPPER: key,
    FLORIN_PROCESSES: '1',
  })
  cleanups.push(service.stop)
  return { name, port: service.port, database, shops: stores, wallets, postmasters }
}

const cpuOfAll = (postmasters) => postmasters.reduce((sum, pid) => sum + cpuOfPostgres(pid), 0)

/** CPU seconds that the servers use per second without requests, for their own and the service's background work. */
async function measureIdleCpu({ postmasters }) {
  const before = cpuOfAll(postmasters)
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  return (cpuOfAll(postmasters) - before) / (IDLE_MS / 1000)
}

async function measure(variant, { load, round, print }) {
  const { name, port, shops, wallets, postmasters, idleCpu } = variant
  const measured = []
  async function measureCall(what, texts, keepBodies = false) {
    const before = cpuOfAll(postmasters)
    const options = { port, connections: CONNECTIONS, requests: texts, keepBodies }
    const { ms, responses, bodies } = await load.call('send', options)
    mustBe(responses, texts.length, `${name}: responses to ${what}`)
    const used = cpuOfAll(postmasters) - before - idleCpu * (ms / 1000)
    const micros = (used / texts.length) * 1e6
    const rate = texts.length / (ms / 1000)
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    print(
      `${when}: ${what}, ${name} ${Math.round(rate)}/s, ${Math.round(micros)} µs of database CPU`,
    )
    measured.push({ what, name, round, rate, micros })
    return bodies
  }
  const ofShops = Array.from({ length: REQUESTS }, (_, n) => shops[n % shops.length])
  const bodies = await measureCall('create', ofShops.map(requests.create), true)
  const payments = bodies.map((body, n) => requests.paymentOf(ofShops[n], body))
  await measureCall('status', payments.map(requests.status))
  await measureCall(
    'pay',
    payments.map((payment, n) => requests.pay(payment, wallets[n % wallets.length])),
  )
  await measureCall('details', payments.map(requests.details))
  await measureCall('refund', payments.map(requests.refund))
  return measured
}

function summarize(rounds) {
  const figureOf = (what, name, key) =>
    median(
      rounds
        .filter((round) => round.what === what && round.name === name)
        .map((round) => round[key]),
    )
  const calls = [...new Set(rounds.map(({ what }) => what))]
  const ratioOf = (what) =>
    figureOf(what, 'cluster', 'micros') / figureOf(what, 'one PostgreSQL', 'micros')
  const table = Object.fromEntries(
    calls.map((what) => [
      what,
      {
        'one PostgreSQL, /s': Math.round(figureOf(what, 'one PostgreSQL', 'rate')),
        'cluster, /s': Math.round(figureOf(what, 'cluster', 'rate')),
        'one PostgreSQL, µs': Math.round(figureOf(what, 'one PostgreSQL', 'micros')),
        'cluster, µs': Math.round(figureOf(what, 'cluster', 'micros')),
        'CPU ratio': roundTo(ratioOf(what)),
      },
    ]),
  )
  const targets = Object.entries(TARGETS).map(([what, max]) => ({
    what: `${what}: database CPU of the cluster / one PostgreSQL`,
    value: roundTo(ratioOf(what)),
    target: `at most ${max}`,
    isMet: ratioOf(what) <= max,
  }))
  return { table, targets }
}
