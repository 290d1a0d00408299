import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { countRows, mustBeClean } from '../lib/checks.mjs'
import { startChild } from '../lib/child.mjs'
import { withCleanup } from '../lib/cleanup.mjs'
import { openDemoService } from '../lib/demoShop.mjs'
import { median, mustBe, roundTo } from '../lib/figures.mjs'
import * as requests from './requests.mjs'

const CREATES_PER_ROUND = Number(process.env.BENCH_TIMES ?? 500)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
// The same warm-up as in rates.mjs, so that code that runs once per batch is compiled.
const WARM_UP_ROUNDS = 8
const MAX_RATIO = 2.5
const GOAL_RATIO = 1.5

export const run = withCleanup(measure)

async function measure(print, cleanups) {
  const { service, url, database } = await openDemoService(cleanups)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanups.push(() => client.end())
  await client.query('create table bench_commit (n integer not null)')

  const { api_key: apiKey, api_secret: apiSecret } = service.demo.live
  const create = () => requests.create({ apiKey, apiSecret })
  const callFlorin = await openConnection(service.port, cleanups)
  const samples = { create: await callFlorin(create()) }
  const ceilingFile = fileURLToPath(new URL('./ceiling.mjs', import.meta.url))
  const ceiling = await startChild(ceilingFile, { samples })
  cleanups.push(() => ceiling.stop())
  const callCeiling = await openConnection(ceiling.value.port, cleanups)
  mustBe(await callCeiling(create()), samples.create, "the ceiling's response")

  const insert = { name: 'insert', text: 'insert into bench_commit values ($1)', values: [1] }
  const variants = {
    florin: () => callFlorin(create()),
    ceiling: () => callCeiling(create()),
    // The smallest commit: one row, one statement, one round trip.
    commit: () => client.query(insert),
  }
  const rounds = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
    const before = await countRows(database)
    const durationsMs = { florin: [], ceiling: [], commit: [] }
    for (let n = 0; n < CREATES_PER_ROUND; n++) {
      for (const [name, work] of Object.entries(variants)) {
        const startedMs = performance.now()
        await work()
        durationsMs[name].push(performance.now() - startedMs)
      }
    }
    const after = await countRows(database)
    for (const kind of ['payments', 'pending', 'stored_responses']) {
      mustBe(after[kind] - before[kind], CREATES_PER_ROUND, `new rows of ${kind}`)
    }
    await mustBeClean(database, 'florin')
    const [florinMs, ceilingMs, commitMs] = Object.values(durationsMs).map(median)
    const ratio = florinMs / (ceilingMs + commitMs)
    const when = round <= 0 ? 'warm-up' : `round ${round} of ${ROUNDS}`
    print(
      `${when}: create ${roundTo(florinMs)} ms, ceiling ${roundTo(ceilingMs)}, commit ${roundTo(commitMs)}`,
    )
    if (round > 0)
      rounds.push({ round, florin: florinMs, ceiling: ceilingMs, commit: commitMs, ratio })
  }
  return { creates: CREATES_PER_ROUND, rounds, ...summarize(rounds) }
}

/** Opens a connection. The returned function sends one request at a time and returns the body of the response. */
async function openConnection(port, cleanups) {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  cleanups.push(() => socket.destroy())
  let pending
  const connected = new Promise((resolve, reject) => {
    pending = { resolve, reject }
  })
  let received = ''
  socket.once('connect', () => pending.resolve())
  socket.on('error', (error) => pending.reject(error))
  socket.on('data', (chunk) => {
    received += chunk.latin1Slice()
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    const length = /content-length: (\d+)/i.exec(received)?.[1]
    if (bodyAt < 4 || received.length < bodyAt + Number(length)) return
    const [response, body] = [received, Buffer.from(received.slice(bodyAt), 'latin1').toString()]
    received = ''
    if (response.startsWith('HTTP/1.1 200')) pending.resolve(body)
    else pending.reject(new Error(`A response was not 200: ${response}`))
  })
  await connected
  return (text) =>
    new Promise((resolve, reject) => {
      pending = { resolve, reject }
      socket.write(text)
    })
}

function summarize(rounds) {
  const valuesOf = (key) => rounds.map((round) => round[key])
  const line = (values) => ({
    median: roundTo(median(values), 3),
    'from–to': `${roundTo(Math.min(...values), 3)}–${roundTo(Math.max(...values), 3)}`,
  })
  const value = median(valuesOf('ratio'))
  return {
    table: {
      'create, florin (ms)': line(valuesOf('florin')),
      'create, ceiling (ms)': line(valuesOf('ceiling')),
      'one bare commit (ms)': line(valuesOf('commit')),
      'florin / (ceiling + commit)': line(valuesOf('ratio')),
    },
    targets: [
      {
        what: 'florin / (ceiling + commit)',
        value: roundTo(value),
        target: `at most ${MAX_RATIO}, goal ${GOAL_RATIO}`,
        isMet: value <= MAX_RATIO,
      },
    ],
  }
}
