import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IReporterOutput } from 'dependency-cruiser'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const SRC = 'server/src'

/** The folders that each folder may import. */
const ALLOWED: Record<string, string[]> = {
  core: ['core'],
  database: ['database', 'core'],
  embedded: ['embedded'],
  platform: ['platform', 'core'],
  sql: ['sql', 'core', 'database', 'platform'],
  ops: ['ops', 'sql', 'core', 'database', 'platform'],
  api: ['api', 'ops', 'core', 'sql', 'platform'],
  pages: ['pages', 'api', 'ops', 'core', 'sql', 'platform'],
  webhooks: ['webhooks', 'ops', 'core', 'sql', 'database', 'platform'],
  mail: ['mail', 'ops', 'core', 'sql', 'database', 'platform'],
}

async function readImports(): Promise<
  { from: string; to: string; isCircular: boolean; isType: boolean }[]
> {
  const roots = [SRC, 'contract/src', 'shared/src', 'cli/src', 'web/src', 'sdk/src']
  const result: IReporterOutput = await cruise(roots, {
    baseDir: root,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    tsPreCompilationDeps: 'specify',
    ruleSet: {
      forbidden: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }],
    },
    validate: true,
  })
  const { modules } = result.output as ICruiseResult
  return modules.flatMap((module) =>
    module.dependencies.map((dependency) => ({
      from: module.source,
      // Map imports of our own packages to their source files.
      to: dependency.resolved.replace(/^@florin\/(\w+)\/(.+)\.js$/, '$1/src/$2.ts'),
      isCircular: dependency.circular,
      isType: dependency.preCompilationOnly === true,
    })),
  )
}

const edges = await readImports()
const folderOf = (path: string) => /^server\/src\/(\w+)\//.exec(path)?.[1] ?? null

it('the source files were read', () => {
  expect(new Set(edges.map((edge) => edge.from)).size).toBeGreaterThan(60)
})

it('folders import only the folders that they may', () => {
  const wrong = edges.filter(({ from, to }) => {
    const folder = folderOf(from)
    if (folder === null || !to.startsWith(SRC)) return false
    const target = folderOf(to)
    if (target !== null) return !ALLOWED[folder]!.includes(target)
    // Of the files directly in `src/`, only `service.ts` and `config.ts` may be imported, and only by `api` and `pages`.
    const name = /^server\/src\/(\w+)\.ts$/.exec(to)![1]!
    return !(['api', 'pages'].includes(folder) && ['service', 'config'].includes(name))
  })
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('the SDK imports only its own files, so that it runs wherever fetch exists', () => {
  const ofSdk = edges.filter(({ from }) => from.startsWith('sdk/'))
  expect(ofSdk.length).toBeGreaterThan(20)
  const outsideImports = ofSdk.filter(({ to }) => !to.startsWith('sdk/src/'))
  expect(outsideImports.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

/** Packages that each package may import. */
const PACKAGES: Record<string, string[]> = {
  shared: [],
  contract: ['shared'],
  server: ['shared', 'contract'],
  cli: ['shared', 'contract', 'server', 'sdk'],
  web: ['shared', 'contract', 'server'],
}

it('packages import only what they may, and web imports only `core` of the server', () => {
  const packageOf = (path: string) => /^(shared|contract|server|cli|web|sdk)\//.exec(path)?.[1]
  const crossPackageEdges = edges.flatMap(({ from, to }) => {
    const [source, target] = [packageOf(from), packageOf(to)]
    if (source === undefined || source === 'sdk') return []
    return target === undefined || source === target ? [] : [{ from, to, source, target }]
  })
  const wrong = crossPackageEdges.filter(
    ({ to, source, target }) =>
      !PACKAGES[source]!.includes(target) ||
      (source === 'web' && target === 'server' && !to.startsWith('server/src/core/')),
  )
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  const pairs = new Set(crossPackageEdges.map(({ source, target }) => `${source} ${target}`))
  for (const pair of ['server contract', 'server shared', 'web contract', 'web shared'])
    expect(pairs).toContain(pair)
})

/** Pages do not validate, so the schemas would only make them larger. Pages also load what `core` imports. */
it('web and core import only values and types of the contract', () => {
  const wrong = edges.filter(
    ({ from, to, isType }) =>
      /^(web|server\/src\/core)\//.test(from) &&
      to.startsWith('contract/') &&
      to !== 'contract/src/values.ts' &&
      !isType,
  )
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('no web app imports another', () => {
  const appOf = (path: string) =>
    /^web\/src\/(checkout|wallet|till|dashboard|operator|reference|start)\//.exec(path)?.[1] ?? null
  const wrong = edges.filter(({ from, to }) => appOf(to) !== null && appOf(from) !== appOf(to))
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('no import is circular', () => {
  expect(edges.filter((edge) => edge.isCircular).map(({ from, to }) => `${from} -> ${to}`)).toEqual(
    [],
  )
})

it('only ops opens transactions', async () => {
  const files = (await readdir(`${root}/${SRC}`, { recursive: true })).filter((file) =>
    file.endsWith('.ts'),
  )
  const opening: string[] = []
  for (const file of files) {
    if ((await readFile(`${root}/${SRC}/${file}`, 'utf8')).includes('.transaction('))
      opening.push(file)
  }
  expect(opening.filter((file) => !file.startsWith('ops/'))).toEqual([])
  expect(opening.length).toBeGreaterThan(5)
})
