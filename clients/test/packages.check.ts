import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, fileOf } from '../../cli/test/documents/blocks.ts'
import { openShop, type Shop } from '../../sdk/test/shop.ts'

const clients = fileURLToPath(new URL('..', import.meta.url))
const EXPECTED_OUTPUT = 'USD 12.50 payment.failed\n'

let folder: string
let shop: Shop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-clients-'))
  shop = await openShop()
  // Use a copy, at the path that the READMEs name, because packing writes next to the sources.
  for (const name of ['python', 'php'])
    await cp(join(clients, name), join(folder, 'florin/clients', name), { recursive: true })
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(program: string, args: string[], cwd = folder): Promise<string> {
  const env = {
    ...process.env,
    ...offlinePip(),
    FLORIN_URL: shop.keys.baseUrl,
    FLORIN_API_KEY: shop.keys.apiKey,
    FLORIN_API_SECRET: shop.keys.apiSecret,
    COMPOSER_ALLOW_SUPERUSER: '1',
    MYPYPATH: join(folder, 'florin/clients/python/src'),
  }
  const { stdout } = await promisify(execFile)(program, args, { cwd, env }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** The commands of a README that begin with this text. */
async function commandsOf(client: string, start: string): Promise<string> {
  const page = await readFile(join(clients, client, 'README.md'), 'utf8')
  return blocksOf(page).find(({ text }) => text.startsWith(start))!.text
}

/** Debian's setuptools and wheel. */
const WHEELS = '/usr/share/python-wheels'

/** Settings with which pip builds from local files only, where Debian has them. */
function offlinePip(): Record<string, string> {
  if (!existsSync(WHEELS)) return {}
  return {
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: WHEELS,
    // Debian's setuptools works only with Debian's Python. Keep this version of Node.js before another one there.
    PATH: `${dirname(process.execPath)}:/usr/bin:${process.env.PATH}`,
  }
}

const USE_PYTHON = `
import os
from florin import Florin, webhooks
florin = Florin(
    base_url=os.environ["FLORIN_URL"],
    api_key=os.environ["FLORIN_API_KEY"],
    api_secret=os.environ["FLORIN_API_SECRET"],
)
created = florin.payments.create({"amount": "12.50", "currency": "USD"})
amount = florin.payments.retrieve(created.payment_id).request_amount
delivery = webhooks.sign_test_event("payment.failed", "whsec_AAAA")
event = webhooks.construct_event(delivery.body, delivery.headers, "whsec_AAAA")
print(amount.currency, amount.amount, event.type)
`

it('the Python package works when it is installed in an empty environment', async () => {
  const shopFolder = join(folder, 'my-python-shop')
  await mkdir(shopFolder)
  await run('bash', ['-ec', await commandsOf('python', 'python3 -m venv')], shopFolder)
  const python = join(shopFolder, '.venv/bin/python')
  await writeFile(join(shopFolder, 'use.py'), USE_PYTHON)
  expect(await run(python, ['use.py'], shopFolder)).toBe(EXPECTED_OUTPUT)
  const shown = await run(python, ['-m', 'pip', 'show', '--files', 'florin-sdk'])
  const files = [...shown.matchAll(/^ {2}(.*)$/gm)].map((match) => match[1]!)
  expect(files).toContain('florin/py.typed')
  expect(files).toContain('florin_sdk-0.1.0.dist-info/LICENSE')
  const others = files.filter((name) => !/^(florin|florin_sdk-0\.1\.0\.dist-info)\//.test(name))
  expect(others).toEqual([])
})

const WRONG_PYTHON = `
from florin import Florin

def use(florin: Florin) -> bytes:
    florin.payments.create({"amount": "12.50"})
    florin.payments.create({"amount": 12.5, "currency": "USD"})
    florin.payments.list({"status": "paid"})
    return florin.payments.qr("pay_1")
`

it('mypy --strict accepts the Python client, its example and the typed programs of its README, and finds wrong types', async () => {
  const page = await readFile(join(clients, 'python/README.md'), 'utf8')
  const programs = blocksOf(page).filter(({ kind }) => kind === 'python')
  const names = programs.map(fileOf).filter((name) => !/hook/.test(name))
  await mkdir(join(folder, 'typed'))
  for (const block of programs) await writeFile(join(folder, 'typed', fileOf(block)), block.text)
  await cp(join(clients, 'python/example.py'), join(folder, 'typed/example.py'))
  await writeFile(join(folder, 'typed/wrong.py'), WRONG_PYTHON)
  const runMypy = (...files: string[]) =>
    run(
      'mypy',
      [
        '--strict',
        '--config-file',
        '../florin/clients/python/pyproject.toml',
        '--cache-dir',
        '../cache',
        ...files,
      ],
      join(folder, 'typed'),
    )
  expect(names).toContain('pay.py')
  // amounts.py passes a float on purpose.
  const typedNames = names.filter((name) => name !== 'amounts.py')
  expect(await runMypy('-p', 'florin')).toContain('Success: no issues found')
  expect(await runMypy('example.py', ...typedNames)).toContain('Success: no issues found')
  const problems = await runMypy('wrong.py').catch((error: Error) => error.message)
  for (const problem of ['Missing key "currency"', '"float"', "'paid'", 'expected "bytes"'])
    expect(problems).toContain(problem)
  expect(problems).toContain('Found 4 errors')
})

const USE_PHP = `<?php
use Florin\\Florin;
use Florin\\Webhooks;
require 'vendor/autoload.php';
$florin = new Florin(getenv('FLORIN_URL'), getenv('FLORIN_API_KEY'), getenv('FLORIN_API_SECRET'));
$created = $florin->payments->create(['amount' => '12.50', 'currency' => 'USD']);
$amount = $florin->payments->retrieve($created->payment_id)->request_amount;
$delivery = Webhooks::signTestEvent('payment.failed', 'whsec_AAAA');
$event = Webhooks::constructEvent($delivery->body, $delivery->headers, 'whsec_AAAA');
echo "$amount->currency $amount->amount $event->type\\n";
`

it('the PHP client names the extension that is missing', async () => {
  const code = `require '${join(clients, 'php/autoload.php')}'; new Florin\\Florin('http://localhost', 'key', 'secret');`
  const used = run('php', ['-d', 'disable_functions=curl_init', '-r', code])
  await expect(used).rejects.toThrow('Florin needs the PHP extension curl.')
})

it('the PHP client follows PSR-12', async () => {
  await run('phpcs', ['--standard=PSR12', '-n', join(clients, 'php')])
})

it('composer accepts the PHP package, and installs it in an empty project', async () => {
  await run('composer', [
    'validate',
    '--strict',
    '--no-check-lock',
    join(clients, 'php/composer.json'),
  ])
  const project = join(folder, 'php-shop')
  const home = join(folder, 'composer')
  for (const path of [project, home]) await mkdir(path)
  // Without the public repository, so that nothing else can be installed.
  const repositories = [{ 'packagist.org': false }]
  await writeFile(join(home, 'config.json'), JSON.stringify({ repositories }))
  const commands = await commandsOf('php', 'composer')
  await run('bash', ['-ec', `export COMPOSER_HOME=${home}\n${commands}`], project)
  await writeFile(join(project, 'use.php'), USE_PHP)
  expect(await run('php', ['use.php'], project)).toBe(EXPECTED_OUTPUT)
})
