import { type SettledStatus, toDate } from '@florin/sdk'
import { EXIT } from './failure.ts'
import type { Merchant } from './merchant.ts'
import { printLine, showProgress } from './print.ts'

const EXIT_CODES: Record<SettledStatus, number> = {
  completed: 0,
  failed: EXIT.paymentFailed,
  expired: EXIT.paymentExpired,
  refunded: EXIT.paymentRefunded,
}

/** A longer timer would fire immediately. No payment is pending for so long. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

type WatchOptions = { readonly timeout?: number; readonly json?: boolean }

/** Waits until a payment is settled and returns the exit code for the outcome. */
export async function watch(
  { florin }: Merchant,
  paymentId: string,
  { timeout, json }: WatchOptions,
): Promise<number> {
  const report = (status: string) =>
    printLine(json ? { payment_id: paymentId, status } : `${paymentId}  ${status}`)
  const { status, expires_at } = await florin.payments.retrieve(paymentId)
  if (status === 'pending') report(status)
  const timer = setInterval(() => {
    showProgress(`Waiting for the payer, ${timeUntil(toDate(expires_at))} left…`)
  }, 1_000)
  const signal =
    timeout === undefined ? null : AbortSignal.timeout(Math.min(timeout * 1_000, MAX_TIMEOUT_MS))
  try {
    const settled = await florin.payments
      .waitUntilSettled(paymentId, signal ? { signal } : {})
      .finally(() => {
        clearInterval(timer)
        showProgress('')
      })
    report(settled.status)
    return EXIT_CODES[settled.status]
  } catch (error) {
    if (signal === null || error !== signal.reason) throw error
    return EXIT.paymentPending
  }
}

function timeUntil(end: Date): string {
  const seconds = Math.max(0, Math.round((end.getTime() - Date.now()) / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`
}
