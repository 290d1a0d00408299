"""Acts as the payer. Needs sandbox keys."""

from __future__ import annotations

from typing import Literal, Optional

from ._bodies import checked_id, sandbox_pay_body
from ._requester import Call, Options, Requester
from .params import SandboxPayParams
from .responses import CurrentStatus


class Sandbox:
    def __init__(self, api: Requester) -> None:
        self._api = api

    def pay(
        self,
        payment_id: str,
        params: Optional[SandboxPayParams] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CurrentStatus:
        """Pays the payment, or fails it with another `outcome`."""
        path = f"/sandbox/payment/{checked_id(payment_id, 'payment')}/pay"
        call = Call("POST", path, body=sandbox_pay_body(params or {}))
        return self._api.json(CurrentStatus, call, Options(None, timeout, max_retries))

    def fail(
        self,
        payment_id: str,
        outcome: Literal["insufficient_balance", "error"] = "insufficient_balance",
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CurrentStatus:
        """Fails the payment, by default because the balance is too low."""
        params: SandboxPayParams = {"outcome": outcome}
        return self.pay(payment_id, params, timeout=timeout, max_retries=max_retries)

    def expire(
        self,
        payment_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> CurrentStatus:
        """Expires the payment."""
        call = Call("POST", f"/sandbox/payment/{checked_id(payment_id, 'payment')}/expire")
        return self._api.json(CurrentStatus, call, Options(None, timeout, max_retries))
