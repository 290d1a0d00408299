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

/** Null without an Idempotency-Key. The fingerprint covers the body without the PIN. */
export function payKeyOf(
  request: FastifyRequest,
  body: { readonly pin?: string | null },
  serialize: (payment: Payment) => string,
): IdempotencyKey<Payment> | null {
  const { pin, ...withoutPin } = body
  const content = typeof pin === 'string' ? Buffer.from(JSON.stringify(withoutPin)) : undefined
  return idempotencyKeyOf(request, serialize, content)
}
