import { mustBeClean } from './lib/checks.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { cpuOf, cpuOfPostgres, postmasterOf } from './lib/cpu.mjs'
import { openDemoShop, post } from './lib/demoShop.mjs'
import { median, roundTo } from './lib/figures.mjs'
import { requestOf } from './lib/load.mjs'
import * as requests from './rates/requests.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP_ROUNDS = 2
const MAX_RATIO = 1.6

export const run = withCleanup(measure)

/** Measures the CPU time of paying a link, which creates and pays a payment in one call, relative to paying an existing one. */
async function measure(print, cleanups) {
  const { service, database, keys, shop, payerOf, send } = await openDemoShop(cleanups)
  const linkId = await createLink(service.origin, keys)
  const postmaster = postmasterOf(service.folder)
  const cpu = () => cpuOf(service.pid) + cpuOfPostgres(postmaster)
  /** CPU time per request, in microseconds. */
  const cpuPerRequest = async (all) => {
    const before = cpu()
    await send(all)
    return ((cpu() - before) / REQUESTS) * 1_000_000
  }
  const repeat = (make) => Array.from({ length: REQUESTS }, (_, n) => make(n))

  const rounds = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    const creates = repeat(() => requests.create(shop))
    const before = cpu()
    const { bodies } = await send(creates, { keepBodies: true })
    const create = ((cpu() - before) / REQUESTS) * 1_000_000
    const payments = bodies.map((body) => requests.paymentOf(shop, body))
    const pay = await cpuPerRequest(payments.map((payment, n) => requests.pay(payment, payerOf(n))))
    const link = await cpuPerRequest(repeat((n) => payLink(linkId, payerOf(n))))
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    const shown = Object.entries({ create, pay, link }).map(
      ([call, value]) => `${call} ${roundTo(value, 0)} µs`,
    )
    print(`${when}: ${shown.join(', ')}`)
    if (round > 0) rounds.push({ create, pay, link, ratio: link / pay })
  }
  await mustBeClean(database, 'florin')
  return { requests: REQUESTS, rounds, ...summarize(rounds) }
}

const payLink = (linkId, { token }) =>
  requestOf({
    path: `/wallet/link/${linkId}/pay`,
    headers: { authorization: `Bearer ${token}` },
    body: { amount: 0.5 },
  })

async function createLink(origin, { api_key, api_secret }) {
  const headers = { 'api-key': api_key, 'api-secret': api_secret }
  return (await post(`${origin}/merchant/links`, headers, { title: 'Counter' })).link_id
}

function summarize(rounds) {
  const medianOf = (key) => median(rounds.map((round) => round[key]))
  const line = (key) => ({ 'CPU µs per request, median': roundTo(medianOf(key), 0) })
  const value = roundTo(medianOf('ratio'))
  return {
    table: { create: line('create'), pay: line('pay'), 'pay a link': line('link') },
    targets: [
      {
        what: 'CPU of paying a link / CPU of paying',
        value,
        target: `at most ${MAX_RATIO}`,
        isMet: value <= MAX_RATIO,
      },
    ],
  }
}
