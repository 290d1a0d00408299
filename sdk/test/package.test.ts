import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from './shop.ts'

const sdk = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(sdk, '../node_modules')
const page = await readFile(join(sdk, 'README.md'), 'utf8')

let folder: string
let tarball: string
let shop: Shop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-sdk-'))
  shop = await openShop()
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], sdk)
  tarball = join(folder, packed.trim().split('\n').at(-1)!)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  // Offline, because the package must have no dependencies.
  await run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund'])
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(program: string, args: string[], cwd = folder): Promise<string> {
  const { apiKey, apiSecret, baseUrl } = shop.keys
  const env = {
    ...process.env,
    FLORIN_URL: baseUrl,
    FLORIN_API_KEY: apiKey,
    FLORIN_API_SECRET: apiSecret,
    FLORIN_WEBHOOK_SECRET: shop.secret,
  }
  return (await promisify(execFile)(program, args, { cwd, env })).stdout
}

it('the README mentions every exported value', async () => {
  const exported = Object.keys(await import('../src/index.ts'))
  for (const name of exported) expect(page, name).toContain(name)
})

const USE = `
  const { body, headers } = await webhooks.signTestEvent({ type: 'payment.failed', secret: 'whsec_AAAA' })
  const event = await webhooks.constructEvent(body, headers, 'whsec_AAAA')
  const florin = new Florin({ baseUrl: process.env.FLORIN_URL, apiKey: process.env.FLORIN_API_KEY, apiSecret: process.env.FLORIN_API_SECRET })
  const { payment_id } = await florin.payments.create({ amount: 1250n, currency: 'USD' })
  console.log(event.type, (await florin.payments.retrieve(payment_id)).request_amount.amount)`

it.each([
  ['mjs', `import { Florin, webhooks } from '@florin/sdk'\n${USE}`],
  ['cjs', `const { Florin, webhooks } = require('@florin/sdk')\nvoid (async () => {${USE}})()`],
])('works as installed, .%s', async (extension, source) => {
  await writeFile(join(folder, `use.${extension}`), source)
  expect(await run(process.execPath, [`use.${extension}`])).toBe('payment.failed 12.50\n')
})

const TYPED = `
  export async function use(florin: Florin, headers: Headers): Promise<string> {
    await florin.payments.create({ amount: 1250n, currency: 'USD' }, { signal: AbortSignal.timeout(5) })
    // @ts-expect-error: a currency is needed
    await florin.payments.create({ amount: '12.50' })
    // @ts-expect-error: an amount is not an object
    await florin.payments.create({ amount: {}, currency: 'USD' })
    const svg: string = await florin.payments.qr('pay_1')
    const png: Uint8Array = await florin.payments.qr('pay_1', { format: 'png' })
    const format = png.length > 1 ? 'svg' : 'png'
    await florin.links.qr('lnk_1', { format })
    // Settings of the caller's own options, which may be absent.
    const options: { signal?: AbortSignal; maxRetries?: number } = {}
    await florin.payments.qr('pay_1', { format }, { signal: options.signal, maxRetries: options.maxRetries })
    const event = await webhooks.constructEvent(png, headers, [svg])
    const status: 'completed' | null = event.type === 'payment.completed' ? event.data.status : null
    for await (const payment of florin.payments.list()) return payment.amount
    return status ?? new ValidationError('', []).errors[0]!.field
  }`

it.each<[string, ts.CompilerOptions]>([
  ['with the types of browsers', { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] }],
  [
    'with those of Node.js',
    { lib: ['lib.es2022.d.ts'], types: ['node'], typeRoots: [join(modules, '@types')] },
  ],
])('has its types for modules and for CommonJS, %s', async (_, options) => {
  const names = ['use.mts', 'use.cts'].map((name) => join(folder, name))
  for (const name of names) {
    await writeFile(name, `import { Florin, ValidationError, webhooks } from '@florin/sdk'${TYPED}`)
  }
  const program = ts.createProgram(names, {
    ...options,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  })
  // Check the declarations of the package too, which users usually skip, but not those of the compiler.
  const files = program.getSourceFiles().filter((file) => file.fileName.startsWith(folder))
  const found = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ])
  expect(
    found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
  const used = files.map((file) => file.fileName)
  expect(used.some((name) => name.endsWith('sdk/dist/esm/index.d.ts'))).toBe(true)
  expect(used.some((name) => name.endsWith('sdk/dist/cjs/index.d.ts'))).toBe(true)
})

it('passes publint and attw', async () => {
  const bytes = await readFile(tarball)
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    strict: true,
  })
  expect(messages).toEqual([])
  const attw = join(modules, '@arethetypeswrong/cli/dist/index.js')
  expect(await run(process.execPath, [attw, tarball])).toContain('No problems found')
})
