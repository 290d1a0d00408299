import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const hole = (severity: string) => ({
  ...{ id: severity.length, url: 'https://example.com/1', title: 'A hole', severity },
  ...{ vulnerable_versions: '>=0', cwe: [], cvss: { score: 5 } },
})

/** Registries by their path, with the holes that each knows of; any other answers nothing of use. */
const KNOWN: Record<string, object> = {
  ours: { fastify: [hole('moderate')], vitest: [hole('moderate')] },
  tools: { fastify: [hole('low')], vitest: [hole('high')] },
}
const registry = createServer((request, response) => {
  request.resume()
  const [, name = '', ...rest] = request.url!.split('/')
  const isAsked = rest.join('/').endsWith('security/advisories/bulk') && name in KNOWN
  response.statusCode = isAsked ? 200 : 405
  response.end(isAsked ? JSON.stringify(KNOWN[name]) : '')
})
let cache: string
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'florin-npm-'))
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => registry.close(resolve))
  await rm(cache, { recursive: true, force: true })
})

const SCRIPT = new URL('../../../scripts/holes.mjs', import.meta.url).href
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** As `npm test` asks, in a process of its own. */
function ask(name: string): Promise<string> {
  const { port } = registry.address() as AddressInfo
  const code = `import { hasNoHoles } from '${SCRIPT}'; console.log(hasNoHoles())`
  const settings = {
    npm_config_registry: `http://127.0.0.1:${port}/${name}/`,
    npm_config_cache: join(cache, name),
  }
  return new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['--input-type=module', '-e', code],
      { env: { ...process.env, ...settings }, cwd: ROOT },
      (error, out, err) => (error ? reject(error) : resolve(out + err)),
    ),
  )
}

it('a known hole in a dependency fails the build, and a registry that does not say fails nothing', async () => {
  const [silent, ours, tools] = await Promise.all(['silent', 'ours', 'tools'].map(ask))
  expect(silent).toMatch(/^ {2}The registry does not say: .*405.*\ntrue\n$/)
  expect(ours).toMatch(/^ {2}fastify .* has a known hole \(moderate\); see npm audit\nfalse\n$/)
  expect(tools).toMatch(/^ {2}vitest .* has a known hole \(high\); see npm audit\nfalse\n$/)
})
