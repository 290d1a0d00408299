"""The client for one store."""

from __future__ import annotations

from typing import Optional

from ._requester import Call, Options, Requester
from ._settings import read_settings
from .amounts import amount_text
from .events import Events
from .links import Links
from .params import QuoteParams
from .payments import Payments
from .responses import Balance, Quote, Store
from .sandbox import Sandbox


class Florin:
    """Client for one store. The keys select live or sandbox. Threads can share a client."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        api_secret: str,
        timeout: float = 30.0,
        max_retries: int = 3,
    ) -> None:
        """`timeout` is in seconds, per attempt; connecting may take as long for each address of the host.

        `max_retries` is for calls that are safe to retry."""
        self._api = Requester(read_settings(base_url, api_key, api_secret, timeout, max_retries))
        self.payments = Payments(self._api)
        self.links = Links(self._api)
        self.events = Events(self._api)
        self.sandbox = Sandbox(self._api)

    def balance(
        self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Balance:
        """Returns the balance of the store."""
        call = Call("GET", "/merchant/balance")
        return self._api.json(Balance, call, Options(None, timeout, max_retries))

    def quote(
        self,
        params: QuoteParams,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Quote:
        """Returns rate, fee and remaining limits for an amount."""
        currency = params.get("currency")
        amount = amount_text(params.get("amount"), "amount", currency)
        call = Call("GET", "/merchant/quote", query={"amount": amount, "currency": currency})
        return self._api.json(Quote, call, Options(None, timeout, max_retries))

    def store(
        self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None
    ) -> Store:
        """Returns the store's profile and settings, and the mode and scopes of the keys."""
        call = Call("GET", "/merchant/store")
        return self._api.json(Store, call, Options(None, timeout, max_retries))
