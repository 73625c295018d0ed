"""Documents with the look of a template: what is taken of it, and what of a hostile one is refused or left out."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from lxml import etree

from tests.documents.writers.docx.test_docx import parts
from workroom.core.errors import InvalidInput
from workroom.documents.errors import DocumentError
from workroom.documents.writers.docx.writer import docx_of
from workroom.documents.writers.files import document_of
from workroom.documents.writers.report import DocumentFormat, Report, ReportSection

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = f'xmlns:w="{W}" xmlns:r="{OFFICE}"'
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
MARKDOWN = "# Costs\n\nText[^1] with a [link](https://example.org).\n\n1. one\n\n| a |\n|---|\n| 1 |\n\n[^1]: Note.\n"


def relations(*rows: tuple[str, str, str]) -> str:
    entries = "".join(
        f'<Relationship Id="{id_}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target else "/>")
        for id_, kind, target in rows
    )
    return f'<Relationships xmlns="{RELATIONS}">{entries}</Relationships>'


def paragraph(text: str) -> str:
    half = len(text) // 2  # Word splits texts where it likes
    return f"<w:p><w:r><w:t>{text[:half]}</w:t></w:r><w:r><w:t>{text[half:]}</w:t></w:r></w:p>"


def template(
    body: str = paragraph("Old words"),
    header: str = paragraph("Alpenblick: {{title}}"),
    main: str = "document.main+xml",
    more: dict[str, str] | None = None,
    related: tuple[tuple[str, str, str], ...] = (),
) -> bytes:
    """A German one, as Word makes it: ids of styles are German, names of built-in ones English."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/></w:style>'
        for id_, name in (("Standard", "Normal"), ("berschrift1", "heading 1"), ("Titel", "Title"))
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="{RELATIONS_TYPE}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{WORD}{main}"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{WORD}styles+xml"/>'
        f'<Override PartName="/word/numbering.xml" ContentType="{WORD}numbering+xml"/>'
        f'<Override PartName="/word/header1.xml" ContentType="{WORD}header+xml"/></Types>',
        "_rels/.rels": relations(("r1", "officeDocument", "word/document.xml")),
        "word/document.xml": f'<w:document {NAMES}><w:body>{body}<w:sectPr><w:headerReference w:type="default" r:id="r2"/>'
        '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:left="1440" w:right="1440"/></w:sectPr></w:body></w:document>',
        "word/styles.xml": f"<w:styles {NAMES}>{styles}</w:styles>",
        "word/numbering.xml": f'<w:numbering {NAMES}><w:abstractNum w:abstractNumId="7"/><w:num w:numId="5">'
        '<w:abstractNumId w:val="7"/></w:num></w:numbering>',
        "word/header1.xml": f"<w:hdr {NAMES}>{header}</w:hdr>",
        "word/_rels/document.xml.rels": relations(
            ("r1", "styles", "styles.xml"),
            ("r2", "header", "header1.xml"),
            ("r3", "numbering", "numbering.xml"),
            *related,
        ),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in (files | (more or {})).items():
            archive.writestr(name, content)
    return made.getvalue()


def report(template: bytes, markdown: str = MARKDOWN) -> Report:
    section = ReportSection(title="", note="", markdown=markdown)
    return Report(
        title="Heating & costs", lines=[], language="de", sections=[section], has_title_page=False, template=template
    )


def paragraphs(docx: bytes, part: str = "word/document.xml") -> list[tuple[str, str]]:
    """Style and text of each."""
    root = etree.fromstring(parts(docx)[part].encode())
    return [
        (
            next((one.get(f"{{{W}}}val", "") for one in paragraph.iter(f"{{{W}}}pStyle")), ""),
            "".join(one.text or "" for one in paragraph.iter(f"{{{W}}}t")),
        )
        for paragraph in root.iter(f"{{{W}}}p")
    ]


def test_styles_header_page_and_numbers_of_the_template_stay() -> None:
    made = docx_of(report(template()))
    written = paragraphs(made)
    assert ("berschrift1", "Costs") in written
    assert ("Titel", "Heating & costs") in written
    assert not [text for _, text in written if "Old words" in text]
    assert paragraphs(made, "word/header1.xml") == [("", "Alpenblick: Heating & costs")]
    whole = parts(made)
    assert 'w:w="12240"' in whole["word/document.xml"]
    styles = etree.fromstring(whole["word/styles.xml"].encode())
    ids = [style.get(f"{{{W}}}styleId") for style in styles.iter(f"{{{W}}}style")]
    assert len(ids) == len(set(ids))
    used = {style for style, _ in written} - {""}
    assert used <= set(ids)
    based = {one.get(f"{{{W}}}val") for one in styles.iter(f"{{{W}}}basedOn")}
    assert based <= set(ids), "ours are based on the template's"
    numbering = etree.fromstring(whole["word/numbering.xml"].encode())
    assert [child.tag.rpartition("}")[2] for child in numbering] == ["abstractNum"] * 3 + ["num"] * 3
    numbers = [one.get(f"{{{W}}}numId") for one in numbering.iter(f"{{{W}}}num")]
    assert len(numbers) == len(set(numbers)) == 3
    assert any("Note." in text for _, text in paragraphs(made, "word/footnotes.xml"))


def test_content_comes_where_the_template_says_and_its_cover_stays() -> None:
    cover = paragraph("Cover of {{title}}") + paragraph("{{content}}") + paragraph("Imprint")
    texts = [text for _, text in paragraphs(docx_of(report(template(cover))))]
    assert texts[:2] == ["Cover of Heating & costs", "Costs"]
    assert texts[-1] == "Imprint"
    assert texts.count("Heating & costs") == 0, "the template brings its own title"


def test_a_dotx_becomes_a_docx_and_what_word_remembers_of_it_is_left_out() -> None:
    settings = f'<w:settings {NAMES}><w:attachedTemplate r:id="t1"/><w:mailMerge/><w:zoom/></w:settings>'
    more = {
        "word/settings.xml": settings,
        "word/_rels/settings.xml.rels": relations(("t1", "attachedTemplate", "file:///C:/Normal.dotm")).replace(
            '.dotm"/>', '.dotm" TargetMode="External"/>'
        ),
    }
    made = parts(
        docx_of(report(template(main="template.main+xml", more=more, related=(("r9", "settings", "settings.xml"),))))
    )
    assert "template.main+xml" not in made["[Content_Types].xml"]
    assert "Normal.dotm" not in "".join(made.values())
    assert "zoom" in made["word/settings.xml"]
    assert "attachedTemplate" not in made["word/settings.xml"]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "macros": lambda: template(related=(("m", "vbaProject", "vbaProject.bin"),)),
    "macro kind": lambda: template(main="document.macroEnabled.main+xml"),
    "object": lambda: template(related=(("o", "oleObject", "embeddings/a.bin"),)),
    "linked picture": lambda: template(related=(("i", "image", "https://tracker.example/p.png"),)),
    "frame": lambda: template(related=(("f", "frame", "https://tracker.example/"),)),
    "chunk": lambda: template(related=(("c", "aFChunk", "a.html"),)),
    "dde": lambda: template(
        header='<w:p><w:r><w:instrText> DD</w:instrText></w:r><w:r><w:instrText>EAUTO c:\\\\x "/c calc"</w:instrText></w:r></w:p>'
    ),
    "include": lambda: template(body='<w:p><w:fldSimple w:instr=" INCLUDEPICTURE http://x/p.png "/></w:p>'),
    "entity": lambda: template(
        more={
            "word/styles.xml": f'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:styles {NAMES}>&e;</w:styles>'
        }
    ),
    "no document": lambda: template(more={"_rels/.rels": relations(("r1", "officeDocument", "word/nothing.xml"))}),
    "no relations": lambda: template(more={"_rels/.rels": "<x/>"}),
    "broken": lambda: template()[:400],
    "nothing": lambda: b"x",
    "bomb": lambda: template(more={"word/media/zeros.xml": "0" * 110_000_000}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_or_broken_template_is_refused_with_a_sentence(kind: str) -> None:
    with pytest.raises(DocumentError) as caught:
        docx_of(report(HOSTILE[kind]()))
    assert caught.value.message.endswith(".")


async def test_the_sentence_comes_out_of_the_process_that_writes() -> None:
    with pytest.raises(InvalidInput, match="linked or embedded"):
        await document_of(report(HOSTILE["object"]()), DocumentFormat.DOCX)
