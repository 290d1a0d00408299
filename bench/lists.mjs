import { filledFolder } from './growth/filled.mjs'
import { MODE } from './growth/history.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { median, mustBe, percentile, rounded } from './lib/figures.mjs'
import { startProcess } from './lib/service.mjs'

const PAYMENTS = Number(process.env.BENCH_LIST ?? 1_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100)
const ROWS = 25
const MAX_RATIOS = { first: 4, deep: 1.5 }

export const run = withCleanup(measure)

/** Measures the dashboard's queries on a large store, relative to reading one payment by id. */
async function measure(say, cleanups) {
  const { folder, demo } = await filledFolder('list', PAYMENTS, { say, cleanups, demoShare: 1 })
  const { origin, stop } = await startProcess(folder)
  cleanups.push(stop)
  const ask = await signIn(origin, demo.merchant)

  const cold = await timed(() => wholeSeries(ask))
  say(`30 days summed for the first time in ${rounded(cold, 0)} ms`)
  const queries = await queriesOf(ask)
  const times = Object.fromEntries(Object.keys(queries).map((name) => [name, []]))
  // Take turns, so that noise affects all alike.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, query] of Object.entries(queries)) {
      const ms = await timed(query)
      if (round > 0) times[name].push(ms)
    }
  }
  return { payments: PAYMENTS, rounds: ROUNDS, coldSeriesMs: rounded(cold), ...summary(times) }
}

/** The dashboard's queries. */
async function queriesOf(ask) {
  const list = async (query, rows) => {
    const page = await ask(`payments?limit=${ROWS}${query}`)
    if (rows !== undefined) mustBe(page.payments.length, rows, query)
    return page
  }
  const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const old = (await list(`&created_to=${day(80)}`, ROWS)).payments[0]
  const { payment_id: id, qr_code: code } = old
  return {
    'one payment by id': () => ask(`payments/${id}`),
    'first page': () => list('', ROWS),
    'a deep page': () => list(`&cursor=${id}`, ROWS),
    'a day two months ago': () => list(`&created_from=${day(61)}&created_to=${day(60)}`, ROWS),
    'failed payments, 3%': () => list('&status=failed', ROWS),
    'a rare status': () => list(`&status=pending&cursor=${id}`),
    'an amount without matches': () => list('&amount_from=5000', 0),
    'a payer by name': () => list('&payer=payer-77@'),
    'a payer without matches': () => list('&payer=no-such-payer', 0),
    'QR number': () => list(`&search=${code}`, 1),
    'an unknown reference': () => list('&search=no-such-order', 0),
    overview: () => ask('overview'),
    '30 days': () => ask('overview/series?days=30'),
  }
}

/** Repeats the request until all days are summed. */
async function wholeSeries(ask) {
  for (let turn = 0; turn < 1000; turn++) {
    if ((await ask('overview/series?days=30')).is_complete) return
  }
  throw new Error('the sums of 30 days were never complete')
}

async function signIn(origin, { email, password }) {
  const entered = await fetch(`${origin}/store/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  mustBe(entered.status, 200, 'signing in')
  const cookie = entered.headers.get('set-cookie').split(';')[0]
  return async (path) => {
    const response = await fetch(`${origin}/store/${MODE}/${path}`, { headers: { cookie } })
    mustBe(response.status, 200, path)
    return (await response.json()).data
  }
}

async function timed(work) {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function summary(times) {
  const of = (name) => median(times[name])
  const one = of('one payment by id')
  const table = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [
      name,
      {
        'median ms': rounded(median(all)),
        '95th ms': rounded(percentile(all, 0.95)),
        'x one payment': rounded(median(all) / one, 1),
      },
    ]),
  )
  const target = (what, value, most) => ({
    what,
    value: rounded(value),
    target: `at most ${most}`,
    isMet: value <= most,
  })
  const first = of('first page')
  return {
    table,
    targets: [
      target('first page / one payment', first / one, MAX_RATIOS.first),
      target('a deep page / first page', of('a deep page') / first, MAX_RATIOS.deep),
    ],
  }
}
