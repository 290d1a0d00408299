import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startChild } from './lib/child.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { median, mustBe, percentile, roundTo } from './lib/figures.mjs'
import { startService } from './lib/service.mjs'
import * as requests from './rates/requests.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP_ROUNDS = 2
const CONNECTIONS = 64

export const run = withCleanup(measure)

/** Measures rate and latency with 1, 2, … processes. Each variant has a database of its own. */
async function measure(print, cleanups) {
  const load = await startChild(fileURLToPath(new URL('./lib/load.mjs', import.meta.url)), {})
  cleanups.push(() => load.stop())
  const variants = []
  for (let processes = 1; processes <= Math.max(2, availableParallelism()); processes++) {
    const service = await startService({ FLORIN_PROCESSES: String(processes) })
    cleanups.push(service.stop)
    const { live } = service.demo
    const shop = { apiKey: live.api_key, apiSecret: live.api_secret }
    variants.push({ processes, port: service.port, shop, rounds: [] })
  }

  async function send(port, all) {
    const options = { port, connections: CONNECTIONS, requests: all, keepBodies: true }
    const { ms, responses, bodies, latenciesMs } = await load.call('send', options)
    mustBe(responses, REQUESTS, 'responses')
    const p99 = percentile(latenciesMs, 0.99)
    return { rate: (REQUESTS / ms) * 1000, p99, bodies }
  }

  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    for (const { processes, port, shop, rounds } of variants) {
      const create = await send(
        port,
        Array.from({ length: REQUESTS }, () => requests.create(shop)),
      )
      const payments = create.bodies.map((body) => requests.paymentOf(shop, body))
      const status = await send(port, payments.map(requests.status))
      const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
      const [creates, statuses] = [create, status].map(({ rate }) => roundTo(rate, 0))
      print(`${when}, processes ${processes}: create ${creates}/s, status ${statuses}/s`)
      if (round > 0) rounds.push({ create, status })
    }
  }
  return { requests: REQUESTS, table: tableOf(variants), targets: [] }
}

function tableOf(variants) {
  const [singleProcess] = variants
  const line = ({ rounds }) => {
    const figures = ['create', 'status'].map((call) => [
      [`${call}/s`, roundTo(median(rounds.map((round) => round[call].rate)), 0)],
      [
        `${call}, ratio to 1 process`,
        roundTo(
          median(rounds.map((round, n) => round[call].rate / singleProcess.rounds[n][call].rate)),
        ),
      ],
      [`${call}, p99 ms`, roundTo(median(rounds.map((round) => round[call].p99)), 1)],
    ])
    return Object.fromEntries(figures.flat())
  }
  return Object.fromEntries(variants.map((variant) => [variant.processes, line(variant)]))
}
