import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const advisory = (severity: string) => ({
  id: severity.length,
  url: 'https://example.com/1',
  title: 'A vulnerability',
  severity,
  vulnerable_versions: '>=0',
  cwe: [],
  cvss: { score: 5 },
})

/** Registries by their path, with the advisories of each. Any other path returns 405. */
const ADVISORIES: Record<string, object> = {
  ours: { fastify: [advisory('moderate')], vitest: [advisory('moderate')] },
  none: {},
  tools: { fastify: [advisory('low')], vitest: [advisory('high')] },
}
const registry = createServer((request, response) => {
  request.resume()
  const [, name = '', ...rest] = request.url!.split('/')
  const isKnown = rest.join('/').endsWith('security/advisories/bulk') && name in ADVISORIES
  response.statusCode = isKnown ? 200 : 405
  response.end(isKnown ? JSON.stringify(ADVISORIES[name]) : '')
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

const SCRIPT = new URL('../../../scripts/advisories.mjs', import.meta.url).href
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Runs the check of `npm test` in its own process. */
function runCheck(name: string, env: Record<string, string>): Promise<string> {
  const { port } = registry.address() as AddressInfo
  const code = `import { passesAdvisories } from '${SCRIPT}'; console.log(passesAdvisories())`
  const settings = {
    npm_config_registry: `http://127.0.0.1:${port}/${name}/`,
    npm_config_cache: join(cache, name),
    ...env,
  }
  const { CI: _, ...inherited } = process.env
  return new Promise((resolve, reject) =>
    execFile(
      process.execPath,
      ['--input-type=module', '-e', code],
      { env: { ...inherited, ...settings }, cwd: ROOT },
      (error, out, err) => (error ? reject(error) : resolve(out + err)),
    ),
  )
}

const IN_CI = { CI: 'true' }

it("reports that nothing was checked if the advisories can't be fetched, and doesn't fail", async () => {
  const output = await runCheck('silent', IN_CI)
  expect(output).toMatch(
    /^ {2}NOT CHECKED: the advisories could not be fetched \(.*405.*\)\.\ntrue\n$/,
  )
})

it('names a vulnerability in a dependency, and fails the build only in CI', async () => {
  const [runtimeReport, toolReport, localReport] = await Promise.all([
    runCheck('ours', IN_CI),
    runCheck('tools', IN_CI),
    runCheck('ours', {}),
  ])
  expect(runtimeReport).toMatch(
    /^ {2}VULNERABLE: fastify .* \(moderate\)\. See npm audit\.\nfalse\n$/,
  )
  expect(toolReport).toMatch(/^ {2}VULNERABLE: vitest .* \(high\)\. See npm audit\.\nfalse\n$/)
  expect(localReport).toBe(runtimeReport.replace('false', 'true'))
})

it('reports that there are no relevant vulnerabilities', async () => {
  expect(await runCheck('none', IN_CI)).toBe('  No relevant vulnerabilities.\ntrue\n')
})
