"""What is missing in documents: laws over any set of sections, in any language, and over any order of finalising."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.companies.document_kinds import KINDS, HeadingTexts
from workroom.companies.gaps import Gaps, empty_headings, gaps_of
from workroom.companies.types import DnaDocument, DocumentStatus, unwritten
from workroom.core.languages import LANGUAGES, Language

BEGINNING = datetime(2030, 1, 1, tzinfo=UTC)
LOOKS = ["## {}", "##  {} ##", "## **{}**", "## 3. {}", "## {}:", "   ## {}"]


def titles(headings: list[HeadingTexts]) -> list[str]:
    return [heading.title["en"] for heading in headings]


@given(
    kind=st.sampled_from(list(KINDS)),
    language=st.sampled_from(LANGUAGES),
    look=st.sampled_from(LOOKS),
    filled=st.sets(st.integers(0, 8)),
    data=st.data(),
)
def test_exactly_the_headings_without_text_are_missing(
    kind: str, language: Language, look: str, filled: set[int], data: st.DataObject
) -> None:
    """Whatever order they stand in, however they are written."""
    headings = KINDS[kind].headings
    order = data.draw(st.permutations(range(len(headings))))
    sections = []
    for place in order:
        written = look.format(headings[place].title[language])
        sections.append(f"{written}\n\n### Deeper\n\n{'A text.' if place in filled else ''}")
    found = empty_headings(KINDS[kind], "\n\n".join(sections))
    assert titles(found) == [one.title["en"] for place, one in enumerate(headings) if place not in filled]


@pytest.mark.parametrize(
    "markdown",
    [
        "",
        "# Strengths\n\ntext",
        "### Strengths\n\ntext",
        "##Strengths\n\ntext",
        "```\n## Strengths\ntext\n```",
        "~~~\n```\n## Strengths\ntext\n~~~",
        "## Strengths\n\n## Weaknesses\ntext",
        "## Strengths\n\n# Another document\n\ntext",
        "text\n\n## Strengths",
    ],
)
def test_what_is_no_section_with_a_text_does_not_count(markdown: str) -> None:
    assert "Strengths" in titles(empty_headings(KINDS["swot"], markdown))


def test_text_in_a_block_of_code_is_text_and_ends_no_section() -> None:
    found = empty_headings(KINDS["swot"], "## Strengths\n\n````\n```\n## Weaknesses\n````\n")
    assert titles(found)[:2] == ["Weaknesses", "Opportunities"]


def test_a_hostile_text_is_read_in_a_moment() -> None:
    """Patterns that try again at every place would take hours."""
    for line in ("## " + "# " * 140_000, "## " + "#" * 290_000 + "x", "## " + "1." * 140_000, " " * 290_000 + "#"):
        assert len(empty_headings(KINDS["swot"], line)) == 6


def finalised(order: list[str]) -> dict[str, DnaDocument]:
    """Documents that became final one after the other."""
    documents = {kind: unwritten(kind) for kind in KINDS}
    for place, kind in enumerate(order):
        moment = BEGINNING + timedelta(hours=place)
        changes = {
            "version": 1,
            "status": DocumentStatus.FINAL,
            "text": "A text.",
            "written_at": moment,
            "finalised_at": moment,
        }
        documents[kind] = documents[kind].model_copy(update=changes)
    return documents


@given(st.permutations(list(KINDS)), st.integers(0, len(KINDS)))
def test_stale_is_what_was_written_before_one_it_builds_on_became_final(order: list[str], count: int) -> None:
    written = order[:count]
    gaps = gaps_of(finalised(written))
    for kind, found in gaps.items():
        bases = KINDS[kind].builds_on
        assert list(found.waits_for) == [base for base in bases if base not in written]
        later = written[written.index(kind) :] if kind in written else []
        assert list(found.stale_after) == [base for base in bases if base in later]


def test_in_their_order_nothing_is_stale_and_writing_again_is_an_answer() -> None:
    documents = finalised(list(KINDS))
    assert not any(one.stale_after or one.waits_for for one in gaps_of(documents).values())
    later = BEGINNING + timedelta(days=1)
    again = documents["swot"].model_copy(update={"version": 2, "written_at": later, "finalised_at": later})
    gaps = gaps_of({**documents, "swot": again})
    stale = {kind for kind, one in gaps.items() if one.stale_after}
    assert stale == {kind for kind in KINDS if "swot" in KINDS[kind].builds_on}
    draft = again.model_copy(update={"version": 3, "status": DocumentStatus.DRAFT})
    gaps = gaps_of({**documents, "swot": draft})
    assert "swot" in gaps["audience"].waits_for
    assert _is_stale(gaps["audience"]), "it was final in between"


def _is_stale(gaps: Gaps) -> bool:
    return list(gaps.stale_after) == ["swot"]
