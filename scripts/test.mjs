import { passesAdvisories } from './advisories.mjs'
import { prepare, run } from './prepare.mjs'
import { findBrowser, findCluster, findLanguages } from './tools.mjs'

const given = process.argv.slice(2)
/** Slow test suites that must be requested by name. */
const kind = ['faults', 'cluster'].find((name) => given.includes(`--${name}`))
// Replaces the figures in docs/reliability.md with those of this run.
if (given.includes('--record')) process.env.FLORIN_RECORD = '1'
const filters = given.filter(
  (argument) => !['--faults', '--cluster', '--record'].includes(argument),
)

prepare({ developer: true })
if (kind === 'cluster') findCluster()
if (kind === undefined) {
  process.env.CHROMIUM_PATH = findBrowser()
  findLanguages()
}

// With a test name, skip the checks of the whole project.
if (kind === undefined && filters.length === 0) {
  console.log('Checking the dependencies for published vulnerabilities…')
  if (!passesAdvisories()) process.exit(1)
  for (const folder of ['server', 'web']) {
    const project = `${folder}/test/tsconfig.json`
    step(`Checking types of the tests of ${folder}`, 'typescript/bin/tsc', ['-p', project])
  }
  step('Checking format and style', '@biomejs/biome/bin/biome', ['check', '.'])
  step('Checking for lost promises and slow regular expressions', 'eslint/bin/eslint.js', ['.'])
}
const config = kind === undefined ? 'vitest.config.mjs' : `vitest.${kind}.config.mjs`
step('Running tests', 'vitest/vitest.mjs', ['run', '--config', config, ...filters])

function step(title, program, args) {
  console.log(`${title}…`)
  run(program, args)
}
