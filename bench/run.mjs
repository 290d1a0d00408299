import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from '../scripts/prepare.mjs'

// Import a part only when it runs: it imports the built service, which `prepare` builds.
const PARTS = {
  webhooks: './webhooks/throughput.mjs',
  'webhooks-dead': './webhooks/dead.mjs',
  growth: './growth/growth.mjs',
  lists: './lists.mjs',
  memory: './memory/memory.mjs',
  waiters: './waiters/waiters.mjs',
  pages: './waiters/pages.mjs',
  start: './start.mjs',
  rates: './rates/rates.mjs',
  single: './rates/single.mjs',
  latency: './latency.mjs',
  links: './links.mjs',
  storage: './storage.mjs',
  citus: './citus.mjs',
  processes: './processes.mjs',
  audit: './audit.mjs',
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in PARTS))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`)
  process.exit(1)
}

prepare({ withDev: true })
const missed = []
for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
  console.log(`\n${name}`)
  const { run } = await import(PARTS[name])
  const result = await run((line) => console.log(`  ${line}`))
  const folder = join(root, 'bench/results')
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const file = join(folder, `${name}-${at.replaceAll(':', '-')}.json`)
  writeFileSync(
    file,
    `${JSON.stringify({ name, at, node: process.version, ...result }, null, 2)}\n`,
  )
  console.table(result.table)
  for (const { what, value, target, isMet } of result.targets) {
    console.log(`  ${isMet ? 'met   ' : 'MISSED'}  ${what}: ${value} (${target})`)
    if (!isMet) missed.push(`${name}: ${what}`)
  }
}
process.exit(missed.length > 0 ? 1 : 0)
