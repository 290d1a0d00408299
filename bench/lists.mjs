import { fillOrReuseFolder } from './growth/filled.mjs'
import { MODE } from './growth/history.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { median, mustBe, percentile, roundTo } from './lib/figures.mjs'
import { startProcess } from './lib/service.mjs'

const PAYMENTS = Number(process.env.BENCH_LIST ?? 1_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100)
const ROWS = 25
const MAX_RATIOS = { first: 4, deep: 1.5 }

export const run = withCleanup(measure)

/** Measures the dashboard's queries on a large store, relative to reading one payment by id. */
async function measure(print, cleanups) {
  const { folder, demo } = await fillOrReuseFolder('list', PAYMENTS, {
    print,
    cleanups,
    demoShare: 1,
  })
  const { origin, stop } = await startProcess(folder)
  cleanups.push(stop)
  const get = await signIn(origin, demo.merchant)

  const coldMs = await measureMs(() => waitForSeries(get))
  print(`30 days summed for the first time in ${roundTo(coldMs, 0)} ms`)
  const queries = await queriesOf(get)
  const times = Object.fromEntries(Object.keys(queries).map((name) => [name, []]))
  // Alternate the queries, so that noise affects all of them equally.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, query] of Object.entries(queries)) {
      const ms = await measureMs(query)
      if (round > 0) times[name].push(ms)
    }
  }
  return { payments: PAYMENTS, rounds: ROUNDS, coldSeriesMs: roundTo(coldMs), ...summarize(times) }
}

/** The dashboard's queries. */
async function queriesOf(get) {
  const list = async (query, rows) => {
    const page = await get(`payments?limit=${ROWS}${query}`)
    if (rows !== undefined) mustBe(page.payments.length, rows, query)
    return page
  }
  const day = (daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const old = (await list(`&created_to=${day(80)}`, ROWS)).payments[0]
  const { payment_id: id, qr_code: code } = old
  return {
    'one payment by id': () => get(`payments/${id}`),
    'first page': () => list('', ROWS),
    'a deep page': () => list(`&cursor=${id}`, ROWS),
    'a day two months ago': () => list(`&created_from=${day(61)}&created_to=${day(60)}`, ROWS),
    'failed payments, 3%': () => list('&status=failed', ROWS),
    'a status without matches': () => list(`&status=pending&cursor=${id}`, 0),
    'an amount without matches': () => list('&amount_from=5000', 0),
    'a payer by email address': () => list('&payer=payer-77@'),
    'a payer without matches': () => list('&payer=no-such-payer', 0),
    'QR number': () => list(`&search=${code}`, 1),
    'an unknown reference': () => list('&search=no-such-order', 0),
    overview: () => get('overview'),
    '30 days': () => get('overview/series?days=30'),
  }
}

/** Repeats the request until all days are summed. */
async function waitForSeries(get) {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if ((await get('overview/series?days=30')).is_complete) return
  }
  throw new Error('the 30-day series did not become complete')
}

async function signIn(origin, { email, password }) {
  const signedIn = await fetch(`${origin}/store/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  mustBe(signedIn.status, 200, 'sign-in')
  const cookie = signedIn.headers.get('set-cookie').split(';')[0]
  return async (path) => {
    const response = await fetch(`${origin}/store/${MODE}/${path}`, { headers: { cookie } })
    mustBe(response.status, 200, path)
    return (await response.json()).data
  }
}

async function measureMs(work) {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function summarize(times) {
  const medianOf = (name) => median(times[name])
  const onePaymentMs = medianOf('one payment by id')
  const table = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [
      name,
      {
        'median ms': roundTo(median(all)),
        'p95 ms': roundTo(percentile(all, 0.95)),
        'x one payment': roundTo(median(all) / onePaymentMs, 1),
      },
    ]),
  )
  const target = (what, value, max) => ({
    what,
    value: roundTo(value),
    target: `at most ${max}`,
    isMet: value <= max,
  })
  const first = medianOf('first page')
  return {
    table,
    targets: [
      target('first page / one payment', first / onePaymentMs, MAX_RATIOS.first),
      target('a deep page / first page', medianOf('a deep page') / first, MAX_RATIOS.deep),
    ],
  }
}
