import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
let service: ReturnType<typeof spawn>

/** The shell blocks of a page, as somebody would paste them, but for the folder of the data. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1]!)
}

async function paste(blocks: readonly string[]): Promise<string> {
  const script = blocks
    .join('\n')
    .replaceAll('./.florin/', `${folder}/`)
    .replaceAll(' .florin/', ` ${folder}/`)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env: { ...process.env, FLORIN_DATA: folder },
  })
  return stdout
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-readme-'))
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  service = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { ...process.env, FLORIN_DATA: folder, PORT: String(port) },
    stdio: 'ignore',
  })
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
    if (answer?.status === 200) return
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
afterAll(async () => {
  service.kill('SIGTERM')
  await new Promise((resolve) => service.on('exit', resolve))
  await rm(folder, { recursive: true, force: true })
})

it('the commands of the README work one after the other', async () => {
  const [start, test, ...blocks] = await blocksOf('README.md')
  expect([start, test]).toEqual(['npm start\n', 'npm test\n'])
  const output = await paste(blocks)
  expect(output).toContain('"message":"Payment created"')
  expect(output).toContain('"status":"completed"')
  expect(output).toContain('"refund_amount":"12.00"')
  expect(output).toContain('"can_pay":true')
  expect(output).toContain('"donation_amount":"0.30"')
  expect(output).toContain('The ledger is sound.')
  const picture = await readFile(join(folder, 'qr.png'))
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
})

it("the operator's commands work as they stand in the guide", async () => {
  const output = await paste(await blocksOf('docs/operate.md'))
  expect(output).toContain('Tea House')
  expect(output).toContain('0.9223')
  expect(output).toContain('The ledger is sound.')
})
