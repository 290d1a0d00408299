import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { passesAdvisories } from './advisories.mjs'
import { compiler, prepare, programPath, root, run } from './prepare.mjs'
import {
  findBrowser,
  installClientTools,
  installClusterPrograms,
  installPrograms,
} from './tools.mjs'

const args = process.argv.slice(2)
/** Slow test suites that must be requested by name. */
const KINDS = ['soak', 'faults', 'cluster', 'clients', 'shops', 'citus']
const kind = KINDS.find((name) => args.includes(`--${name}`))
// Replaces the figures in docs/reliability.md with those of this run.
if (args.includes('--record')) process.env.FLORIN_RECORD = '1'
const options = [...KINDS, 'record'].map((name) => `--${name}`)
const filters = args.filter((argument) => !options.includes(argument))

// Only the Citus tests use the cluster.
if (kind !== 'citus') delete process.env.FLORIN_CITUS_URL
else if (process.env.FLORIN_CITUS_URL === undefined) {
  console.error(
    'These tests need a Citus cluster. Set FLORIN_CITUS_URL to a database of its coordinator, for example\n' +
      'FLORIN_CITUS_URL=postgres://postgres@coordinator/postgres npm run test:citus (docs/scale.md).',
  )
  process.exit(1)
}

prepare({ withDev: true })
if (kind === 'cluster') installClusterPrograms()
if (kind === 'clients') installClientTools()
if (kind === undefined) {
  process.env.CHROMIUM_PATH = findBrowser()
  installPrograms()
}

// With a test name, skip the checks of the whole project.
if (kind === undefined && filters.length === 0) {
  console.log('Checking the dependencies for published vulnerabilities…')
  if (!passesAdvisories()) process.exit(1)
  const types = (folder) => [compiler, '-p', `${folder}/test/tsconfig.json`]
  console.log(
    'Checking types of the tests, format, unawaited promises and slow regular expressions…',
  )
  await Promise.all([
    check(...types('server')),
    check(...types('web')),
    check('oxlint/bin/oxlint', '--type-aware'),
    check('@biomejs/biome/bin/biome', 'check', '.'),
  ])
}
const config = kind === undefined ? 'vitest.config.mjs' : `vitest.${kind}.config.mjs`
console.log('Running tests…')
run('vitest/vitest.mjs', ['run', '--config', config, ...filters])

/** Runs a program from node_modules; prints what it found and exits if it fails. */
async function check(name, ...args) {
  const child = spawn(process.execPath, [programPath(name), ...args], { cwd: root })
  const chunks = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => chunks.push(chunk))
  const [status] = await once(child, 'close')
  if (status === 0) return
  process.stderr.write(Buffer.concat(chunks))
  process.exit(status ?? 1)
}
