import type { Payment } from './payment.ts'

const ADDED_PARAMETERS = ['payment_id', 'status']

/** The `return_url` with the payment's id and status; null if there is none. */
export function returnLink({ returnUrl, paymentId, status }: Payment): string | null {
  if (returnUrl === null) return null
  const url = new URL(returnUrl)
  // As text, because URLSearchParams would re-encode the merchant's own parameters.
  const ownParameters = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !ADDED_PARAMETERS.includes(nameOf(part)))
  url.search = [...ownParameters, `payment_id=${paymentId}`, `status=${status}`].join('&')
  return url.href
}

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? ''
