import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { root } from '../../scripts/prepare.mjs'
import { startChild } from '../lib/child.mjs'
import { median, mustBe, percentile, rounded, spread } from '../lib/figures.mjs'

const DEAD = 50
const HEALTHY = 10
const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 3_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const CONNECTIONS = 32
const START_MS = 60_000
const ARRIVE_MS = 60_000

// What the 50 addresses of a round are. The ten healthy ones are the same in all three.
const KINDS = ['none', 'answering', 'dead']

export async function run(say) {
  const closing = []
  try {
    return await measure(say, closing)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

async function measure(say, closing) {
  let reached = () => {}
  const receiverFile = fileURLToPath(new URL('./receiver.mjs', import.meta.url))
  const many = { healthy: HEALTHY + DEAD, dead: DEAD }
  const receiver = await startChild(receiverFile, many, { reached: () => reached() })
  closing.push(() => receiver.stop())
  const healthy = receiver.value.healthy.slice(0, HEALTHY)
  const others = {
    none: Array.from({ length: DEAD }, () => undefined),
    answering: receiver.value.healthy.slice(HEALTHY),
    dead: receiver.value.dead,
  }

  // A service of its own for each, so that what the dead leave behind burdens nobody else.
  const services = {}
  for (const kind of KINDS) {
    services[kind] = await startService()
    closing.push(services[kind].stop)
  }

  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of KINDS) {
      const urls = [...others[kind], ...healthy]
      const wanted = kind === 'answering' ? PAYMENTS : countOfHealthy(urls.length)
      await receiver.call('expect', wanted)
      const allArrived = new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${kind}: events are missing`)), ARRIVE_MS)
        reached = () => {
          clearTimeout(late)
          resolve()
        }
      })
      const ms = await load(services[kind], urls)
      await allArrived
      const counts = await receiver.call('counts')
      mustBe(counts.events, wanted, `${kind}: events that arrived`)
      if (kind === 'dead' && counts.hanging === 0) throw new Error('no dead receiver was called')
      const delays = await receiver.call('delays')
      const rate = PAYMENTS / (ms / 1000)
      const p99 = percentile(delays, 0.99)
      const what = round === 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
      say(`${what}: ${kind} ${Math.round(rate)}/s, 99th percentile ${p99} ms`)
      if (round > 0) rounds.push({ kind, round, rate, p99, hanging: counts.hanging })
    }
  }
  return { payments: PAYMENTS, rounds, ...summary(rounds) }
}

const countOfHealthy = (urls) =>
  Array.from({ length: PAYMENTS }, (_, n) => n % urls).filter((place) => place >= DEAD).length

/** Creates and pays, each payment for the next address in turn. */
async function load({ pool, keys }, urls) {
  let next = 0
  const call = async (path, body) => {
    const headers = { ...keys, 'content-type': 'application/json' }
    const request = { path, method: 'POST', headers, body: JSON.stringify(body) }
    const response = await pool.request(request)
    const answer = await response.body.json()
    mustBe(response.statusCode, 200, path)
    return answer.data
  }
  const customer = async () => {
    while (next < PAYMENTS) {
      const webhook_url = urls[next++ % urls.length]
      const order = { amount: 5, currency: 'USD', webhook_url }
      const { payment_id } = await call('/merchant/payment/create', order)
      await call(`/sandbox/payment/${payment_id}/pay`, {})
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, customer))
  return performance.now() - startedMs
}

/** As `npm start` runs it, on a database of its own. */
async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    ...{ FLORIN_DATA: folder, PORT: String(port), FLORIN_LOG_LEVEL: 'warn' },
  }
  const child = spawn(process.execPath, ['server/dist/main.js'], {
    ...{ cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const origin = `http://127.0.0.1:${port}`
  const deadline = Date.now() + START_MS
  const isReady = () =>
    fetch(`${origin}/ready`).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('it did not start')
    await sleep(50)
  }
  const { sandbox } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
  return {
    pool,
    keys: { 'api-key': sandbox.api_key, 'api-secret': sandbox.api_secret },
    async stop() {
      await pool.destroy()
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function summary(rounds) {
  const of = (kind, key) => rounds.filter((round) => round.kind === kind).map((round) => round[key])
  const ratio = (kind) => {
    const theirs = of(kind, 'rate')
    return median(of('dead', 'rate').map((rate, index) => rate / theirs[index]))
  }
  const table = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        'create+pay/s': Math.round(median(of(kind, 'rate'))),
        'dead / it': rounded(ratio(kind)),
        spread: spread(of(kind, 'rate')),
        'p99 ms, median round': Math.round(median(of(kind, 'p99'))),
        'p99 ms, worst round': Math.max(...of(kind, 'p99')),
      },
    ]),
  )
  const worst = Math.max(...of('dead', 'p99'))
  const least = (what, value) => ({
    ...{ what, value: rounded(value), target: 'at least 0.9', isMet: value >= 0.9 },
  })
  return {
    table,
    targets: [
      {
        what: `99th percentile to the healthy beside ${DEAD} dead, worst round, ms`,
        ...{ value: worst, target: 'below 2000', isMet: worst < 2_000 },
      },
      least('API rate with dead / without those addresses', ratio('none')),
      least('API rate with dead / with them answering', ratio('answering')),
    ],
  }
}
