"""Exact amounts: a Decimal, or a string such as "12.50". Floats and ints are refused."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Union

from ._currencies import DECIMALS
from .errors import invalid

Amount = Union[Decimal, str]

_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,20})(\.[0-9]{1,30})?")


def from_minor(minor: int, currency: str) -> Decimal:
    """Converts an amount in minor units: `from_minor(1250, "USD")` is 12.50."""
    decimals = DECIMALS.get(currency)
    # Don't guess: a wrong number of decimals would change the amount.
    if decimals is None:
        raise invalid("minor", f"can't be converted, because the decimals of {currency} are unknown")
    if type(minor) is not int or minor < 0:
        raise invalid("minor", "must be an int, 0 or more")
    # Built from its digits, because arithmetic would round to the precision of the context.
    return Decimal((0, tuple(int(digit) for digit in str(minor)), -decimals))


def amount_text(amount: Any, field: str, currency: Any) -> str:
    """The decimal text for the request. Uses no arithmetic, so nothing is rounded."""
    text = decimal_text(amount, field)
    decimals = DECIMALS.get(currency) if isinstance(currency, str) else None
    fraction = text.partition(".")[2]
    if decimals is not None and fraction[decimals:].strip("0") != "":
        raise invalid(field, f"has more decimals than {currency}, which has {decimals}: {text}")
    return text


def decimal_text(amount: Any, field: str) -> str:
    """The decimal text, without a check of the decimals: the currency may be unknown."""
    text = f"{amount:f}" if isinstance(amount, Decimal) else amount
    if isinstance(text, str) and _DECIMAL.fullmatch(text):
        return text
    raise invalid(field, 'must be a Decimal, or a decimal string such as "12.50"')
