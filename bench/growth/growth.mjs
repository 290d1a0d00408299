import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/dist/config.js'
import { createLog, open } from '../../server/dist/open.js'
import { auditLedger } from '../../server/dist/ops/auditLedger.js'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { formatSeconds, formatSpread, median, mustBe, roundTo } from '../lib/figures.mjs'
import { requestOf } from '../lib/load.mjs'
import { startProcess } from '../lib/service.mjs'
import { fillOrReuseFolder } from './filled.mjs'
import { MODE } from './history.mjs'

const FILL = Number(process.env.BENCH_FILL ?? 10_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const STORED = { few: Math.min(100_000, FILL / 10), many: FILL }
const CONNECTIONS = 64
const CREATES = 5_000
const OLD_POLLS = 5_000
const MIN_RATIO = 0.85
const SAMPLE_TIMEOUT_MS = 600_000

export const run = withCleanup(measure)

async function measure(print, cleanups) {
  const loadFile = fileURLToPath(new URL('../lib/load.mjs', import.meta.url))
  const load = await startChild(loadFile, {})
  cleanups.push(() => load.stop())
  const variants = {}
  for (const [size, payments] of Object.entries(STORED)) {
    variants[size] = await fillOrReuseFolder(size, payments, { print, cleanups })
  }
  // Start both after filling, so that both processes have the same age.
  for (const variant of Object.values(variants)) {
    const { port, stop } = await startProcess(variant.folder)
    cleanups.push(stop)
    variant.port = port
    variant.stored = await sampleStored(variant)
    variant.lastOrderNumber = variant.figures.payments
  }

  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    // Alternate the order, so that neither always follows the other's commits.
    const sizes = round % 2 === 0 ? ['few', 'many'] : ['many', 'few']
    for (const size of sizes) {
      const rates = await measureRates(load, variants[size])
      const what = round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
      const [create, poll, old] = Object.values(rates).map(Math.round)
      print(
        `${what}: ${size} create ${create}/s, status ${poll}/s, status of old payments ${old}/s`,
      )
      if (round > 0) rounds.push({ size, round, ...rates })
    }
  }
  for (const [size, { folder, figures }] of Object.entries(variants)) {
    figures.auditMs = await audit(folder)
    print(`${size}: the ledger audit is clean after ${formatSeconds(figures.auditMs)}`)
  }
  const filled = Object.fromEntries(
    Object.entries(variants).map(([size, { figures }]) => [size, figures]),
  )
  return { connections: CONNECTIONS, filled, rounds, ...summarize(rounds, filled) }
}

/** Returns ids of stored payments of the store, in random order. */
async function sampleStored({ folder, demo }) {
  const sampleSize = OLD_POLLS * (ROUNDS + 1)
  const sample = (tx) =>
    tx.query(
      `select payment_id as id
       from payment
       where store_id = $1 and mode = $2
       order by random()
       limit $3`,
      [demo.store.id, MODE, sampleSize],
    )
  // Reads all payments of the store, which can take longer than the service's statement timeout.
  const rows = await withDatabase(folder, (database) =>
    database.transaction(sample, { statementTimeoutMs: SAMPLE_TIMEOUT_MS }),
  )
  return rows.map((row) => row.id)
}

async function audit(folder) {
  const startedMs = performance.now()
  const { checks } = await withDatabase(folder, auditLedger)
  mustBe(checks.flatMap((check) => check.findings).length, 0, 'findings of the audit')
  return performance.now() - startedMs
}

async function withDatabase(folder, work) {
  const settings = { log: createLog('warn'), print() {}, upgrade: false }
  const { service, close } = await open(readConfig({ FLORIN_DATA: folder }), settings)
  try {
    return await work(service.database)
  } finally {
    await close()
  }
}

/** Measures creates, polls of those, and polls of stored payments, in requests per second. */
async function measureRates(load, variant) {
  const { port, demo, stored } = variant
  const { api_key, api_secret } = demo[MODE]
  const headers = { 'api-key': api_key, 'api-secret': api_secret }
  const send = (requests, keepBodies) =>
    load.call('send', { port, connections: CONNECTIONS, requests, keepBodies })
  const orders = Array.from({ length: CREATES }, () => {
    // Each order has a new reference, like the orders of a shop.
    variant.lastOrderNumber += 1
    const body = { amount: 5, currency: 'USD', reference_id: `order-${variant.lastOrderNumber}` }
    return requestOf({ path: '/merchant/payment/create', headers, body })
  })
  const poll = (ids) =>
    send(
      ids.map((id) =>
        requestOf({ method: 'GET', path: `/merchant/payment/${id}/status`, headers }),
      ),
    )
  const created = await send(orders, true)
  const fresh = created.bodies.map((text) => JSON.parse(text).data.payment_id)
  const pending = await poll(fresh)
  const old = stored.splice(0, OLD_POLLS)
  // Append them again, because a small sample is used up before the last round.
  stored.push(...old)
  const { ms } = await poll(old)
  return {
    create: CREATES / (created.ms / 1000),
    poll: CREATES / (pending.ms / 1000),
    old: OLD_POLLS / (ms / 1000),
  }
}

function summarize(rounds, filled) {
  const valuesOf = (size, key) =>
    rounds.filter((round) => round.size === size).map((round) => round[key])
  const ratio = (key) => {
    const fewRates = valuesOf('few', key)
    return median(valuesOf('many', key).map((rate, index) => rate / fewRates[index]))
  }
  const table = Object.fromEntries(
    Object.entries(filled).map(([size, { payments, megabytes, filledMs, auditMs }]) => [
      size,
      {
        payments,
        MB: megabytes,
        'fill s': roundTo(filledMs / 1000, 0),
        'audit s': roundTo(auditMs / 1000, 0),
        'creates/s': Math.round(median(valuesOf(size, 'create'))),
        'creates spread': formatSpread(valuesOf(size, 'create')),
        'polls/s': Math.round(median(valuesOf(size, 'poll'))),
        'polls spread': formatSpread(valuesOf(size, 'poll')),
        'old polls/s': Math.round(median(valuesOf(size, 'old'))),
      },
    ]),
  )
  const target = (what, value) => ({
    what,
    value: roundTo(value),
    target: `at least ${MIN_RATIO}`,
    isMet: value >= MIN_RATIO,
  })
  return {
    table,
    targets: [
      target('create, many / few', ratio('create')),
      target('status, many / few', ratio('poll')),
    ],
  }
}
