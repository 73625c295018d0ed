"""One order from two."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from workroom.knowledge.score_fusion import Scale, fused
from workroom.knowledge.types import ChunkHit, ChunkKey, KnowledgeLayer

SCALES = {"one": Scale(0.2, 0.35), "other": Scale(0.6, 0.35)}


def found(chunk: int, words: float | None = None, meaning: float | None = None, model: str = "one") -> ChunkHit:
    return ChunkHit(
        ChunkKey(UUID(int=1), chunk), KnowledgeLayer.INSTANCE, words, meaning, model=None if meaning is None else model
    )


def order(*items: ChunkHit) -> list[int]:
    return [item.key.chunk for item, _ in fused(items, SCALES)]


def test_nothing_is_nothing() -> None:
    assert fused([], SCALES) == []


def test_words_that_are_sure_win_over_meaning() -> None:
    assert order(found(1, 20.0, 0.3), found(2, 2.0, 0.5), found(3, 1.0, 0.4)) == [1, 2, 3]


def test_meaning_decides_among_equals() -> None:
    assert order(found(1, 5.0, 0.2), found(2, 5.0, 0.6)) == [2, 1]


def test_what_was_found_one_way_only_has_its_place() -> None:
    assert order(found(1, 9.0, 0.5), found(2, None, 0.9), found(3, 1.0, None)) == [1, 2, 3]


def test_equal_scores_keep_the_order_of_the_text() -> None:
    assert order(found(3, 1.0, 0.1), found(1, 1.0, 0.1), found(2, 1.0, 0.1)) == [1, 2, 3]


def test_with_one_model_its_floor_changes_no_score() -> None:
    items = [found(1, 9.0, 0.5), found(2, None, 0.9), found(3, 1.0, None)]
    low, high = ([score for _, score in fused(items, {"one": Scale(floor, 0.35)})] for floor in (0.0, 0.65))
    assert low == pytest.approx(high)


@pytest.mark.requirement("H5")
def test_models_are_compared_by_how_far_they_are_above_their_floors() -> None:
    """.7 is hardly anything for a model whose floor is .6, and .5 is much for one whose floor is .2."""
    assert order(found(1, meaning=0.7, model="other"), found(2, meaning=0.5, model="one")) == [2, 1]
    assert order(found(1, meaning=0.9, model="other"), found(2, meaning=0.5, model="one")) == [1, 2]


def test_meaning_counts_more_where_hardly_a_word_of_the_question_was_found() -> None:
    """One word of ten makes no passage sure, though it is the only one with any: unless the vectors tell nothing apart."""
    scales = {"one": Scale(0.2, 0.35, missing_words_weight=2.0)}

    def first(asked: int, ordinary: float) -> int:
        worded = replace(found(1, 3.0, ordinary), lexemes=("word",))
        items = [worded, found(2, None, ordinary + 0.3), *(found(n, None, ordinary) for n in range(3, 12))]
        return fused(items, scales, asked)[0][0].key.chunk

    assert first(asked=1, ordinary=0.1) == 1, "all of its words"
    assert first(asked=10, ordinary=0.1) == 2, "one of ten"
    assert first(asked=10, ordinary=0.5) == 1, "everything is alike"


@pytest.mark.requirement("H5")
def test_meaning_counts_most_for_a_question_in_other_words() -> None:
    """Some of its words are there, so it is in the language of the texts; most are not."""
    scales = {"one": Scale(0.2, 0.35, missing_words_weight=2.0)}

    def first(said: str, asked: int) -> int:
        worded = replace(found(1, 3.0, 0.3), lexemes=tuple(said))
        items = [worded, found(2, None, 0.4), *(found(n, None, 0.1) for n in range(3, 12))]
        return fused(items, scales, asked)[0][0].key.chunk

    assert first("ab", asked=7) == 2
    assert first("a", asked=10) == 1, "hardly in this language"
    assert first("abcde", asked=7) == 1, "in the words of the text"
    assert first("a7", asked=7) == 1, "a number is said in no other words"


def test_what_has_no_vector_is_the_least_alike_of_all_models() -> None:
    items = [found(1, 1.0), found(2, 1.0, 0.1), found(3, 1.0, 0.61, "other"), found(4, 1.0, 0.5)]
    scored = {item.key.chunk: score for item, score in fused(items, SCALES)}
    assert scored[1] == scored[2] < scored[3] < scored[4]
