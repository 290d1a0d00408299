import { prepare, run } from './prepare.mjs'
import { findBrowser, findLanguages } from './tools.mjs'

const given = process.argv.slice(2)
const faults = given.includes('--faults')
// The figures of this run take the place of those in docs/reliability.md.
if (given.includes('--record')) process.env.FLORIN_RECORD = '1'
const filters = given.filter((argument) => !['--faults', '--record'].includes(argument))

prepare({ developer: true })
if (!faults) {
  process.env.CHROMIUM_PATH = findBrowser()
  findLanguages()
}

// Somebody who names a test wants its answer, not that of the whole project.
if (!faults && filters.length === 0) {
  for (const folder of ['server', 'web']) {
    const project = `${folder}/test/tsconfig.json`
    step(`Checking types of the tests of ${folder}`, 'typescript/bin/tsc', ['-p', project])
  }
  step('Checking format and style', '@biomejs/biome/bin/biome', ['check', '.'])
  step('Checking for lost promises', 'eslint/bin/eslint.js', ['.'])
}
const config = faults ? 'vitest.faults.config.mjs' : 'vitest.config.mjs'
step('Running tests', 'vitest/vitest.mjs', ['run', '--config', config, ...filters])

function step(title, program, args) {
  console.log(`${title}…`)
  run(program, args)
}
