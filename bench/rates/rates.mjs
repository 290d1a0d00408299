import { fileURLToPath } from 'node:url'
import { countRows, mustBeClean, mustBeDurable } from '../lib/checks.mjs'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../lib/cpu.mjs'
import { formatSpread, median, mustBe, roundTo } from '../lib/figures.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { startProcess } from '../lib/service.mjs'
import { createFixtures, open } from './fixtures.mjs'
import { findPgbench, NOT_INSTALLED, payAll, prepareToPay, sharesOf } from './pgbench.mjs'
import * as requests from './requests.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 6_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
// Warm up until all code is compiled, including code that runs once per batch.
const WARM_UP_ROUNDS = 8
const CONNECTIONS = 64
// Other sizes differ less than rounds do: see bench/README.md.
const BASELINE_POOL_SIZE = 8
// More than connections, so that active requests rarely share a store and the baseline rarely waits for row locks. Few
// enough that cached stores are rarely looked up.
const SHOPS = 100

// A day at the till: ten polls per payment; of a hundred payments, seventy are paid and two refunded.
const DAY = { status: 10, create: 1, pay: 0.7, refund: 0.02 }

/** How one call changes the counts of `countRows`. */
const ROWS = {
  create: { payments: 1, pending: 1, stored_responses: 1 },
  status: {},
  details: {},
  pay: { pending: -1, completed: 1, transfers: 2, wallet_transfers: 1, events: 1 },
  refund: { completed: -1, refunded: 1, transfers: 2, wallet_transfers: 1, events: 1 },
}

const TARGETS = [
  { what: 'create', numerator: 'florin', denominator: 'ceiling', min: 0.44, goal: 0.5 },
  { what: 'create', numerator: 'florin', denominator: 'baseline', min: 2, goal: 3 },
  { what: 'status', numerator: 'florin', denominator: 'ceiling', min: 0.65, goal: 0.75 },
  { what: 'details', numerator: 'florin', denominator: 'ceiling', min: 0.4, goal: 0.6 },
  { what: 'pay', numerator: 'florin', denominator: 'ceiling', min: 0.31, goal: 0.35 },
  { what: 'pay', numerator: 'florin', denominator: 'baseline', min: 2.5, goal: 4 },
  { what: 'pay', numerator: 'florin', denominator: 'pgbench', min: 0.8, goal: 1.2 },
  { what: 'pay', numerator: 'one store', denominator: '1,000 stores', min: 0.9, goal: 1.2 },
  { what: 'refund', numerator: 'florin', denominator: 'baseline', min: 2.5, goal: 4 },
  { what: 'day', numerator: 'florin', denominator: 'baseline', min: 2, goal: 3 },
]

const fileOf = (file) => fileURLToPath(new URL(file, import.meta.url))

export const run = withCleanup(async (print, cleanups) => {
  const { folder, url } = await startPostgres(print, cleanups)
  const variants = await startVariants({ folder, url, print, cleanups })
  const rounds = await measure({ ...variants, postmaster: postmasterOf(folder), print })
  return { requests: REQUESTS, connections: CONNECTIONS, rounds, ...summarize(rounds) }
})

async function startVariants({ folder, url, print, cleanups }) {
  const { stores, wallets, secretKey, urls } = await createFixtures({
    url,
    copies: ['baseline', 'raw'],
    print,
  })
  const connect = async (databaseUrl) => {
    const database = open(databaseUrl)
    cleanups.push(() => database.close())
    await mustBeDurable(database)
    return database
  }
  const start = async (file, settings) => {
    const child = await startChild(fileOf(file), settings)
    cleanups.push(() => child.stop())
    return { pid: child.pid, call: child.call, ...child.value }
  }

  const service = await startProcess(folder, {
    FLORIN_SECRET_KEY: secretKey.toString('base64'),
    FLORIN_PEPPER: secretKey.toString('base64'),
  })
  cleanups.push(service.stop)
  const load = await start('../lib/load.mjs', {})
  const send = (port, texts, keepBodies) =>
    load.call('send', { port, connections: CONNECTIONS, requests: texts, keepBodies })
  const sendOne = async (port, text) => (await send(port, [text], true)).bodies[0]

  const shops = stores.slice(0, SHOPS)
  const florin = { name: 'florin', ...service, database: await connect(url), shops }
  const oneStore = { ...florin, name: 'one store', shops: stores.slice(0, 1) }
  const manyStores = { ...florin, name: '1,000 stores', shops: stores }
  const publicUrl = `http://localhost:${service.port}`
  const baseline = {
    name: 'baseline',
    database: await connect(urls.baseline),
    shops,
    ...(await start('./baseline.mjs', {
      databaseUrl: urls.baseline,
      poolSize: BASELINE_POOL_SIZE,
      publicUrl,
    })),
  }

  const sampled = { shop: shops[SHOPS >> 1], wallet: wallets[0] }
  const sample = await recordResponses((text) => sendOne(florin.port, text), sampled)
  const { responses } = await recordResponses((text) => sendOne(baseline.port, text), sampled)
  for (const [call, text] of Object.entries(responses)) {
    mustBe(
      text.length,
      sample.responses[call].length,
      `length of the baseline's response to ${call}`,
    )
  }
  const ceiling = {
    name: 'ceiling',
    database: null,
    shops,
    ...(await start('./ceiling.mjs', { samples: sample.responses })),
  }
  for (const [call, text] of Object.entries(sample.requests)) {
    mustBe(
      await sendOne(ceiling.port, text),
      sample.responses[call],
      `the ceiling's response to ${call}`,
    )
  }

  const program = await findPgbench()
  if (program === null) print(`pay against pgbench is skipped: ${NOT_INSTALLED}`)
  const pgbench = program && {
    name: 'pgbench',
    pid: null,
    program,
    url: urls.raw,
    database: await connect(urls.raw),
  }
  return { ceiling, pgbench, baseline, florin, oneStore, manyStores, wallets, send }
}

/** Sends the requests of one payment, and returns them with their raw responses. */
async function recordResponses(sendOne, { shop, wallet }) {
  const sent = {}
  const responses = {}
  const call = async (name, text) => {
    sent[name] = text
    responses[name] = await sendOne(text)
  }
  await call('create', requests.create(shop))
  const payment = requests.paymentOf(shop, responses.create)
  await call('status', requests.status(payment))
  await call('pay', requests.pay(payment, wallet))
  await call('details', requests.details(payment))
  return { requests: sent, responses }
}

async function measure({
  ceiling,
  pgbench,
  baseline,
  florin,
  oneStore,
  manyStores,
  wallets,
  send,
  postmaster,
  print,
}) {
  const rounds = []
  const databases = [florin, baseline, pgbench].filter((variant) => variant !== null)
  let round = 1 - WARM_UP_ROUNDS

  /** Runs the calls and compares the written rows. */
  async function measureCall(what, variant, counts, work) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const before = variant.database && (await countRows(variant.database))
    const cpu = () => ({
      service: variant.pid === null ? 0 : cpuOf(variant.pid),
      postgres: cpuOfPostgres(postmaster),
    })
    const start = cpu()
    const { rate, bodies } = await work(total)
    const end = cpu()
    if (before !== null) await mustHaveWritten(variant, before, counts)
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    print(`${when}: ${what}, ${variant.name} ${Math.round(rate)}/s`)
    const micros = (kind) => ((end[kind] - start[kind]) / total) * 1e6
    if (round > 0) {
      rounds.push({
        what,
        name: variant.name,
        round,
        rate,
        service: micros('service'),
        postgres: micros('postgres'),
      })
    }
    return bodies
  }
  const overHttp = (what, variant, counts, texts) =>
    measureCall(what, variant, counts, async (total) => {
      const { ms, responses, bodies } = await send(variant.port, texts, what === 'create')
      mustBe(responses, total, `${variant.name}: responses to ${what}`)
      return { rate: total / (ms / 1000), bodies }
    })

  // The ceiling stores nothing, so it gets requests for Florin's payments.
  const paymentsOf = (variant) => (variant === ceiling ? florin : variant).payments
  const walletAt = (n) => wallets[n % wallets.length]
  const shopsFor = (variant, count) =>
    Array.from({ length: count }, (_, n) => variant.shops[n % variant.shops.length])
  const paysFor = (payments) => payments.map((payment, n) => requests.pay(payment, walletAt(n)))

  async function create(variant) {
    const shops = shopsFor(variant, REQUESTS)
    const bodies = await overHttp(
      'create',
      variant,
      { create: REQUESTS },
      shops.map(requests.create),
    )
    variant.payments = bodies.map((body, n) => requests.paymentOf(shops[n], body))
  }
  const eachPayment = (what, request) => (variant) =>
    overHttp(what, variant, { [what]: REQUESTS }, paymentsOf(variant).map(request))

  async function pay(variant) {
    if (variant !== pgbench) {
      return overHttp('pay', variant, { pay: REQUESTS }, paysFor(paymentsOf(variant)))
    }
    const { each, all } = sharesOf(REQUESTS, CONNECTIONS)
    await prepareToPay(variant.database, { count: all, stores: florin.shops, wallets })
    await measureCall('pay', variant, { pay: all }, async () => ({
      rate: await payAll(variant, { clients: CONNECTIONS, each }),
    }))
  }

  async function runDay(variant) {
    const share = REQUESTS / Object.values(DAY).reduce((sum, weight) => sum + weight, 0)
    const counts = Object.fromEntries(
      Object.entries(DAY).map(([call, weight]) => [call, Math.ceil(weight * share)]),
    )
    // Create the payments that this day pays, polls and refunds.
    const shops = shopsFor(variant, counts.pay + counts.refund)
    const { bodies } = await send(variant.port, shops.map(requests.create), true)
    const pending = bodies.map((body, n) => requests.paymentOf(shops[n], body))
    const paid = pending.splice(0, counts.refund)
    await send(variant.port, paysFor(paid), false)

    const shopsToday = shopsFor(variant, counts.create)
    const next = {
      status: (n) => requests.status(pending[n % pending.length]),
      create: (n) => requests.create(shopsToday[n]),
      pay: (n) => requests.pay(pending[n], walletAt(n)),
      refund: (n) => requests.refund(paid[n]),
    }
    const texts = requests.interleave(counts).map(([call, n]) => next[call](n))
    await overHttp('day', variant, counts, texts)
  }

  const parts = [
    [create, [ceiling, baseline, florin, oneStore, manyStores]],
    [eachPayment('status', requests.status), [ceiling, baseline, florin]],
    [pay, [ceiling, pgbench, baseline, florin, oneStore, manyStores]],
    [eachPayment('details', requests.details), [ceiling, baseline, florin]],
    [eachPayment('refund', requests.refund), [baseline, florin]],
    [runDay, [baseline, florin]],
  ]
  for (; round <= ROUNDS; round++) {
    for (const [part, variants] of parts) {
      const available = variants.filter((variant) => variant !== null)
      // Reverse the order every second round, so that each variant follows different ones.
      for (const variant of round % 2 === 0 ? available : available.reverse()) await part(variant)
    }
    for (const { name, database } of databases) {
      await mustBeClean(database, name)
      await database.query('vacuum analyze')
    }
  }
  return rounds
}

async function mustHaveWritten({ name, database }, before, counts) {
  const after = await countRows(database)
  for (const kind of Object.keys(before)) {
    const added = Object.entries(counts).reduce(
      (sum, [call, count]) => sum + count * (ROWS[call][kind] ?? 0),
      0,
    )
    mustBe(after[kind] - before[kind], added, `${name}: new rows of ${kind}`)
  }
}

function summarize(rounds) {
  const valuesOf = (what, name, key) =>
    rounds.filter((round) => round.what === what && round.name === name).map((round) => round[key])
  // Compute ratios within a round, where noise affects all variants equally.
  const ratios = (what, numerator, denominator) => {
    const denominators = valuesOf(what, denominator, 'rate')
    return valuesOf(what, numerator, 'rate').map((rate, index) => rate / denominators[index])
  }
  const pairs = new Map(rounds.map(({ what, name }) => [`${what}, ${name}`, { what, name }]))
  const table = Object.fromEntries(
    [...pairs].map(([title, { what, name }]) => {
      const ratio = ratios(what, 'florin', name)
      return [
        title,
        {
          '/s': Math.round(median(valuesOf(what, name, 'rate'))),
          spread: formatSpread(valuesOf(what, name, 'rate')),
          'florin / this': roundTo(median(ratio)),
          'from–to': `${roundTo(Math.min(...ratio))}–${roundTo(Math.max(...ratio))}`,
          'service µs per request': Math.round(median(valuesOf(what, name, 'service'))),
          'database µs per request': Math.round(median(valuesOf(what, name, 'postgres'))),
        },
      ]
    }),
  )
  const targets = TARGETS.filter(({ what, denominator }) => pairs.has(`${what}, ${denominator}`))
  return {
    table,
    targets: targets.map(({ what, numerator, denominator, min, goal }) => {
      const value = median(ratios(what, numerator, denominator))
      const target = `at least ${min}, goal ${goal}`
      return {
        what: `${what}: ${numerator} / ${denominator}`,
        value: roundTo(value),
        target,
        isMet: value >= min,
      }
    }),
  }
}
