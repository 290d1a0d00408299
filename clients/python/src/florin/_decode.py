"""Converts parsed JSON to the classes of responses.py."""

from __future__ import annotations

from dataclasses import is_dataclass
from datetime import datetime, timezone
from decimal import Decimal
from functools import lru_cache
from typing import Any, Type, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def decode(kind: Type[T], value: Any) -> T:
    """Ignores unknown keys, which a newer service may send."""
    decoded: T = _convert(kind, value)
    return decoded


def _convert(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if kind is Decimal:
        return Decimal(value)
    if kind is datetime:
        return datetime.strptime(value, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: _convert(of, value.get(name)) for name, of in _fields(kind).items()})
    origin = get_origin(kind)
    if origin is Union:
        return _convert(get_args(kind)[0], value)
    if origin is list:
        return [_convert(get_args(kind)[0], item) for item in value]
    return value


@lru_cache(maxsize=None)
def _fields(kind: Any) -> "dict[str, Any]":
    return get_type_hints(kind)
