import type { Payment } from './payment.ts'

const ADDED = ['payment_id', 'status']

/** The merchant's `return_url` with the payment's id and status; null where none was given. */
export function returnLink({ returnUrl, paymentId, status }: Payment): string | null {
  if (returnUrl === null) return null
  const url = new URL(returnUrl)
  // Text, because URLSearchParams would write the merchant's own parameters in another spelling.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ADDED.includes(nameOf(part)))
  url.search = [...kept, `payment_id=${paymentId}`, `status=${status}`].join('&')
  return url.href
}

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? ''
