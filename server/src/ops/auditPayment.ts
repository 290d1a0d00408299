import type { PaymentKey } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { findCredentials } from '../sql/credentials.ts'
import { findPaymentKeys } from '../sql/payments.ts'

/** An API key with its label, or a person as the audit log names them. */
export type PaymentActor =
  | { readonly kind: 'api_key'; readonly name: string; readonly apiKey: string }
  | { readonly kind: 'person'; readonly name: string; readonly apiKey: null }

export type PaymentAudit = {
  readonly createdBy: PaymentActor | null
  readonly refundedBy: PaymentActor | null
  /** Also null if an API key cancelled it, because only cancellations by people are recorded. */
  readonly cancelledBy: PaymentActor | null
}

/** Finds the actors that created, refunded and cancelled a payment. Returns null if the payment doesn't exist. */
export async function auditPayment(
  database: Database,
  key: PaymentKey,
): Promise<PaymentAudit | null> {
  const findActorName = async (action: string) => {
    const subject = `payment:${key.paymentId}`
    const [entry] = await listAuditEntries(database, { action, subject, limit: 1 })
    return entry?.actor
  }
  const [keys, creator, refunder, canceller] = await Promise.all([
    findPaymentKeys(database, key),
    findActorName('payment.create'),
    findActorName('payment.refund'),
    findActorName('payment.cancel'),
  ])
  if (keys === null) return null
  const apiKeys = [keys.createdByKey, keys.refundedByKey].filter((apiKey) => apiKey !== null)
  const credentials = apiKeys.length === 0 ? [] : await findCredentials(database, apiKeys)

  function toPaymentActor(apiKey: string | null, person: string | undefined): PaymentActor | null {
    if (apiKey !== null) {
      const label = credentials.find((credential) => credential.apiKey === apiKey)?.label ?? ''
      return { kind: 'api_key', name: label, apiKey }
    }
    return person === undefined ? null : { kind: 'person', name: person, apiKey: null }
  }
  return {
    createdBy: toPaymentActor(keys.createdByKey, creator),
    refundedBy: toPaymentActor(keys.refundedByKey, refunder),
    cancelledBy: toPaymentActor(null, canceller),
  }
}
