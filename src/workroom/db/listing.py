"""Lists that page, sort and search, from one description: keyset paging that neither repeats nor skips rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from workroom.core.errors import InvalidInput
from workroom.core.pages import Cursor, Page, PageRequest
from workroom.db.database import UnitOfWork

MOST_WORDS = 8


@dataclass(frozen=True)
class Listing:
    """`source` is a SELECT with a unique column `id`; `sorts` maps public names to text expressions that are never null."""

    source: str
    args: Sequence[Any] = ()
    sorts: Mapping[str, str] = field(default_factory=dict)
    default_sort: str = ""
    search: Sequence[str] = ()


def moment(column: str) -> str:
    """A timestamp as text that sorts as the timestamp does."""
    return f"coalesce(to_char({column} at time zone 'utc', 'YYYYMMDDHH24MISSUS'), '')"


async def page(uow: UnitOfWork, listing: Listing, request: PageRequest) -> Page[asyncpg.Record]:
    sort = request.sort or listing.default_sort
    if sort not in listing.sorts:
        raise InvalidInput(f"This list sorts by {', '.join(sorted(listing.sorts))}, not by {sort!r}.", field="sort")
    args = list(listing.args)
    conditions = ["true"]
    for word in request.query.split()[:MOST_WORDS]:
        args.append(containing(word))
        conditions.append("(" + " or ".join(f"{column} ilike ${len(args)}" for column in listing.search) + ")")
    matched = (
        f"select *, {listing.sorts[sort]} as _sort from ({listing.source}) as rows where {' and '.join(conditions)}"
    )
    direction, compare = ("desc", "<") if request.order == "desc" else ("asc", ">")
    after, counted = "", len(args)
    if request.cursor is not None:
        args += [request.cursor.value or "", request.cursor.id]
        after = f"where (_sort, id::text) {compare} (${len(args) - 1}::text, ${len(args)}::text)"
    sql = (
        f"with matched as ({matched}) select *, (select count(*) from matched) as _total from matched {after}"
        f" order by _sort {direction}, id::text {direction} limit {request.limit + 1}"
    )
    rows = await uow.fetch(sql, *args)
    shown = rows[: request.limit]
    more = len(rows) > request.limit
    cursor = Cursor(shown[-1]["_sort"], str(shown[-1]["id"])).encode() if more else None
    total = rows[0]["_total"] if rows else 0
    if not rows and request.cursor is not None:
        total = await uow.fetchval(f"select count(*) from ({matched}) as matched", *args[:counted])
    return Page(shown, cursor, total)


def containing(text: str) -> str:
    """The LIKE pattern of texts that contain this one, whatever signs it has."""
    return "%" + text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_") + "%"
