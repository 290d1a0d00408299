"""Links that several payers can pay."""

from __future__ import annotations

from typing import Literal, Optional, Union, overload

from ._bodies import body_text, checked_id, create_link_body
from ._requester import Call, Options, Requester
from .lists import Listing, list_items
from .params import CreateLinkParams, LinkListParams, UpdateLinkParams
from .responses import Link


class Links:
    def __init__(self, api: Requester) -> None:
        self._api = api

    def create(
        self,
        params: CreateLinkParams,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Link:
        """Creates a link. Sends an idempotency key, so retries create one link."""
        call = Call("POST", "/merchant/links", body=create_link_body(params), is_idempotent=True)
        return self._api.json(Link, call, Options(idempotency_key, timeout, max_retries))

    def retrieve(
        self,
        link_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Link:
        """Returns a link, how many times it was paid, and the total."""
        call = Call("GET", _path_of(link_id))
        return self._api.json(Link, call, Options(None, timeout, max_retries))

    def update(
        self,
        link_id: str,
        params: UpdateLinkParams,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Link:
        """Changes the given fields. `{"active": False}` pauses the link."""
        call = Call("PATCH", _path_of(link_id), body=body_text(params))
        return self._api.json(Link, call, Options(None, timeout, max_retries))

    def list(
        self,
        params: Optional[LinkListParams] = None,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Listing[Link]:
        """Lists links, newest first."""
        query = dict(params or {})
        if query.get("active") is not None:
            query["active"] = "true" if query["active"] else "false"
        options = Options(None, timeout, max_retries)
        return list_items(self._api, Link, "/merchant/links", "links", query, options)

    @overload
    def qr(
        self,
        link_id: str,
        *,
        format: Literal["svg"] = "svg",
        size: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str: ...

    @overload
    def qr(
        self,
        link_id: str,
        *,
        format: Literal["png"],
        size: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes: ...

    def qr(
        self,
        link_id: str,
        *,
        format: str = "svg",
        size: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Union[str, bytes]:
        """Returns the QR code of the link's page: str for SVG, bytes for PNG."""
        call = Call("GET", _path_of(link_id, "/qr"), query={"format": format, "size": size})
        image = self._api.image(call, Options(None, timeout, max_retries))
        return image.decode() if format == "svg" else image


def _path_of(link_id: str, rest: str = "") -> str:
    return f"/merchant/links/{checked_id(link_id, 'link')}{rest}"
