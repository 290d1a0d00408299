import { setTimeout as sleep } from 'node:timers/promises'
import { type Participants, type Request, send } from '../faults/participants.ts'

const WAITERS = 6
const FINAL = 'expired'

/** Tills with open long polls, and pages with open event streams, until their payments expire. */
export function startWaiters(origin: string, { shops }: Participants) {
  const failed: string[] = []
  const count = { polls: 0, streams: 0, notified: 0 }
  let isStopped = false
  const headers = shops[0]!

  async function call(action: string, request: Request) {
    const response = await send(origin, { headers, ...request })
    if (response?.status === 200) return response.body.data
    failed.push(`${action}: ${response?.status ?? 'no response'}`)
    return null
  }

  /** Polls again whenever a poll ends without a change. */
  async function poll(path: string): Promise<void> {
    for (;;) {
      const data = await call('poll', { method: 'GET', path: `${path}/status?wait=15` })
      if (data === null) return
      count.polls += 1
      if (data.status !== FINAL) continue
      count.notified += 1
      return
    }
  }

  /** Reconnects whenever a stream ends, like a browser. A stream that breaks is a fault. */
  async function listen(id: string): Promise<void> {
    for (;;) {
      try {
        const response = await fetch(`${origin}/pay/${id}/events`)
        if (response.status !== 200) return void failed.push(`stream: ${response.status}`)
        count.streams += 1
        let text = ''
        for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
        if (!text.includes(`data: ${FINAL}`)) continue
        count.notified += 1
        return
      } catch (error) {
        return void failed.push(`stream: ${(error as Error).message}`)
      }
    }
  }

  async function runWaiter(number: number): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      const body = { amount: 5, currency: 'USD' }
      const created = await call('create', { path: '/merchant/payment/create', body })
      if (created === null) continue
      const path = `/merchant/payment/${created.payment_id}`
      const waiting = [poll(path), listen(created.payment_id)]
      await sleep(((number + turn) % WAITERS) * 2_000)
      await call('expire', { path: `${path}/expire` })
      await Promise.all(waiting)
    }
  }

  const running = Promise.all(Array.from({ length: WAITERS }, (_, number) => runWaiter(number)))
  return {
    async stop() {
      isStopped = true
      await running
      return { ...count, failed }
    },
  }
}
