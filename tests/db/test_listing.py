"""Pages: together they are the whole list, in order, each row once, whatever the page size."""

from __future__ import annotations

from typing import Any

import pytest

from workroom.core.actors import SystemActor
from workroom.core.errors import InvalidInput
from workroom.core.pages import Cursor, Order, PageRequest
from workroom.db import Database
from workroom.db.listing import Listing, page

ROWS = 23
SOURCE = f"select n as id, 'na_me 50%' || (n % 5) as name from generate_series(1, {ROWS}) as n"
LISTING = Listing(SOURCE, sorts={"name": "name", "id": "lpad(id::text, 9, '0')"}, default_sort="name", search=["name"])


async def walk(db: Database, limit: int, order: Order, sort: str) -> list[Any]:
    rows: list[Any] = []
    cursor: Cursor | None = None
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        while True:
            got = await page(uow, LISTING, PageRequest(sort=sort, order=order, limit=limit, cursor=cursor))
            assert got.total == ROWS
            assert len(got.items) <= limit
            rows += got.items
            if got.next_cursor is None:
                return rows
            cursor = Cursor.decode(got.next_cursor)


@pytest.mark.parametrize("limit", [1, 4, 22, 23, 24])
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort", ["name", "id"])
async def test_pages_are_the_list(db: Database, limit: int, order: Order, sort: str) -> None:
    rows = await walk(db, limit, order, sort)
    assert sorted(row["id"] for row in rows) == list(range(1, ROWS + 1))
    keys = [row["_sort"] for row in rows]
    assert keys == sorted(keys, reverse=order == "desc")


@pytest.mark.parametrize(("query", "found"), [("NA_ME", ROWS), ("50%1", 5), ("%", ROWS), ("__", 0), ("x", 0)])
async def test_search_takes_the_text_literally(db: Database, query: str, found: int) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        assert (await page(uow, LISTING, PageRequest(query=query))).total == found


async def test_a_page_past_the_end_still_knows_the_total(db: Database) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        got = await page(uow, LISTING, PageRequest(cursor=Cursor("zzz", "999")))
    assert (list(got.items), got.total, got.next_cursor) == ([], ROWS, None)


async def test_sorting_by_something_else_says_what_is_possible(db: Database) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        with pytest.raises(InvalidInput, match="id, name"):
            await page(uow, LISTING, PageRequest(sort="password_hash"))


@pytest.mark.parametrize("text", ["", "x", "bm90IGpzb24", "W10", "WzEsMl0", "ö", "a" * 5_000, "WyJhIixudWxsXQ"])
def test_a_damaged_cursor_is_an_error_of_the_client(text: str) -> None:
    with pytest.raises(InvalidInput):
        Cursor.decode(text)
