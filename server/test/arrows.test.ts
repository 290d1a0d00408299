import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IReporterOutput } from 'dependency-cruiser'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const SRC = 'server/src'
const WIRING = ['main', 'open', 'app', 'service', 'loops', 'demo', 'config', 'metrics']

/** Which rooms of the house each room may reach into; nothing else, and never in a circle. */
const ALLOWED: Record<string, string[]> = {
  core: ['core'],
  database: ['database', 'core'],
  store: ['store', 'core', 'database'],
  ops: ['ops', 'store', 'core', 'database'],
  http: ['http', 'ops', 'core', 'store'],
  webhooks: ['webhooks', 'ops', 'core', 'store', 'database'],
}

async function imports(): Promise<{ from: string; to: string; circular: boolean }[]> {
  const result: IReporterOutput = await cruise([`${SRC}`, 'cli/src', 'sdk/src'], {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    ruleSet: {
      forbidden: [{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } }],
    },
    validate: true,
  })
  const { modules } = result.output as ICruiseResult
  return modules.flatMap((module) =>
    module.dependencies.map((one) => ({
      from: module.source,
      to: one.resolved,
      circular: one.circular,
    })),
  )
}

const arrows = await imports()
const roomOf = (path: string) => /^server\/src\/(\w+)\//.exec(path)?.[1] ?? null

it('all source files were read', () => {
  expect(new Set(arrows.map((arrow) => arrow.from)).size).toBeGreaterThan(60)
})

it('no import goes the wrong way', () => {
  const wrong = arrows.filter(({ from, to }) => {
    const room = roomOf(from)
    if (room === null || !to.startsWith(SRC)) return false
    const target = roomOf(to)
    if (target !== null) return !ALLOWED[room]!.includes(target)
    // The HTTP side knows the service and the settings that it is given; nobody below knows the wiring.
    const name = /^server\/src\/(\w+)\.ts$/.exec(to)![1]!
    expect(WIRING).toContain(name)
    return !(room === 'http' && ['service', 'config'].includes(name))
  })
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('the SDK reaches for nothing but itself, so that it runs wherever there is fetch', () => {
  const ofSdk = arrows.filter(({ from }) => from.startsWith('sdk/'))
  expect(ofSdk.length).toBeGreaterThan(20)
  const foreign = ofSdk.filter(({ to }) => !to.startsWith('sdk/src/'))
  expect(foreign.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('no import goes in a circle', () => {
  expect(
    arrows.filter((arrow) => arrow.circular).map(({ from, to }) => `${from} -> ${to}`),
  ).toEqual([])
})

it('only ops and the wiring open transactions', async () => {
  const { readdir, readFile } = await import('node:fs/promises')
  const files = (await readdir(`${root}/${SRC}`, { recursive: true })).filter((f) =>
    f.endsWith('.ts'),
  )
  const opening: string[] = []
  for (const file of files) {
    if ((await readFile(`${root}/${SRC}/${file}`, 'utf8')).includes('.transaction('))
      opening.push(file)
  }
  expect(opening.filter((file) => !file.startsWith('ops/'))).toEqual([])
  expect(opening.length).toBeGreaterThan(5)
})
