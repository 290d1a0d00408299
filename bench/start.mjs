import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../scripts/prepare.mjs'
import { median, roundTo } from './lib/figures.mjs'
import { freePort } from './lib/service.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const MAX_START_MS = 3_000
const TIMEOUT_MS = 60_000
const POLL_MS = 5

export async function run(print) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  try {
    const first = await startOnce(folder)
    print(`first start, which creates the database: ${Math.round(first.ready)} ms`)
    const rounds = []
    for (let round = 1; round <= ROUNDS; round++) {
      const phases = await startOnce(folder)
      rounds.push(phases)
      const shown = Object.entries(phases).map(([phase, ms]) => `${phase} ${Math.round(ms)}`)
      print(`start ${round} of ${ROUNDS}, ms: ${shown.join(', ')}`)
    }
    return { rounds, ...summarize(rounds) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Measures milliseconds from `npm start` to each phase, then stops it completely. */
async function startOnce(folder) {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const startedMs = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, FLORIN_DATA: folder, PORT: String(port), FLORIN_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => npm.once('exit', resolve))
  const phases = {}
  const reached = (phase) => {
    phases[phase] ??= performance.now() - startedMs
  }
  // npm first prints the name of the script.
  npm.stdout.on('data', () => reached('npm'))
  try {
    await waitUntil('npm start did not become ready', async () => {
      const database = await readDatabaseState(folder)
      if (database !== null) reached('database starting')
      if (database === 'ready') reached('database ready')
      if (npm.exitCode !== null) throw new Error(`npm start ended: ${npm.exitCode}`)
      return isReady(port)
    })
    reached('ready')
    return phases
  } finally {
    npm.kill('SIGTERM')
    await exited
    // npm starts Node.js, which starts PostgreSQL; the database stops last.
    await waitUntil(
      'npm start did not stop',
      async () => (await readDatabaseState(folder)) === null,
    )
  }
}

async function waitUntil(timeoutMessage, condition) {
  const deadlineMs = performance.now() + TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(timeoutMessage)
    await sleep(POLL_MS)
  }
}

/** The state in postmaster.pid, such as `ready`, or null if no server runs. */
async function readDatabaseState(folder) {
  const file = join(folder, 'postgres', 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (text.split('\n')[7]?.trim() ?? '')
}

function isReady(port) {
  return new Promise((resolve) => {
    get({ port, path: '/ready', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

function summarize(rounds) {
  const phases = Object.keys(rounds[0])
  const table = Object.fromEntries(
    phases.map((phase) => {
      const times = rounds.map((round) => round[phase])
      const [fastest, slowest] = [Math.min(...times), Math.max(...times)].map(Math.round)
      return [phase, { 'ms after npm start': Math.round(median(times)), fastest, slowest }]
    }),
  )
  const ms = median(rounds.map((round) => round.ready))
  const what = 'npm start to the first 200 of GET /ready, s'
  const value = roundTo(ms / 1000)
  return {
    table,
    targets: [{ what, value, target: `at most ${MAX_START_MS / 1000}`, isMet: ms <= MAX_START_MS }],
  }
}
