import { availableParallelism } from 'node:os'
import { readConfig } from '../server/dist/config.js'
import { createLog, open } from '../server/dist/open.js'
import { auditLedger } from '../server/dist/ops/auditLedger.js'
import { fillOrReuseFolder } from './growth/filled.mjs'
import { withCleanup } from './lib/cleanup.mjs'
import { formatSeconds, median, mustBe, roundTo } from './lib/figures.mjs'

const PAYMENTS = Number(process.env.BENCH_FILL ?? 1_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const CORES = availableParallelism()
const MAX_INCREMENTAL_MS = 10_000
const MAX_FULL_MS = 300_000

export const run = withCleanup(measure)

/** Compares incremental audits, which check what came after the sealed days, with full audits of the same ledger. */
async function measure(print, cleanups) {
  const { folder } = await fillOrReuseFolder('audit', PAYMENTS, { print, cleanups })
  const settings = { log: createLog('warn'), print() {}, upgrade: true }
  const { service, close } = await open(readConfig({ FLORIN_DATA: folder }), settings)
  cleanups.push(close)
  const { database, secretKey } = service
  const variants = {
    incremental: { seals: { secretKey, scope: 'new' }, connections: CORES },
    'incremental, without spot checks': {
      seals: { secretKey, scope: 'new' },
      connections: CORES,
      spotCheckMs: 0,
    },
    full: { seals: { secretKey, scope: 'all' }, connections: CORES },
    'full, one connection': { seals: { secretKey, scope: 'all' }, connections: 1 },
  }
  const audit = async (name, options) => {
    const startedMs = performance.now()
    const { checks, seals } = await auditLedger(database, options)
    const ms = performance.now() - startedMs
    mustBe(checks.flatMap((check) => check.findings).length, 0, `${name}: findings`)
    const days = `${seals.checkedAgain} of ${seals.days} sealed days checked again`
    print(`${name}: ${formatSeconds(ms)}, ${days}, ${seals.newDays} sealed`)
    return ms
  }
  const firstMs = await audit('first, seals everything', {
    seals: { secretKey, scope: 'reseal' },
    connections: CORES,
  })
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, options] of Object.entries(variants)) {
      times[name].push(await audit(name, options))
    }
  }
  return { payments: PAYMENTS, cores: CORES, firstMs, times, ...summarize(times, firstMs) }
}

function summarize(times, firstMs) {
  const medians = Object.entries(times).map(([name, all]) => [name, median(all)])
  const full = medians.find(([name]) => name === 'full')[1]
  const table = Object.fromEntries(
    [['first, seals everything', firstMs], ...medians].map(([name, ms]) => [
      name,
      { s: roundTo(ms / 1000, 1), 'relative to full': roundTo(ms / full) },
    ]),
  )
  const target = (name, maxMs) => {
    const ms = median(times[name])
    const value = formatSeconds(ms)
    return { what: name, value, target: `at most ${formatSeconds(maxMs)}`, isMet: ms <= maxMs }
  }
  return {
    table,
    targets: [target('incremental', MAX_INCREMENTAL_MS), target('full', MAX_FULL_MS)],
  }
}
