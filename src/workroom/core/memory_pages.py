"""Pages of a list that is in memory: the same search, order and cursors as lists of the database have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from workroom.core.errors import InvalidInput
from workroom.core.pages import Cursor, Page, PageRequest

T = TypeVar("T")


def paged(
    items: Iterable[T],
    request: PageRequest,
    *,
    key: Callable[[T], str],
    sorts: Mapping[str, Callable[[T], str]],
    default_sort: str,
    search: Callable[[T], str],
) -> Page[T]:
    """`key` tells two items apart; the first of equals in the order asked for comes first, whatever changes meanwhile."""
    sort = request.sort or default_sort
    if sort not in sorts:
        raise InvalidInput(f"This list sorts by {', '.join(sorted(sorts))}, not by {sort!r}.", field="sort")
    words = request.query.casefold().split()
    place = _place(sorts[sort], key)
    matched = sorted(
        (item for item in items if all(word in search(item).casefold() for word in words)),
        key=place,
        reverse=request.order == "desc",
    )
    rest = matched
    if request.cursor is not None:
        last = (request.cursor.value or "", request.cursor.id)
        rest = [item for item in matched if (place(item) < last if request.order == "desc" else place(item) > last)]
    shown = rest[: request.limit]
    cursor = Cursor(*place(shown[-1])).encode() if len(rest) > request.limit else None
    return Page(shown, cursor, len(matched))


def _place(sort: Callable[[T], str], key: Callable[[T], str]) -> Callable[[T], tuple[str, str]]:
    return lambda item: (sort(item), key(item))
