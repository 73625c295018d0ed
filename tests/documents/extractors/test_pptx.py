from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import CHART, DRAWING, OFFICE, png, pptx, read, relations, shape, slide, stored, text_of
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, EncryptedDocument
from workroom.documents.extractors.pptx import EXTRACTOR
from workroom.documents.office import package as package_module
from workroom.documents.types import ContentType, ExtractionScope

PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 4" descr="A duck"/><p:nvPr>{media}</p:nvPr></p:nvPicPr>'
    '<p:blipFill><a:blip r:embed="r1"/></p:blipFill></p:pic>'
)
CELL = "<a:tc {attributes}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"
FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="f"/><p:nvPr/></p:nvGraphicFramePr>'
    "<a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"
)


def test_slides_come_in_the_order_of_the_presentation_with_titles(tmp_path: Path) -> None:
    source = stored(tmp_path, pptx([slide(shape("First", placeholder="title")), slide(shape("no title"))]))
    structure = EXTRACTOR.scan(source)
    assert [(info.slide_index, info.title) for info in structure.slides] == [(0, "First"), (1, "")]
    assert text_of(read(EXTRACTOR, source)) == "# First\n\nno title"


def test_shapes_are_read_from_the_top_left(tmp_path: Path) -> None:
    million = 1_000_000
    content = slide(
        shape("below", top=5 * million),
        shape("right", top=million, left=4 * million),
        shape("left", top=million + 1_000, left=0),
        shape("title", placeholder="title", top=9 * million),
    )
    found = read(EXTRACTOR, stored(tmp_path, pptx([content])))
    assert [each.text for each in found] == ["# title", "left", "right", "below"]
    assert [each.ref.location for each in found][1] == "slide:1/shape:3"
    assert found[1].ref.slide_index == 0


def test_groups_are_opened_and_newer_forms_replace_older_ones(tmp_path: Path) -> None:
    group = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{shape('inside')}</p:grpSp>"
    both = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{shape('new')}</mc:Choice><mc:Fallback>{shape('old')}</mc:Fallback></mc:AlternateContent>"
    )
    assert text_of(read(EXTRACTOR, stored(tmp_path, pptx([slide(group, both)])))) == "inside\n\nnew"


def test_list_marks_of_paragraphs(tmp_path: Path) -> None:
    content = slide(
        shape("one\ntwo", properties='<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
        shape("a", properties='<a:pPr lvl="1"><a:buChar char="-"/></a:pPr>'),
    )
    assert text_of(read(EXTRACTOR, stored(tmp_path, pptx([content])))) == "1. one\n2. two\n\n  - a"


def test_merged_cells_say_it_once_in_each_row(tmp_path: Path) -> None:
    rows = [
        CELL.format(attributes='gridSpan="2"', text="wide") + CELL.format(attributes='hMerge="1"', text=""),
        CELL.format(attributes='rowSpan="2"', text="tall") + CELL.format(attributes="", text="1"),
        CELL.format(attributes='vMerge="1"', text="") + CELL.format(attributes="", text="2"),
    ]
    table = FRAME.format(content="<a:tbl>" + "".join(f"<a:tr>{row}</a:tr>" for row in rows) + "</a:tbl>")
    found = read(EXTRACTOR, stored(tmp_path, pptx([slide(table)])))
    assert found[0].text == "| wide |  |\n| --- | --- |\n| tall | 1 |\n| tall | 2 |"
    assert found[0].metadata["table"] is True


def test_charts_are_tables_of_what_they_show(tmp_path: Path) -> None:
    chart = (
        f'<c:chartSpace xmlns:c="{CHART}" xmlns:a="{DRAWING}"><c:chart><c:title><a:t>Ducks</a:t></c:title><c:plotArea>'
        "<c:barChart><c:ser><c:tx><c:strCache><c:pt idx='0'><c:v>Lake</c:v></c:pt></c:strCache></c:tx>"
        "<c:cat><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt><c:pt idx='1'><c:v>2025</c:v></c:pt></c:strCache></c:cat>"
        "<c:val><c:numCache><c:pt idx='0'><c:v>1.10000000000000001</c:v></c:pt><c:pt idx='1'><c:v>20</c:v></c:pt>"
        "</c:numCache></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
    )
    frame = FRAME.format(content=f'<c:chart xmlns:c="{CHART}" r:id="r1"/>')
    more: dict[str, bytes | str] = {
        "ppt/slides/_rels/slide1.xml.rels": relations(r1=("chart", "../charts/chart1.xml")),
        "ppt/charts/chart1.xml": chart,
    }
    title, table = read(EXTRACTOR, stored(tmp_path, pptx([slide(frame)], more)))
    assert title.text == "Ducks"
    assert table.text == "|  | Lake |\n| --- | --- |\n| 2024 | 1.1 |\n| 2025 | 20 |"
    assert table.metadata["chart"] == "bar"


def test_pictures_and_recordings_are_objects_with_their_words(tmp_path: Path) -> None:
    media = f'<a:videoFile xmlns:a="{DRAWING}" r:link="r2"/>'
    more: dict[str, bytes | str] = {
        "ppt/slides/_rels/slide1.xml.rels": relations(r1=("image", "../media/a.png"), r2=("video", "../media/b.mp4")),
        "ppt/media/a.png": png(),
        "ppt/media/b.mp4": b"\0\0\0\x18ftypmp42" + b"\0" * 20,
    }
    source = stored(tmp_path, pptx([slide(PICTURE.format(media=media))], more))
    video, picture = read(EXTRACTOR, source)
    assert (video.content_type, video.metadata["mediaType"]) == (ContentType.VIDEO, "video/mp4")
    assert (picture.content_type, picture.ref.label) == (ContentType.IMAGE, "A duck")
    assert (picture.metadata["width"], picture.metadata["height"]) == (3, 2)
    assert EXTRACTOR.element(source, picture.ref.location).data == png()
    assert EXTRACTOR.element(source, video.ref.location).media_type == "video/mp4"
    assert EXTRACTOR.scan(source).counts["media"] == 1


def test_recordings_elsewhere_are_named_and_not_fetched(tmp_path: Path) -> None:
    media = f'<a:videoFile xmlns:a="{DRAWING}" r:link="r2"/>'
    more: dict[str, bytes | str] = {
        "ppt/slides/_rels/slide1.xml.rels": relations(r2=("video", "https://example.org/film"))
    }
    found = read(EXTRACTOR, stored(tmp_path, pptx([slide(PICTURE.format(media=media))], more)))
    assert text_of(found) == "Recording outside this file: https://example.org/film"


def test_notes_are_read_after_their_slide(tmp_path: Path) -> None:
    more: dict[str, bytes | str] = {
        "ppt/slides/_rels/slide1.xml.rels": relations(r1=("notesSlide", "../notesSlides/n1.xml")),
        "ppt/notesSlides/n1.xml": slide(shape("Say hello", placeholder="body"), shape("7", placeholder="sldNum")),
    }
    found = read(EXTRACTOR, stored(tmp_path, pptx([slide(shape("text"))], more)))
    assert [(each.text, each.ref.location) for each in found][1] == ("Say hello", "slide:1/notes")


def test_hidden_slides_are_marked(tmp_path: Path) -> None:
    source = stored(tmp_path, pptx([slide(shape("shown")), slide(shape("secret"), attributes='show="0"')]))
    assert [info.hidden for info in EXTRACTOR.scan(source).slides] == [False, True]
    assert [each.metadata.get("hidden") for each in read(EXTRACTOR, source)] == [None, True]


def test_only_the_wanted_slides_are_read(tmp_path: Path) -> None:
    source = stored(tmp_path, pptx([slide(shape(f"slide {n}")) for n in range(5)]))
    assert text_of(read(EXTRACTOR, source, ExtractionScope(slides=frozenset({3})))) == "slide 3"


def test_one_broken_slide_does_not_hide_the_others(tmp_path: Path) -> None:
    source = stored(tmp_path, pptx([slide(shape("good")), "", slide(shape("also good"))]))
    assert text_of(read(EXTRACTOR, source)) == "good\n\nalso good"
    assert EXTRACTOR.scan(source).notes[0].startswith("Slide 2: ")


def test_entities_in_a_slide_are_refused(tmp_path: Path) -> None:
    hostile = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + slide(shape("&e;"))
    source = stored(tmp_path, pptx([hostile]))
    assert read(EXTRACTOR, source) == []
    assert "declares entities" in EXTRACTOR.scan(source).notes[0]


def test_a_slide_that_unpacks_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_module, "MAX_PART", 1 << 20)
    source = stored(tmp_path, pptx([slide(shape("x" * (3 << 20)))]))
    assert read(EXTRACTOR, source) == []
    assert "unpacks to more" in EXTRACTOR.scan(source).notes[0]


def test_too_many_parts_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_module, "MAX_PARTS", 3)
    with pytest.raises(DocumentTooLarge):
        EXTRACTOR.scan(stored(tmp_path, pptx([slide()])))


def test_passwords_damage_and_other_files_are_told_apart(tmp_path: Path) -> None:
    whole = pptx([slide(shape("text"))])
    with pytest.raises(EncryptedDocument):
        EXTRACTOR.scan(stored(tmp_path, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600))
    with pytest.raises(DamagedDocument, match="empty"):
        EXTRACTOR.scan(stored(tmp_path, b""))
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, whole[: len(whole) // 2]))


def test_places_that_are_not_there(tmp_path: Path) -> None:
    source = stored(tmp_path, pptx([slide(shape("text"))]))
    for location in ("slide:1/shape:1", "slide:9/shape:1", "slide:x", f"{OFFICE}"):
        with pytest.raises(NotFound):
            EXTRACTOR.element(source, location)
