"""Events of the store's payments, delivered or not."""

from __future__ import annotations

from typing import Optional

from ._bodies import body_text
from ._requester import Call, Options, Requester
from .lists import Listing, list_items
from .params import EventListParams, TimeWindow
from .responses import RedeliveredEvents, StoredEvent


class Events:
    def __init__(self, api: Requester) -> None:
        self._api = api

    def list(
        self,
        params: Optional[EventListParams] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Listing[StoredEvent]:
        """Lists events, oldest first."""
        options = Options(None, timeout, max_retries)
        path = "/merchant/events"
        return list_items(self._api, StoredEvent, path, "events", params or {}, options)

    def redeliver(
        self,
        window: TimeWindow,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RedeliveredEvents:
        """Resends the events of a time window.

        Skips those without a `webhook_url`, and those whose body is no longer stored.
        """
        call = Call("POST", "/merchant/events/redeliver", body=body_text(window))
        return self._api.json(RedeliveredEvents, call, Options(None, timeout, max_retries))
