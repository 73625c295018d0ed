"""Documents with the look of a template: what is taken of it, and what of a hostile one is refused or left out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lxml import etree

from tests.documents.writers.docx.making import NAMES, WORD, W, field, paragraph, paragraphs, parts, relations, template
from workroom.core.errors import InvalidInput
from workroom.documents.errors import DocumentError
from workroom.documents.writers.docx.writer import docx_of
from workroom.documents.writers.files import document_of
from workroom.documents.writers.report import DocumentFormat, Report, ReportSection

MARKDOWN = "# Costs\n\nText[^1] with a [link](https://example.org).\n\n1. one\n\n| a |\n|---|\n| 1 |\n\n[^1]: Note.\n"


def report(template: bytes, markdown: str = MARKDOWN) -> Report:
    section = ReportSection(title="", note="", markdown=markdown)
    return Report(
        title="Heating & costs", lines=[], language="de", sections=[section], has_title_page=False, template=template
    )


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


COMMENTED = parts(template())["[Content_Types].xml"].replace(
    "</Types>", f'<Override PartName="/word/comments.xml" ContentType="{WORD}comments+xml"/></Types>'
)
HOSTILE: dict[str, Callable[[], bytes]] = {
    "macros": lambda: template(related=(("m", "vbaProject", "vbaProject.bin"),)),
    "macro kind": lambda: template(main="document.macroEnabled.main+xml"),
    "object": lambda: template(related=(("o", "oleObject", "embeddings/a.bin"),)),
    "linked picture": lambda: template(related=(("i", "image", "https://tracker.example/p.png"),)),
    "frame": lambda: template(related=(("f", "frame", "https://tracker.example/"),)),
    "chunk": lambda: template(related=(("c", "aFChunk", "a.html"),)),
    "dde": lambda: template(header=field(" DD", 'EAUTO c:\\\\x "/c calc"')),
    "dde in a comment": lambda: template(
        more={
            "word/comments.xml": f"<w:comments {NAMES}>{field('DDEAUTO x')}</w:comments>",
            "[Content_Types].xml": COMMENTED,
        },
        related=(("c", "comments", "comments.xml"),),
    ),
    "a computed name": lambda: template(header=field("", inner=field("QUOTE 68 68 69"))),
    "two of a name": lambda: template(more={"Word/Document.xml": "<x/>"}),
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


def test_nothing_that_is_not_referred_to_stays_in_the_file() -> None:
    """Programs find parts in other ways than we do: by names in other letters, or in folders that look like relations."""
    evil = relations(("e", "image", "https://tracker.example/p.png"))
    more = {"word/_rels/header1.xml.RELS": evil, "a/_rels/b/_rels/c.xml.rels": evil, "word/vbaProject.bin": "x"}
    made = parts(docx_of(report(template(more=more))))
    assert "tracker.example" not in "".join(made.values())
    assert "word/vbaProject.bin" not in made


def test_a_link_in_a_header_is_no_field_that_loads_something() -> None:
    made = docx_of(report(template(header=field(' HYPERLINK "https://intranet.example/link"'))))
    assert "intranet.example" in parts(made)["word/header1.xml"]


async def test_the_sentence_comes_out_of_the_process_that_writes() -> None:
    with pytest.raises(InvalidInput, match="linked or embedded"):
        await document_of(report(HOSTILE["object"]()), DocumentFormat.DOCX)
