"""Names and texts as people send them."""

from __future__ import annotations

import time

import pytest

from workroom.core.errors import InvalidInput
from workroom.identity.names import clean_name, clean_text


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("marks", ["\u0315\u0300", "\u0f73", "\u0f71\u0f72"])
def test_thousands_of_accents_on_a_letter_are_refused_before_they_are_put_in_order(marks: str) -> None:
    since = time.perf_counter()
    for clean in (clean_name, clean_text):
        with pytest.raises(InvalidInput, match="accents"):
            clean("a" + marks * 100_000, "text", 300_000)
    assert time.perf_counter() - since < 3, "it took minutes, in which nobody was answered"


@pytest.mark.parametrize("text", ["Zürich", "Zu\u0308rich", "e\u0323\u0302", "हिन्दी", "བོད་ཡིག", "Z̸̢̛a̶͝l̵͠g̷̀o̶͘"])
def test_accents_of_languages_are_kept(text: str) -> None:
    assert clean_text(text, "text") == clean_name(text, "name")
