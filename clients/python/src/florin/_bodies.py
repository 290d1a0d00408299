"""Bodies and paths of requests."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional

from . import _json
from .amounts import amount_text, decimal_text
from .errors import invalid
from .params import CreateLinkParams, CreateParams, Product, SandboxPayParams


def create_body(params: CreateParams) -> str:
    # A missing currency is reported by the service, together with all other problems.
    currency = params.get("currency")
    fields: Dict[str, Any] = dict(params)
    fields["amount"] = _json.Raw(amount_text(params.get("amount"), "amount", currency))
    return _body_text_with_products(fields, currency)


def create_link_body(params: CreateLinkParams) -> str:
    currency = params.get("currency")
    fields: Dict[str, Any] = dict(params)
    if fields.get("amount") is not None:
        fields["amount"] = _json.Raw(amount_text(fields["amount"], "amount", currency))
    return _body_text_with_products(fields, currency)


def sandbox_pay_body(params: SandboxPayParams) -> str:
    fields: Dict[str, Any] = dict(params)
    if fields.get("donation_amount") is not None:
        donation = decimal_text(fields["donation_amount"], "donation_amount")
        fields["donation_amount"] = _json.Raw(donation)
    return body_text(fields)


def body_text(fields: Mapping[str, Any]) -> str:
    try:
        return _json.write(dict(fields))
    except (TypeError, ValueError) as error:
        raise invalid("body", f"can't be sent: {error}") from error


def _body_text_with_products(fields: Dict[str, Any], currency: Optional[str]) -> str:
    products: Optional[List[Product]] = fields.get("products")
    if products is not None:
        fields["products"] = [
            {**product, "price": _json.Raw(_price(product, at, currency))}
            for at, product in enumerate(products)
        ]
    return body_text(fields)


def _price(product: Product, at: int, currency: Optional[str]) -> str:
    return amount_text(product.get("price"), f"products.{at}.price", currency)


def payment_path(payment_id: str, rest: str = "") -> str:
    return f"/merchant/payment/{checked_id(payment_id, 'payment')}{rest}"


def checked_id(value: str, noun: str) -> str:
    """Ids are part of paths: an empty id or `..` would change the path."""
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_]+", value):
        return value
    raise invalid(f"{noun}_id", f"must be the id of a {noun}")
