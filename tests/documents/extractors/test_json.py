from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.documents.making import read, stored, text_of
from workroom.documents.extractors import json as json_module
from workroom.documents.extractors.json import EXTRACTOR
from workroom.documents.section_numbers import MAX_SECTIONS
from workroom.documents.types import ExtractionScope


def test_keys_at_the_top_are_sections(tmp_path: Path) -> None:
    source = stored(tmp_path, json.dumps({"title": "Ünï", "items": [1, 2]}))
    structure = EXTRACTOR.scan(source)
    assert [(section.id, section.title) for section in structure.sections] == [("s1", "title"), ("s2", "items")]
    found = read(EXTRACTOR, source, ExtractionScope(sections=frozenset({"s2"})))
    assert text_of(found) == '"items": [\n  1,\n  2\n]'
    assert found[0].ref.location == "key:items"


def test_keys_beyond_the_sections_come_in_slices(tmp_path: Path) -> None:
    """Each by itself would be a row in the database, and a file of a few megabytes would have a million of them."""
    value = {f"key {n}": n for n in range(1, 12_001)}
    source = stored(tmp_path, json.dumps(value))
    found = read(EXTRACTOR, source)
    assert len(found) < MAX_SECTIONS + 100
    alone, together = found[:MAX_SECTIONS], found[MAX_SECTIONS:]
    assert [each.ref.section_id for each in alone] == [each.id for each in EXTRACTOR.scan(source).sections]
    assert together[0].ref.location.startswith(f"keys:{MAX_SECTIONS + 1}-")
    assert together[-1].ref.location.endswith("-12000")
    lines = [line for each in found for line in each.text.splitlines()]
    assert json.loads("{" + ",".join(lines) + "}") == value


def test_a_long_list_comes_in_slices(tmp_path: Path) -> None:
    found = read(EXTRACTOR, stored(tmp_path, json.dumps([{"n": n, "text": "x" * 90} for n in range(200)])))
    assert len(found) > 2
    assert found[0].ref.location.startswith("items:1-")
    assert found[-1].ref.location.endswith("-200")
    assert sum(each.metadata["items"] for each in found) == 200


def test_one_value_per_line_is_streamed(tmp_path: Path) -> None:
    source = stored(tmp_path, "".join(f'{{"n": {n}}}\n' for n in range(50)))
    assert EXTRACTOR.scan(source).counts == {"items": 50}
    assert text_of(read(EXTRACTOR, source)).count('"n"') == 50


@pytest.mark.parametrize("content", ['{"a": 1, "b": [', '{"a": 1} // why', "[1, 2,]"])
def test_what_is_not_complete_is_shown_as_text_and_said(tmp_path: Path, content: str) -> None:
    source = stored(tmp_path, content)
    assert "not complete JSON" in EXTRACTOR.scan(source).notes[0]
    assert text_of(read(EXTRACTOR, source)) == content


def test_nesting_without_end_is_survived(tmp_path: Path) -> None:
    source = stored(tmp_path, "[" * 200_000 + "]" * 200_000)
    assert "nested" in EXTRACTOR.scan(source).notes[0]
    assert read(EXTRACTOR, source)


def test_deep_values_are_not_indented_into_a_flood(tmp_path: Path) -> None:
    found = read(EXTRACTOR, stored(tmp_path, '{"a": ' + "[" * 500 + "]" * 500 + "}"))
    assert len(text_of(found)) < 2_000


def test_a_large_value_is_shown_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_module, "MAX_BYTES", 100)
    source = stored(tmp_path, json.dumps({"a": "x" * 500}))
    assert "shown as text" in EXTRACTOR.scan(source).notes[0]
    assert "x" * 500 in text_of(read(EXTRACTOR, source))
