import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findTypeErrors } from '../../../server/test/setup/compile.ts'
import { freePort } from '../../../server/test/setup/started.ts'
import { type DemoService, root, startDemo } from '../demo.ts'
import {
  type Block,
  blocksOf,
  differences,
  fileOf,
  isShown,
  PROGRAMS,
  printedBy,
} from './blocks.ts'
import { makeClone } from './clone.ts'
import { CONFIGS } from './configs.ts'
import { type Outcome, runPage } from './shell.ts'

// Runs the programs and commands of the user documentation, except blocks with a `skip` reason, and checks the other blocks.

const RUN = ['sh', ...Object.keys(PROGRAMS)]
const COMPARED = ['json', 'text']
/** A page starts about a dozen processes. */
const PAGE_TIMEOUT_MS = 300_000

const names = await listPages()
const pages = new Map<string, Block[]>()
for (const name of names) {
  const text = await readFile(join(root, name), 'utf8')
  try {
    pages.set(name, blocksOf(text))
  } catch (error) {
    throw new Error(`${name}, ${(error as Error).message}`)
  }
}

async function listPages(): Promise<string[]> {
  const pagesIn = async (folder: string, isPage: RegExp) =>
    (await readdir(join(root, folder), { recursive: true }))
      .filter((name) => isPage.test(name))
      .map((name) => join(folder, name))
      .sort()
  const guides = await pagesIn('docs', /\.md$/)
  const examples = await pagesIn('examples', /^[\w-]+\/README\.md$/)
  const clients = await pagesIn('clients', /^[\w-]+\/README\.md$/)
  return ['README.md', ...guides, 'sdk/README.md', ...clients, ...examples]
}

const clone = makeClone()
let demo: DemoService
beforeAll(async () => {
  demo = await startDemo(join(clone.folder, '.florin'))
})
afterAll(async () => {
  await demo?.stop()
  clone.remove()
})

it('every block has a known kind', () => {
  expect(pages.size).toBeGreaterThan(10)
  for (const [name, blocks] of pages) {
    for (const { kind, line, skip } of blocks) {
      const kinds = [...RUN, ...COMPARED, ...Object.keys(CONFIGS), 'sql']
      expect(kinds, `${name}, line ${line}`).toContain(kind)
      if (skip !== null) console.log(`${name}, line ${line}, is skipped: ${skip}`)
    }
  }
})

it('links exist, and the index lists every guide', async () => {
  const rootPages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
  for (const name of [...names, ...rootPages]) {
    const text = await readFile(join(root, name), 'utf8')
    const targets = [...text.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1]!)
    for (const target of targets.filter((path) => !/^https?:/.test(path)))
      expect(existsSync(join(root, dirname(name), target)), `${name}: ${target}`).toBe(true)
  }
  const index = await readFile(join(root, 'docs/README.md'), 'utf8')
  const guides = names.filter((name) => /^docs\/(?!README)[\w-]+\.md$/.test(name))
  for (const name of guides) expect(index).toContain(`](${name.replace('docs/', '')})`)
})

it('detects unsupported code blocks and wrong responses', () => {
  expect(() => blocksOf('Run this:\n\n    npm start\n')).toThrow('line 3: indented code')
  expect(() => blocksOf('```sh once\nnpm start\n```\n')).toThrow('line 1: not a supported fence')
  expect(() => blocksOf('```sh\nnpm start\n')).toThrow('line 1: not a supported fence')
  const shown = { status: 200, data: { id: 'pay_…', amounts: ['1.00'] } }
  const found = { status: 200, data: { id: 'pay_7', amounts: ['1.00'] } }
  expect(differences(shown, found)).toEqual([])
  for (const other of [
    { ...found, status: 201 },
    { ...found, more: null },
    { ...found, data: { ...found.data, id: '7' } },
    { ...found, data: { ...found.data, amounts: [] } },
  ])
    expect(differences(shown, other)).toHaveLength(1)
})

it('JavaScript programs of pages and examples match the types of the SDK', async () => {
  const examples = await readdir(join(root, 'examples'), { recursive: true })
  const files = examples
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(root, 'examples', name))
  for (const [name, blocks] of pages) {
    for (const block of blocks.filter(({ kind }) => kind === 'js')) {
      const path = join(clone.folder, 'checked', name, fileOf(block))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, block.text)
      files.push(path)
    }
  }
  const options = ['--allowJs', '--checkJs', '--strict', 'false', '--target', 'es2023']
  expect(await findTypeErrors(files, options)).toBe('')
})

describe('pages run as written', () => {
  it.each([...pages].filter(([, blocks]) => blocks.length > 0))(
    '%s',
    { timeout: PAGE_TIMEOUT_MS },
    async (name, blocks) => {
      for (const { kind, line, text } of blocks) {
        const problem = CONFIGS[kind]?.(text) ?? null
        expect(problem, `line ${line}`).toBe(null)
      }
      const statements = blocks
        .filter(({ kind, skip }) => kind === 'sql' && skip === null)
        .map(({ text }) => text)
      await withDatabase(statements, async () => {
        const port = String(await freePort())
        const outcome = await runPage(blocks.map(replaceAddresses(port)), {
          cwd: clone.folder,
          usesNpx: name === 'README.md',
          env: { ...process.env, ...settingsOf(port) },
        })
        expect(outcome.code, outcome.all).toBe(0)
        expect(findDifferences(blocks, outcome)).toEqual([])
      })
    },
  )
})

const settingsOf = (port: string) => ({
  CLONE: clone.folder,
  FLORIN_DATA: demo.folder,
  PORT: String(demo.port),
  FREE_PORT: port,
  // Stop without waiting for a load balancer.
  FLORIN_DRAIN_SECONDS: '0',
  // Install from local files only.
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
  PYTHONPATH: join(clone.folder, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
})

/** Replaces the ports and the database host with available ones. */
function replaceAddresses(port: string): (block: Block) => Block {
  const { host } = new URL(inject('adminUrl'))
  return (block) => ({
    ...block,
    text: block.text
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll('localhost:8080', `localhost:${port}`)
      .replaceAll('db.example.com:5432', host),
  })
}

/** Runs a page's SQL as administrator, and drops what it created afterwards. */
async function withDatabase(statements: string[], work: () => Promise<void>): Promise<void> {
  if (statements.length === 0) return work()
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  try {
    const single = statements
      .flatMap((text) => text.split(/;\n/))
      .filter((statement) => statement.trim() !== '')
    for (const statement of single) await admin.query(statement)
    await work()
    for (const statement of single.reverse()) {
      const [, what, name] = /^create (\w+) (\w+)/.exec(statement)!
      await admin.query(`drop ${what} ${name} ${what === 'database' ? 'with (force)' : ''}`)
    }
  } finally {
    await admin.end()
  }
}

/** Reports refused requests, and documented responses that differ from the real ones. */
function findDifferences(blocks: readonly Block[], { outputs }: Outcome): string[] {
  const programs = blocks.filter(({ kind }) => PROGRAMS[kind] !== undefined)
  const printed = programs.map(({ line }) => outputs.get(line) ?? '').join('')
  const expected = programs.flatMap(printedBy)
  const problems =
    printed.trim() === expected.join('\n') ? [] : [`programs print ${printed.trim()}`]
  blocks.forEach((block, index) => {
    const found = outputs.get(block.line) ?? ''
    const next = blocks[index + 1]
    const where = `line ${block.line}`
    if (block.kind === 'sh' && next?.kind !== 'json') {
      const refused = jsonLines(found).filter(({ status }) => Number(status) >= 400)
      problems.push(...refused.map((response) => `${where}: ${JSON.stringify(response)}`))
    }
    const before = blocks[index - 1]
    const output = before && outputs.get(before.line)
    if (COMPARED.includes(block.kind) && output === undefined)
      problems.push(`${where}: there is no output to compare with`)
    else if (block.kind === 'json')
      problems.push(
        ...differences(JSON.parse(block.text), jsonLines(output!).at(-1)).map(
          (difference) => `${where}: ${difference}`,
        ),
      )
    else if (block.kind === 'text')
      problems.push(...missingLines(block.text, output!).map((line) => `${where}: ${line}`))
  })
  return problems
}

/** Extracts JSON responses from the output; two may be on one line. */
function jsonLines(output: string): Record<string, unknown>[] {
  return output
    .replaceAll(/\}\{"/g, '}\n{"')
    .split('\n')
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line)
        return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : []
      } catch {
        return []
      }
    })
}

function missingLines(shown: string, output: string): string[] {
  const found = output.split('\n').map((line) => line.trimEnd())
  return shown
    .trimEnd()
    .split('\n')
    .filter((line) => !found.some((printed) => isShown(line, printed)))
}
