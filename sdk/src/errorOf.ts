import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  type FieldProblem,
  FlorinError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RefusedError,
  ServerError,
  ValidationError,
} from './errors.ts'

type Refusal = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly idempotencyKey: string | null
}

/** Converts an error response to an error. */
export function errorOf({ status, headers, text, idempotencyKey }: Refusal): FlorinError {
  const body = parseJson(text)
  const requestId = headers.get('x-request-id')
  const facts: ErrorFacts = { status, requestId, idempotencyKey, body: body ?? text }
  const message = messageOf(body) ?? `The service responded with ${status}`
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), Date.now())
  if (status >= 500) return new ServerError(message, retryAfterMs, facts)
  if (status === 429) return new RateLimitError(message, retryAfterMs, facts)
  // A proxy responds with a 404 of its own while it has no route. That is not an unknown payment.
  if (!isFromFlorin(body, status)) {
    const notFlorin = `The response ${status} is not from Florin. Check baseUrl.`
    return new ConnectionError(notFlorin, facts)
  }
  switch (status) {
    case 400: {
      const errors = (body as { errors?: unknown } | null | undefined)?.errors
      // A refused refund has no list of errors.
      if (!Array.isArray(errors) || !errors.every(isFieldProblem)) {
        return new RefusedError(message, facts)
      }
      const all = errors.map((problem) => problem.message).join('; ')
      return new ValidationError(`${message}: ${all}`, errors, facts)
    }
    case 401:
      return new AuthenticationError(message, facts)
    case 403:
      return new PermissionError(message, facts)
    case 404:
      return new NotFoundError(message, facts)
    case 409:
      // A conflict is temporary only while the first request with the key is running.
      return idempotencyKey === null || retryAfterMs === null
        ? new ConflictError(message, facts)
        : new IdempotencyError(message, facts)
    case 422:
      return new IdempotencyError(message, facts)
    default:
      return new FlorinError(message, facts)
  }
}

/** Every error of Florin repeats its status. */
function isFromFlorin(body: unknown, status: number): boolean {
  const found = (body ?? {}) as { status?: unknown; status_code?: unknown }
  return found.status === status || found.status_code === status
}

function isFieldProblem(item: unknown): item is FieldProblem {
  const { field, message } = (item ?? {}) as { field?: unknown; message?: unknown }
  return typeof field === 'string' && typeof message === 'string'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(body: unknown): string | null {
  const message = (body as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : null
}

/** Parses seconds or an HTTP date. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}
