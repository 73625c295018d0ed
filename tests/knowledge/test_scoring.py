"""One order from two."""

from __future__ import annotations

from uuid import UUID

from workroom.knowledge.scoring import fused
from workroom.knowledge.types import ChunkKey, Found, Layer


def found(chunk: int, words: float | None = None, meaning: float | None = None) -> Found:
    return Found(ChunkKey(UUID(int=1), chunk), Layer.INSTANCE, words, meaning)


def order(*items: Found, weight: float = 0.35) -> list[int]:
    return [item.key.chunk for item, _ in fused(items, weight)]


def test_nothing_is_nothing() -> None:
    assert fused([], 0.35) == []


def test_words_that_are_sure_win_over_meaning() -> None:
    assert order(found(1, 20.0, 0.3), found(2, 2.0, 0.5), found(3, 1.0, 0.4)) == [1, 2, 3]


def test_meaning_decides_among_equals() -> None:
    assert order(found(1, 5.0, 0.2), found(2, 5.0, 0.6)) == [2, 1]


def test_what_was_found_one_way_only_has_its_place() -> None:
    assert order(found(1, 9.0, 0.5), found(2, None, 0.9), found(3, 1.0, None)) == [1, 2, 3]


def test_equal_scores_keep_the_order_of_the_text() -> None:
    assert order(found(3, 1.0, 0.1), found(1, 1.0, 0.1), found(2, 1.0, 0.1)) == [1, 2, 3]
