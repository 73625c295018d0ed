"""German compounds are found by their parts."""

from __future__ import annotations

import pytest

from tests.knowledge.room import Library
from workroom.knowledge.compounds import parts, pieces

KNOWN = {"krank", "versicher", "gesetz", "haus", "schlussel", "bund"}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("krankenversicherungsgesetz", ("krank", "versicher", "gesetz")),
        ("hausschlussel", ("haus", "schlussel")),
        ("schlusselbund", ("schlussel", "bund")),
        ("gesetz", ()),
        ("gesetzlos", ()),
        ("", ()),
    ],
)
def test_a_word_is_taken_apart_where_all_its_parts_are_known(word: str, expected: tuple[str, ...]) -> None:
    assert parts(word, KNOWN) == expected
    assert set(expected) <= pieces(word)


@pytest.mark.parametrize("word", ["a" * 5_000, "12345678901", "x-y-z-a-b-c-d", "haus"])
def test_what_is_no_compound_is_left_alone(word: str) -> None:
    assert pieces(word) == set()


@pytest.mark.requirement("H5")
async def test_a_compound_finds_what_says_its_parts(shelf: Library) -> None:
    await shelf.put("gesetz.txt", "Das Gesetz regelt, wie die Versicherung für Kranke in diesem Land bezahlt wird.")
    await shelf.put("garten.txt", "Im Garten blühen die Rosen, und der Hund schläft unter dem alten Baum am Zaun.")
    (found,) = await shelf.find("Krankenversicherungsgesetz", meaning=False)
    assert (found.file_name, found.why.words, found.why.asked) == ("gesetz.txt", ["krankenversicherungsgesetz"], 1)


async def test_what_answers_a_compound_is_marked_where_its_parts_stand(shelf: Library) -> None:
    answer = "Für die Kündigung gilt eine Frist von sechs Monaten."
    await shelf.put("miete.txt", f"Vermietet werden die Räume im ersten Stock. {answer} Die Kaution wird hinterlegt.")
    (found,) = await shelf.find("Kündigungsfrist", meaning=False)
    assert found.quote == answer


async def test_the_word_itself_is_worth_more_than_its_parts(shelf: Library) -> None:
    await shelf.put("parts.txt", "Der Schlüssel liegt im Haus neben der Tür, wie an jedem anderen Tag der Woche auch.")
    await shelf.put("whole.txt", "Der Hausschlüssel liegt hier neben der Tür, wie an jedem anderen Tag der Woche auch.")
    assert (await shelf.names("Hausschlüssel", meaning=False))[0] == "whole.txt"


async def test_a_part_alone_is_not_the_word_that_was_asked_for(shelf: Library) -> None:
    await shelf.put("house.txt", "Das Haus steht am See, und die Fenster sind seit dem Sommer alle neu gestrichen.")
    await shelf.put("key.txt", "Der Schlüssel liegt neben der Tür, wie an jedem anderen Tag der Woche auch hier.")
    for found in await shelf.find("Hausschlüssel", meaning=False):
        assert found.why.words == []


async def test_words_of_other_languages_stay_whole(shelf: Library) -> None:
    await shelf.put("en.txt", "The house stands by the lake, and the keeper of the light lives in it all the year.")
    assert await shelf.find("lighthouse keepers", meaning=False)
    assert await shelf.find("housekeeper", meaning=False) == []
