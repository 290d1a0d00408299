import type { Payment, PaymentStatus } from '@florin/sdk'
import { MedusaError, PaymentActions, PaymentSessionStatus } from '@medusajs/framework/utils'

/** What a payment session stores. The storefront can read it. */
export type SessionData = {
  readonly session_id: string
  readonly payment_id: string
  /** The page where the customer pays. */
  readonly checkout_url: string
}

/** Florin has no step between paid and captured, so a completed payment is captured. */
export const SESSION_STATUS: Record<PaymentStatus, PaymentSessionStatus> = {
  pending: PaymentSessionStatus.PENDING,
  completed: PaymentSessionStatus.CAPTURED,
  failed: PaymentSessionStatus.ERROR,
  expired: PaymentSessionStatus.CANCELED,
  refunded: PaymentSessionStatus.CANCELED,
}

/** Medusa has no action for refunds that were made elsewhere. */
export const WEBHOOK_ACTION: Record<PaymentStatus, PaymentActions> = {
  pending: PaymentActions.NOT_SUPPORTED,
  completed: PaymentActions.SUCCESSFUL,
  failed: PaymentActions.FAILED,
  expired: PaymentActions.CANCELED,
  refunded: PaymentActions.NOT_SUPPORTED,
}

/** The id of the payment in the data of a session; undefined if none was created. */
export function paymentIdOf(data: Record<string, unknown> | undefined): string | undefined {
  return typeof data?.payment_id === 'string' ? data.payment_id : undefined
}

export function requirePaymentId(data: Record<string, unknown> | undefined): string {
  const id = paymentIdOf(data)
  if (id !== undefined) return id
  throw new MedusaError(MedusaError.Types.INVALID_DATA, 'The session has no Florin payment')
}

/** The session that a payment was created for; null if Medusa did not create it. */
export function sessionIdOf({ payload }: Payment): string | null {
  const id = payload?.medusa_session
  return typeof id === 'string' ? id : null
}
