import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { type DemoService, root, startDemo } from './demo.ts'

const program = join(root, 'cli/bin/florin.mjs')

let demo: DemoService
let receiver: Receiver
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  demo = await startDemo()
  receiver = await startReceiver()
  env = { ...process.env, FLORIN_DATA: demo.folder }
})
afterAll(async () => {
  await receiver.close()
  await demo.stop()
})

async function trigger(...args: string[]): Promise<{ payment_id: string; status: string }> {
  const run = await promisify(execFile)(process.execPath, [program, 'trigger', ...args, '--json'], {
    env,
  })
  return JSON.parse(run.stdout)
}

it('forwards what happens, signed with the secret that it prints, also when it is sent again', async () => {
  const child = spawn(process.execPath, [program, 'listen', '--forward-to', receiver.url], { env })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.on('exit', resolve))
  try {
    while (!output.includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 20))
    const secret = /Signing secret: (whsec_\S+)/.exec(output)![1]!

    for (const status of ['completed', 'failed', 'expired']) {
      expect((await trigger(`payment.${status}`)).status).toBe(status)
    }
    const { payment_id } = await trigger('payment.refunded')
    const calls = await receiver.until(5)
    const events = calls.map(
      (call) => new Webhook(secret).verify(call.body, call.headers) as { type: string },
    )
    expect(events.map((event) => event.type)).toEqual([
      'payment.completed',
      'payment.failed',
      'payment.expired',
      'payment.completed',
      'payment.refunded',
    ])

    const file = JSON.parse(await readFile(join(demo.folder, 'demo.json'), 'utf8'))
    const again = await fetch(
      `${file.base_url}/merchant/payment/${payment_id}/webhooks/redeliver`,
      {
        method: 'POST',
        headers: { 'api-key': file.sandbox.api_key, 'api-secret': file.sandbox.api_secret },
      },
    )
    expect(again.status).toBe(200)
    const [, , , , refunded, resent] = await receiver.until(6)
    expect(resent!.body).toBe(refunded!.body)
    expect(resent!.headers['webhook-id']).toBe(refunded!.headers['webhook-id'])
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(receiver.received).toHaveLength(6)
    expect(output).toMatch(/payment\.refunded \(again\) +pay_\w+ +-> +200 OK/)
  } finally {
    child.kill('SIGINT')
    await ended
  }
})

it('refuses live keys and unknown events in plain words', async () => {
  const live = promisify(execFile)(
    process.execPath,
    [program, 'trigger', 'payment.completed', '--api-key', 'flk_live_x', '--api-secret', 'x'],
    { env },
  )
  await expect(live).rejects.toMatchObject({ code: 1, stderr: 'This is for sandbox keys only.\n' })
  await expect(trigger('payment.lost')).rejects.toMatchObject({
    code: 1,
    stderr: 'Say one of: payment.completed, payment.failed, payment.expired, payment.refunded\n',
  })
})
