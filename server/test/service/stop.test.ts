import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { startTestService } from '../setup/testService.ts'

it('the service ends long polls and closes, despite keep-alive connections', async () => {
  const t = await startTestService()
  const agent = new Agent({ keepAlive: true })
  try {
    const { live } = await t.createStore()
    const { payment_id } = await t.createPayment(live)
    await t.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = t.app.server.address() as AddressInfo
    const path = `/merchant/payment/${payment_id}/status?wait=60`
    const waits = vi.spyOn(t.service.changes, 'next')
    const longPoll = new Promise<IncomingMessage>((resolve, reject) => {
      const request = get({ port, path, headers: live, agent }, (response) => {
        resolve(response.resume())
      })
      request.on('error', reject)
    })
    await expect.poll(() => waits.mock.calls.length).toBe(1)
    const startedMs = performance.now()
    t.service.beginStop()
    await t.app.close()
    expect((await longPoll).statusCode).toBe(200)
    expect(performance.now() - startedMs).toBeLessThan(15_000)
  } finally {
    agent.destroy()
    await t.close()
  }
})
