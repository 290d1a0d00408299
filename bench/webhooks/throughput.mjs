import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { migrate } from '../../server/dist/database/migrate.js'
import { mustBeDurable } from '../lib/checks.mjs'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../lib/cpu.mjs'
import { formatSpread, median, mustBe, roundTo } from '../lib/figures.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { makeEvents } from './events.mjs'

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const CONNECTIONS = 64
const ROUND_TIMEOUT_MS = 120_000
// The fastest of the tried settings: see bench/README.md.
const GRAPHILE = { localQueue: { size: 2_000 }, completeJobBatchDelay: 20 }

// The target uses the first, which does not sign; the second shows the cost of signing.
const SCHEMAS = { graphile: 'graphile_worker', 'graphile signing': 'graphile_signing' }

const fileOf = (file) => fileURLToPath(new URL(file, import.meta.url))

export const run = withCleanup(measure)

async function measure(print, cleanups) {
  const { folder, url: databaseUrl } = await startPostgres(print, cleanups)
  await migrate(databaseUrl)
  for (const schema of Object.values(SCHEMAS)) {
    await runMigrations({ connectionString: databaseUrl, schema })
  }
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  cleanups.push(() => database.end())
  await mustBeDurable({ query: async (text) => (await database.query(text)).rows })

  let reached = () => {}
  const start = async (file, settings, events) => {
    const child = await startChild(fileOf(file), settings, events)
    cleanups.push(() => child.stop())
    return child
  }
  const receiver = await start(
    './receiver.mjs',
    { healthy: 1, dead: 0 },
    { reached: () => reached() },
  )
  const url = receiver.value.healthy[0]
  const { events, secretKey } = await makeEvents({ databaseUrl, url, count: EVENTS, print })
  const bytes = Math.round(events.reduce((sum, e) => sum + Buffer.byteLength(e.body), 0) / EVENTS)
  await database.query('delete from delivery')
  await database.query('vacuum analyze')

  const settings = { url, databaseUrl, secretKey, connections: CONNECTIONS }
  const bare = await start('./bare.mjs', settings)
  const florin = await start('./florin.mjs', settings)

  /** Reads the end of an index, to skip dead rows. */
  const isEmpty = async (table, key) =>
    (
      await database.query(
        `select ${key} from ${table} order by ${key.replace(/,|$/g, ' desc$&')} limit 1`,
      )
    ).rowCount === 0

  /** Measures from the commit that makes everything due until the table is empty. */
  async function drain({ insert, values, table, key, wake }) {
    await database.query('begin')
    const { rowCount } = await database.query(insert, values)
    mustBe(rowCount, EVENTS, `rows of ${table}`)
    // Without new statistics, PostgreSQL would use plans for the empty table of the last round, which may be slow.
    await database.query(`analyze ${table}`)
    const allArrived = new Promise((resolve, reject) => {
      const timeout = setTimeout(
        () => reject(new Error(`${table}: not all events arrived in time`)),
        ROUND_TIMEOUT_MS,
      )
      reached = () => {
        clearTimeout(timeout)
        resolve()
      }
    })
    const startedMs = performance.now()
    await database.query('commit')
    await wake?.()
    await allArrived
    while (!(await isEmpty(table, key))) await sleep(5)
    return performance.now() - startedMs
  }

  const variants = {
    bare: { child: bare, run: () => bare.call('run', events) },
    florin: {
      child: florin,
      run: () =>
        drain({
          table: 'delivery',
          key: 'store_id, payment_id, sequence',
          insert: `insert into delivery (
                     store_id, payment_id, sequence, mode, url, host, created_at, due_at)
                   select store_id, payment_id, sequence, mode, url, $1, created_at, now()
                   from event`,
          values: [new URL(url).host],
          wake: () => florin.call('wake'),
        }),
      async check() {
        const { rows } = await database.query(
          `select count(*)::int as attempts, count(distinct payment_id)::int as payments
           from delivery_attempt
           where status_code = 200 and number = 1`,
        )
        mustBe(rows[0].attempts, EVENTS, 'attempts recorded')
        mustBe(rows[0].payments, EVENTS, 'payments with an attempt')
      },
    },
  }

  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const signs = name !== 'graphile'
    const child = await start('./graphile.mjs', { ...settings, tuning: GRAPHILE, schema, signs })
    variants[name] = {
      child,
      run: () =>
        drain({
          table: `${schema}._private_jobs`,
          key: 'id',
          insert: `select ${schema}.add_jobs(array(
                     select row('post', json_build_object('id', id, 'url', $3::text, 'body', body),
                       null, null, null, null, null, null)::${schema}.job_spec
                     from unnest($1::text[], $2::text[]) as e (id, body)))`,
          values: [events.map((event) => event.id), events.map((event) => event.body), url],
        }),
    }
  }

  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { child, run, check }] of Object.entries(variants)) {
      await database.query('truncate delivery_attempt')
      await database.query(
        `vacuum delivery, ${Object.values(SCHEMAS).map((schema) => `${schema}._private_jobs`)}`,
      )
      await receiver.call('expect', EVENTS)
      const before = { service: cpuOf(child.pid), database: cpuOfPostgres(postmasterOf(folder)) }
      const ms = await run()
      const service = cpuOf(child.pid) - before.service
      const postgres = cpuOfPostgres(postmasterOf(folder)) - before.database
      const counts = await receiver.call('counts')
      mustBe(counts.events, EVENTS, `${name}: arrived events`)
      mustBe(counts.arrivals, EVENTS, `${name}: arrivals`)
      await check?.()
      const rate = EVENTS / (ms / 1000)
      const what = round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
      print(`${what}: ${name} ${Math.round(rate)}/s`)
      const micros = (seconds) => (seconds / EVENTS) * 1e6
      if (round > 0) {
        rounds.push({ name, round, rate, service: micros(service), postgres: micros(postgres) })
      }
    }
  }
  return {
    events: EVENTS,
    bodyBytes: bytes,
    connections: CONNECTIONS,
    rounds,
    ...summarize(rounds),
  }
}

function summarize(rounds) {
  const valuesOf = (name, key) =>
    rounds.filter((round) => round.name === name).map((round) => round[key])
  // Compute ratios within a round, where noise affects all variants equally.
  const ratio = (name) => {
    const rates = valuesOf(name, 'rate')
    return median(valuesOf('florin', 'rate').map((rate, index) => rate / rates[index]))
  }
  const table = Object.fromEntries(
    [...new Set(rounds.map((round) => round.name))].map((name) => [
      name,
      {
        'deliveries/s': Math.round(median(valuesOf(name, 'rate'))),
        'florin / this': roundTo(ratio(name)),
        spread: formatSpread(valuesOf(name, 'rate')),
        'service µs per delivery': Math.round(median(valuesOf(name, 'service'))),
        'database µs per delivery': Math.round(median(valuesOf(name, 'postgres'))),
      },
    ]),
  )
  const target = (what, value, min) => ({
    what,
    value: roundTo(value),
    target: `at least ${min}`,
    isMet: value >= min,
  })
  return {
    table,
    targets: [
      target('florin / bare', ratio('bare'), 0.5),
      target('florin / graphile', ratio('graphile'), 1),
    ],
  }
}
