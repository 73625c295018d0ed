"""Pages on the wire: the query parameters every list takes, and the shape every list answers with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import Field

from workroom.core.pages import DEFAULT_LIMIT, MAX_LIMIT, Cursor, Order, Page, PageRequest
from workroom.core.wire import Wire

T = TypeVar("T")
U = TypeVar("U")


class ListQuery(Wire):
    """`q` searches, `sort` and `order` sort, `limit` and `cursor` page."""

    q: str = Field("", max_length=200)
    sort: str = Field("", max_length=40)
    order: Order = "asc"
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    cursor: str | None = Field(None, max_length=1_000)

    def request(self) -> PageRequest:
        cursor = Cursor.decode(self.cursor) if self.cursor else None
        return PageRequest(self.q.strip().replace("\x00", ""), self.sort, self.order, self.limit, cursor)


Listed = Annotated[ListQuery, Query()]


class PageOf(Wire, Generic[T]):
    """`total` counts every match; `nextCursor` is null on the last page."""

    items: list[T]
    next_cursor: str | None
    total: int


def page_of(page: Page[U], show: Callable[[U], T]) -> PageOf[T]:
    return PageOf(items=[show(item) for item in page.items], next_cursor=page.next_cursor, total=page.total)
