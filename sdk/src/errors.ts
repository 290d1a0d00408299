export type FieldProblem = { readonly field: string; readonly message: string }

/** Details of a failed request. */
export type ErrorFacts = {
  readonly status?: number
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  readonly body?: unknown
  readonly cause?: unknown
}

/** Base class of the errors of calls and of webhook verification. `name` is set explicitly, because minifiers rename classes. */
export class FlorinError extends Error {
  override readonly name: string = 'FlorinError'
  /** HTTP status; null without a complete response, or if a successful one can't be read. */
  readonly status: number | null
  /** Quote it when you report a problem. */
  readonly requestId: string | null
  /** Retrying the call with this key is safe for 24 hours. */
  readonly idempotencyKey: string | null
  /** The response body, parsed if it is JSON. */
  readonly body: unknown

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.idempotencyKey = facts.idempotencyKey ?? null
    this.body = facts.body
  }
}

/** The request is invalid. `status` is null if the client detected this before sending. */
export class ValidationError extends FlorinError {
  override readonly name = 'ValidationError'
  readonly errors: readonly FieldProblem[]

  constructor(message: string, errors: readonly FieldProblem[], facts: ErrorFacts = {}) {
    super(message, facts)
    this.errors = errors
  }
}

/** A 400 response without field errors, such as a refused refund: already refunded, not completed, balance too low. */
export class RefusedError extends FlorinError {
  override readonly name = 'RefusedError'
}

/** The keys are missing, unknown, expired, revoked or wrong. */
export class AuthenticationError extends FlorinError {
  override readonly name = 'AuthenticationError'
}

/** The store is suspended, the key lacks a scope, or a live key was used in the sandbox. */
export class PermissionError extends FlorinError {
  override readonly name = 'PermissionError'
}

/** There is no such payment or link. */
export class NotFoundError extends FlorinError {
  override readonly name = 'NotFoundError'
}

/** The state of the payment does not allow the request, or the store has too many active links. */
export class ConflictError extends FlorinError {
  override readonly name = 'ConflictError'
}

/** The idempotency key belongs to another request, or the first request with it is still running. */
export class IdempotencyError extends FlorinError {
  override readonly name = 'IdempotencyError'
}

/** An error whose response may have a Retry-After header. */
class RetryLaterError extends FlorinError {
  /** Time to wait; null without a valid Retry-After. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, facts: ErrorFacts = {}) {
    super(message, facts)
    this.retryAfterMs = retryAfterMs
  }
}

/** There were too many requests. Nothing was done. */
export class RateLimitError extends RetryLaterError {
  override readonly name = 'RateLimitError'
}

/** The service failed, or is not available. */
export class ServerError extends RetryLaterError {
  override readonly name = 'ServerError'
}

/** No response, an incomplete one, or one that is not from Florin. The outcome of the request is unknown. */
export class ConnectionError extends FlorinError {
  override readonly name: string = 'ConnectionError'
}

/** The request timed out, or the timeout of `waitUntilSettled` passed. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

export type WebhookFault =
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_outside_tolerance'
  | 'signature_wrong'
  | 'body_malformed'

/** The delivery is not from Florin, was changed, or is outside the time tolerance. Respond with 400 and ignore it. */
export class WebhookVerificationError extends FlorinError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}
