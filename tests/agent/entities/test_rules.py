"""The rules: what they find in five languages, how often they are right, and that nothing makes them slow."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.agent.entities.labelled import LABELLED
from workroom.agent.entities import rules
from workroom.agent.entities.types import LONGEST, Entity, EntityKey
from workroom.core.results import ToolResult


def found(text: str, kind: str) -> list[tuple[str, str]]:
    return [(e.value, e.normalised) for e in rules.find_in(text) if e.key.kind == kind]


@pytest.mark.requirement("D5")
@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("Muster AG", "muster ag"),
        ("Bär Immobilien GmbH", "bär immobilien gmbh"),
        ("Müller und Söhne AG", "müller und söhne ag"),
        ("Dupont SA", "dupont sa"),
        ("Dupont S.A.", "dupont sa"),
        ("Alpes Sàrl", "alpes sarl"),
        ("Silva Lda", "silva lda"),
        ("Silva Ltda.", "silva ltda"),
        ("Acme Limited", "acme ltd"),
        ("Acme Ltd.", "acme ltd"),
        ("3M Deutschland GmbH", "3m deutschland gmbh"),
        ("Johnson & Johnson Inc.", "johnson & johnson inc"),
        ("深圳华星有限责任公司", "深圳华星有限责任公司"),
    ],
)
def test_companies(written: str, normalised: str) -> None:
    assert found(f"an invoice of {written} today" if written.isascii() else written, "company") == [
        (written, normalised)
    ]


@pytest.mark.requirement("D5")
@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("CHF 1'250.00", "CHF 1250.00"),
        ("CHF 1’250.–", "CHF 1250.00"),
        ("Fr. 12.50", "CHF 12.50"),
        ("1.250,00 €", "EUR 1250.00"),
        ("EUR 1.250", "EUR 1250.00"),
        ("1 250,50 EUR", "EUR 1250.50"),
        ("1\u202f250,50 €", "EUR 1250.50"),
        ("R$ 1.250,00", "BRL 1250.00"),
        ("$1,250.00", "$ 1250.00"),
        ("US$ 12", "USD 12.00"),
        ("£1,234,567.89", "GBP 1234567.89"),
        ("3,5 Mio. CHF", "CHF 3500000.00"),
        ("500万元", "CNY 5000000.00"),
        ("¥1,250", "¥ 1250.00"),
        ("CHF -50.00", "CHF -50.00"),
    ],
)
def test_amounts_in_every_notation(written: str, normalised: str) -> None:
    assert found(f"total: {written}", "amount") == [(" ".join(written.split()), normalised)]


@pytest.mark.requirement("D5")
@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("2024-03-12", "2024-03-12"),
        ("12.03.2024", "2024-03-12"),
        ("12. 3. 2024", "2024-03-12"),
        ("12 March 2024", "2024-03-12"),
        ("12th March 2024", "2024-03-12"),
        ("March 12, 2024", "2024-03-12"),
        ("12. März 2024", "2024-03-12"),
        ("1er août 2024", "2024-08-01"),
        ("12 de março de 2024", "2024-03-12"),
        ("2024年3月12日", "2024-03-12"),
        ("25/12/2024", "2024-12-25"),
        ("12/25/2024", "2024-12-25"),
        ("03/04/2024", "03/04/2024"),
    ],
)
def test_dates(written: str, normalised: str) -> None:
    assert found(f"on {written}.", "date") == [(written, normalised)]


@pytest.mark.parametrize(
    "nothing",
    [
        "31.02.2024",
        "2024-13-01",
        "10.0.0.2024",
        "12 bananas 2024",
        "Fr. 12. März",
        "v1.2.3",
        "CHFA 12",
        "AG",
        "Die AG",
        "GmbH",
    ],
)
def test_what_only_looks_like_it(nothing: str) -> None:
    assert rules.find_in(f"see {nothing} there") == []


def test_files_have_names_and_people_have_addresses() -> None:
    files = ToolResult(items=[{"name": "Annual Report", "fileId": "1"}])
    people = ToolResult(items=[{"name": "Anna Muster", "email": "a@example.org"}])
    assert rules.find(files) == []
    assert [e.value for e in rules.find(people)] == ["Anna Muster"]


def test_a_result_is_read_as_text_not_as_json() -> None:
    result = ToolResult(data={"text": 'said\n"Muster AG"\nMuster AG pays', "nested": [{"total": "CHF 5.00"}]})
    assert [e.normalised for e in rules.find(result)] == ["muster ag", "CHF 5.00"]


def test_an_error_says_nothing_about_the_world() -> None:
    assert rules.find(ToolResult.error("Muster AG was not found")) == []


def test_one_thing_in_two_spellings_is_one() -> None:
    assert [e.value for e in rules.find_in("Dupont S.A. and Dupont SA, CHF 1'250.00 or CHF 1250")] == [
        "Dupont S.A.", "CHF 1'250.00",
    ]  # fmt: skip


@pytest.mark.requirement("D5")
def test_they_are_seldom_wrong() -> None:
    """Precision before recall. Of what is labelled: how much is found; of what is found: how much is labelled."""
    right = wrong = missed = 0
    for case in LABELLED:
        made = {f"{e.key.kind[0]} {e.normalised}" for e in rules.find_in(case.text)}
        right += len(made & case.expected)
        wrong += len(made - case.expected)
        missed += len(case.expected - made)
    assert wrong <= 0.02 * (right + wrong), f"{wrong} of {right + wrong} are wrong"
    assert missed <= 0.1 * (right + missed), f"{missed} of {right + missed} are missed"


def test_only_the_beginning_of_what_is_long_is_looked_at_and_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[int] = []

    def counting(text: str) -> Iterator[Entity]:
        pieces.append(len(text))
        yield from ()

    monkeypatch.setattr(rules, "RULES", (counting,))
    for text in ("x" * 1_000_000, "x y\n" * 250_000, "x " * 500_000):
        pieces.clear()
        rules.find(ToolResult(message=text))
        assert sum(pieces) == rules.LONGEST
        assert max(pieces) <= rules.PIECE


def test_nothing_is_lost_where_pieces_are_cut() -> None:
    words = "und so weiter "
    text = words * (rules.PIECE // len(words)) + "die Muster AG zahlt " + words * 2_000 + "am 12.03.2024"
    assert {e.normalised for e in rules.find_in(text)} == {"muster ag", "2024-03-12"}


def test_at_most_so_many_of_one_kind() -> None:
    many = "\n".join(f"CHF {n}.00" for n in range(5_000))
    assert len(rules.find_in(many)) == rules.MOST


HOSTILE = [
    "Aa ", "A", "Aaaaaaaaaa Bbbbbbbbbb ", "1", "1 ", "1'000", "CHF ", "CHF 1.000.000.000.000.000.000 ", " AG", "A AG ",
    "Muster & ", "name: Aa ", " ", "\n", "Aa Bb <", "Aa Bb <aaaa@", "12.12.", "12 de ", "有限公司", "王", "Dr. ", "A'",
    "\u00a0", "Herr Aa von der ",
]  # fmt: skip
IN_LITTLE_TIME = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from workroom.agent.entities.rules import find
from workroom.core.results import ToolResult
for piece in sys.argv[1].split("|"):
    find(ToolResult(message=(piece * (1_000_000 // len(piece)))))
"""


def test_whatever_a_result_is_made_of_it_is_read_in_linear_time() -> None:
    """A megabyte each. Counted in processor time: a pattern that goes back and forth would take hours."""
    command = [sys.executable, "-c", IN_LITTLE_TIME, "|".join(HOSTILE)]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@settings(max_examples=150, deadline=None)
@given(some.text(max_size=300))
def test_any_text_is_survived_and_every_value_is_one_short_line(text: str) -> None:
    for entity in rules.find_in(f"Herr {text} AG CHF {text} 12.{text}"):
        assert entity.value.splitlines() == [entity.value]
        assert len(entity.value) <= LONGEST
        assert entity.key in EntityKey
