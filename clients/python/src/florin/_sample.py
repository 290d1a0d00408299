"""A payment for test events, in the form of the API."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Dict


def sample_payment(status: str, at: datetime) -> Dict[str, Any]:
    now = at.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    payer = {
        "id": 1,
        "name": "Ada",
        "email": "ada@example.com",
        "phone": "+15550000001",
        "wallet_id": "wal_0000000000000000",
    }
    refund = {"refund_amount": "12.00", "refund_fee": "0.50", "refunded_at": now}
    return {
        "payment_id": "pay_00000000000000000000000000",
        "qr_code": "2" * 27,
        "amount": "12.37",
        "transaction_fee": "0.13",
        "donation_amount": "0.00",
        "currency": "USD",
        "status": status,
        "created_at": now,
        "is_sandbox_transaction": True,
        "client": None,
        "user": payer if status in ("completed", "refunded") else None,
        "store": {
            "name": "Test Store",
            "logo": "https://pay.example.com/stores/1/logo.svg",
            "domain": "",
            "email": "",
            "phone": "",
        },
        "webhook": {"url": "https://shop.example/hook", "called_at": None, "response": None},
        "reference": {"id": "order-1", "note": None},
        "request_amount": {"amount": "12.50", "currency": "USD", "conversion_rate": "1.0000"},
        "payload": None,
        "products": [],
        "expires_at": now,
        "refund": refund if status == "refunded" else None,
        "link_id": None,
    }
