import { useEffect, useState } from 'react'
import type { Status } from '../display.tsx'
import { parseTime } from '../time.ts'
import type { Mode, Payment } from './payment.ts'
import { useSession } from './session.tsx'

const MAX_WAIT_SECONDS = 25
const RETRY_MS = 2_000

/** Seconds until the code expires by the server's clock, counted down by this device's. */
export function useSecondsLeft(endsMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, (endsMs - nowMs) / 1000)
}

/** When the payment ends, told by the clock of this device. */
export const endOf = (payment: Payment, serverMs: number) =>
  parseTime(payment.expires_at).getTime() - serverMs + Date.now()

/** The status as it changes: one question is always open, and the server answers when it knows. */
export function useStatus(payment: Payment, endsMs: number) {
  const { ask } = useSession()
  const mode: Mode = payment.is_sandbox_transaction ? 'sandbox' : 'live'
  const [status, setStatus] = useState<Status>(payment.status)
  const [isOffline, setOffline] = useState(false)

  useEffect(() => {
    if (status !== 'pending') return
    const stop = new AbortController()
    const { signal } = stop
    async function follow(): Promise<void> {
      while (!signal.aborted) {
        // Just past its end, because that is when there is news for certain.
        const left = Math.max(0, Math.ceil((endsMs - Date.now()) / 1000) + 1)
        const wait = Math.min(MAX_WAIT_SECONDS, left)
        const path = `${mode}/payments/${payment.payment_id}/status?wait=${wait}`
        const answer = await ask<{ status: Status }>(path, { signal, waitSeconds: wait })
        if (signal.aborted) return
        setOffline(!answer.ok)
        if (answer.ok && answer.data.status !== 'pending') return setStatus(answer.data.status)
        if (!answer.ok && answer.problem.status === 401) return
        if (!answer.ok || wait === 0) await new Promise((wake) => setTimeout(wake, RETRY_MS))
      }
    }
    void follow()
    return () => stop.abort()
  }, [ask, mode, payment.payment_id, endsMs, status])

  return { status, isOffline }
}
