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
import { findPgbench, NOT_INSTALLED, payAll, prepareToPay, sharesOf } from './pgbench.mjs'
import * as requests from './requests.mjs'
import { makeWorld, open } from './world.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 6_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
// Warm up until all code is compiled, including code that runs once per batch.
const WARM_UPS = 8
const CONNECTIONS = 64
// The fastest of the tried settings: see bench/README.md.
const TWIN_POOL = 8
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
  { what: 'create', over: 'florin', under: 'ceiling', least: 0.4, reach: 0.5 },
  { what: 'create', over: 'florin', under: 'twin', least: 2, reach: 3 },
  { what: 'status', over: 'florin', under: 'ceiling', least: 0.5, reach: 0.75 },
  { what: 'details', over: 'florin', under: 'ceiling', least: 0.4, reach: 0.6 },
  { what: 'pay', over: 'florin', under: 'ceiling', least: 0.2, reach: 0.35 },
  { what: 'pay', over: 'florin', under: 'twin', least: 2.5, reach: 4 },
  { what: 'pay', over: 'florin', under: 'pgbench', least: 0.8, reach: 1.2 },
  { what: 'pay', over: 'one store', under: '1,000 stores', least: 0.9, reach: 1.2 },
  { what: 'refund', over: 'florin', under: 'twin', least: 2.5, reach: 4 },
  { what: 'day', over: 'florin', under: 'twin', least: 2, reach: 3 },
]

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

export async function run(say) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const embedded = await startEmbedded({ folder, log: say })
  const cleanups = [() => embedded.stop()]
  try {
    const sides = await startSides({ folder, url: embedded.url, say, cleanups })
    const rounds = await measure({ ...sides, postmaster: postmasterOf(folder), say })
    return { requests: REQUESTS, connections: CONNECTIONS, rounds, ...summary(rounds) }
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startSides({ folder, url, say, cleanups }) {
  const { stores, wallets, secretKey, urls } = await makeWorld({
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
  const ask = async (port, text) => (await send(port, [text], true)).bodies[0]

  const shops = stores.slice(0, SHOPS)
  const florin = { name: 'florin', ...service, database: await connect(url), shops }
  const oneStore = { ...florin, name: 'one store', shops: stores.slice(0, 1) }
  const manyStores = { ...florin, name: '1,000 stores', shops: stores }
  const publicUrl = `http://localhost:${service.port}`
  const twin = {
    name: 'twin',
    database: await connect(urls.twin),
    shops,
    ...(await start('./twin.mjs', { databaseUrl: urls.twin, poolSize: TWIN_POOL, publicUrl })),
  }

  const sampled = { shop: shops[SHOPS >> 1], wallet: wallets[0] }
  const sample = await realAnswers((text) => ask(florin.port, text), sampled)
  const { answers } = await realAnswers((text) => ask(twin.port, text), sampled)
  for (const [call, text] of Object.entries(answers)) {
    mustBe(text.length, sample.answers[call].length, `length of the twin's response to ${call}`)
  }
  const ceiling = {
    name: 'ceiling',
    database: null,
    shops,
    ...(await start('./ceiling.mjs', { samples: sample.answers })),
  }
  for (const [call, text] of Object.entries(sample.requests)) {
    mustBe(await ask(ceiling.port, text), sample.answers[call], `the ceiling's response to ${call}`)
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

/** Requests and raw responses of one payment. */
async function realAnswers(ask, { shop, wallet }) {
  const asked = {}
  const answers = {}
  const call = async (name, text) => {
    asked[name] = text
    answers[name] = await ask(text)
  }
  await call('create', requests.create(shop))
  const payment = requests.paymentOf(shop, answers.create)
  await call('status', requests.status(payment))
  await call('pay', requests.pay(payment, wallet))
  await call('details', requests.details(payment))
  return { requests: asked, answers }
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
  const databases = [florin, twin, pgbench].filter((side) => side !== null)
  let round = 1 - WARM_UPS

  /** Runs the calls and compares the written rows. */
  async function timed(what, side, counts, work) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const before = side.database && (await countRows(side.database))
    const cpu = () => ({
      service: side.pid === null ? 0 : cpuOf(side.pid),
      postgres: cpuOfPostgres(postmaster),
    })
    const start = cpu()
    const { rate, bodies } = await work(total)
    const end = cpu()
    if (before !== null) await mustHaveWritten(side, before, counts)
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    say(`${when}: ${what}, ${side.name} ${Math.round(rate)}/s`)
    const micros = (kind) => ((end[kind] - start[kind]) / total) * 1e6
    const cost = { service: micros('service'), postgres: micros('postgres') }
    if (round > 0) rounds.push({ what, name: side.name, round, rate, ...cost })
    return bodies
  }
  const overHttp = (what, side, counts, texts) =>
    timed(what, side, counts, async (total) => {
      const { ms, answers, bodies } = await send(side.port, texts, what === 'create')
      mustBe(answers, total, `${side.name}: responses to ${what}`)
      return { rate: total / (ms / 1000), bodies }
    })

  // The ceiling stores nothing, so it gets requests for Florin's payments.
  const paymentsOf = (side) => (side === ceiling ? florin : side).payments
  const walletAt = (n) => wallets[n % wallets.length]
  const shopsFor = (side, count) =>
    Array.from({ length: count }, (_, n) => side.shops[n % side.shops.length])
  const paysFor = (payments) => payments.map((payment, n) => requests.pay(payment, walletAt(n)))

  async function create(side) {
    const shops = shopsFor(side, REQUESTS)
    const bodies = await overHttp('create', side, { create: REQUESTS }, shops.map(requests.create))
    side.payments = bodies.map((body, n) => requests.paymentOf(shops[n], body))
  }
  const eachPayment = (what, request) => (side) =>
    overHttp(what, side, { [what]: REQUESTS }, paymentsOf(side).map(request))

  async function pay(side) {
    if (side !== pgbench) {
      return overHttp('pay', side, { pay: REQUESTS }, paysFor(paymentsOf(side)))
    }
    const { each, all } = sharesOf(REQUESTS, CONNECTIONS)
    await prepareToPay(side.database, { count: all, stores: florin.shops, wallets })
    await timed('pay', side, { pay: all }, async () => ({
      rate: await payAll(side, { clients: CONNECTIONS, each }),
    }))
  }

  async function day(side) {
    const share = REQUESTS / Object.values(DAY).reduce((sum, weight) => sum + weight, 0)
    const counts = Object.fromEntries(
      Object.entries(DAY).map(([call, weight]) => [call, Math.ceil(weight * share)]),
    )
    // Create the payments that this day pays, polls and refunds.
    const shops = shopsFor(side, counts.pay + counts.refund)
    const { bodies } = await send(side.port, shops.map(requests.create), true)
    const made = bodies.map((body, n) => requests.paymentOf(shops[n], body))
    const paid = made.splice(0, counts.refund)
    await send(side.port, paysFor(paid), false)

    const shopsToday = shopsFor(side, counts.create)
    const next = {
      status: (n) => requests.status(made[n % made.length]),
      create: (n) => requests.create(shopsToday[n]),
      pay: (n) => requests.pay(made[n], walletAt(n)),
      refund: (n) => requests.refund(paid[n]),
    }
    const texts = requests.interleaved(counts).map(([call, n]) => next[call](n))
    await overHttp('day', side, counts, texts)
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
    for (const [part, sides] of parts) {
      const present = sides.filter((side) => side !== null)
      // Reverse the order every second round, so that neighbours vary.
      for (const side of round % 2 === 0 ? present : present.reverse()) await part(side)
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
  const of = (what, name, key) =>
    rounds.filter((one) => one.what === what && one.name === name).map((one) => one[key])
  // Compute ratios within a round, where noise affects all alike.
  const ratios = (what, over, under) => {
    const theirs = of(what, under, 'rate')
    return of(what, over, 'rate').map((rate, index) => rate / theirs[index])
  }
  const pairs = new Map(rounds.map(({ what, name }) => [`${what}, ${name}`, { what, name }]))
  const table = Object.fromEntries(
    [...pairs].map(([title, { what, name }]) => {
      const ratio = ratios(what, 'florin', name)
      return [
        title,
        {
          '/s': Math.round(median(of(what, name, 'rate'))),
          spread: spread(of(what, name, 'rate')),
          'florin / it': rounded(median(ratio)),
          'from–to': `${rounded(Math.min(...ratio))}–${rounded(Math.max(...ratio))}`,
          'service µs each': Math.round(median(of(what, name, 'service'))),
          'database µs each': Math.round(median(of(what, name, 'postgres'))),
        },
      ]
    }),
  )
  const targets = TARGETS.filter(({ what, under }) => pairs.has(`${what}, ${under}`))
  return {
    table,
    targets: targets.map(({ what, over, under, least, reach }) => {
      const value = median(ratios(what, over, under))
      const target = `at least ${least}, goal ${reach}`
      return {
        what: `${what}: ${over} / ${under}`,
        value: rounded(value),
        target,
        isMet: value >= least,
      }
    }),
  }
}
