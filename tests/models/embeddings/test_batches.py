"""What goes into one request, and the words in front of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.embeddings.places import info
from workroom.models.embeddings.batches import BYTES_PER_TOKEN, REQUEST_TOKENS, batches, cut, expected_tokens
from workroom.models.embeddings.prefixes import PLAIN, wording_of


@given(st.lists(st.text(max_size=40)))
def test_nothing_is_lost_and_no_batch_is_empty_or_too_large(texts: list[str]) -> None:
    made = list(batches(texts, info(batch=3)))
    assert [text for batch in made for text in batch] == texts
    assert all(1 <= len(batch) <= 3 for batch in made)


def test_long_texts_make_short_batches() -> None:
    known = info(batch=100, input_tokens=8_192)
    made = list(batches(["word " * 8_000] * 30, known))
    assert max(len(batch) for batch in made) == REQUEST_TOKENS // 8_192
    assert sum(len(batch) for batch in made) == 30


@given(st.text(st.characters(), max_size=300))
def test_a_text_is_cut_between_characters(text: str) -> None:
    known = info(input_tokens=50)
    kept = cut(text, known)
    assert len(kept.encode()) <= 50 * BYTES_PER_TOKEN
    assert text.encode("utf-8", "replace").decode().startswith(kept)


def test_what_is_cut_is_not_expected_to_be_paid() -> None:
    assert expected_tokens(["word " * 10_000, "", "four"], info(input_tokens=512)) == 513


@pytest.mark.parametrize(
    ("model", "question", "passage"),
    [
        ("text-embedding-3-small", "x", "x"),
        ("bge-m3", "x", "x"),
        ("intfloat/multilingual-e5-large", "query: x", "passage: x"),
        ("nomic-embed-text:latest", "search_query: x", "search_document: x"),
        ("gemini-embedding-2", "task: search result | query: x", "title: none | text: x"),
        ("embeddinggemma:300m", "task: search result | query: x", "title: none | text: x"),
        ("snowflake-arctic-embed2", "query: x", "x"),
        ("snowflake-arctic-embed-l-v2.0", "query: x", "x"),
    ],
)
def test_models_are_told_what_is_a_question(model: str, question: str, passage: str) -> None:
    wording = wording_of(model)
    assert wording.of("x", query=True) == question
    assert wording.of("x", query=False) == passage


@pytest.mark.parametrize("model", ["Qwen/Qwen3-Embedding-0.6B", "intfloat/multilingual-e5-large-instruct"])
def test_some_want_an_instruction_with_the_question_only(model: str) -> None:
    wording = wording_of(model)
    assert wording.of("x", query=True).startswith("Instruct: ")
    assert wording.of("x", query=True).endswith("\nQuery: x")
    assert wording.of("x", query=False) == "x"


@pytest.mark.parametrize("model", ["gemini-embedding-001", "text-embedding-ada-002", "all-minilm"])
def test_others_are_told_nothing(model: str) -> None:
    assert wording_of(model) is PLAIN
