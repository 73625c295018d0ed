"""How text is read as words, and which words are meant."""

from __future__ import annotations

import pytest

from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.typos import Known
from workroom.agent.planning.rules.words import WordKind, fold, read
from workroom.core.edit_distance import edit_distance


def kinds(text: str, language: str = "de") -> list[tuple[str, str]]:
    words = read(text, vocabulary.joins(language), ("layer", "karte")).words
    return [(word.text, word.kind.name.lower()) for word in words]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("2600513, 1215519", (2600513, 1215519)),
        ("2'600'513 / 1'215'519", (2600513, 1215519)),
        ("2’600’513.5/1’215’519.25", (2600513.5, 1215519.25)),
        ("2\u202f600\u202f513 1\u202f215\u202f519", (2600513, 1215519)),
        ("2.600.513, 1.215.519", (2600513, 1215519)),
        ("600513 215519", (600513, 215519)),
        ("600'513, 215'519", (600513, 215519)),
        ("E=2600513 N=1215519", (2600513, 1215519)),
        ("x: 2600513, y: 1215519", (2600513, 1215519)),
        ("2600513 und 1215519", (2600513, 1215519)),
        ("2600513 | 1215519", (2600513, 1215519)),
        ("47.2, 7.5", (47.2, 7.5)),
        ("47,2088 7,5323", (47.2088, 7.5323)),
        ("lat 47.2088 lon 7.5323", (47.2088, 7.5323)),
        ("47.2088°N 7.5323°E", (47.2088, 7.5323)),
        ("lat 95, lon 200", (95, 200)),
        ("-33.8688, 151.2093", (-33.8688, 151.2093)),
        ("２６００５１３，１２１５５１９", (2600513, 1215519)),
    ],
)
def test_a_coordinate_is_one_word(text: str, pair: tuple[float, float]) -> None:
    (word,) = read(text).words
    assert word.kind is WordKind.PAIR
    assert word.pair == pair


@pytest.mark.parametrize(
    "text", ["4500 Solothurn", "19b, 4500", "12, 13", "3.5", "Tel. 032 627 11 11", "1.2.2024", "12:30"]
)
def test_other_numbers_are_no_coordinates(text: str) -> None:
    assert all(word.kind is not WordKind.PAIR for word in read(text).words)


def test_an_egrid_is_one_word_however_it_is_written() -> None:
    for text in ("CH767982496078", "ch 7679 8249 6078", "CH-767982496078"):
        (word,) = read(text).words
        assert (word.kind, word.folded) == (WordKind.EGRID, "CH767982496078")
    assert all(word.kind is not WordKind.EGRID for word in read("CH 4500 Solothurn").words)


def test_something_else_may_begin_after_a_comma_or_a_word_that_joins() -> None:
    assert kinds("Wald, Lärm und dann") == [
        ("Wald", "word"), (",", "pause"), ("Lärm", "word"), ("und", "pause"), ("dann", "pause"),
    ]  # fmt: skip
    assert kinds("Ja! St.Gallen") == [("Ja", "word"), ("!", "stop"), ("St", "word"), (".", "soft"), ("Gallen", "word")]
    assert ("然", "pause") in kinds("去然后回")


def test_nothing_begins_inside_quotes_or_after_a_hyphen() -> None:
    assert ("und", "word") in kinds("«Natur und Landschaft»")
    assert (",", "soft") in kinds('"Natur, Landschaft"')
    assert ("und", "word") in kinds("Grund- und Quellwasser")
    assert ("und", "pause") in kinds("«Natur» und «Landschaft»")


def test_a_single_letter_joins_only_in_its_own_language() -> None:
    assert ("e", "pause") in kinds("Lausanne e Genebra", "pt")
    assert ("e", "word") in kinds("Trakt e Nord", "de")


def test_an_ending_is_a_word_of_its_own_and_the_text_stays_as_it_was() -> None:
    reading = read("Gewässerschutzlayer Karte", endings=("layer", "karte"))
    assert [(word.text, word.ending) for word in reading.words] == [
        ("Gewässerschutz", False), ("layer", True), ("Karte", False),
    ]  # fmt: skip
    assert reading.between(0, 1) == "Gewässerschutzlayer"
    assert read("Bodenbedeckungskarte", endings=("karte",)).between(0, 0) == "Bodenbedeckung"


def test_brackets_come_in_pairs() -> None:
    reading = read("Muri (AG), Bern")
    assert reading.between(0, 2) == "Muri (AG)"


def test_what_cannot_be_seen_is_not_read() -> None:
    assert read("la\u200bde\u202e <b>Wald</b>\x00\ud800").text.split() == ["lade", "Wald"]


@pytest.mark.parametrize(
    ("one", "other"), [("Straße", "STRASSE"), ("Zürich", "zuerich"), ("Genève", "geneve"), ("Œuvre", "oeuvre")]
)
def test_spellings_of_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("lade", "lade", 0),
        ("lade", "ldae", 1),
        ("zeige", "zeig", 1),
        ("zeige", "zeibe", 1),
        ("karte", "krate", 1),
        ("", "ab", 2),
        ("koordinate", "kordinatte", 2),
        ("koordinate", "krdinatte", 3),
        ("koordinate", "nirgendwo", 3),
    ],
)
def test_slips(one: str, other: str, slips: int) -> None:
    assert edit_distance(one, other, 2) == edit_distance(other, one, 2) == slips, "three are too many, and so are more"


def test_the_longer_the_word_the_more_slips() -> None:
    known = Known(["lade", "zeige", "koordinate", "去", "geh"])
    assert known.meant("koordinate").words == {"koordinate": 0}
    assert known.meant("kordinatte").words == {"koordinate": 2}
    assert known.meant("krdinatte").words == {}
    assert known.meant("zeigge").words == {"zeige": 1}
    assert known.meant("zaege").words == {}
    assert known.meant("ldae").words == {"lade": 1}, "swapped letters are a slip at any length"
    assert known.meant("lase").words == {}, "another letter makes another word of a short one"
    assert known.meant("gehx").words == {}
    assert known.meant("x" * 1_000).words == {}


def test_words_are_compared_only_with_those_that_may_be_meant() -> None:
    far = [letter * 8 for letter in "abcdefghijklmnopqrst"]
    anagrams = ["".join("abcdefgh"[(at + turn) % 8] for at in range(8)) for turn in range(8)]
    assert Known(far).meant("uvwxyzuv").steps < Known(anagrams).meant("hgfedcba").steps
    assert Known([one * 4 for one in far]).meant("abcdefgh").steps == 1, "too long to be it"
