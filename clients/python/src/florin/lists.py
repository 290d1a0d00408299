"""Lists that fetch their pages as needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterator, List, Mapping, Optional, Type, TypeVar

from ._decode import decode
from ._requester import Call, Options, Requester

T = TypeVar("T")

PAGE_SIZE = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    items: List[T]
    next_cursor: Optional[str]
    """Cursor of the next page; None on the last."""


class Listing(Generic[T]):
    """Iterates over all items, and fetches pages as needed."""

    def __init__(self, read: Callable[[Optional[str]], Page[T]], cursor: Optional[str]) -> None:
        self._read = read
        self._cursor = cursor

    def page(self) -> Page[T]:
        """Returns only one page: the one at `cursor`, by default the first."""
        return self._read(self._cursor)

    def pages(self) -> Iterator[Page[T]]:
        cursor = self._cursor
        while True:
            page = self._read(cursor)
            yield page
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items


def list_items(
    api: Requester,
    kind: Type[T],
    path: str,
    items: str,
    params: Mapping[str, Any],
    options: Options,
) -> Listing[T]:
    def page_of(data: Any) -> Page[T]:
        return Page([decode(kind, item) for item in data[items]], data["next_cursor"])

    def read(cursor: Optional[str]) -> Page[T]:
        query = {"limit": PAGE_SIZE, **params, "cursor": cursor}
        return api.read(Call("GET", path, query=query), options, page_of)

    return Listing(read, params.get("cursor"))
