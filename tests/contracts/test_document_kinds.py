"""What holds for every kind of document about a company: complete in five languages, in an order that can be worked through."""

from __future__ import annotations

import pytest

from workroom.companies.document_kinds import KINDS, DocumentKind
from workroom.companies.gaps import empty_headings
from workroom.core.languages import LANGUAGES

each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def test_they_are_those_of_the_specialists_each_after_what_it_builds_on() -> None:
    assert list(KINDS) == ["briefing", "swot", "audience", "positioning", "goals", "messages", "project"]
    for place, kind in enumerate(KINDS.values()):
        assert set(kind.builds_on) <= set(list(KINDS)[:place])
    assert list(KINDS["project"].builds_on) == list(KINDS)[:-1], "the plan builds on all of them"


@each_kind
def test_every_text_is_there_in_every_language(kind: DocumentKind) -> None:
    headings = [text for heading in kind.headings for text in (heading.title, heading.about)]
    for texts in (kind.name, kind.purpose, *headings):
        assert texts.keys() == set(LANGUAGES)
        assert all(text == text.strip() and text for text in texts.values())
        assert "ß" not in texts["de"], "Swiss spelling"


@each_kind
def test_headings_are_told_apart_whatever_language_they_are_written_in(kind: DocumentKind) -> None:
    assert 5 <= len(kind.headings) <= 9
    for heading in kind.headings:
        for title in heading.title.values():
            found = empty_headings(kind, f"## {title}\n\nSome text.")
            assert [one.title["en"] for one in kind.headings if one not in found] == [heading.title["en"]]
