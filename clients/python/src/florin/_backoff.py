"""When to retry, and after what delay."""

from __future__ import annotations

import random
from typing import Optional

from . import errors

FIRST_DELAY_SECONDS = 0.25
MAX_DELAY_SECONDS = 8.0
# A longer Retry-After is left to the caller.
MAX_RETRY_AFTER_SECONDS = 30.0
# Proxies respond with 404 while they have no route, and 408 to slow requests. Their other 4xx are permanent.
TEMPORARY_PROXY_STATUSES = (404, 408)


def retry_wait_seconds(error: errors.FlorinError, *, is_idempotent: bool, retries: int) -> Optional[float]:
    """The seconds before the next attempt; None if the request must not be retried.

    `is_idempotent` means that a retried request has no further effect.
    """
    if not _is_retryable(error, is_idempotent):
        return None
    requested = error.retry_after if isinstance(error, errors.RetryLaterError) else None
    # Add jitter, so that many clients don't return at the same time.
    if requested is not None:
        return None if requested > MAX_RETRY_AFTER_SECONDS else requested + random.random() * FIRST_DELAY_SECONDS
    # Limit the exponent, because 2.0 ** 1024 raises an OverflowError.
    return min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(retries, 10)) * (0.5 + random.random() / 2)


def _is_retryable(error: errors.FlorinError, is_idempotent: bool) -> bool:
    # The request was rejected before anything was done.
    if isinstance(error, errors.RateLimitError):
        return True
    if not is_idempotent:
        return False
    if isinstance(error, errors.ServerError):
        return True
    if isinstance(error, errors.ConnectionError):
        return error.status is None or error.status in TEMPORARY_PROXY_STATUSES
    return isinstance(error, errors.IdempotencyError) and error.status == 409
