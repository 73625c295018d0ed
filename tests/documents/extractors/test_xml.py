from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import read, stored, text_of
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.xml import EXTRACTOR

LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]>
<lolz>&lol2;</lolz>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE foo [<!ENTITY xxe SYSTEM "{address}">]><foo>&xxe;</foo>"""


def test_names_attributes_and_texts_in_order(tmp_path: Path) -> None:
    found = read(EXTRACTOR, stored(tmp_path, '<a id="1">one<b>two</b>three<c/>four</a>'))
    assert text_of(found) == "a (id=1): one\n  b: two\n  three\n  c\n  four"


def test_the_structure_counts_what_lies_below_the_root(tmp_path: Path) -> None:
    structure = EXTRACTOR.scan(stored(tmp_path, "<list><item><x/></item><item/><other/></list>"))
    assert structure.counts == {"elements": 5, "children": 3}
    assert structure.properties == {"root": "list", "children": "item (2), other (1)"}


@pytest.mark.parametrize("content", [LAUGHS, OUTSIDE.format(address="file:///etc/hostname")])
def test_entities_are_refused_and_never_resolved(tmp_path: Path, content: str) -> None:
    source = stored(tmp_path, content)
    with pytest.raises(DamagedDocument, match="declares entities"):
        EXTRACTOR.scan(source)
    with pytest.raises(DamagedDocument, match="declares entities"):
        read(EXTRACTOR, source)


def test_an_outside_declaration_is_not_fetched(tmp_path: Path) -> None:
    (tmp_path / "evil.dtd").write_text('<!ENTITY secret "STOLEN">')
    source = stored(tmp_path, f'<!DOCTYPE a SYSTEM "{tmp_path}/evil.dtd"><a>&secret;</a>')
    try:
        text = text_of(read(EXTRACTOR, source))
    except DamagedDocument:
        return
    assert "STOLEN" not in text


def test_deep_nesting_is_refused_not_followed(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, "<a>" * 5_000 + "</a>" * 5_000))


@pytest.mark.parametrize("content", ["<a><b></a>", "<a", "no xml at all", ""])
def test_broken_files_say_what_is_wrong(tmp_path: Path, content: str) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, content, name="data.xml"))


def test_of_a_drawing_only_its_words_are_read(tmp_path: Path) -> None:
    content = (
        '<svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><path d="M0 0L9 9"/><script>alert(1)</script>'
        "<text>Entrance</text></svg>"
    )
    text = text_of(read(EXTRACTOR, stored(tmp_path, content, "image/svg+xml")))
    assert "title: Plan" in text
    assert "text: Entrance" in text
    assert "M0 0" not in text
    assert "alert" not in text
