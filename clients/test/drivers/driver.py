"""Runs the commands of the conformance suite: one JSON line in, one JSON line out."""

import dataclasses
import io
import json
import sys
from datetime import datetime, timezone
from decimal import Decimal

import florin
from florin import Florin, webhooks


def decode(value):
    """Converts the marked values of a command."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$minor" in value:
        return florin.from_minor(int(value["$minor"]), value["currency"])
    if "$long" in value:
        return Decimal(value["$long"])
    if "$float" in value:
        return float(value["$float"])
    if "$time" in value:
        return datetime.fromtimestamp(value["$time"] / 1000, timezone.utc)
    return {name: decode(item) for name, item in value.items()}


def encode(value):
    """Converts a result to what the service sent, so that the results of all clients can be compared."""
    if dataclasses.is_dataclass(value):
        return {
            field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return encode(value._asdict())
    if isinstance(value, dict):
        return {name: encode(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, bytes):
        return value.hex()
    return value


OPTIONS = {"idempotencyKey": "idempotency_key", "timeoutMs": "timeout", "maxRetries": "max_retries"}


def options_of(options):
    """Timeouts are in milliseconds in the suite, and in seconds in Python."""
    return {
        OPTIONS.get(name, name): value / 1000 if name == "timeoutMs" else value
        for name, value in options.items()
    }


def call(command):
    name, args = command["call"], decode(command.get("args", []))
    options = options_of(command.get("options", {}))
    if name == "webhooks.constructEvent":
        body, headers, secret = args
        if "now" in options:
            options["now"] = datetime.fromtimestamp(options["now"] / 1000, timezone.utc)
        return webhooks.construct_event(body.encode(), headers, secret, **options)
    if name == "webhooks.signTestEvent":
        event_type, secret, at, data = args
        return webhooks.sign_test_event(event_type, secret, at=at, data=data)
    client = Florin(**options_of(command["client"]))
    if name == "printed":
        out = io.StringIO()
        print(client, repr(client), vars(client), client._api._settings, file=out)
        return out.getvalue()
    target = client
    *path, method = name.split(".")
    for part in path:
        target = getattr(target, part)
    if method == "qr":
        args, options = args[:1], {**options, **(args[1] if len(args) > 1 else {})}
    if method == "list":
        listing = target.list(*args)
        return [page.items for page in listing.pages()]
    return getattr(target, METHODS.get(method, method))(*args, **options)


METHODS = {"waitUntilSettled": "wait_until_settled"}


def failure(error):
    if not isinstance(error, florin.FlorinError):
        return {"kind": "usage", "message": str(error)}
    found = {
        "kind": type(error).__name__,
        "message": str(error),
        "status": error.status,
        "requestId": error.request_id,
        "idempotencyKey": error.idempotency_key,
    }
    if isinstance(error, florin.ValidationError):
        found["fields"] = [problem.field for problem in error.errors]
    if isinstance(error, florin.errors.RetryLaterError):
        after = error.retry_after
        found["retryAfterMs"] = None if after is None else after * 1000
    if isinstance(error, florin.WebhookVerificationError):
        found["reason"] = error.reason
    return found


for line in sys.stdin:
    command = json.loads(line)
    try:
        reply = {"result": encode(call(command))}
    except (florin.FlorinError, TypeError, ValueError) as error:
        reply = {"error": failure(error)}
    print(json.dumps(reply), flush=True)
