export type FieldProblem = { readonly field: string; readonly message: string }

/** What is known about a request that came to nothing. */
export type ErrorFacts = {
  readonly status?: number
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly body?: unknown
  readonly cause?: unknown
}

/** The base of all of them. Names are written out, because minifiers rename classes. */
export class FlorinError extends Error {
  override readonly name: string = 'FlorinError'
  /** The HTTP status; null where there was no answer, or nothing was sent. */
  readonly status: number | null
  /** Quote it when you report a fault of the service. */
  readonly requestId: string | null
  /** The same call under this key is safe, also much later: what was done is not done again. */
  readonly idempotencyKey: string | null
  /** The answer as it came, parsed where it is JSON. */
  readonly body: unknown

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.body = facts.body
  }
}

/** Something in the request is wrong. `status` is null where it was found before sending. */
export class ValidationError extends FlorinError {
  override readonly name = 'ValidationError'
  readonly errors: readonly FieldProblem[]

  constructor(message: string, errors: readonly FieldProblem[], facts: ErrorFacts = {}) {
    super(message, facts)
    this.errors = errors
  }
}

/** The request is right, but cannot be done: refunded already, not paid, balance too low. */
export class RefusedError extends FlorinError {
  override readonly name = 'RefusedError'
}

/** The keys are missing, unknown, revoked or wrong. */
export class AuthenticationError extends FlorinError {
  override readonly name = 'AuthenticationError'
}

/** The store is suspended, the key lacks a scope, or a live key was used in the sandbox. */
export class PermissionError extends FlorinError {
  override readonly name = 'PermissionError'
}

export class NotFoundError extends FlorinError {
  override readonly name = 'NotFoundError'
}

/** The state of the payment does not allow it. */
export class ConflictError extends FlorinError {
  override readonly name = 'ConflictError'
}

/** The idempotency key belongs to another request, or the first one under it is still running. */
export class IdempotencyError extends FlorinError {
  override readonly name = 'IdempotencyError'
}

/** An answer that may say when to come back. */
class LaterError extends FlorinError {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, facts: ErrorFacts = {}) {
    super(message, facts)
    this.retryAfterMs = retryAfterMs
  }
}

export class RateLimitError extends LaterError {
  override readonly name = 'RateLimitError'
}

export class ServerError extends LaterError {
  override readonly name = 'ServerError'
}

/** No answer, or not a whole one. Whether the request was carried out is not known. */
export class ConnectionError extends FlorinError {
  override readonly name: string = 'ConnectionError'
}

/** No answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

export type WebhookFault =
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_outside_tolerance'
  | 'signature_wrong'
  | 'body_malformed'

/** Not from Florin, or not as Florin sent it. Answer with a 400 and do nothing. */
export class WebhookVerificationError extends FlorinError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}
