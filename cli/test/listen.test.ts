import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { freePort } from '../../server/test/setup/started.ts'
import { type DemoService, sandboxShop, startDemo } from './demo.ts'
import { HOUR_AHEAD, program, runHere, TWO_ADDRESSES_OF_SHOP } from './run.ts'

let demo: DemoService
let receiver: Receiver
let env: { FLORIN_DATA: string }
beforeAll(async () => {
  demo = await startDemo()
  receiver = await startReceiver()
  env = { FLORIN_DATA: demo.folder }
})
afterAll(async () => {
  await receiver.close()
  await demo.stop()
})

const florin = (...args: string[]) => runHere(env, ...args)
const json = async (...args: string[]) => JSON.parse((await florin(...args, '--json')).stdout)

/** Starts `florin listen` and waits until it has printed its first line. */
async function listenWith(settings: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [program, 'listen', ...args], {
    env: { ...process.env, ...env, ...settings },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  while (!output.includes('whsec_')) await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    output: () => output,
    stop: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

const listen = (...args: string[]) => listenWith({}, ...args)

it('forwards events and resent events, signed with the printed secret', async () => {
  const listening = await listen('--forward-to', receiver.url)
  // A second listener, with --json, without a receiver, and on a machine whose clock is an hour ahead.
  const closedUrl = `http://127.0.0.1:${await freePort()}/hook`
  const scripted = await listenWith(HOUR_AHEAD, '--forward-to', closedUrl, '--json')
  try {
    const secret = /Signing secret: (whsec_\S+)/.exec(listening.output())![1]!
    for (const status of ['completed', 'failed', 'expired']) {
      expect((await json('trigger', `payment.${status}`)).status).toBe(status)
    }
    // With a webhook_url, because only such an event can be resent.
    const { payment_id } = await json('trigger', 'payment.refunded', '--webhook-url', closedUrl)
    const calls = await receiver.until(5)
    const verifiedType = ({ body, headers }: (typeof calls)[number]) =>
      (new Webhook(secret).verify(body, headers) as { type: string }).type
    expect(calls.map(verifiedType)).toEqual([
      'payment.completed',
      'payment.failed',
      'payment.expired',
      'payment.completed',
      'payment.refunded',
    ])

    // Both commands poll at their own times. An event that is resent before the first poll is shown once.
    const printed = (lines: number) =>
      vi.waitFor(() => {
        const found = scripted.output().trimEnd().split('\n')
        expect(found).toHaveLength(lines)
        return found.map((line) => JSON.parse(line))
      }, 15_000)
    await printed(6)

    await (await sandboxShop(demo)).payments.redeliver(payment_id)
    const [, , , , refunded, resent] = await receiver.until(6)
    expect(verifiedType(resent!)).toBe('payment.refunded')
    expect(resent!.body).toBe(refunded!.body)
    expect(resent!.headers['webhook-id']).toBe(refunded!.headers['webhook-id'])
    // The resent event was forwarded once, so another event comes next.
    await json('trigger', 'payment.failed')
    expect(verifiedType((await receiver.until(7))[6]!)).toBe('payment.failed')
    expect(listening.output()).toMatch(/payment\.refunded \(resent\) +pay_\w+ +-> +200 OK/)

    const [hello, ...lines] = await printed(8)
    expect(hello).toEqual({ forward_to: closedUrl, signing_secret: secret })
    expect(lines[5]).toMatchObject({ type: 'payment.refunded', payment_id, again: true })
    expect(lines[5]).toMatchObject({ status_code: null, answer: expect.stringMatching(/REFUSED/) })
  } finally {
    expect(await Promise.all([listening.stop(), scripted.stop()])).toEqual([0, 0])
  }
})

it.each([400, 401])('names the secret once if the receiver responds with %i', async (status) => {
  const strict = await startReceiver((_request, response) => response.writeHead(status).end())
  const listening = await listen('--forward-to', strict.url)
  try {
    const secret = /Signing secret: (whsec_\S+)/.exec(listening.output())![1]!
    for (const type of ['completed', 'failed']) await json('trigger', `payment.${type}`)
    await vi.waitFor(() => expect(listening.output().split('->')).toHaveLength(3), 15_000)
    const [, first, second] = listening.output().split('->')
    expect(first).toContain(`uses the signing secret of this command:\n${secret}\n`)
    expect(second).not.toContain(secret)
  } finally {
    expect(await listening.stop()).toBe(0)
    await strict.close()
  }
})

it('says why no address of the receiver responds', async () => {
  const closedUrl = `http://shop.localhost:${await freePort()}`
  const listening = await listenWith(TWO_ADDRESSES_OF_SHOP, '--forward-to', closedUrl)
  try {
    await json('trigger', 'payment.completed')
    await vi.waitFor(() => expect(listening.output()).toMatch(/-> .*ECONNREFUSED/), 15_000)
  } finally {
    expect(await listening.stop()).toBe(0)
  }
})

it('stops at once while a receiver does not respond', async () => {
  const silent = await startReceiver(() => {})
  const listening = await listen('--forward-to', silent.url)
  await json('trigger', 'payment.completed')
  await silent.until(1)
  expect(await listening.stop()).toBe(0)
  // Otherwise, it has waited for the timeout and printed it.
  expect(listening.output()).not.toContain('->')
  await silent.close()
})

it.each(['localhost:3000/hook', 'ftp://localhost/hook', 'http://user:password@localhost/hook'])(
  'refuses to forward to %s',
  async (url) => {
    const refused = await florin('listen', '--forward-to', url)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('http:// or https') })
  },
)

it('escapes control characters in the status line of the receiver', async () => {
  const hostile = createServer((socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 \x1b]0;owned\x07OK\x1b[2J\r\ncontent-length: 0\r\n\r\n'),
    )
  }).listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  const { port } = hostile.address() as AddressInfo
  const listening = await listen('--forward-to', `http://127.0.0.1:${port}/hook`)
  try {
    await json('trigger', 'payment.completed')
    await vi.waitFor(() => expect(listening.output()).toContain('->'), 15_000)
    expect(listening.output()).not.toContain('\x1b')
    expect(listening.output()).toContain('->  200 \\u001b]0;owned\\u0007OK\\u001b[2J, ')
  } finally {
    expect(await listening.stop()).toBe(0)
    hostile.close()
  }
})
