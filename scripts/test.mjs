import { hasNoHoles } from './holes.mjs'
import { prepare, run } from './prepare.mjs'
import { findBrowser, findLanguages } from './tools.mjs'

const given = process.argv.slice(2)
const kill = given.includes('--kill')
const filters = given.filter((argument) => argument !== '--kill')

prepare({ developer: true })
if (!kill) {
  process.env.CHROMIUM_PATH = findBrowser()
  findLanguages()
}

// Somebody who names a test wants its answer, not that of the whole project.
if (!kill && filters.length === 0) {
  console.log('Asking for known holes in the dependencies…')
  if (!hasNoHoles()) process.exit(1)
  for (const folder of ['server', 'web']) {
    const project = `${folder}/test/tsconfig.json`
    step(`Checking types of the tests of ${folder}`, 'typescript/bin/tsc', ['-p', project])
  }
  step('Checking format and style', '@biomejs/biome/bin/biome', ['check', '.'])
  step('Checking for lost promises', 'eslint/bin/eslint.js', ['.'])
}
const config = kill ? 'vitest.kill.config.mjs' : 'vitest.config.mjs'
step('Running tests', 'vitest/vitest.mjs', ['run', '--config', config, ...filters])

function step(title, program, args) {
  console.log(`${title}…`)
  run(program, args)
}
