import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../server/test/setup/started.ts'
import { decodeBlocks } from './decodeBlocks.ts'
import { type DemoService, sandboxShop, startDemo } from './demo.ts'
import { runHere } from './run.ts'

let demo: DemoService
let env: { FLORIN_DATA: string }
beforeAll(async () => {
  demo = await startDemo()
  env = { FLORIN_DATA: demo.folder }
})
afterAll(() => demo.stop())

const florin = (...args: string[]) => runHere(env, ...args)
const json = async (...args: string[]) => JSON.parse((await florin(...args, '--json')).stdout)

it('triggers an event twice in a store with a minimum and unique references', async () => {
  await florin('stores', 'change', '1', '--min-amount', '20', '--unique-references', 'yes')
  const shop = await sandboxShop(demo)
  // The service caches the store for some seconds.
  await vi.waitFor(async () => expect((await shop.store()).min_amount).toBe('20.00'), 10_000)
  for (const _ of [1, 2]) {
    expect((await json('trigger', 'payment.completed')).status).toBe('completed')
  }
  await florin('stores', 'change', '1', '--min-amount', '0.10', '--unique-references', 'no')
  await vi.waitFor(async () => expect((await shop.store()).min_amount).toBe('0.10'), 10_000)
})

it('trigger refuses live keys and unknown events', async () => {
  const keys = ['--api-key', 'flk_live_x', '--api-secret', 'x']
  expect(await florin('trigger', 'payment.completed', ...keys)).toMatchObject({
    code: 1,
    stderr: 'This command works with sandbox keys only.\n',
  })
  const unknown = await florin('trigger', 'payment.lost')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('payment.completed, payment.failed, payment.expired')
})

it('creates, lists and changes links', async () => {
  const made = await florin(
    'links',
    'create',
    'Breakfast',
    '--amount',
    '9.50',
    '--max-payments',
    '3',
  )
  expect(made.code).toBe(0)
  expect(made.stdout).toMatch(/Breakfast[\s\S]+9\.50[\s\S]+█/)
  const open = await json('links', 'create', 'Counter', '--data', '{"locale": "fr"}')
  expect(open).toMatchObject({ title: 'Counter', amount: null, locale: 'fr', state: 'active' })
  const pausedLink = await json('links', 'change', open.link_id, '--off', '--title', 'Counter 1')
  expect(pausedLink).toEqual({ ...open, title: 'Counter 1', active: false, state: 'paused' })
  expect(await json('links', 'get', open.link_id)).toEqual(pausedLink)
  const { links } = await json('links', 'list', '--active', 'true', '--limit', '1')
  expect(links).toMatchObject([{ title: 'Breakfast', amount: '9.50', max_payments: 3 }])
  expect((await florin('links', 'list')).stdout).toMatch(/Counter 1 +paused/)
  const refused = await florin('links', 'change', open.link_id, '--on', '--off')
  expect([refused.code, refused.stderr]).toEqual([2, 'Pass --on or --off, not both.\n'])
  const wrong = await florin('links', 'create', 'x', '--amount', '0')
  expect(wrong.stderr).toContain('amount must be a decimal greater than 0')
})

it('does not ignore an empty option', async () => {
  const fieldOf = async (...args: string[]) => {
    const { code, stderr } = await florin(...args, '--json')
    expect(code).toBe(1)
    return JSON.parse(stderr).errors.map(({ field }: { field: string }) => field)
  }
  const amount = await florin('links', 'create', 'Tip', '--amount', '')
  expect(amount).toMatchObject({ code: 2, stderr: expect.stringContaining('greater than 0') })
  expect(await fieldOf('links', 'create', 'Tip', '--currency', '')).toEqual(['currency'])
  const { link_id } = await json('links', 'create', 'Tip', '--description', 'For the team')
  expect(await json('links', 'change', link_id, '--description', '')).toMatchObject({
    description: '',
  })
  expect(await fieldOf('links', 'change', link_id, '--title', '')).toEqual(['title'])
  expect(await fieldOf('links', 'change', link_id, '--expires-at', '')).toEqual(['expires_at'])
  expect(await fieldOf('links', 'list', '--cursor', '')).toEqual(['cursor'])

  expect(await fieldOf('payments', 'create', '5', '')).toEqual(['currency'])
  expect(await fieldOf('payments', 'create', '5', '--webhook-url', '')).toEqual(['webhook_url'])
  expect(await fieldOf('payments', 'create', '5', '--return-url', '')).toEqual(['return_url'])
  expect(await fieldOf('payments', 'list', '--from', '')).toEqual(['created_from'])
  expect(await json('payments', 'list', '--reference-id', '')).toMatchObject({ payments: [] })
  expect(await fieldOf('trigger', 'payment.failed', '--webhook-url', '')).toEqual(['webhook_url'])
  expect(await fieldOf('keys', 'issue', '1', '--mode', 'sandbox', '--scopes', '')).toEqual([
    'scopes.0',
  ])

  const keys = await florin('payments', 'list', '--api-key', '', '--api-secret', '')
  expect(keys).toMatchObject({ code: 2, stderr: expect.stringContaining('must not be empty') })
})

it('takes an empty variable as unset', async () => {
  const unset = { ...env, FLORIN_URL: '', FLORIN_API_KEY: '', FLORIN_API_SECRET: '' }
  expect(await runHere(unset, 'payments', 'list')).toMatchObject({ code: 0, stderr: '' })
})

it('refuses a number in --data that it would round', async () => {
  const data = '{"payload": {"id": 12345678901234567890}}'
  const refused = await florin('payments', 'create', '12.5', '--data', data)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('more digits than JavaScript can represent')
})

it('creates a payment, draws the code and watches it until it is settled', async () => {
  const data = '{"products": [{"name": "Tea", "quantity": 2, "price": 6.25}]}'
  const made = await florin('payments', 'create', '12.5', '--reference-id', 'o-1', '--data', data)
  expect(made.code).toBe(0)
  const { base_url } = JSON.parse(await readFile(join(demo.folder, 'demo.json'), 'utf8'))
  const id = /^payment_id +(pay_\w+)$/m.exec(made.stdout)![1]!
  expect(made.stdout).toMatch(/^amount +12\.50 USD$/m)
  expect(made.stdout).toMatch(/^expires_at +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m)
  expect(made.stdout).toMatch(new RegExp(`^checkout_url +${base_url}/pay/${id}$`, 'm'))
  const drawn = made.stdout.split('\n').filter((line) => /^[ ▀▄█]{29}$/.test(line))
  expect(drawn).toHaveLength(15)

  const details = await json('payments', 'get', id)
  expect(details).toMatchObject({ reference: { id: 'o-1' }, products: [{ price: '6.25' }] })
  expect(decodeBlocks(drawn)).toBe(details.qr_code)
  expect(await json('payments', 'status', id)).toEqual({ payment_id: id, status: 'pending' })

  const watching = florin('payments', 'watch', id, '--json')
  await (await sandboxShop(demo)).sandbox.pay(id)
  const watched = await watching
  expect(watched.code).toBe(0)
  expect(JSON.parse(watched.stdout.trimEnd().split('\n').at(-1)!).status).toBe('completed')

  expect(await json('payments', 'refund', id)).toMatchObject({ payment_id: id, status: 'refunded' })
  expect(await florin('payments', 'refund', id)).toMatchObject({
    code: 1,
    stderr: 'Payment has already been refunded\n',
  })
  expect((await florin('payments', 'watch', id)).code).toBe(12)
  const list = await json('payments', 'list', '--reference-id', 'o-1', '--status', 'refunded')
  expect(list.payments).toMatchObject([{ payment_id: id, status: 'refunded' }])
})

it('reports the outcome of a watched payment in the exit code', async () => {
  const created = await florin(
    'payments',
    'create',
    '3',
    'USD',
    '--json',
    '--idempotency-key',
    'once',
  )
  const again = await florin(
    'payments',
    'create',
    '3',
    'USD',
    '--json',
    '--idempotency-key',
    'once',
  )
  expect(again.stdout).toBe(created.stdout)
  const { payment_id: id, checkout_url, expires_at } = JSON.parse(created.stdout)
  expect(checkout_url).toContain(id)
  expect(expires_at).toMatch(/^\d{4}-/)
  expect((await florin('payments', 'watch', id, '--timeout', '1')).code).toBe(13)
  expect(await json('payments', 'expire', id)).toEqual({ payment_id: id, status: 'expired' })
  expect((await florin('payments', 'watch', id)).code).toBe(11)
  const failing = await json('trigger', 'payment.failed')
  expect((await florin('payments', 'watch', failing.payment_id)).code).toBe(10)
})

it('uses live keys with --live, and explains wrong keys, addresses and amounts', async () => {
  const { payment_id } = await json('payments', 'create', '2', '--live')
  expect(await json('payments', 'get', payment_id, '--live')).toMatchObject({
    is_sandbox_transaction: false,
  })
  expect(await florin('payments', 'get', payment_id)).toMatchObject({
    code: 1,
    stderr: 'Payment request not found\n',
  })
  expect(await florin('payments', 'list', '--api-key', 'flk_sandbox_x')).toMatchObject({
    code: 2,
    stderr: '--api-key and --api-secret must be given together and must not be empty.\n',
  })
  const unreachable = await runHere(
    { FLORIN_URL: `http://127.0.0.1:${await freePort()}`, ...env },
    'payments',
    'list',
  )
  expect(unreachable).toMatchObject({ code: 3, stderr: expect.stringContaining('ECONNREFUSED') })
  const wrong = await florin('payments', 'create', '999999', 'USD', '--json')
  expect(wrong.code).toBe(1)
  expect(JSON.parse(wrong.stderr).errors[0].field).toBe('amount')
  for (const amount of ['0', 'abc', '1e3']) {
    const misused = await florin('payments', 'create', amount, 'USD')
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('greater than 0') })
  }
})
