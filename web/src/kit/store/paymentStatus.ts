import type { PaymentDetails, PaymentStatus } from '@florin/contract/payments.js'
import type { Mode } from '@florin/server/core/ids.js'
import type { Status } from '@florin/server/core/payment.js'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { parseTime } from '../time.ts'
import { useSession } from './session.tsx'

const MAX_WAIT_SECONDS = 25
const RETRY_MS = 2_000

/** Seconds until `endsMs`. */
export function useSecondsLeft(endsMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, (endsMs - nowMs) / 1000)
}

/** When the payment expires, on the clock of this device. */
export const expiryOf = (payment: PaymentDetails, serverMs: number) =>
  parseTime(payment.expires_at).getTime() - serverMs + Date.now()

function subscribeToNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/**
 * Follows the status by long polling, until the payment is no longer pending. `payment` can be read again meanwhile: it can be newer
 * than the response to a poll that hangs, and can be refunded after the last one.
 */
export function usePaymentStatus(payment: PaymentDetails, endsMs: number) {
  const { request } = useSession()
  const mode: Mode = payment.is_sandbox_transaction ? 'sandbox' : 'live'
  const [polledStatus, setPolledStatus] = useState<Status>('pending')
  const status = payment.status === 'pending' ? polledStatus : payment.status
  const [isOffline, setOffline] = useState(false)
  const wasOffline = useRef(false)
  // A change starts a new poll: an open one would hang until its timeout.
  const hasNetwork = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `hasNetwork` restarts the poll.
  useEffect(() => {
    if (status !== 'pending') return
    const controller = new AbortController()
    const { signal } = controller
    async function poll(): Promise<void> {
      while (!signal.aborted) {
        // Wait until just after the expiry, when the payment is certainly no longer pending.
        const secondsLeft = Math.max(0, Math.ceil((endsMs - Date.now()) / 1000) + 1)
        // Without waiting, the first response shows immediately that the connection is back.
        const waitSeconds = wasOffline.current ? 0 : Math.min(MAX_WAIT_SECONDS, secondsLeft)
        const path = `${mode}/payments/${payment.payment_id}/status?wait=${waitSeconds}`
        const response = await request<PaymentStatus>(path, { signal, waitSeconds })
        if (signal.aborted) return
        setOffline(!response.ok)
        wasOffline.current = !response.ok
        if (response.ok && response.data.status !== 'pending')
          return setPolledStatus(response.data.status)
        if (!response.ok && response.problem.status === 401) return
        if (!response.ok || secondsLeft === 0)
          await new Promise((wake) => setTimeout(wake, RETRY_MS))
      }
    }
    void poll()
    return () => controller.abort()
  }, [request, mode, payment.payment_id, endsMs, status, hasNetwork])

  return { status, isOffline }
}
