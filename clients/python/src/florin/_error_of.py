"""Converts an error response to an error."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional

from . import _json, errors
from .errors import FieldProblem, FlorinError


def error_of(
    status: int, headers: Mapping[str, str], text: str, idempotency_key: Optional[str]
) -> FlorinError:
    body = _parse_or_none(text)
    facts: Dict[str, Any] = {
        "status": status,
        "request_id": headers.get("x-request-id"),
        "idempotency_key": idempotency_key,
        "body": text if body is None else body,
    }
    found = body.get("message") if isinstance(body, dict) else None
    message = found if isinstance(found, str) else f"The service responded with {status}"
    retry_after = parse_retry_after(headers.get("retry-after"), datetime.now(timezone.utc))
    if status >= 500:
        return errors.ServerError(message, retry_after, **facts)
    if status == 429:
        return errors.RateLimitError(message, retry_after, **facts)
    # A proxy responds with a 404 of its own while it has no route. That is not an unknown payment.
    if not _is_from_florin(body, status):
        not_florin = f"The response {status} is not from Florin. Check base_url."
        return errors.ConnectionError(not_florin, **facts)
    if status == 400:
        return _bad_request(message, body, facts)
    # A conflict is temporary only while the first request with the key is running.
    if status == 409 and (idempotency_key is None or retry_after is None):
        return errors.ConflictError(message, **facts)
    return _KINDS.get(status, FlorinError)(message, **facts)


_KINDS = {
    401: errors.AuthenticationError,
    403: errors.PermissionError,
    404: errors.NotFoundError,
    409: errors.IdempotencyError,
    422: errors.IdempotencyError,
}


def _is_from_florin(body: Any, status: int) -> bool:
    """Every error of Florin repeats its status."""
    return isinstance(body, dict) and status in (body.get("status"), body.get("status_code"))


def _bad_request(message: str, body: Any, facts: Mapping[str, Any]) -> FlorinError:
    listed = body.get("errors") if isinstance(body, dict) else None
    problems = _problems(listed)
    if problems is None:
        return errors.RefusedError(message, **facts)
    all_messages = "; ".join(problem.message for problem in problems)
    return errors.ValidationError(f"{message}: {all_messages}", problems, **facts)


def _problems(listed: Any) -> Optional[List[FieldProblem]]:
    """None for other errors, such as a refused refund."""
    if not isinstance(listed, list):
        return None
    problems = []
    for item in listed:
        field = item.get("field") if isinstance(item, dict) else None
        message = item.get("message") if isinstance(item, dict) else None
        if not isinstance(field, str) or not isinstance(message, str):
            return None
        problems.append(FieldProblem(field, message))
    return problems


def _parse_or_none(text: str) -> Any:
    try:
        return _json.parse(text)
    except ValueError:
        return None


def parse_retry_after(header: Optional[str], now: datetime) -> Optional[float]:
    """Parses seconds or an HTTP date."""
    text = (header or "").strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    if re.match(r"[A-Za-z]{3}, ", text):
        try:
            return max(0.0, (parsedate_to_datetime(text) - now).total_seconds())
        except (TypeError, ValueError):
            return None
    return None
