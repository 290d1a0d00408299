import type { FastifyRequest } from 'fastify'
import type { Payment } from '../../core/payment.ts'
import type { Store } from '../../core/store.ts'
import type { IdempotencyKey } from '../../ops/idempotency.ts'
import { type FieldProblem, schemaProblems } from '../kit/http/validation.ts'
import { idempotencyKeyOf, keyProblem } from '../kit/idempotency.ts'
import { receiptView } from '../kit/views.ts'

// Parts that paying a payment and paying a link share.

/** The problems of the schema and of the Idempotency-Key. */
export function payProblems(request: FastifyRequest): FieldProblem[] {
  const keyHeaderProblem = keyProblem(request)
  return [...schemaProblems(request), ...(keyHeaderProblem ? [keyHeaderProblem] : [])]
}

/** The whole body of the response. */
export const paidResponse = (payment: Payment, store: Store, publicUrl: string) => ({
  status: 200,
  message: 'Payment completed',
  data: receiptView(payment, store, publicUrl),
})

/**
 * Null without an Idempotency-Key. The fingerprint covers the body without the PIN, and without the rate that the payer saw: after
 * a response was lost, the payer may agree to a new rate, and must not be charged twice.
 */
export function payKeyOf(
  request: FastifyRequest,
  body: { readonly pin?: string | null; readonly conversion_rate?: string | null },
  serialize: (payment: Payment) => string,
): IdempotencyKey<Payment> | null {
  const { pin, conversion_rate: rate, ...terms } = body
  const isComplete = typeof pin !== 'string' && typeof rate !== 'string'
  return idempotencyKeyOf(
    request,
    serialize,
    isComplete ? undefined : Buffer.from(JSON.stringify(terms)),
  )
}
