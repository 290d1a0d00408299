# Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u
"""Requests. Times are an aware datetime, or text: "YYYY-MM-DD HH:MM:SS" in UTC, or ISO 8601."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .amounts import Amount
from .responses import PaymentStatus

Time = Union[str, datetime]


class Product(TypedDict):
    name: str
    """Name of the product."""
    quantity: int
    """Number of units."""
    price: Amount
    """Price of one unit, in `currency`."""


class _ClientInput(TypedDict):
    name: str
    """The customer's name."""
    email: str
    """The customer's email address."""
    phone: str
    """The customer's phone number, stored as sent."""


class ClientInput(_ClientInput, total=False):
    """The customer, for your own records."""

    phone_dial_code: Optional[str]
    """Country calling code, 1 to 4 digits with or without `+`."""


class _CreateParams(TypedDict):
    amount: Amount
    """Amount to charge. At most 12 integer digits, and as many decimals as the currency has."""
    currency: str
    """ISO 4217 code. If it is not the store's currency, the amount is converted at the operator's
    rate.
    """


class CreateParams(_CreateParams, total=False):
    client: Optional[ClientInput]
    """The customer, for your own records."""
    products: Optional[List[Product]]
    """Products, shown to the payer. Their prices need not add up to `amount`."""
    payload: Optional[Dict[str, Any]]
    """Custom data, at most 16 KiB of JSON."""
    reference_id: Optional[str]
    """Your order id. You can filter lists by it."""
    reference_note: Optional[str]
    """A note that is shown to the payer."""
    webhook_url: Optional[str]
    """URL that events of the payment are posted to; https, unless the operator also allows http."""
    return_url: Optional[str]
    """URL that the checkout page links to afterwards, with `payment_id` and `status` added to the
    query; http or https.
    """
    expires_in: Optional[int]
    """Seconds until the payment expires. By default the store's setting, initially 900."""
    locale: Optional[Literal["en", "es", "fr", "ar", "zh"]]
    """Language of the instructions. By default Accept-Language decides."""


class ListParams(TypedDict, total=False):
    status: PaymentStatus
    """Only payments with this status. An overdue payment is expired."""
    reference_id: str
    """Only payments with this `reference_id`."""
    link_id: str
    """Only payments made by this link."""
    created_from: Time
    """Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601."""
    created_to: Time
    """End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601."""
    limit: int
    """Maximum number of items per page."""
    cursor: str
    """`next_cursor` of the previous page."""


class _CreateLinkParams(TypedDict):
    title: str
    """What you sell. Shown to payers."""


class CreateLinkParams(_CreateLinkParams, total=False):
    amount: Optional[Amount]
    """Amount of each payment. By default the payer chooses."""
    currency: Optional[str]
    """ISO 4217 code. The default is the store's currency. Payments in another currency are
    converted at the operator's current rate.
    """
    products: Optional[List[Product]]
    """Products, shown to the payer. Their prices need not add up to `amount`."""
    description: Optional[str]
    """A description. Shown to payers."""
    payload: Optional[Dict[str, Any]]
    """Custom data, at most 16 KiB of JSON."""
    reference_id: Optional[str]
    """Your own id, for every payment of the link. If the store requires unique references, the link
    can be paid at most once.
    """
    reference_note: Optional[str]
    """A note that is shown to the payer."""
    webhook_url: Optional[str]
    """URL that events of the payment are posted to; https, unless the operator also allows http."""
    return_url: Optional[str]
    """URL that the wallet links to after paying, with `payment_id` and `status` added to the query;
    http or https.
    """
    locale: Optional[Literal["en", "es", "fr", "ar", "zh"]]
    """Language of the page. By default the browser of the payer decides."""
    max_payments: Optional[int]
    """How many times the link can be paid. By default there is no limit."""
    expires_at: Optional[Time]
    """Time after which the link can no longer be paid. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.
    """


class UpdateLinkParams(TypedDict, total=False):
    title: str
    """What you sell. Shown to payers."""
    description: Optional[str]
    """A description. Shown to payers."""
    payload: Optional[Dict[str, Any]]
    """Custom data, at most 16 KiB of JSON."""
    reference_id: Optional[str]
    """Your own id, for every payment of the link. If the store requires unique references, the link
    can be paid at most once.
    """
    reference_note: Optional[str]
    """A note that is shown to the payer."""
    webhook_url: Optional[str]
    """URL that events of the payment are posted to; https, unless the operator also allows http."""
    return_url: Optional[str]
    """URL that the wallet links to after paying, with `payment_id` and `status` added to the query;
    http or https.
    """
    locale: Optional[Literal["en", "es", "fr", "ar", "zh"]]
    """Language of the page. By default the browser of the payer decides."""
    max_payments: Optional[int]
    """How many times the link can be paid. By default there is no limit."""
    expires_at: Optional[Time]
    """Time after which the link can no longer be paid. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.
    """
    active: bool
    """False to pause the link, true to activate it again."""


class LinkListParams(TypedDict, total=False):
    active: bool
    """Only links that are not paused, or only paused ones."""
    limit: int
    """Maximum number of items per page."""
    cursor: str
    """`next_cursor` of the previous page."""


EventListParams = TypedDict(
    "EventListParams",
    {
        "by": Literal["created_at", "resent_at"],
        "from": Time,
        "to": Time,
        "limit": int,
        "cursor": str,
    },
    total=False,
)


class QuoteParams(TypedDict):
    amount: Amount
    """A decimal number."""
    currency: str
    """ISO 4217 code in upper case."""


class TimeWindow(TypedDict):
    created_from: Time
    """Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601."""
    created_to: Time
    """End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601."""


class SandboxPayParams(TypedDict, total=False):
    outcome: Optional[Literal["completed", "insufficient_balance", "error"]]
    """The outcome. By default `completed`."""
    donation_amount: Optional[Amount]
    """A donation by the payer."""
