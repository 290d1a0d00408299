import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../../sdk/test/shop.ts'
import { until } from '../../server/test/setup/started.ts'
import { root } from './demo.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Runs the example with the keys in the environment. */
function charge(...args: string[]) {
  const { baseUrl, apiKey, apiSecret } = shop.keys
  const child: ChildProcess = spawn(
    process.execPath,
    [join(root, 'examples/till-script/charge.mjs'), ...args],
    { env: { FLORIN_URL: baseUrl, FLORIN_API_KEY: apiKey, FLORIN_API_SECRET: apiSecret } },
  )
  let output = ''
  child.stdout!.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close')
  return {
    child,
    output: () => output,
    exitCode: async () => (await ended)[0] as number,
    async paymentId(): Promise<string> {
      await until(async () => output.includes('/pay/'))
      return /\/pay\/(\w+)/.exec(output)![1]!
    },
  }
}

it('draws the code, waits and reports the payment', async () => {
  const till = charge('12.50', 'Table 4')
  const id = await till.paymentId()
  const { reference, request_amount } = await shop.florin.payments.retrieve(id)
  expect([request_amount.amount, reference.note]).toEqual(['12.50', 'Table 4'])
  expect(till.output().split('\n').length).toBeGreaterThan(20)
  expect(till.output()).not.toContain('Paid')
  await shop.florin.sandbox.pay(id)
  expect(await till.exitCode()).toBe(0)
  expect(till.output()).toMatch(/Paid\.\n$/)
})

it('expires the payment on Ctrl-C, and explains a wrong amount', async () => {
  const till = charge('3')
  const id = await till.paymentId()
  till.child.kill('SIGINT')
  expect(await till.exitCode()).toBe(1)
  expect(till.output()).toMatch(/Not paid: expired\.\n$/)
  expect((await shop.florin.payments.status(id)).status).toBe('expired')

  for (const amount of ['1.234', '']) {
    const refused = charge(amount)
    expect(await refused.exitCode()).toBe(1)
    expect(refused.output()).toContain('amount')
    expect(refused.output()).not.toMatch(/^\s+at /m)
  }
})
