"""What every extractor promises, held against every real document that there is.

A document is read or refused with a sentence for its owner: nothing else comes out of an extractor, whatever goes in.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.documents.corpus import ROOT, source
from workroom.core.errors import NotFound
from workroom.documents.content import MAX_TEXT
from workroom.documents.errors import DocumentError
from workroom.documents.kinds import is_container, kind_of
from workroom.documents.ports import Extractor
from workroom.documents.types import ContentObject, ContentType, ExtractionScope, SourceFile, Structure
from workroom.documents.workers.registry import ExtractorRegistry

REGISTRY = ExtractorRegistry()
ENOUGH = 400  # objects of one document: what holds for these holds for the rest
ELEMENTS = 5
_MADE_BY_OTHERS = (
    "groundtruth",
    "expected_outputs",
    "test_evaluate_files",
)  # results of other programs, all of one kind


def real_documents() -> list[ParameterSet]:
    paths = sorted(ROOT.rglob("*")) if ROOT.is_dir() else []
    return [
        pytest.param(path, id=str(path.relative_to(ROOT)))
        for path in paths
        if path.is_file() and not any(part in _MADE_BY_OTHERS for part in path.parts)
    ]


def opened(path: Path) -> tuple[Extractor, SourceFile]:
    media_type = kind_of(path, path.name)
    if is_container(media_type):
        pytest.skip("A container: its members are documents, it is none.")
    return REGISTRY.of(media_type), source(path, media_type)


def test_there_are_real_documents(test_data: Path) -> None:
    """Without them the next test has no cases, and would not be missed."""
    assert len(real_documents()) > 100, test_data


@pytest.mark.requirement("I5", "I6")
@pytest.mark.parametrize("path", real_documents())
def test_a_document_is_read_or_refused_with_a_sentence(path: Path) -> None:
    try:
        extractor, document = opened(path)
        structure = extractor.scan(document)
        objects = list(islice(extractor.extract(document, ExtractionScope()), ENOUGH))
    except DocumentError as refused:
        assert_for_people(refused)
        return
    assert_sound(structure)
    assert_in_order(objects)
    for found in objects:
        assert_clean(found, document)
    assert_elements(extractor, document, objects)
    assert_narrows(extractor, document, structure)
    assert_pages(extractor, document, structure)
    with pytest.raises((NotFound, DocumentError)):
        extractor.element(document, "nowhere:1/nothing:2")


@pytest.mark.parametrize(
    "extractor", list({id(each): each for each in map(REGISTRY.of, REGISTRY.media_types)}.values())
)
@pytest.mark.parametrize("content", [b"", b"\0" * 2_000, b"PK\x03\x04" + b"\xff" * 500, b"\xd0\xcf\x11\xe0" * 200])
def test_rubbish_is_refused_or_read_as_little(extractor: Extractor, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rubbish.bin"
    path.write_bytes(content)
    for media_type in sorted(extractor.media_types):
        document = source(path, media_type)
        try:
            extractor.scan(document)
            objects = list(islice(extractor.extract(document, ExtractionScope()), ENOUGH))
        except DocumentError as refused:
            assert_for_people(refused)
        else:
            assert_in_order(objects)


def assert_for_people(refused: DocumentError) -> None:
    assert len(refused.message) > 20
    assert refused.message[-1] in ".!?"
    assert "Traceback" not in refused.message
    assert "/" not in refused.message.split(" ")[0]  # a name, not a path on our disk


def assert_sound(structure: Structure) -> None:
    assert structure.kind
    assert all(count >= 0 for count in structure.counts.values())
    assert Structure.model_validate_json(structure.model_dump_json()) == structure
    ids = [section.id for section in structure.sections]
    assert len(ids) == len(set(ids))


def assert_in_order(objects: list[ContentObject]) -> None:
    assert [found.sequence for found in objects] == list(range(len(objects)))


def assert_clean(found: ContentObject, document: SourceFile) -> None:
    found.model_dump_json().encode("utf-8", "strict")
    assert "\0" not in found.text
    assert len(found.text) <= MAX_TEXT
    assert found.ref.container_path == document.container_path
    assert found.ref.location
    if found.content_type is ContentType.TEXT:
        assert found.text.strip()
        assert found.metadata["characters"] == len(found.text)
        assert not found.metadata.get("table") or {"rows", "columns"} <= found.metadata.keys()
    else:
        assert not found.text


def assert_elements(extractor: Extractor, document: SourceFile, objects: list[ContentObject]) -> None:
    pictures = [found for found in objects if found.content_type is ContentType.IMAGE]
    for found in pictures[:ELEMENTS]:
        element = extractor.element(document, found.ref.location)
        assert element.data
        assert "/" in element.media_type


def assert_pages(extractor: Extractor, document: SourceFile, structure: Structure) -> None:
    """Formats that have pictures of pages have one of the first and the last, and none beyond; likewise their words."""
    count = len(structure.slides) or structure.pages or 0
    for index in {0, count - 1} if count else set():
        if hasattr(extractor, "page_image"):
            drawn = extractor.page_image(document, index, 200)
            assert drawn.media_type in ("image/png", "image/jpeg", "image/svg+xml")
            assert drawn.metadata["width"] == 200 or drawn.media_type != "image/svg+xml"
        if hasattr(extractor, "page_text"):
            text = extractor.page_text(document, index)
            assert min(text.width, text.height) > 0
            text.model_dump_json().encode("utf-8", "strict")
    for method in ("page_image", "page_text"):
        if hasattr(extractor, method):
            with pytest.raises(NotFound):
                getattr(extractor, method)(document, count + 1, *([200] if method == "page_image" else []))


def assert_narrows(extractor: Extractor, document: SourceFile, structure: Structure) -> None:
    """Who asks for a part gets that part and nothing else."""
    if structure.slides:
        last = structure.slides[-1].slide_index
        for found in extractor.extract(document, ExtractionScope(slides=frozenset({last}))):
            assert found.ref.slide_index == last
    if structure.sheets:
        name = structure.sheets[-1].name
        for found in islice(extractor.extract(document, ExtractionScope(sheets=frozenset({name}))), ENOUGH):
            assert found.ref.sheet_name == name
    if structure.page_map:
        for found in extractor.extract(document, ExtractionScope(pages=frozenset({0}))):
            assert found.ref.page_index == 0
    if structure.sections and structure.page_map == []:
        wanted = structure.sections[len(structure.sections) // 2].id
        for found in islice(extractor.extract(document, ExtractionScope(sections=frozenset({wanted}))), ENOUGH):
            assert found.ref.section_id == wanted or str(found.ref.section_id).startswith(f"{wanted}.")
    with suppress(NotFound):  # saying so is as good as giving nothing
        assert list(extractor.extract(document, ExtractionScope(sections=frozenset({"s999999"})))) == []
