import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EXIT } from '../src/failure.ts'
import { buildProgram, leavesOf } from '../src/program.ts'
import { root } from './demo.ts'
import { runHere } from './run.ts'

const script = join(tmpdir(), `florin-completion-${process.pid}.bash`)

beforeAll(async () => {
  await writeFile(script, (await runHere({}, 'completion', 'bash')).stdout)
})
afterAll(() => rm(script))

/** Returns bash's completions for these words. */
async function offered(...words: string[]): Promise<string[]> {
  const typing = `source ${script}
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    read -r _ _ _ _ function _ < <(complete -p florin)
    "$function"; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['-uc', typing, 'bash', 'florin', ...words])
  return stdout.split('\n').filter((word) => word !== '')
}

it('bash completes commands, options and choices', async () => {
  expect(await offered('pay')).toEqual(['payments'])
  expect(await offered('payments', 're')).toEqual(['refund'])
  expect(await offered('stores', 'create', '--time')).toEqual(['--time-zone'])
  expect(await offered('keys', 'issue', '1', '--mode', '')).toEqual(['live', 'sandbox'])
  expect(await offered('trigger', 'payment.c')).toEqual(['payment.completed'])
  // Without completions of its own, bash completes file names.
  expect(await offered('backup', '')).toEqual([])
  // After the value of an option, options are completed again.
  expect(await offered('keys', 'issue', '--mode', 'live', '--js')).toEqual(['--json'])
})

const program = buildProgram({ json: false })
const pathOf = (command: (typeof program.commands)[number]): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
const leaves = leavesOf(program)

it('the scripts of all three shells contain every command and option', async () => {
  const scripts: string[] = []
  for (const shell of ['bash', 'zsh', 'fish'])
    scripts.push((await runHere({}, 'completion', shell)).stdout)
  expect(leaves.length).toBeGreaterThan(40)
  for (const leaf of leaves) {
    const place = pathOf(leaf).replace('florin', '').replaceAll(' ', '/')
    for (const text of scripts) expect(text).toContain(place)
    for (const { long } of leaf.options) {
      expect(scripts[0]).toContain(long)
      expect(scripts[1]).toContain(long)
      expect(scripts[2]).toContain(`-l ${long!.slice(2)}`)
    }
  }
})

it('every command has --json, except start and completion', () => {
  const leavesWithoutJson = leaves.filter(
    (leaf) => !leaf.options.some(({ long }) => long === '--json'),
  )
  expect(leavesWithoutJson.map(pathOf)).toEqual(['florin start', 'florin completion'])
})

it('the guide lists every command and exit code', async () => {
  const guide = await readFile(join(root, 'docs/cli.md'), 'utf8')
  expect(leaves.map(pathOf).filter((path) => !guide.includes(path))).toEqual([])
  const listed = [...guide.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
  expect(listed).toEqual([0, ...Object.values(EXIT)])
})

it('the help lists every command in a group, with the groups for developers first', () => {
  const help = program.helpInformation()
  expect(help.match(/^\S.*:$/gm)).toEqual([
    'Options:',
    'Payments of a store:',
    'Develop with the sandbox:',
    'Run the service:',
    'Stores and wallets:',
    'Operate the service:',
    'Other commands:',
  ])
})
