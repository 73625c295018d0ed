"""Lists in memory page as those of the database do: every match once, in order, in both directions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput
from workroom.core.memory_pages import paged
from workroom.core.pages import Cursor, Order, Page, PageRequest

Item = tuple[str, str]


def page(items: list[Item], request: PageRequest) -> Page[Item]:
    return paged(
        items,
        request,
        key=lambda item: item[0],
        sorts={"label": lambda item: item[1], "id": lambda item: item[0]},
        default_sort="label",
        search=lambda item: item[1],
    )


@given(
    st.dictionaries(st.text("abcÄ-", min_size=1, max_size=3), st.sampled_from(["a", "b", "c"]), max_size=30),
    st.integers(1, 7),
    st.sampled_from(["asc", "desc"]),
)
def test_every_item_once_in_order(known: dict[str, str], limit: int, order: Order) -> None:
    items, cursor = list(known.items()), None
    seen: list[Item] = []
    while True:
        got = page(items, PageRequest(limit=limit, order=order, cursor=cursor))
        assert got.total == len(items)
        seen += got.items
        if got.next_cursor is None:
            break
        cursor = Cursor.decode(got.next_cursor)
    assert seen == sorted(items, key=lambda item: (item[1], item[0]), reverse=order == "desc")


def test_all_words_must_be_found() -> None:
    items = [("1", "GPT-5 mini"), ("2", "GPT-5"), ("3", "Claude")]
    assert [key for key, _ in page(items, PageRequest(query="MINI gpt")).items] == ["1"]
    assert page(items, PageRequest(query="gpt")).total == 2


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(InvalidInput, match="id, label"):
        page([], PageRequest(sort="price"))
