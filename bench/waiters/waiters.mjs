import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { MAX_CLIENT_SHARE, MAX_SHARE } from '../../server/dist/ops/heldRequests.js'
import { connectionLimits } from '../../server/dist/platform/openFiles.js'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { cpuOf } from '../lib/cpu.mjs'
import { median, mustBe, percentile, roundTo } from '../lib/figures.mjs'
import { requestOf } from '../lib/load.mjs'
import { usePostgres } from '../lib/postgres.mjs'
import { startService } from '../lib/service.mjs'
import { idleRss } from '../memory/rss.mjs'

const WARM_UP = 200
const CONNECTIONS = 64
const MAX_DELAY_MS = 1_000

const fileOf = (file) => fileURLToPath(new URL(file, import.meta.url))

/** Clients that hold a long poll, like a shop's server. */
export const run = createWaitersBench({
  clientCount: Number(process.env.BENCH_WAITERS ?? 10_000),
  unit: 'waiter',
  request: 'poll',
  pathOf: (id) => `/merchant/payment/${id}/status?wait=60`,
  end: '}',
  expected: '"status":"completed"}}',
})

/** Measures the memory per waiting client and the delay of its notification. */
export function createWaitersBench(kind) {
  return withCleanup((print, cleanups) => measure(kind, print, cleanups))
}

async function measure(kind, print, cleanups) {
  // Trust X-Forwarded-For, which gives each client its own address: long polls and streams are limited per address.
  const service = await startService({ FLORIN_TRUST_PROXY: '1' })
  cleanups.push(service.stop)
  const url = await usePostgres(service.folder, cleanups)
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  cleanups.push(() => database.end())
  const children = {}
  for (const [name, file] of [
    ['load', '../lib/load.mjs'],
    ['clients', './clients.mjs'],
  ]) {
    children[name] = await startChild(fileOf(file), {})
    cleanups.push(() => children[name].stop())
  }
  const bench = { kind, service, database, ...children, print }

  const count = limitClients(kind, print)
  await waitAndPay(bench, Math.min(WARM_UP, count))
  const round = await waitAndPay(bench, count)
  return { rounds: [round], ...summarize(kind, round) }
}

/** `clientCount`, or as many as the service holds with the open files that this machine allows. */
function limitClients({ clientCount, unit, request }, print) {
  // Node.js raises its soft limit to the hard limit.
  const limit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  const files = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
  // All polls belong to one store.
  const share = request === 'poll' ? MAX_CLIENT_SHARE : MAX_SHARE[request]
  const max = Math.floor(connectionLimits(files).maxHeld * share)
  if (max >= clientCount) return clientCount
  print(`only ${max} ${unit}s: the service holds no more with ${limit} open files (ulimit -Hn)`)
  return max
}

async function waitAndPay({ kind, service, database, load, clients, print }, count) {
  const { port, pid, demo } = service
  const { api_key, api_secret } = demo.sandbox
  const headers = { 'api-key': api_key, 'api-secret': api_secret }
  const send = (requests) =>
    load.call('send', { port, connections: CONNECTIONS, requests, keepBodies: true })

  const order = { amount: 5, currency: 'USD' }
  const create = requestOf({ path: '/merchant/payment/create', headers, body: order })
  const { bodies } = await send(new Array(count).fill(create))
  const ids = bodies.map((text) => JSON.parse(text).data.payment_id)
  const before = await idleRss(pid)

  const requests = ids.map((id, n) => {
    const address = `10.0.${n >> 8}.${n & 255}`
    const clientHeaders = { ...headers, 'x-forwarded-for': address }
    return requestOf({ method: 'GET', path: kind.pathOf(id), headers: clientHeaders })
  })
  const startedMs = performance.now()
  const { end, expected } = kind
  await clients.call('wait', { port, requests, end, expected })
  const waitedMs = performance.now()
  print(`${count} clients are waiting after ${Math.round(waitedMs - startedMs)} ms`)
  const cpuBefore = cpuOf(pid)
  const waitingRss = await idleRss(pid)
  const cpu = (cpuOf(pid) - cpuBefore) / ((performance.now() - waitedMs) / 1000)
  mustBe(await clients.call('countWaiting'), count, 'waiting clients')

  const paid = await send(
    ids.map((id) => requestOf({ path: `/sandbox/payment/${id}/pay`, headers, body: {} })),
  )
  const responses = await clients.call('responses')
  const changedMs = await readSettledTimes(database, ids)
  const delays = responses.map(({ atMs, isPaid }, n) => {
    mustBe(isPaid, true, `response for ${ids[n]} is paid`)
    return atMs - changedMs.get(ids[n])
  })
  const rate = count / (paid.ms / 1000)
  print(`all paid at ${Math.round(rate)}/s and all notified`)
  const [p50, p99, worst] = [median(delays), percentile(delays, 0.99), Math.max(...delays)]
  return { waiters: count, rate, p50, p99, worst, before, during: waitingRss, cpu }
}

/** The timestamps of the changes, slightly before their commits. */
async function readSettledTimes(database, ids) {
  const { rows } = await database.query(
    'select payment_id, settled_at from payment where payment_id = any($1)',
    [ids],
  )
  return new Map(rows.map((row) => [row.payment_id, row.settled_at.getTime()]))
}

function summarize({ unit }, { waiters, rate, p50, p99, worst, before, during, cpu }) {
  const table = {
    [`${waiters} ${unit}s`]: {
      'paid/s': Math.round(rate),
      'notification delay ms, median': p50,
      '99th percentile': p99,
      worst,
      'resident MB': Math.round(during / 1e6),
      [`KB per ${unit}`]: roundTo((during - before) / waiters / 1e3, 1),
      'busy cores while waiting': roundTo(cpu),
    },
  }
  const what = 'last notification after its change, s'
  return {
    table,
    targets: [
      {
        what,
        value: roundTo(worst / 1000),
        target: `at most ${MAX_DELAY_MS / 1000}`,
        isMet: worst <= MAX_DELAY_MS,
      },
    ],
  }
}
