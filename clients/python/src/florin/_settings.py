"""Validates the settings before anything is sent."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

# A longer timeout overflows the timers of the operating system.
MAX_TIMEOUT_SECONDS = 2_000_000.0


@dataclass(frozen=True)
class Settings:
    api_key: str = field(repr=False)
    api_secret: str = field(repr=False)
    is_https: bool
    host: str
    port: int
    path: str
    timeout: float
    max_retries: int


def read_settings(
    base_url: str, api_key: str, api_secret: str, timeout: float, max_retries: int
) -> Settings:
    try:
        url = urlsplit(base_url)
        scheme, host, port = url.scheme, url.hostname, url.port
    except (AttributeError, TypeError, ValueError):
        scheme, host, port = "", None, None
    if scheme not in ("http", "https") or not host:
        raise ValueError("base_url must be a URL such as https://pay.example.com")
    return Settings(
        api_key=_checked_key("api_key", api_key),
        api_secret=_checked_key("api_secret", api_secret),
        is_https=scheme == "https",
        host=host,
        port=port or (443 if scheme == "https" else 80),
        path=url.path.rstrip("/"),
        timeout=checked_timeout(timeout),
        max_retries=checked_retries(max_retries),
    )


def _checked_key(name: str, value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    # Never print the value: it may be a secret.
    raise ValueError(f"{name} must be a string of visible ASCII characters")


def checked_timeout(value: float) -> float:
    if isinstance(value, (int, float)) and math.isfinite(value) and value > 0:
        return min(float(value), MAX_TIMEOUT_SECONDS)
    raise ValueError("timeout must be a positive number of seconds")


def checked_retries(value: int) -> int:
    if isinstance(value, int) and value >= 0:
        return value
    raise ValueError("max_retries must be a whole number, 0 or more")
