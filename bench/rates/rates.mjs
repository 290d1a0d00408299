import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../../server/dist/embedded/server.js'
import { countRows, mustBeClean, mustBeDurable } from '../lib/checks.mjs'
import { startChild } from '../lib/child.mjs'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../lib/cpu.mjs'
import { median, mustBe, rounded, spread } from '../lib/figures.mjs'
import { startProcess } from '../lib/service.mjs'
import { createFixtures, open } from './fixtures.mjs'
import { findPgbench, NOT_INSTALLED, payAll, prepareToPay, sharesOf } from './pgbench.mjs'
import * as requests from './requests.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 6_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
// Warm up until all code is compiled, including code that runs once per batch.
const WARM_UP_ROUNDS = 8
const CONNECTIONS = 64
// The fastest of the tried settings: see bench/README.md.
const TWIN_POOL_SIZE = 8
// More than connections, so that active requests never share a store and the twin's row locks cost nothing. Few enough
// that cached stores are rarely looked up.
const SHOPS = 100

// A day at the till: ten polls per payment; of a hundred payments, seventy are paid and two refunded.
const DAY = { status: 10, create: 1, pay: 0.7, refund: 0.02 }

/** Rows that one call writes. */
const ROWS = {
  create: { payments: 1, pending: 1, stored_responses: 1 },
  status: {},
  details: {},
  pay: { pending: -1, completed: 1, transfers: 2, wallet_transfers: 1, events: 1 },
  refund: { completed: -1, refunded: 1, transfers: 2, wallet_transfers: 1, events: 1 },
}

const TARGETS = [
  { what: 'create', numerator: 'florin', denominator: 'ceiling', min: 0.4, goal: 0.5 },
  { what: 'create', numerator: 'florin', denominator: 'twin', min: 2, goal: 3 },
  { what: 'status', numerator: 'florin', denominator: 'ceiling', min: 0.5, goal: 0.75 },
  { what: 'details', numerator: 'florin', denominator: 'ceiling', min: 0.4, goal: 0.6 },
  { what: 'pay', numerator: 'florin', denominator: 'ceiling', min: 0.2, goal: 0.35 },
  { what: 'pay', numerator: 'florin', denominator: 'twin', min: 2.5, goal: 4 },
  { what: 'pay', numerator: 'florin', denominator: 'pgbench', min: 0.8, goal: 1.2 },
  { what: 'pay', numerator: 'one store', denominator: '1,000 stores', min: 0.9, goal: 1.2 },
  { what: 'refund', numerator: 'florin', denominator: 'twin', min: 2.5, goal: 4 },
  { what: 'day', numerator: 'florin', denominator: 'twin', min: 2, goal: 3 },
]

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

export async function run(say) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const embedded = await startEmbedded({ folder, log: say })
  const cleanups = [() => embedded.stop()]
  try {
    const contestants = await startContestants({ folder, url: embedded.url, say, cleanups })
    const rounds = await measure({ ...contestants, postmaster: postmasterOf(folder), say })
    return { requests: REQUESTS, connections: CONNECTIONS, rounds, ...summary(rounds) }
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startContestants({ folder, url, say, cleanups }) {
  const { stores, wallets, secretKey, urls } = await createFixtures({
    url,
    copies: ['twin', 'raw'],
    say,
  })
  const connect = async (databaseUrl) => {
    const database = open(databaseUrl)
    cleanups.push(() => database.close())
    await mustBeDurable(database)
    return database
  }
  const start = async (file, settings) => {
    const child = await startChild(here(file), settings)
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
  const twin = {
    name: 'twin',
    database: await connect(urls.twin),
    shops,
    ...(await start('./twin.mjs', { databaseUrl: urls.twin, poolSize: TWIN_POOL_SIZE, publicUrl })),
  }

  const sampled = { shop: shops[SHOPS >> 1], wallet: wallets[0] }
  const sample = await recordResponses((text) => sendOne(florin.port, text), sampled)
  const { responses } = await recordResponses((text) => sendOne(twin.port, text), sampled)
  for (const [call, text] of Object.entries(responses)) {
    mustBe(text.length, sample.responses[call].length, `length of the twin's response to ${call}`)
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
  if (program === null) say(`pay against pgbench is skipped: ${NOT_INSTALLED}`)
  const [event] = await florin.database.query('select octet_length(body) as bytes from event')
  const pgbench = program && {
    name: 'pgbench',
    pid: null,
    program,
    url: urls.raw,
    database: await connect(urls.raw),
    bodyBytes: event.bytes,
  }
  return { ceiling, pgbench, twin, florin, oneStore, manyStores, wallets, send }
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
  twin,
  florin,
  oneStore,
  manyStores,
  wallets,
  send,
  postmaster,
  say,
}) {
  const rounds = []
  const databases = [florin, twin, pgbench].filter((contestant) => contestant !== null)
  let round = 1 - WARM_UP_ROUNDS

  /** Runs the calls and compares the written rows. */
  async function timed(what, contestant, counts, work) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const before = contestant.database && (await countRows(contestant.database))
    const cpu = () => ({
      service: contestant.pid === null ? 0 : cpuOf(contestant.pid),
      postgres: cpuOfPostgres(postmaster),
    })
    const start = cpu()
    const { rate, bodies } = await work(total)
    const end = cpu()
    if (before !== null) await mustHaveWritten(contestant, before, counts)
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    say(`${when}: ${what}, ${contestant.name} ${Math.round(rate)}/s`)
    const micros = (kind) => ((end[kind] - start[kind]) / total) * 1e6
    const cost = { service: micros('service'), postgres: micros('postgres') }
    if (round > 0) rounds.push({ what, name: contestant.name, round, rate, ...cost })
    return bodies
  }
  const overHttp = (what, contestant, counts, texts) =>
    timed(what, contestant, counts, async (total) => {
      const { ms, responses, bodies } = await send(contestant.port, texts, what === 'create')
      mustBe(responses, total, `${contestant.name}: responses to ${what}`)
      return { rate: total / (ms / 1000), bodies }
    })

  // The ceiling stores nothing, so it gets requests for Florin's payments.
  const paymentsOf = (contestant) => (contestant === ceiling ? florin : contestant).payments
  const walletAt = (n) => wallets[n % wallets.length]
  const shopsFor = (contestant, count) =>
    Array.from({ length: count }, (_, n) => contestant.shops[n % contestant.shops.length])
  const paysFor = (payments) => payments.map((payment, n) => requests.pay(payment, walletAt(n)))

  async function create(contestant) {
    const shops = shopsFor(contestant, REQUESTS)
    const bodies = await overHttp(
      'create',
      contestant,
      { create: REQUESTS },
      shops.map(requests.create),
    )
    contestant.payments = bodies.map((body, n) => requests.paymentOf(shops[n], body))
  }
  const eachPayment = (what, request) => (contestant) =>
    overHttp(what, contestant, { [what]: REQUESTS }, paymentsOf(contestant).map(request))

  async function pay(contestant) {
    if (contestant !== pgbench) {
      return overHttp('pay', contestant, { pay: REQUESTS }, paysFor(paymentsOf(contestant)))
    }
    const { each, all } = sharesOf(REQUESTS, CONNECTIONS)
    await prepareToPay(contestant.database, { count: all, stores: florin.shops, wallets })
    await timed('pay', contestant, { pay: all }, async () => ({
      rate: await payAll(contestant, { clients: CONNECTIONS, each }),
    }))
  }

  async function day(contestant) {
    const share = REQUESTS / Object.values(DAY).reduce((sum, weight) => sum + weight, 0)
    const counts = Object.fromEntries(
      Object.entries(DAY).map(([call, weight]) => [call, Math.ceil(weight * share)]),
    )
    // Create the payments that this day pays, polls and refunds.
    const shops = shopsFor(contestant, counts.pay + counts.refund)
    const { bodies } = await send(contestant.port, shops.map(requests.create), true)
    const pending = bodies.map((body, n) => requests.paymentOf(shops[n], body))
    const paid = pending.splice(0, counts.refund)
    await send(contestant.port, paysFor(paid), false)

    const shopsToday = shopsFor(contestant, counts.create)
    const next = {
      status: (n) => requests.status(pending[n % pending.length]),
      create: (n) => requests.create(shopsToday[n]),
      pay: (n) => requests.pay(pending[n], walletAt(n)),
      refund: (n) => requests.refund(paid[n]),
    }
    const texts = requests.interleaved(counts).map(([call, n]) => next[call](n))
    await overHttp('day', contestant, counts, texts)
  }

  const parts = [
    [create, [ceiling, twin, florin, oneStore, manyStores]],
    [eachPayment('status', requests.status), [ceiling, twin, florin]],
    [pay, [ceiling, pgbench, twin, florin, oneStore, manyStores]],
    [eachPayment('details', requests.details), [ceiling, twin, florin]],
    [eachPayment('refund', requests.refund), [twin, florin]],
    [day, [twin, florin]],
  ]
  for (; round <= ROUNDS; round++) {
    for (const [part, contestants] of parts) {
      const available = contestants.filter((contestant) => contestant !== null)
      // Reverse the order every second round, so that each contestant follows different ones.
      for (const contestant of round % 2 === 0 ? available : available.reverse())
        await part(contestant)
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

function summary(rounds) {
  const valuesOf = (what, name, key) =>
    rounds.filter((one) => one.what === what && one.name === name).map((one) => one[key])
  // Compute ratios within a round, where noise affects all contestants equally.
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
          spread: spread(valuesOf(what, name, 'rate')),
          'florin / this': rounded(median(ratio)),
          'from–to': `${rounded(Math.min(...ratio))}–${rounded(Math.max(...ratio))}`,
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
        value: rounded(value),
        target,
        isMet: value >= min,
      }
    }),
  }
}
