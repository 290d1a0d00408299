import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { formatSpread, median, mustBe, percentile, roundTo } from '../lib/figures.mjs'
import { startService } from '../lib/service.mjs'

const DEAD = 50
const HEALTHY = 10
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 3_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const CONNECTIONS = 32
const ARRIVAL_TIMEOUT_MS = 60_000

// The variants, named after what the 50 addresses are. The ten healthy ones are the same for all.
const KINDS = ['none', 'answering', 'dead']

export const run = withCleanup(measure)

async function measure(print, cleanups) {
  let reached = () => {}
  const receiverFile = fileURLToPath(new URL('./receiver.mjs', import.meta.url))
  const receivers = { healthy: HEALTHY + DEAD, dead: DEAD }
  const receiver = await startChild(receiverFile, receivers, { reached: () => reached() })
  cleanups.push(() => receiver.stop())
  const healthy = receiver.value.healthy.slice(0, HEALTHY)
  const others = {
    none: Array.from({ length: DEAD }, () => undefined),
    answering: receiver.value.healthy.slice(HEALTHY),
    dead: receiver.value.dead,
  }

  // A separate service for each, so that failed deliveries don't affect the others.
  const services = {}
  for (const kind of KINDS) {
    const service = await startService()
    cleanups.push(service.stop)
    const pool = new Pool(service.origin, { connections: CONNECTIONS, pipelining: 1 })
    cleanups.push(() => pool.destroy())
    const { api_key, api_secret } = service.demo.sandbox
    services[kind] = { pool, keys: { 'api-key': api_key, 'api-secret': api_secret } }
  }

  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of KINDS) {
      const urls = [...others[kind], ...healthy]
      const expectedEvents = kind === 'answering' ? PAYMENTS : countHealthyPayments(urls.length)
      await receiver.call('expect', expectedEvents)
      const allArrived = new Promise((resolve, reject) => {
        const timeout = setTimeout(
          () => reject(new Error(`${kind}: events are missing`)),
          ARRIVAL_TIMEOUT_MS,
        )
        reached = () => {
          clearTimeout(timeout)
          resolve()
        }
      })
      const ms = await load(services[kind], urls)
      await allArrived
      const counts = await receiver.call('counts')
      mustBe(counts.events, expectedEvents, `${kind}: arrived events`)
      if (kind === 'dead' && counts.hanging === 0) throw new Error('no dead receiver was called')
      const delays = await receiver.call('delays')
      const rate = PAYMENTS / (ms / 1000)
      const p99 = percentile(delays, 0.99)
      const what = round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
      print(`${what}: ${kind} ${Math.round(rate)}/s, 99th percentile ${p99} ms`)
      if (round > 0) rounds.push({ kind, round, rate, p99, hanging: counts.hanging })
    }
  }
  return { payments: PAYMENTS, rounds, ...summarize(rounds) }
}

/** The number of payments with a healthy address, if payments take this many addresses in turn. */
const countHealthyPayments = (addressCount) =>
  Array.from({ length: PAYMENTS }, (_, n) => n % addressCount).filter((index) => index >= DEAD)
    .length

/** Creates and pays payments with the addresses in turn. Returns the milliseconds that it took. */
async function load({ pool, keys }, urls) {
  let next = 0
  const call = async (path, body) => {
    const headers = { ...keys, 'content-type': 'application/json' }
    const request = { path, method: 'POST', headers, body: JSON.stringify(body) }
    const response = await pool.request(request)
    const { data } = await response.body.json()
    mustBe(response.statusCode, 200, path)
    return data
  }
  const worker = async () => {
    while (next < PAYMENTS) {
      const webhook_url = urls[next++ % urls.length]
      const order = { amount: 5, currency: 'USD', webhook_url }
      const { payment_id } = await call('/merchant/payment/create', order)
      await call(`/sandbox/payment/${payment_id}/pay`, {})
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return performance.now() - startedMs
}

function summarize(rounds) {
  const valuesOf = (kind, key) =>
    rounds.filter((round) => round.kind === kind).map((round) => round[key])
  const ratio = (kind) => {
    const rates = valuesOf(kind, 'rate')
    return median(valuesOf('dead', 'rate').map((rate, index) => rate / rates[index]))
  }
  const table = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        'create+pay/s': Math.round(median(valuesOf(kind, 'rate'))),
        'dead / this': roundTo(ratio(kind)),
        spread: formatSpread(valuesOf(kind, 'rate')),
        'p99 ms, median round': Math.round(median(valuesOf(kind, 'p99'))),
        'p99 ms, worst round': Math.max(...valuesOf(kind, 'p99')),
      },
    ]),
  )
  const worst = Math.max(...valuesOf('dead', 'p99'))
  const ratioTarget = (what, value) => ({
    what,
    value: roundTo(value),
    target: 'at least 0.9',
    isMet: value >= 0.9,
  })
  return {
    table,
    targets: [
      {
        what: `99th percentile of healthy receivers next to ${DEAD} dead ones, worst round, ms`,
        value: worst,
        target: 'below 2000',
        isMet: worst < 2_000,
      },
      ratioTarget('API rate with dead / without those receivers', ratio('none')),
      ratioTarget('API rate with dead / with responding receivers', ratio('answering')),
    ],
  }
}
