import { fileURLToPath } from 'node:url'
import { startChild } from '../lib/child.mjs'
import { formatSpread, median, roundTo } from '../lib/figures.mjs'
import { requestOf } from '../lib/load.mjs'
import { startService } from '../lib/service.mjs'
import { idleRss } from './rss.mjs'

const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 1_000_000)
const PAYMENTS_PER_ROUND = PAYMENTS / 10
const PAYMENTS_PER_SAMPLE = PAYMENTS_PER_ROUND / 10
// Memory varies with garbage collection, so use the median of the last samples of a round.
const SAMPLES = 5
const CONNECTIONS = 64
// One payment in this many is also polled and paid.
const PAID_EVERY = 5
const MAX_GROWTH = 1.2

export async function run(print) {
  const service = await startService()
  const loadFile = fileURLToPath(new URL('../lib/load.mjs', import.meta.url))
  const load = await startChild(loadFile, {})
  try {
    const rounds = []
    const samples = []
    for (
      let payments = PAYMENTS_PER_SAMPLE;
      payments <= PAYMENTS;
      payments += PAYMENTS_PER_SAMPLE
    ) {
      await makePayments(load, service)
      samples.push(await idleRss(service.pid))
      if (payments % PAYMENTS_PER_ROUND !== 0) continue
      const rss = median(samples.slice(-SAMPLES))
      rounds.push({ payments, rss, samples: samples.splice(0).slice(-SAMPLES) })
      print(`${payments} of ${PAYMENTS} payments: ${toMegabytes(rss)} MB`)
    }
    return { rounds, ...summarize(rounds) }
  } finally {
    await load.stop()
    await service.stop()
  }
}

async function makePayments(load, { port, demo }) {
  const { api_key, api_secret } = demo.sandbox
  const headers = { 'api-key': api_key, 'api-secret': api_secret }
  const send = (requests, keepBodies) =>
    load.call('send', { port, connections: CONNECTIONS, requests, keepBodies })
  const body = { amount: 5, currency: 'USD', reference_id: 'order' }
  const order = requestOf({ path: '/merchant/payment/create', headers, body })
  const { bodies } = await send(new Array(PAYMENTS_PER_SAMPLE).fill(order), true)
  const ids = bodies
    .filter((_, n) => n % PAID_EVERY === 0)
    .map((text) => JSON.parse(text).data.payment_id)
  await send(
    ids.flatMap((id) => [
      requestOf({ method: 'GET', path: `/merchant/payment/${id}/status`, headers }),
      requestOf({ path: `/sandbox/payment/${id}/pay`, headers, body: {} }),
    ]),
  )
}

const toMegabytes = (bytes) => Math.round(bytes / 1e6)

function summarize(rounds) {
  const table = Object.fromEntries(
    rounds.map(({ payments, rss, samples }) => [
      `${payments} payments`,
      {
        'resident MB': toMegabytes(rss),
        spread: formatSpread(samples.map((sample) => sample / 1e6)),
      },
    ]),
  )
  const growth = rounds.at(-1).rss / rounds[0].rss
  const what = `resident after ${PAYMENTS} / after ${PAYMENTS_PER_ROUND} payments`
  return {
    table,
    targets: [
      {
        what,
        value: roundTo(growth),
        target: `at most ${MAX_GROWTH}`,
        isMet: growth <= MAX_GROWTH,
      },
    ],
  }
}
