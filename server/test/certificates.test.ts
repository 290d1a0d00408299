import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../deploy/patroni/certificates.sh', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-certificates-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['no machine', [], 'NAME=ADDRESS'],
  ['no address', ['db1'], 'db1 must be the name and the address of a machine'],
  ['an invalid address', ['db1=nowhere'], 'bad ip address'],
])('certificates.sh names the problem: %s', (_, machines, problem) => {
  const { status, stderr } = spawnSync('sh', [SCRIPT, folder, ...machines])
  expect(status).toBeGreaterThan(0)
  expect(stderr.toString()).toContain(problem)
})
