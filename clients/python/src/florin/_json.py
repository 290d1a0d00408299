"""JSON in which numbers keep every digit."""

from __future__ import annotations

import json
import math
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Union

# Below the 4,300 digits that Python converts to int.
_MAX_INT_DIGITS = 4000


class Raw(str):
    """JSON text that is copied as it is."""


def parse(text: Union[str, bytes]) -> Any:
    """Parses JSON. Fractions become Decimals. Raises ValueError."""
    try:
        return json.loads(text, parse_float=Decimal, parse_int=_whole, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("the JSON has too many levels") from None
    except ArithmeticError:
        raise ValueError("the JSON has a number with too large an exponent") from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"JSON has no {constant}")


def _whole(digits: str) -> Union[int, Decimal]:
    return int(digits) if len(digits) < _MAX_INT_DIGITS else Decimal(digits)


def write(value: Any) -> str:
    """Serializes JSON. Raises TypeError or ValueError for a value that JSON does not have."""
    if isinstance(value, Raw):
        return str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return json.dumps(value)
    if isinstance(value, datetime):
        return json.dumps(time_text(value))
    if isinstance(value, (float, Decimal)):
        is_finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
        if not is_finite:
            raise ValueError(f"JSON has no {value}")
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(write(item) for item in value)}]"
    if isinstance(value, dict):
        pairs = (f"{_key(name)}:{write(item)}" for name, item in value.items())
        return "{" + ",".join(pairs) + "}"
    raise TypeError(f"JSON has no {type(value).__name__}")


def _key(name: object) -> str:
    if isinstance(name, str):
        return json.dumps(name)
    raise TypeError("a key of a JSON object must be a string")


def time_text(time: datetime) -> str:
    """ISO 8601 in UTC."""
    if time.tzinfo is None:
        raise ValueError("a datetime needs a time zone: datetime.now(timezone.utc)")
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
