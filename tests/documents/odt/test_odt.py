"""ODT: structure and content objects, as for DOCX."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import package, stored
from tests.documents.odt.making import MEDIA_TYPE, h, odt, p, part, read, said
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, EncryptedDocument
from workroom.documents.extractors.odt import EXTRACTOR
from workroom.documents.office import xml_stream
from workroom.documents.types import ContentType

FRAME = '<draw:frame><draw:image xlink:href="Pictures/cat.png"/><svg:desc>A cat</svg:desc></draw:frame>'


@pytest.mark.requirement("I1")
def test_headings_make_contents_and_sections(tmp_path: Path) -> None:
    document = odt(tmp_path, p("Before") + h("One") + p("text") + h("Deeper", 2) + p("more") + h("Two"))
    structure = EXTRACTOR.scan(document)
    assert [(one.id, one.title, one.first, one.last) for one in structure.sections] == [
        ("s1", "One", 2, 5),
        ("s1.1", "Deeper", 4, 5),
        ("s2", "Two", 6, 6),
    ]
    assert [found.text for found in read(document, sections=frozenset({"s1.1"}))] == ["## Deeper", "more"]
    with pytest.raises(NotFound):
        read(document, sections=frozenset({"s5"}))


def test_pages_end_at_marks_and_where_a_style_breaks_them(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/>'
    )
    body = p("one") + p("<text:soft-page-break/>two") + p("three", "P1") + "<text:soft-page-break/>" + p("four")
    structure = EXTRACTOR.scan(odt(tmp_path, body, styles=f"{styles}</style:style>"))
    assert structure.pages == 4
    assert not structure.notes


def test_what_stands_in_a_line_is_kept(tmp_path: Path) -> None:
    body = p(
        'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span>e\n   f</text:span>'
        ' <text:a xlink:href="https://example.org">site</text:a>'
    )
    assert said(odt(tmp_path, body)) == "a   b\tc\nd e f [site](https://example.org)"


def test_lists_have_their_bullets_and_numbers(tmp_path: Path) -> None:
    styles = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"'
        ' style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>'
        '</text:list-style><text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style>'
    )

    def items(*texts: str) -> str:
        return "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)

    inner = f"<text:list>{items(p('inner'))}</text:list>"
    body = f'<text:list text:style-name="L1">{items(p("one") + inner, p("two"))}</text:list>'
    body += f'<text:list text:style-name="L1" text:continue-numbering="true">{items(p("three"))}</text:list>'
    body += f'<text:list text:style-name="L2">{items(p("point"))}</text:list>'
    assert said(odt(tmp_path, body, styles=styles)).splitlines() == [
        "1. one",
        "  a) inner",
        "2. two",
        "3. three",
        "- point",
    ]


def test_merged_cells_say_it_once_in_each_row_and_repeated_ones_again(tmp_path: Path) -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}>{p(text)}</table:table-cell>"

    covered = "<table:covered-table-cell/>"
    rows = [
        cell("Wide", 'table:number-columns-spanned="2"') + covered + cell("C"),
        cell("High", 'table:number-rows-spanned="2"') + cell("x", 'table:number-columns-repeated="2"'),
        covered + cell("1") + cell("2"),
    ]
    made = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    (found,) = read(odt(tmp_path, f"<table:table>{made}</table:table>"))
    assert found.text.splitlines() == [
        "| Wide |  | C |",
        "| --- | --- | --- |",
        "| High | x | x |",
        "| High | 1 | 2 |",
    ]


def test_pictures_objects_and_boxes_are_found(tmp_path: Path) -> None:
    box = f"<draw:frame><draw:text-box>{p('In the box')}</draw:text-box></draw:frame>"
    thing = '<draw:frame><draw:object-ole xlink:href="./Object 1"/></draw:frame>'
    document = odt(
        tmp_path, h("One") + p(FRAME) + p("Figure 1: Our cat") + p(box) + p(thing), parts={"Object 1": b"ole"}
    )
    found = read(document)
    assert (found[1].content_type, found[1].ref.label) == (ContentType.IMAGE, "Figure 1: Our cat")
    assert found[1].ref.location == "section:1/paragraph:2/image:1"
    assert EXTRACTOR.element(document, found[1].ref.location).media_type == "image/png"
    assert [item.text for item in found[2:4]] == ["Figure 1: Our cat", "In the box"]
    assert EXTRACTOR.element(document, found[4].ref.location).data == b"ole"


def test_charts_are_tables(tmp_path: Path) -> None:
    cells = "".join(f"<table:table-cell>{p(text)}</table:table-cell>" for text in ("May", "7"))
    chart = part(
        "document-content",
        f'<office:chart><chart:chart chart:class="chart:bar"><chart:title>{p("Sales")}</chart:title>'
        f"<table:table><table:table-row>{cells}</table:table-row></table:table></chart:chart></office:chart>",
    )
    body = p(
        '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="Pictures/cat.png"/></draw:frame>'
    )
    (found,) = read(odt(tmp_path, body, parts={"Object 1/content.xml": chart}))
    assert (found.ref.label, found.metadata["chart"]) == ("Sales", "bar")
    assert found.text.startswith("| May | 7 |")


def test_notes_remarks_and_running_texts(tmp_path: Path) -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{p('The proof')}</text:note-body></text:note>"
    )
    remark = f"<office:annotation><dc:creator>Anna</dc:creator>{p('Really?')}</office:annotation>"
    common = f"<office:master-styles><style:header>{p('Our company')}</style:header></office:master-styles>"
    found = read(odt(tmp_path, p(f"Claim{note}{remark}"), common=common))
    assert [item.text for item in found] == ["Claim[^1]", "[^1]: The proof", "Really?", "Our company"]
    assert found[2].metadata["author"] == "Anna"
    assert found[3].metadata["role"] == "header"


def test_deleted_text_is_not_shown(tmp_path: Path) -> None:
    deleted = (
        f"<text:tracked-changes><text:changed-region><text:deletion>{p('gone')}</text:deletion></text:changed-region>"
    )
    assert said(odt(tmp_path, f"{deleted}</text:tracked-changes>{p('kept')}")) == "kept"


def test_a_password_is_asked_for(tmp_path: Path) -> None:
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    with pytest.raises(EncryptedDocument, match="password"):
        EXTRACTOR.scan(odt(tmp_path, p("x"), parts={"META-INF/manifest.xml": manifest}))


@pytest.mark.parametrize(
    "data", [b"", b"nothing", package({"mimetype": MEDIA_TYPE}), package({"content.xml": "<broken"})]
)
def test_what_is_no_document_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, data, MEDIA_TYPE, "letter.odt"))


def test_more_text_than_can_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "MAX_XML", 50_000)
    with pytest.raises(DocumentTooLarge, match="unpacks"):
        EXTRACTOR.scan(odt(tmp_path, p("word " * 1_000) * 100))


def test_counts_that_lie_make_nothing_large(tmp_path: Path) -> None:
    body = '<table:table><table:table-row table:number-rows-repeated="1048576">'
    body += f'<table:table-cell table:number-columns-repeated="16384">{p("x")}</table:table-cell>'
    body += f"</table:table-row></table:table>{p('<text:s text:c=' + chr(34) + '999999999' + chr(34) + '/>end')}"
    document = odt(tmp_path, body)
    assert len(said(document)) < 1_000_000
