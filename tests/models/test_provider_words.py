"""What providers say about a failure is shown without the keys they repeat."""

from __future__ import annotations

import pytest

from workroom.models.provider_words import QUOTE_LENGTH, provider_words

KEY = "sk-proj-8fK2mQ7fEXAMPLE00Zx9"


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        "Incorrect API key provided: sk-proj-********************Zx9.",
        "Incorrect API key provided: sk-p...0Zx9.",
        f"Authorization: Bearer {KEY}",
        f"GET https://models.example.org/v1beta/models?key={KEY} is forbidden",
        "The key AIzaSyD0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u is not valid",
    ],
)
def test_keys_are_hidden_whole_and_masked(said: str) -> None:
    shown = provider_words({"error": {"message": said}}, KEY)
    assert "[hidden]" in shown
    assert "Zx9" not in shown
    assert "AIza" not in shown


def test_other_words_stay_as_they_are() -> None:
    said = "The model `gpt-5` does not exist\n or you do not have access to it. See https://models.example.org/docs."
    assert provider_words({"error": {"message": said}}, KEY) == " ".join(said.split())
    assert provider_words("upstream connect error", KEY) == "upstream connect error"


@pytest.mark.parametrize("body", [None, 5, [], {}, {"error": {}}, {"error": {"message": 7}}])
def test_a_body_that_says_nothing(body: object) -> None:
    assert provider_words(body, KEY) == ""


@pytest.mark.parametrize("piece", ["https://", 'aB{"a":"\\', "[a](", "_", "a", "*", "sk-", "bearer ", "x://x:"])
def test_ten_megabytes_of_words_are_looked_at_in_linear_time(piece: str) -> None:
    """By the square of their length, it would take longer than any test may; the worker does nothing else meanwhile."""
    assert len(provider_words({"error": {"message": piece * (10_000_000 // len(piece))}}, KEY)) <= QUOTE_LENGTH


def test_half_a_key_at_the_end_of_what_is_looked_at_is_not_shown() -> None:
    said = f"{'*' * 1_980} plain{KEY[:3]} {KEY[3:]}"
    assert KEY[3:9] not in provider_words(said + " and more", KEY)
