# Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u
"""Responses. Amounts are exact decimals, times are UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional


PaymentStatus = Literal["pending", "completed", "failed", "refunded", "expired"]
"""The status of the payment."""


Mode = Literal["live", "sandbox"]
"""Live or sandbox."""


EventType = Literal["payment.completed", "payment.failed", "payment.expired", "payment.refunded"]
"""What happened to the payment."""


LinkState = Literal["active", "paused", "used_up", "expired"]
"""`active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`: it
was paid `max_payments` times or more. `expired`: `expires_at` has passed.
"""


@dataclass(frozen=True)
class CreatedPayment:
    """The new payment."""

    payment_id: str
    """The id of the payment: `pay_` and 26 characters."""
    qr_code: str
    """The 27 digits of the payment code. Show them as a QR code or as text."""
    instructions: str
    """Instructions for the payer, a fragment of safe HTML."""


@dataclass(frozen=True)
class StoreProfile:
    """The store as payers see it."""

    name: str
    """Name of the store."""
    logo: str
    """URL of an image."""
    domain: str
    """Website of the store, or empty."""
    email: str
    """Email address of the store, or empty."""
    phone: str
    """Phone number of the store, or empty."""


@dataclass(frozen=True)
class RequestAmount:
    """The requested amount, before conversion."""

    amount: Decimal
    """The amount of the request."""
    currency: str
    """The currency of the request."""
    conversion_rate: Decimal
    """The value of one unit in the store's currency."""


@dataclass(frozen=True)
class Client:
    """The customer, as you sent it."""

    name: str
    """The customer's name."""
    email: str
    """The customer's email address."""
    phone_dial_code: Optional[str]
    """Country calling code, as you sent it."""
    phone: str
    """The customer's phone number."""


@dataclass(frozen=True)
class Payer:
    """The payer."""

    id: int
    """The wallet's number."""
    name: str
    """The payer's name."""
    email: str
    """The payer's email address."""
    phone: str
    """The payer's phone number."""
    wallet_id: str
    """The wallet's id."""


@dataclass(frozen=True)
class LatestWebhook:
    """The webhook."""

    url: str
    """Your `webhook_url`."""
    called_at: Optional[datetime]
    """Time of the latest attempt, UTC."""
    response: Optional[Dict[str, Any]]
    """The result of the latest attempt: `{status_code, body}`, or `{error}`."""


@dataclass(frozen=True)
class PaymentReference:
    """Your own references."""

    id: Optional[str]
    """Your `reference_id`."""
    note: Optional[str]
    """Your `reference_note`."""


@dataclass(frozen=True)
class PaymentProduct:
    name: str
    """Name of the product."""
    quantity: int
    """Number of units."""
    price: Decimal
    """Price of one unit, in the currency of the request."""


@dataclass(frozen=True)
class RefundSummary:
    """The refund."""

    refund_amount: Decimal
    """The amount that the payer received."""
    refund_fee: Decimal
    """The refund fee: gross minus the refund amount."""
    refunded_at: datetime
    """Time of the refund, UTC."""


@dataclass(frozen=True)
class Payment:
    """All details of a payment."""

    payment_id: str
    """The id of the payment: `pay_` and 26 characters."""
    qr_code: str
    """The 27 digits of the payment code. Show them as a QR code or as text."""
    amount: Decimal
    """Net amount, which the store receives: gross minus the transaction fee."""
    transaction_fee: Decimal
    """The fee that the service keeps."""
    donation_amount: Decimal
    """The donation that the payer added."""
    currency: str
    """The store's currency. All amounts except `request_amount` and the prices of `products` are in
    this currency.
    """
    status: PaymentStatus
    """The status of the payment."""
    created_at: datetime
    """Time of creation, UTC."""
    is_sandbox_transaction: bool
    """True for a sandbox payment."""
    client: Optional[Client]
    """The customer, as you sent it."""
    user: Optional[Payer]
    """The payer. None until the payment is completed."""
    store: StoreProfile
    """The store as payers see it."""
    webhook: Optional[LatestWebhook]
    """The webhook. None if you set no `webhook_url`."""
    reference: PaymentReference
    """Your own references."""
    request_amount: RequestAmount
    """The requested amount, before conversion."""
    payload: Optional[Dict[str, Any]]
    """Your custom data, as you sent it."""
    products: List[PaymentProduct]
    """The products. May be empty."""
    expires_at: datetime
    """Time when a pending payment expires, UTC."""
    refund: Optional[RefundSummary]
    """The refund. None if the payment is not refunded."""
    link_id: Optional[str]
    """The link that the payer used. None if you created the payment yourself."""


@dataclass(frozen=True)
class Link:
    """A link that several payers can pay, each with a payment of their own."""

    link_id: str
    """The id of the link: `lnk_` and 26 characters."""
    url: str
    """The page of the link. Share it, or print its QR code."""
    mode: Mode
    """Live or sandbox."""
    title: str
    """What you sell."""
    description: Optional[str]
    """The description."""
    amount: Optional[Decimal]
    """Amount of each payment. None if the payer chooses."""
    currency: str
    """The currency of `amount`."""
    products: List[PaymentProduct]
    """The products. May be empty."""
    payload: Optional[Dict[str, Any]]
    """Your custom data, for every payment."""
    reference_id: Optional[str]
    """Your own id, for every payment."""
    reference_note: Optional[str]
    """A note that is shown to the payer."""
    webhook_url: Optional[str]
    """URL that events of the payments are posted to."""
    return_url: Optional[str]
    """URL that the wallet links to after paying."""
    locale: Optional[Literal["en", "es", "fr", "ar", "zh"]]
    """Language of the page. None if the browser decides."""
    max_payments: Optional[int]
    """How many times the link can be paid. None without a limit."""
    expires_at: Optional[datetime]
    """Time after which the link can no longer be paid, UTC."""
    active: bool
    """False if the store paused the link."""
    state: LinkState
    """`active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`:
    it was paid `max_payments` times or more. `expired`: `expires_at` has passed.
    """
    paid_count: int
    """How many times it was paid, including payments refunded later."""
    paid_total: Decimal
    """The gross of these payments."""
    paid_currency: str
    """The currency of `paid_total`: the store's."""
    created_at: datetime
    """Time of creation, UTC."""


@dataclass(frozen=True)
class Refund:
    """The refund."""

    payment_id: str
    """The id of the payment: `pay_` and 26 characters."""
    refund_amount: Decimal
    """The amount that the payer receives."""
    refund_fee: Decimal
    """The refund fee: gross minus the refund amount."""
    status: Literal["refunded"]
    """The status of the payment."""
    refunded_at: datetime
    """Time of the refund, UTC."""


@dataclass(frozen=True)
class Balance:
    """The balance of the store."""

    balance: Decimal
    """The balance of the store."""
    currency: str
    """The store's currency."""
    pending_amount: Decimal
    """Gross of all pending payments."""


@dataclass(frozen=True)
class QuoteLimitsDaily:
    """Limit per day, in the store's time zone."""

    limit: Optional[Decimal]
    """The limit. None if there is none."""
    left: Optional[Decimal]
    """The rest of the limit. None if there is no limit."""


@dataclass(frozen=True)
class QuoteLimitsMonthly:
    """Limit per month, in the store's time zone."""

    limit: Optional[Decimal]
    """The limit. None if there is none."""
    left: Optional[Decimal]
    """The rest of the limit. None if there is no limit."""


@dataclass(frozen=True)
class QuoteLimits:
    """The store's limits."""

    min_amount: Optional[Decimal]
    """Minimum gross of a payment. None if there is none."""
    max_amount: Optional[Decimal]
    """Maximum gross of a payment. None if there is none."""
    daily: QuoteLimitsDaily
    """Limit per day, in the store's time zone."""
    monthly: QuoteLimitsMonthly
    """Limit per month, in the store's time zone."""


@dataclass(frozen=True)
class Quote:
    """The terms of a payment of this amount."""

    request_amount: RequestAmount
    """The requested amount, before conversion."""
    gross: Decimal
    """The amount that the payer pays."""
    transaction_fee: Decimal
    """The fee that the service keeps."""
    amount: Decimal
    """The amount that the store receives."""
    currency: str
    """The store's currency."""
    limits: QuoteLimits
    """The store's limits."""
    within_limits: bool
    """True if the limits allow this payment now."""


@dataclass(frozen=True)
class Store:
    """The store and its settings."""

    id: int
    """The store's number."""
    name: str
    """Name of the store."""
    logo: str
    """URL of an image."""
    domain: str
    """Website of the store, or empty."""
    email: str
    """Email address of the store, or empty."""
    phone: str
    """Phone number of the store, or empty."""
    currency: str
    """The store's currency."""
    time_zone: str
    """IANA name. Daily and monthly limits use this time zone."""
    fee_bps: int
    """Transaction fee in basis points of gross; 100 is 1%."""
    fee_fixed: Decimal
    """Fixed part of the transaction fee."""
    refund_fee: Decimal
    """Fee that is deducted from a refund."""
    min_amount: Optional[Decimal]
    """Minimum gross of a payment. None if there is none."""
    max_amount: Optional[Decimal]
    """Maximum gross of a payment. None if there is none."""
    daily_limit: Optional[Decimal]
    """Maximum gross per day. None if there is none."""
    monthly_limit: Optional[Decimal]
    """Maximum gross per month. None if there is none."""
    expires_after_seconds: int
    """Seconds until a payment expires, unless `expires_in` is set."""
    unique_references: bool
    """True if a payment cannot reuse the `reference_id` of a pending, paid or refunded one."""
    refund_cap_manager: Optional[Decimal]
    """Maximum gross that a manager can refund. None if there is no maximum."""
    refund_cap_cashier: Optional[Decimal]
    """Maximum gross that a cashier can refund. 0 if cashiers cannot refund. None if there is no
    maximum.
    """
    embed_origins: List[str]
    """Sites that can show the checkout page in a frame."""
    mode: Mode
    """The mode of the API key."""
    scopes: List[str]
    """The scopes of the API key."""


@dataclass(frozen=True)
class DeliveryAttempt:
    at: datetime
    """Time of the attempt, UTC."""
    duration_ms: int
    """Duration in milliseconds."""
    status_code: Optional[int]
    """Status that your server returned. None if there was no complete response."""
    error: Optional[str]
    """Why there was no complete response. None if there was one."""
    body: Optional[str]
    """The first 4 KiB of the response."""


@dataclass(frozen=True)
class PaymentWebhook:
    id: str
    """The id of the event, sent as `webhook-id` with every attempt."""
    type: EventType
    """What happened to the payment."""
    sequence: int
    """Position of the event among the events of the payment."""
    created_at: datetime
    """Time of the event, UTC."""
    resent_at: Optional[datetime]
    """Time of the latest request to resend the event, UTC. None if there was none."""
    url: Optional[str]
    """The URL it is posted to. None if there is no `webhook_url`."""
    state: Literal["not_wanted", "waiting", "delivered", "exhausted"]
    """State of the delivery. An exhausted event is not retried, but can be resent."""
    next_attempt_at: Optional[datetime]
    """Time of the next attempt, UTC. None if there is none."""
    attempts: List[DeliveryAttempt]
    """The latest attempts, oldest first. At most 100 for a payment."""


@dataclass(frozen=True)
class StoredEvent:
    id: str
    """The id of the event, sent as `webhook-id` with every attempt."""
    type: EventType
    """What happened to the payment."""
    sequence: int
    """Position of the event among the events of the payment."""
    created_at: datetime
    """Time of the event, UTC."""
    resent_at: Optional[datetime]
    """Time of the latest request to resend the event, UTC. None if there was none."""
    payment_id: str
    """The id of the payment: `pay_` and 26 characters."""
    body: str
    """The body that is delivered. Empty if it is no longer stored."""


@dataclass(frozen=True)
class Redelivered:
    """The event that is resent."""

    id: str
    """The id of the event, unchanged."""
    type: str
    """What happened to the payment."""


@dataclass(frozen=True)
class RedeliveredEvents:
    """The number of events that are resent."""

    events: int
    """Number of events that are resent."""


@dataclass(frozen=True)
class CurrentStatus:
    """A payment and its status."""

    payment_id: str
    """The id of the payment: `pay_` and 26 characters."""
    status: PaymentStatus
    """The status of the payment."""
