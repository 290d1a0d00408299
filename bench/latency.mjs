import { mustBeClean } from './lib/checks.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { openDemoShop } from './lib/demoShop.mjs'
import { median, percentile, roundTo } from './lib/figures.mjs'
import * as requests from './rates/requests.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const WARM_UP_ROUNDS = 4
const LOAD = 0.8
const MAX_RATIO = 4

export const run = withCleanup(measure)

/** Measures the 99th percentile of the latency of creates at 80% of the top rate, relative to the median. */
async function measure(print, cleanups) {
  const { database, shop, send } = await openDemoShop(cleanups)
  const creates = () => Array.from({ length: REQUESTS }, () => requests.create(shop))
  const rounds = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    const { ms } = await send(creates())
    const top = (REQUESTS / ms) * 1000
    // After a checkpoint, PostgreSQL reuses files of its write-ahead log, as on a server that has run for a while. A commit that
    // creates a file takes about 27 ms.
    await database.query('checkpoint')
    const { latenciesMs } = await send(creates(), { perSecond: top * LOAD })
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(latenciesMs, share))
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    print(
      `${when}: top ${roundTo(top, 0)}/s; at 80% p50 ${roundTo(p50)} ms, p99 ${roundTo(p99)} ms`,
    )
    if (round > 0) rounds.push({ top, p50, p99, ratio: p99 / p50 })
  }
  await mustBeClean(database, 'florin')
  const medianOf = (key) => median(rounds.map((round) => round[key]))
  const value = roundTo(medianOf('ratio'))
  return {
    requests: REQUESTS,
    rounds,
    table: {
      create: {
        'top rate per second': roundTo(medianOf('top'), 0),
        'median ms': roundTo(medianOf('p50')),
        'p99 ms': roundTo(medianOf('p99')),
      },
    },
    targets: [
      {
        what: '99th percentile of create at 80% of the top rate / median',
        value,
        target: `at most ${MAX_RATIO}`,
        isMet: value <= MAX_RATIO,
      },
    ],
  }
}
