"""By what a persona is known: each check says yes where it should, and no where it should not."""

from __future__ import annotations

import pytest

from workroom.evaluations.markers import CHECKS, Marker

VERSE = "Your chain is dry, it wants some oil,\nit creaks from dust and soil.\nSo wipe it and let it shine,\nand all is fine."
YES = [
    ("begins: Ahoy", "Ahoy! Come in."),
    ("begins: Ahoy", "\n**Ahoy!** Come in."),
    ("begins: Ahoy", "🏴 “Ahoy”, he said."),
    ("ends: [end of list]", "- one\n\n*[End of list]*\n"),
    ("says: let's go", "And now LET’S GO!"),
    ("signs: Flint", "Come in.\n\n— Flint"),
    ("signs: Flint", "Come in, and be quick about all of it. — *Flint* 🏴"),
    ("signs: Flint", "Come in.\nYours, Captain Flint.\n---"),
    ("bullets", "Here:\n- one\n* two\n\nYours"),
    ("numbered", "1. one\n**2.** two"),
    ("prose", "One - two.\n\nThree."),
    ("prose", "Come in.\n\n- Dr. Weber"),
    ("table", "See:\n| a | b |\n|---|:-:|\n| 1 | 2 |\nDone."),
    ("quoted", "> one\n>\n> two"),
    ("json: answer", '{"answer": "yes"}'),
    ("json: answer", '```json\n{"answer": "yes"}\n```'),
    ("brief: 3", "one two, three"),
    ("asks", "Is it? *Why?*"),
    ("capitals", "GO NOW, EVERYBODY, at 7!"),
    ("emoji", "Go 💪"),
    ("rhymes", VERSE),
]
NO = [
    ("begins: Ahoy", "He said: Ahoy!"),
    ("ends: [end of list]", "[end of list]\nAnd more."),
    ("says: let's go", "Let us go."),
    ("signs: Flint", "Come in."),
    ("signs: Flint", "Flint says: come in."),
    ("signs: Flint", "In this house everything was once said by Flint."),
    ("bullets", "- one"),
    ("bullets", "A long answer.\n- one\n- two\nIt goes on.\nAnd on."),
    ("numbered", "- one\n- two"),
    ("prose", "See:\n- one\n- two"),
    ("prose", "# Title\nText."),
    ("prose", "| a | b |"),
    ("table", "a | b\n1 | 2"),
    ("quoted", "> one\ntwo"),
    ("json: answer", '{"reply": "yes"}'),
    ("json: answer", 'Here: {"answer": "yes"}'),
    ("json: answer", '["answer"]'),
    ("brief: 3", "one two three four"),
    ("asks", "Is it? No."),
    ("capitals", "Go right NOW."),
    ("capitals", "123"),
    ("emoji", "Go — now!"),
    ("rhymes", "One line.\nAnother one.\nA third."),
    ("rhymes", "- Kette prüfen\n- Zug spannen\n- Ritzel messen"),
    ("rhymes", "so\nso\nso"),
]


@pytest.mark.parametrize(("marker", "text"), YES)
def test_it_is_there(marker: str, text: str) -> None:
    assert Marker.parse(marker).is_in(text)


@pytest.mark.parametrize(("marker", "text"), NO)
def test_it_is_not_there(marker: str, text: str) -> None:
    assert not Marker.parse(marker).is_in(text)


def test_every_check_is_tried_both_ways() -> None:
    for tried in (YES, NO):
        assert {Marker.parse(marker).check for marker, _ in tried} == set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_nothing_has_no_markers(check: str) -> None:
    assert not Marker(check, "3").is_in(" \n")


@pytest.mark.parametrize(
    ("written", "problem"),
    [("sings: Flint", "no check"), ("signs", "needs a value"), ("bullets: 3", "takes no value"), ("", "no check")],
)
def test_a_marker_that_cannot_be_checked_is_refused(written: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Marker.parse(written)
