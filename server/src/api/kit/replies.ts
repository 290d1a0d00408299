import { REFUSALS, RETRY_AFTER_SECONDS, type Refusal } from '@florin/contract/refusals.js'
import type { FastifyReply } from 'fastify'
import { stringifyExactly } from '../../core/json.ts'
import type { PayLinkRefusal } from '../../core/link.ts'
import type { PayRefusal } from '../../core/payment.ts'
import { type FieldProblem, problemOf } from './http/validation.ts'

/** A reply whose type has the `data` of a successful response. */
export type Reply<Data> = FastifyReply & { readonly dataType?: Data }

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(reply, status, stringifyExactly(body))
}

/** Sends a body that is already serialized, so that a stored response is replayed byte for byte. */
export function sendText(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}

export function succeed<Data>(
  reply: Reply<Data>,
  message: string,
  data: DeepReadonly<NoInfer<Data>>,
): FastifyReply {
  return sendJson(reply, 200, { status: 200, message, data })
}

/** Sends 202, because the request needs an approval. */
export function accept<Data>(reply: FastifyReply, message: string, data: Data): FastifyReply {
  return sendJson(reply, 202, { status: 202, message, data })
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const [status, message] = REFUSALS[refusal]
  const seconds = RETRY_AFTER_SECONDS[refusal]
  if (seconds !== undefined) reply.header('retry-after', seconds)
  return sendJson(reply, status, { status, message })
}

/** The only error body with `status_code` instead of `status`. */
export function refuseUnknownStatus(reply: FastifyReply): FastifyReply {
  const [status_code, message] = REFUSALS.status_payment_unknown
  return sendJson(reply, status_code, { status_code, message })
}

/** Reports the first problem of each field. */
export function refuseInvalid(reply: FastifyReply, found: readonly FieldProblem[]): FastifyReply {
  const firsts = new Map<string, FieldProblem>()
  for (const problem of found) {
    if (!firsts.has(problem.field)) firsts.set(problem.field, problem)
  }
  const errors = [...firsts.values()]
  const [status, message] = REFUSALS.invalid_request
  return sendJson(reply, status, { status, message, errors })
}

/** Reports the problem of one field. The message begins with its name. */
export const refuseField = (reply: FastifyReply, field: string, text: string): FastifyReply =>
  refuseInvalid(reply, [problemOf(field, text)])

export function refusePay(reply: FastifyReply, reason: PayRefusal | PayLinkRefusal) {
  if (reason === 'donation_malformed' || reason === 'donation_not_covered') {
    const message =
      reason === 'donation_malformed'
        ? 'donation_amount must be an amount in the currency of the payment'
        : 'donation_amount exceeds the balance that is left after the payment'
    return refuseInvalid(reply, [{ field: 'donation_amount', message }])
  }
  return refuse(reply, reason)
}
