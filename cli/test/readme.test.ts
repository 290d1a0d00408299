import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoService, root, startDemo } from './demo.ts'

let demo: DemoService
beforeAll(async () => {
  demo = await startDemo()
})
afterAll(() => demo.stop())

/** The shell blocks of a page, as somebody would paste them, but for the folder of the data. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1]!)
}

async function paste(blocks: readonly string[]): Promise<string> {
  const { folder, port } = demo
  const script = blocks
    .join('\n')
    .replaceAll('./.florin/', `${folder}/`)
    .replaceAll(' .florin/', ` ${folder}/`)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env: { ...process.env, FLORIN_DATA: folder, PORT: String(port) },
  })
  return stdout
}

it('the commands of the README work one after the other', async () => {
  const [start, test, ...blocks] = await blocksOf('README.md')
  expect([start, test]).toEqual(['npm start\n', 'npm test\n'])
  const output = await paste(blocks)
  expect(output).toContain('"message":"Payment created"')
  expect(output).toContain('"status":"completed"')
  expect(output).toContain('"refund_amount":"12.00"')
  expect(output).toContain('"can_pay":true')
  expect(output).toContain('"donation_amount":"0.30"')
  expect(output).toContain('"refund_cap":"20.00"')
  expect(output).toContain('"note":"Table 4"')
  expect(output).toContain('"message":"Today"')
  expect(output).toContain('The ledger is sound.')
  const picture = await readFile(join(demo.folder, 'qr.png'))
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
})

// A dozen commands, each a process of its own.
const OPERATOR_MS = 180_000

it(
  "the operator's commands work as they stand in the guide",
  async () => {
    const output = await paste(await blocksOf('docs/operate.md'))
    expect(output).toContain('Tea House')
    expect(output).toContain('0.9223')
    expect(output).toContain('The ledger is sound.')
  },
  OPERATOR_MS,
)

it('the commands of the guide to webhooks work as they stand there', async () => {
  const output = await paste(await blocksOf('docs/webhooks.md'))
  expect(output).toMatch(/status +completed/)
  expect(output).toMatch(/status +refunded/)
})

it(
  'the commands of the guide to the command line work one after the other',
  async () => {
    const output = await paste(await blocksOf('docs/cli.md'))
    expect(output).toContain('All is well.')
    expect(output).toContain('The ledger is sound.')
    expect(output).toMatch(/▀▀▀▀▀▀▀/)
    expect(output).toMatch(/status +expired/)
    expect(output).toMatch(/pay_\w+ +completed/)
    expect(output).toMatch(/status +refunded/)
  },
  OPERATOR_MS,
)
