"""One class per kind of error."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence


class FieldProblem(NamedTuple):
    field: str
    message: str


class FlorinError(Exception):
    """Base class of the errors of calls and of webhook verification."""

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status; None without a complete response, or if a successful one can't be read."""
        self.request_id = request_id
        """Quote it when you report a problem."""
        self.idempotency_key = idempotency_key
        """Retrying the call with this key is safe for 24 hours."""
        self.body = body
        """The response body, parsed if it is JSON."""


class ValidationError(FlorinError):
    """The request is invalid. `status` is None if the client detected this before sending."""

    def __init__(self, message: str, errors: Sequence[FieldProblem], **facts: Any) -> None:
        super().__init__(message, **facts)
        self.errors = tuple(errors)


class RefusedError(FlorinError):
    """A 400 response without field errors, such as a refused refund: already refunded, not completed, balance too low."""


class AuthenticationError(FlorinError):
    """The keys are missing, unknown, expired, revoked or wrong."""


class PermissionError(FlorinError):
    """The store is suspended, the key lacks a scope, or a live key was used in the sandbox."""


class NotFoundError(FlorinError):
    """There is no such payment or link."""


class ConflictError(FlorinError):
    """The state of the payment does not allow the request, or the store has too many active links."""


class IdempotencyError(FlorinError):
    """The idempotency key belongs to another request, or the first request with it is still running."""


class RetryLaterError(FlorinError):
    """An error whose response may have a Retry-After header."""

    def __init__(self, message: str, retry_after: Optional[float], **facts: Any) -> None:
        super().__init__(message, **facts)
        self.retry_after = retry_after
        """Seconds to wait; None without a valid Retry-After."""


class RateLimitError(RetryLaterError):
    """There were too many requests. Nothing was done."""


class ServerError(RetryLaterError):
    """The service failed, or is not available."""


class ConnectionError(FlorinError):
    """No response, an incomplete one, or one that is not from Florin. The outcome of the request is unknown."""


class TimeoutError(ConnectionError):
    """The request timed out, or the timeout of `wait_until_settled` passed."""


class WebhookVerificationError(FlorinError):
    """The delivery is not from Florin, was changed, or is outside the time tolerance. Respond with 400 and ignore it.

    `reason` is one of header_missing, timestamp_malformed, timestamp_outside_tolerance, signature_wrong and
    body_malformed.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"Webhook refused: {message}")
        self.reason = reason


def invalid(field: str, problem: str) -> ValidationError:
    message = f"{field} {problem}"
    return ValidationError(message, [FieldProblem(field, message)])
