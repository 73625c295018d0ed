"""Which messages a question is searched with."""

from __future__ import annotations

import pytest

from workroom.knowledge.follow_ups import LONGEST_BEFORE, MOST_BEFORE, depends, searched_text


@pytest.mark.requirement("H5")
@pytest.mark.parametrize(
    "text",
    [
        "and in 2024?",
        "What about the cellar?",
        "When does it end?",
        "Who signed them, and why?",
        "Und im Jahr 2024?",
        "Wann läuft er aus?",
        "Wer hat dafür bezahlt?",
        "Et en 2024 ?",
        "Quand se termine-t-il exactement ?",
        "E em 2024?",
        "Quanto custa isso por mês?",
        "那2024年呢？",
        "他们什么时候签的合同？",
        "Why?",
        "2024?",
    ],
)
def test_a_message_that_says_too_little_depends_on_what_came_before(text: str) -> None:
    assert depends(text)


@pytest.mark.requirement("H5")
@pytest.mark.parametrize(
    "text",
    [
        "How long is the notice period of the office lease?",
        "Which satellite did Sky Digital use when it launched in 1998?",
        "Wie lange läuft der Mietvertrag über die Büroräume?",
        "Welche Fristen nennt der Vertrag und wie lange gilt er?",
        "Combien coûte la restauration de la salle du conseil ?",
        "Quantas pessoas vivem no distrito de Braga?",
        "建筑业占发达国家国内生产总值的百分之几？",
    ],
)
def test_a_message_that_names_what_it_is_about_stands_by_itself(text: str) -> None:
    assert not depends(text)
    assert searched_text(text, ["What was said before?"]) == text


def test_it_goes_back_to_the_message_that_stands_by_itself() -> None:
    lease = "How long is the notice period of the office lease?"
    before = ["Who won the race on Sunday afternoon?", lease, "And of the warehouse?"]
    assert searched_text("And in 2024?", before).split("\n") == [lease, "And of the warehouse?", "And in 2024?"]


def test_it_goes_back_only_so_far_and_takes_no_pasted_pages_along() -> None:
    before = [f"And of number {number}?" for number in range(10)]
    assert len(searched_text("And of that?", before).split("\n")) == MOST_BEFORE + 1
    assert len(searched_text("And?", ["word " * 10_000])) <= LONGEST_BEFORE + len("\nAnd?")


def test_the_first_message_is_searched_as_it_is() -> None:
    assert searched_text("And in 2024?", []) == "And in 2024?"
