"""Sends and retries requests."""

from __future__ import annotations

import re
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Mapping, Optional, Type, TypeVar
from urllib.parse import urlencode

from . import _json, errors
from ._backoff import retry_wait_seconds
from ._decode import decode
from ._error_of import error_of
from ._http import Broken, Expired, Response, exchange
from ._settings import Settings, checked_retries, checked_timeout

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Optional[str] = None
    is_idempotent: bool = False
    """Sends an idempotency key, so that retries have no further effect."""
    wait: float = 0
    """Extra seconds that the service may wait by design."""


@dataclass(frozen=True)
class Options:
    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    deadline: Optional[float] = None
    """A time of `time.monotonic`. Limits all attempts together."""


class Requester:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def json(self, kind: Type[T], call: Call, options: Options) -> T:
        """Returns the `data` of the response."""
        return self.read(call, options, lambda data: decode(kind, data))

    def read(self, call: Call, options: Options, convert: Callable[[Any], T]) -> T:
        """Converts the `data` of the response."""
        return self._send(call, options, lambda response: convert(_data_of(response.body)))

    def image(self, call: Call, options: Options) -> bytes:
        """Returns the bytes of an image."""
        return self._send(call, options, _image_of)

    def _send(self, call: Call, options: Options, read: Callable[[Response], T]) -> T:
        settings = self._settings
        retries_of_call = options.max_retries
        max_retries = checked_retries(
            settings.max_retries if retries_of_call is None else retries_of_call
        )
        per_attempt = settings.timeout if options.timeout is None else options.timeout
        timeout = checked_timeout(per_attempt) + call.wait
        key = _key_of(options.idempotency_key) if call.is_idempotent else None
        is_idempotent = call.method == "GET" or key is not None
        retries = 0
        while True:
            try:
                return self._try(call, key, _within(options.deadline, timeout), read)
            except errors.FlorinError as error:
                wait = retry_wait_seconds(error, is_idempotent=is_idempotent, retries=retries)
                if wait is None or retries >= max_retries:
                    raise
            time.sleep(_within(options.deadline, wait))
            retries += 1

    def _try(
        self, call: Call, key: Optional[str], timeout: float, read: Callable[[Response], T]
    ) -> T:
        failure = f"No response to {call.method} {call.path}"
        try:
            response = self._exchange(call, key, timeout)
        except Expired as error:
            message = f"{failure} in {timeout:.3f} s"
            raise errors.TimeoutError(message, idempotency_key=key) from error
        except Broken as error:
            raise errors.ConnectionError(f"{failure}: {error}", idempotency_key=key) from error
        status = response.status
        if status >= 400:
            text = response.body.decode("utf-8", "replace")
            raise error_of(status, response.headers, text, key)
        if not 200 <= status < 300:
            message = "The service responded with a redirect. Check base_url."
            raise errors.FlorinError(message, status=status)
        try:
            return read(response)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            message = (
                f"The response to {call.method} {call.path} is incomplete or not from Florin."
                " Check base_url."
            )
            raise errors.ConnectionError(message, idempotency_key=key) from error

    def _exchange(self, call: Call, key: Optional[str], timeout: float) -> Response:
        headers = {"api-key": self._settings.api_key, "api-secret": self._settings.api_secret}
        if key is not None:
            headers["idempotency-key"] = key
        if call.body is not None:
            headers["content-type"] = "application/json"
        body = None if call.body is None else call.body.encode()
        return exchange(self._settings, call.method, _target(call), headers, body, timeout)


def _data_of(body: bytes) -> Any:
    data = _json.parse(body).get("data")
    if data is None:
        raise ValueError("the response has no data")
    return data


def _image_of(response: Response) -> bytes:
    if not response.headers.get("content-type", "").startswith("image/"):
        raise ValueError("the response is not an image")
    return response.body


def _target(call: Call) -> str:
    query = {
        name: _json.time_text(value) if isinstance(value, datetime) else value
        for name, value in (call.query or {}).items()
        if value is not None
    }
    return f"{call.path}?{urlencode(query)}" if query else call.path


def _within(deadline: Optional[float], seconds: float) -> float:
    if deadline is None:
        return seconds
    left = deadline - time.monotonic()
    if left <= 0:
        raise errors.TimeoutError("The call timed out")
    return min(seconds, left)


def _key_of(key: Optional[str]) -> str:
    if key is None:
        return str(uuid.uuid4())
    if isinstance(key, str) and re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        return key
    raise errors.invalid("idempotency_key", "must be 1 to 255 visible ASCII characters")
