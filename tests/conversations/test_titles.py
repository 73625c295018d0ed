"""Titles of conversations by rules: a few words of the first message, whatever it is written in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.conversations.titles import LONGEST, is_short, title_from
from workroom.runs.conversation_titles import believed


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("hello", "hello"),
        ("  the   budget\nof 2026 and all that", "the budget"),
        ("# Quarterly report\n\nPlease write it.", "Quarterly report"),
        ("Can you summarise the **contract** with `Muster AG`?", "Summarise the contract with Muster AG?"),
        ("Kannst du mir bitte die Offerte prüfen? Sie liegt im Ordner Einkauf.", "Die Offerte prüfen?"),
        ("Peux-tu comparer les deux offres, s'il te plaît ?", "Comparer les deux offres, s'il te plaît ?"),
        ("Por favor, traduza este texto", "Traduza este texto"),
        ("请帮我总结这份合同的主要条款", "总结这份合同的主要条款"),
        ("请帮我总结这份合同的主要条款。然后再把它翻译成德文发给客户。", "总结这份合同的主要条款"),
        ('What does @"report 2024.pdf" say about @budget.xlsx', "What does report 2024.pdf say about budget.xlsx"),
        ("[The plan](https://example.org/x) ![pixel](http://e.org/p.png) is late", "The plan pixel is late"),
        ("https://www.example.org/a/very/long?path=1 explain this", "example.org explain this"),
        ("```python\nprint(1)\n```\nWhy does this fail", "Why does this fail"),
        ("```python\nprint(1)\n```", "python print(1)"),
        ('writeNote {"title": "Milk for Monday", "text": "Two litres."}', "writeNote: Milk for Monday"),
        ("/listNotes milk", "listNotes milk"),
        ('/weekly-report audience="the team" the third quarter', "weekly-report the team the third quarter"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a | b"),
        ("- first point\n- second", "first point"),
        ("snake_case_names and 2*3*4", "snake_case_names and 2*3*4"),
        ("!!! ???", "!!! ???"),
        (
            "Please compare the three offers we got for the new roof and tell me which one is the cheapest over ten years",
            "Compare the three offers we got for the new roof and tell me…",
        ),
    ],
)
def test_it_is_a_few_plain_words(message: str, title: str) -> None:
    assert title_from(message) == title


@given(st.text(min_size=1, max_size=400))
def test_it_is_one_short_line_and_says_something_if_the_message_does(message: str) -> None:
    title = title_from(message)
    assert len(title) <= LONGEST + 1
    assert len(title.splitlines()) <= 1
    assert title or not any(character.isalnum() for character in message)


@pytest.mark.parametrize("piece", ["[", "[a](", "![", "**", "`a", '@"', " ", "https://a", 'aB {"a": "', "\u202e"])
def test_a_hostile_message_is_named_in_linear_time(piece: str) -> None:
    """By the square of its length, it would take longer than any test may; the server does nothing else meanwhile."""
    assert len(title_from("x " + piece * (400_000 // len(piece)) + " y")) <= LONGEST + 1


@pytest.mark.parametrize("title", [title_from, believed])
def test_it_has_no_characters_that_change_what_stands_beside_it(title: Callable[[str], str]) -> None:
    assert title("The \x1b[31mreport\u202e of\x07 May") == "The [31mreport of May"
    assert title("```\n\x1b\u202ereport\n```").strip() in ("report", "")


def test_a_short_message_needs_no_other_title() -> None:
    assert is_short("the budget of 2026")
    assert not is_short("the budget\nof 2026")
    assert not is_short("word " * 20)
