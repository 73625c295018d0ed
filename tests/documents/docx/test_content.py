"""Content objects of DOCX: text as a reader sees it, tables, pictures, notes, and where each stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.docx.making import cell, docx, p, picture, read, run, said, table
from workroom.core.errors import NotFound
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.documents.types import ContentType

CHART = (
    b'<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart>'
    b"<c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx='0'><c:v>May</c:v></c:pt></c:cat>"
    b"<c:val><c:pt idx='0'><c:v>7</c:v></c:pt></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
)


def test_insertions_are_shown_and_deletions_are_not(tmp_path: Path) -> None:
    inside = (
        run("We ") + f"<w:ins>{run('gladly ')}</w:ins>" + "<w:del><w:r><w:delText>never </w:delText></w:r></w:del>"
    ) + run("agree")
    assert said(docx(tmp_path, p(inside=inside))) == "We gladly agree"


def test_what_stands_in_a_line_is_kept(tmp_path: Path) -> None:
    inside = (
        run("a") + "<w:r><w:tab/></w:r>" + run("b") + "<w:r><w:br/></w:r>" + run("c") + "<w:r><w:noBreakHyphen/></w:r>"
    )
    inside += (
        run("d")
        + "<w:r><w:instrText>PAGE</w:instrText></w:r><w:sdt><w:sdtContent>"
        + run(" e")
        + "</w:sdtContent></w:sdt>"
    )
    assert said(docx(tmp_path, p(inside=inside))) == "a\tb\nc-d e"


def test_links_are_written_as_links(tmp_path: Path) -> None:
    inside = f'<w:hyperlink r:id="rLink">{run("our site")}</w:hyperlink>'
    document = docx(tmp_path, p(inside=inside), rLink=("hyperlink", "https://example.org/a"))
    assert said(document) == "[our site](https://example.org/a)"


def test_formulas_are_latex(tmp_path: Path) -> None:
    fraction = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f>"
    power = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    document = docx(tmp_path, p(inside=run("If") + f"<m:oMath>{fraction}<m:r><m:t>=</m:t></m:r>{power}</m:oMath>"))
    assert said(document) == "If $\\frac{a}{b}=x^{2}$"


def test_lists_have_their_bullets_and_numbers(tmp_path: Path) -> None:
    def level(place: int, format_: str, text: str) -> str:
        return f'<w:lvl w:ilvl="{place}"><w:numFmt w:val="{format_}"/><w:lvlText w:val="{text}"/></w:lvl>'

    numbering = (
        f'numbering|<w:abstractNum w:abstractNumId="0">{level(0, "decimal", "%1.")}{level(1, "lowerLetter", "%2)")}'
        f'</w:abstractNum><w:abstractNum w:abstractNumId="1">{level(0, "bullet", "o")}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
        "</w:lvlOverride></w:num>"
    )

    def item(text: str, list_id: int, place: int = 0) -> str:
        return p(text, properties=f'<w:numPr><w:ilvl w:val="{place}"/><w:numId w:val="{list_id}"/></w:numPr>')

    body = (
        item("one", 1) + item("two", 1) + item("inner", 1, 1) + item("three", 1) + item("point", 2) + item("again", 3)
    )
    document = docx(tmp_path, body, parts={"word/numbering.xml": numbering}, rNum=("numbering", "numbering.xml"))
    assert said(document).splitlines() == ["1. one", "2. two", "  a) inner", "3. three", "- point", "1. again"]


def test_merged_cells_say_it_once_in_each_row(tmp_path: Path) -> None:
    body = table(
        [cell("Wide", '<w:gridSpan w:val="2"/>'), "C"],
        [cell("High", '<w:vMerge w:val="restart"/>'), "1", "2|3"],
        [cell("", "<w:vMerge/>"), "4", "5"],
    )
    (found,) = read(docx(tmp_path, body))
    assert found.text.splitlines() == [
        "| Wide |  | C |",
        "| --- | --- | --- |",
        "| High | 1 | 2\\|3 |",
        "| High | 4 | 5 |",
    ]
    assert found.metadata["table"] is True


def test_a_picture_has_its_place_its_caption_and_its_bytes(tmp_path: Path) -> None:
    body = p("One", "H1") + p(inside=picture(description="A cat")) + p("Figure 1: Our cat")
    document = docx(tmp_path, body)
    (found,) = [item for item in read(document) if item.content_type is ContentType.IMAGE]
    assert found.ref.location == "section:1/paragraph:2/image:1"
    assert found.ref.label == "Figure 1: Our cat"
    assert found.ref.section_id == "s1"
    assert found.metadata["description"] == "A cat"
    assert (found.metadata["width"], found.metadata["height"]) == (3, 2)
    assert EXTRACTOR.element(document, found.ref.location).data.startswith(b"\x89PNG")
    with pytest.raises(NotFound):
        EXTRACTOR.element(document, "section:1/paragraph:2/image:2")


def test_a_picture_outside_is_named_and_never_fetched(tmp_path: Path) -> None:
    document = docx(tmp_path, p(inside=picture("rOut")), rOut=("image", "https://example.org/spy.png"))
    (found,) = read(document)
    assert found.content_type is ContentType.TEXT
    assert "https://example.org/spy.png" in found.text


def test_objects_and_charts_are_found(tmp_path: Path) -> None:
    body = p(inside='<w:r><w:object><o:OLEObject r:id="rOle"/></w:object></w:r>')
    body += p(inside='<w:r><w:drawing><c:chart r:id="rChart"/></w:drawing></w:r>')
    document = docx(
        tmp_path,
        body,
        parts={"word/embeddings/object.bin": b"\xd0\xcf\x11\xe0data", "word/charts/chart1.xml": CHART},
        rOle=("oleObject", "embeddings/object.bin"),
        rChart=("chart", "charts/chart1.xml"),
    )
    thing, chart = read(document)
    assert thing.content_type is ContentType.OTHER
    assert EXTRACTOR.element(document, thing.ref.location).data.endswith(b"data")
    assert chart.text.splitlines() == ["|  | Sales |", "| --- | --- |", "| May | 7 |"]
    assert chart.metadata["chart"] == "bar"


def test_a_text_box_is_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{p('In the box')}</w:txbxContent>"
    inside = (
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert said(docx(tmp_path, p("Beside", inside=inside))) == "Beside\n\nIn the box"


def test_notes_and_remarks_follow_what_they_are_about(tmp_path: Path) -> None:
    inside = run("Claim") + '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="7"/></w:r>'
    document = docx(
        tmp_path,
        p(inside=inside) + p("Next"),
        parts={
            "word/footnotes.xml": 'footnotes|<w:footnote w:type="separator" w:id="0"/>'
            f'<w:footnote w:id="2">{p("The proof")}</w:footnote>',
            "word/comments.xml": f'comments|<w:comment w:id="7" w:author="Anna">{p("Really?")}</w:comment>',
        },
        rFoot=("footnotes", "footnotes.xml"),
        rComm=("comments", "comments.xml"),
    )
    assert [found.text for found in read(document)] == ["Claim[^2]", "[^2]: The proof", "Really?", "Next"]
    assert read(document)[2].metadata == {"characters": 7, "comment": True, "author": "Anna"}


def test_headers_and_footers_come_once(tmp_path: Path) -> None:
    document = docx(
        tmp_path,
        p("Text"),
        parts={f"word/{name}.xml": f"hdr|{p('Our company')}" for name in ("header1", "header2")}
        | {"word/footer1.xml": f"ftr|{p('Confidential')}"},
        rH1=("header", "header1.xml"),
        rH2=("header", "header2.xml"),
        rF1=("footer", "footer1.xml"),
    )
    assert [(found.text, found.metadata.get("role")) for found in read(document)] == [
        ("Text", None),
        ("Our company", "header"),
        ("Confidential", "footer"),
    ]


@pytest.mark.requirement("I5")
def test_places_name_section_and_paragraphs(tmp_path: Path) -> None:
    body = p("Before") + p("One", "H1") + p("first") + p("second") + p("Deeper", "H2") + p("third")
    document = docx(tmp_path, body)
    places = [(found.ref.location, found.ref.section_id) for found in read(document)]
    assert places == [
        ("section:0/paragraph:1", None),
        ("section:1/paragraph:2", "s1"),
        ("section:1/paragraph:3-4", "s1"),
        ("section:1.1/paragraph:5", "s1.1"),
        ("section:1.1/paragraph:6", "s1.1"),
    ]
    assert [found.text for found in read(document, sections=frozenset({"s1.1"}))] == ["## Deeper", "third"]
    with pytest.raises(NotFound):
        read(document, sections=frozenset({"s8"}))


def test_long_texts_come_in_pieces(tmp_path: Path) -> None:
    found = read(docx(tmp_path, p("word " * 12_000)))
    assert len(found) == 3
    assert all(len(item.text) <= 20_000 for item in found)
