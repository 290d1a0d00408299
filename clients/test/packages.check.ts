import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, fileOf } from '../../cli/test/documents/blocks.ts'
import { openShop, type Shop } from '../../sdk/test/shop.ts'
import { offlinePip } from './packages.ts'

const clients = fileURLToPath(new URL('..', import.meta.url))
const USED = 'USD 12.50 payment.failed\n'

let folder: string
let shop: Shop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-clients-'))
  shop = await openShop()
  // Packing writes next to the sources.
  await cp(join(clients, 'python'), join(folder, 'python'), { recursive: true })
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
    MYPYPATH: join(folder, 'python/src'),
  }
  const { stdout } = await promisify(execFile)(program, args, { cwd, env }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })
  return stdout
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

it('the Python package works when its wheel is installed in an empty environment', async () => {
  await run('python3', ['-m', 'venv', 'empty'])
  const pip = ['-m', 'pip', '--disable-pip-version-check']
  const wheel = 'florin_sdk-0.1.0-py3-none-any.whl'
  await run('empty/bin/python', [...pip, 'wheel', '--no-deps', '-w', 'wheels', './python'])
  const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
  const files = (await run('python3', ['-c', list, `wheels/${wheel}`])).trim().split('\n')
  expect(files).toContain('florin/py.typed')
  expect(files).toContain('florin_sdk-0.1.0.dist-info/LICENSE')
  expect(files.filter((name) => !/^(florin|florin_sdk-0\.1\.0\.dist-info)\//.test(name))).toEqual(
    [],
  )
  await run('empty/bin/python', [...pip, 'install', '--no-index', `wheels/${wheel}`])
  await writeFile(join(folder, 'use.py'), USE_PYTHON)
  expect(await run('empty/bin/python', ['use.py'])).toBe(USED)
})

const WRONG_PYTHON = `
from florin import Florin

def use(florin: Florin) -> bytes:
    florin.payments.create({"amount": "12.50"})
    florin.payments.create({"amount": 12.5, "currency": "USD"})
    florin.payments.list({"status": "paid"})
    return florin.payments.qr("pay_1")
`

it('mypy --strict accepts the Python client, its example and the programs of its README', async () => {
  const page = await readFile(join(clients, 'python/README.md'), 'utf8')
  const programs = blocksOf(page).filter(({ kind }) => kind === 'python')
  const names = programs.map(fileOf).filter((name) => !/hook/.test(name))
  await mkdir(join(folder, 'typed'))
  for (const block of programs) await writeFile(join(folder, 'typed', fileOf(block)), block.text)
  await cp(join(clients, 'python/example.py'), join(folder, 'typed/example.py'))
  await writeFile(join(folder, 'typed/wrong.py'), WRONG_PYTHON)
  const typed = (...files: string[]) =>
    run(
      'mypy',
      [
        '--strict',
        '--config-file',
        '../python/pyproject.toml',
        '--cache-dir',
        '../cache',
        ...files,
      ],
      join(folder, 'typed'),
    )
  expect(names).toContain('pay.py')
  // amounts.py passes a float on purpose.
  const right = names.filter((name) => name !== 'amounts.py')
  expect(await typed('-p', 'florin')).toContain('Success: no issues found')
  expect(await typed('example.py', ...right)).toContain('Success: no issues found')
  const problems = await typed('wrong.py').catch((error: Error) => error.message)
  for (const problem of ['Missing key "currency"', '"float"', '"paid"', 'expected "bytes"'])
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

it('composer accepts the PHP package, and installs it in an empty project', async () => {
  await run('composer', [
    'validate',
    '--strict',
    '--no-check-lock',
    join(clients, 'php/composer.json'),
  ])
  const project = join(folder, 'php-project')
  await mkdir(project)
  // Without the public repository, so that nothing else can be installed.
  const repositories = [
    { type: 'path', url: join(clients, 'php'), options: { symlink: false } },
    { 'packagist.org': false },
  ]
  await writeFile(join(project, 'composer.json'), JSON.stringify({ repositories }))
  await run('composer', ['require', '--no-interaction', '--quiet', 'florin/sdk:@dev'], project)
  await writeFile(join(project, 'use.php'), USE_PHP)
  expect(await run('php', ['use.php'], project)).toBe(USED)
})
