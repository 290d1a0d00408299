import type { FastifyReply, FastifyRequest } from 'fastify'
import { digest } from '../../core/digest.ts'
import type { Payment } from '../../core/payment.ts'
import type { IdempotencyKey } from '../../ops/idempotency.ts'
import { headerOf } from './http/headers.ts'
import type { FieldProblem } from './http/validation.ts'
import { sendText } from './replies.ts'

export function keyProblem(request: FastifyRequest): FieldProblem | null {
  const key = keyOf(request)
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return null
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
  return { field: 'Idempotency-Key', message }
}

export function keyOf(request: FastifyRequest): string | null {
  return headerOf(request, 'idempotency-key') ?? null
}

/**
 * Null without an Idempotency-Key. The fingerprint covers method, path and the bytes of the body. It is stored, so a
 * body with a PIN must be replaced by one without it: a four-digit PIN could be found by trying all 10,000.
 */
export function idempotencyKeyOf<Subject = Payment>(
  request: FastifyRequest,
  serialize: (subject: Subject) => string,
  body: Buffer | null = request.rawBody,
): IdempotencyKey<Subject> | null {
  const key = keyOf(request)
  if (key === null) return null
  const end = request.url.indexOf('?')
  const path = end === -1 ? request.url : request.url.slice(0, end)
  const start = Buffer.from(`${request.method} ${path}\n`)
  const all = Buffer.concat([start, body ?? Buffer.alloc(0)])
  const fingerprint = digest(all)
  return { key, fingerprint, serialize }
}

/** Sends the stored response of the first request with the same key. */
export function sendReplayed(reply: FastifyReply, response: string): FastifyReply {
  return sendText(reply.header('idempotent-replayed', 'true'), 200, response)
}
