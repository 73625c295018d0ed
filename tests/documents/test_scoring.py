"""What is measured when formats are scored: words and their order, not markup."""

from __future__ import annotations

import pytest

from tests.documents.scoring import in_order, is_held_out, overlap, words_of


def test_markup_and_hyphens_at_the_ends_of_lines_do_not_count() -> None:
    assert words_of("# A **bold** distribu-\ntion | of | [links](http://x) <!-- image -->") == words_of(
        "a bold distribution of links"
    )


def test_how_often_a_merged_cell_speaks_does_not_count() -> None:
    assert words_of("| wide | wide | c |\n| --- | --- | --- |\n| 1 | 2 | 2 |") == words_of(
        "| wide |  | c |\n| 1 | 2 |  |"
    )
    assert words_of("said said | said") == ["said", "said", "said"]


def test_missing_and_added_words_cost_and_so_does_their_order() -> None:
    truth = words_of("one two three four")
    assert overlap(truth, truth) == in_order(truth, truth) == 1.0
    assert overlap(words_of("one two"), truth) == pytest.approx(2 / 3)
    assert overlap(words_of("one two three four five six seven eight"), truth) == pytest.approx(2 / 3)
    assert overlap(words_of("four three two one"), truth) == 1.0
    assert in_order(words_of("four three two one"), truth) < 0.5


def test_chinese_is_compared_character_by_character() -> None:
    assert words_of("你好 world") == ["你", "好", "world"]


def test_about_half_of_all_documents_are_held_out_and_always_the_same() -> None:
    documents = [f"document {number}".encode() for number in range(1_000)]
    held_out = [is_held_out(document) for document in documents]
    assert 450 <= sum(held_out) <= 550
    assert held_out == [is_held_out(bytes(document)) for document in documents]
    assert (is_held_out(b""), is_held_out(b"a")) == (True, False)
