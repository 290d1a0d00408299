"""Waits by long polls until a payment is settled."""

from __future__ import annotations

import math
import time
from typing import Callable, Optional

from . import errors
from ._requester import Options
from ._settings import checked_timeout
from .responses import CurrentStatus

# Well below the minute after which proxies tend to close idle connections.
WAIT_SECONDS = 25
# A stopping service responds immediately; pause before the next call.
PAUSE_SECONDS = 1.0
# Retries for 16 to 32 seconds, because a payment can settle while the service restarts.
MAX_RETRIES = 8


def wait_until_settled(
    read: Callable[[int, Options], CurrentStatus], timeout: Optional[float]
) -> CurrentStatus:
    now = time.monotonic()
    deadline = math.inf if timeout is None else now + checked_timeout(timeout)
    is_answered = False
    while True:
        sent = time.monotonic()
        left = deadline - sent
        if left > 0:
            wait = math.ceil(min(left, WAIT_SECONDS))
            try:
                found = read(wait, Options(max_retries=MAX_RETRIES, deadline=deadline))
            except errors.TimeoutError:
                if time.monotonic() < deadline:
                    raise
            else:
                if found.status != "pending":
                    return found
                is_answered = True
        if time.monotonic() >= deadline:
            if is_answered:
                raise errors.TimeoutError(f"Still pending after {timeout} s")
            raise errors.TimeoutError(
                f"No status received within {timeout} s. The payment may be pending or settled."
            )
        pause = sent + PAUSE_SECONDS - time.monotonic()
        if pause > 0:
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
