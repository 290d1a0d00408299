"""Verifies deliveries (Standard Webhooks 1.0.0), and creates signed ones for tests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import (
    Any,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
)

from . import _json
from ._decode import decode
from ._sample import sample_payment
from .errors import WebhookVerificationError
from .responses import EventType, Payment

WebhookSecret = Union[str, Sequence[str]]
"""One secret, or several while one is being rotated; one match is enough."""


class Headers(Protocol):
    """A dictionary, or the headers of Flask, Django or the standard library."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


# A delivery has two signatures during a rotation. Limits the work for a header full of guesses.
_MAX_SIGNATURES = 8


@dataclass(frozen=True)
class WebhookEvent:
    id: str
    """The same on every delivery; use it to detect duplicates."""
    type: EventType
    sequence: int
    """Order among the events of one payment."""
    timestamp: str
    """ISO 8601."""
    data: Payment
    """The payment at the time of the event."""


class SignedDelivery(NamedTuple):
    body: str
    headers: Dict[str, str]


def construct_event(
    raw_body: Union[str, bytes],
    headers: Headers,
    secret: WebhookSecret,
    *,
    tolerance: float = 300,
    now: Optional[datetime] = None,
) -> WebhookEvent:
    """Verifies a delivery and returns its event.

    `raw_body` must be the received bytes; a body that a framework parsed and serialized again does not match.
    `tolerance` is the maximum difference of the timestamp in seconds.
    """
    if not isinstance(raw_body, (str, bytes)):
        raise TypeError("raw_body must be the received body: str or bytes")
    keys = _keys_of(secret)
    event_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        message = "webhook-timestamp is not a number of seconds"
        raise WebhookVerificationError("timestamp_malformed", message)
    # Refuses recorded deliveries that are replayed after the tolerance.
    seconds = (now or datetime.now(timezone.utc)).timestamp()
    if abs(seconds - int(timestamp)) > tolerance:
        message = "webhook-timestamp is too old or in the future"
        raise WebhookVerificationError("timestamp_outside_tolerance", message)
    body = _utf8(raw_body) if isinstance(raw_body, str) else raw_body
    signed = _utf8(f"{event_id}.{timestamp}.") + body
    if not _is_signed(signed, signatures, keys):
        message = "no signature matches: wrong secret, or not the raw body"
        raise WebhookVerificationError("signature_wrong", message)
    return _event_of(event_id, body)


def _event_of(event_id: str, body: bytes) -> WebhookEvent:
    try:
        parsed = _json.parse(body)
        data = decode(Payment, parsed["data"])
        return WebhookEvent(
            event_id, parsed["type"], parsed["sequence"], parsed["timestamp"], data
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        message = "the body is signed, but is not an event"
        raise WebhookVerificationError("body_malformed", message) from error


def _is_signed(signed: bytes, header: str, keys: List[bytes]) -> bool:
    parts = header.split(" ")[:_MAX_SIGNATURES]
    signatures = [_utf8(part[3:]) for part in parts if part.startswith("v1,")]
    # Compares in constant time.
    return any(
        hmac.compare_digest(_signature(key, signed), signature)
        for key in keys
        for signature in signatures
    )


def _utf8(text: str) -> bytes:
    # A header can contain lone surrogates, which UTF-8 cannot encode.
    return text.encode("utf-8", "replace")


def _signature(key: bytes, signed: bytes) -> bytes:
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _keys_of(secret: WebhookSecret) -> List[bytes]:
    if not isinstance(secret, (str, list, tuple)):
        raise TypeError("secret is missing: pass the webhook_secret (whsec_…)")
    return [_key_of(text) for text in ([secret] if isinstance(secret, str) else secret)]


def _key_of(secret: Any) -> bytes:
    # Not str(secret): "None", for example of a missing variable, is valid base64.
    text = secret if isinstance(secret, str) else ""
    try:
        key = base64.b64decode(text[6:] if text.startswith("whsec_") else text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    # An empty key would accept signatures from anyone.
    if not key:
        raise ValueError("a secret must look like whsec_…")
    return key


def _header(headers: Headers, name: str) -> str:
    for key, value in headers.items():
        if key.lower() == name and isinstance(value, str) and value != "":
            return value
    raise WebhookVerificationError("header_missing", f"{name} is missing")


def sign_test_event(
    event_type: EventType,
    secret: WebhookSecret,
    *,
    data: Optional[Mapping[str, Any]] = None,
    event_id: Optional[str] = None,
    at: Optional[datetime] = None,
) -> SignedDelivery:
    """Creates a signed delivery for your tests: post it, or pass it to your handler.

    `data` replaces fields of the payment, in the form of the API; the rest is sample data.
    """
    time = at or datetime.now(timezone.utc)
    # A refund is the second event of its payment.
    sequence = 2 if event_type == "payment.refunded" else 1
    if event_id is None:
        event_id = f"evt_00000000000000000000000000_{sequence}"
    body = _json.write(
        {
            "type": event_type,
            "sequence": sequence,
            "timestamp": _json.time_text(time),
            "data": {**sample_payment(event_type.partition(".")[2], time), **(data or {})},
        }
    )
    timestamp = str(int(time.timestamp()))
    signed = _utf8(f"{event_id}.{timestamp}.{body}")
    signatures = [f"v1,{_signature(key, signed).decode()}" for key in _keys_of(secret)]
    headers = {
        "content-type": "application/json",
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }
    return SignedDelivery(body, headers)
