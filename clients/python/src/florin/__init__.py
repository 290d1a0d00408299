"""The Python client for Florin, an open, self-hosted merchant payment service."""

from . import errors, params, responses, webhooks
from .amounts import Amount, from_minor
from .client import Florin
from .errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    FieldProblem,
    FlorinError,
    IdempotencyError,
    NotFoundError,
    PermissionError,
    RateLimitError,
    RefusedError,
    ServerError,
    TimeoutError,
    ValidationError,
    WebhookVerificationError,
)
from .lists import Listing, Page

__all__ = [
    "Amount",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "FieldProblem",
    "Florin",
    "FlorinError",
    "IdempotencyError",
    "Listing",
    "NotFoundError",
    "Page",
    "PermissionError",
    "RateLimitError",
    "RefusedError",
    "ServerError",
    "TimeoutError",
    "ValidationError",
    "WebhookVerificationError",
    "errors",
    "from_minor",
    "params",
    "responses",
    "webhooks",
]
