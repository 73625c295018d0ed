"""Finished documents by tool: made of Markdown with pictures and templates of the workspace, or of another file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from tests.documents.docx.making import said
from tests.documents.making import png, pptx, shape, slide, stored
from tests.documents.pdf.making import Page, PdfMaker
from tests.documents.writers.docx.making import paragraph, paragraphs, template
from tests.files.sending import content, make
from tests.tools.room import Room
from tests.world import World
from workroom.core.errors import Forbidden, InvalidInput, NotFound
from workroom.core.results import ToolResult
from workroom.documents.errors import DocumentError
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.documents.extractors.pptx import EXTRACTOR as SLIDES
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat
from workroom.files.finder import Finder
from workroom.tools.generation import convert_document, generate_document

MARKDOWN = """# Heating

## Costs

They *fell*[^1].

![The house](house.png)

| a | b |
|---|---|
| 1 | 2 |

[^1]: By a third.
"""
DOCX = MEDIA_TYPES[DocumentFormat.DOCX]


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


async def made(room: Room, result: ToolResult) -> bytes:
    assert room.committed == result
    answer = await content(room.world, room.name, result.files[0].file_id)
    assert answer.status_code == 200, answer.text
    return answer.content


def pdf_text(data: bytes) -> str:
    with pypdfium2.PdfDocument(data) as document:
        return "\n".join(document[at].get_textpage().get_text_bounded() for at in range(len(document)))


@pytest.mark.requirement("I7")
async def test_a_word_document_is_made_with_a_picture_of_the_workspace(room: Room, tmp_path: Path) -> None:
    await make(room.world, "bob", "house.png", png(30, 20))
    result = await room.call(generate_document, name="Reports/heating.docx", markdown=MARKDOWN, language="en")
    data = await made(room, result)
    file = stored(tmp_path, data, DOCX, "heating.docx")
    assert [(entry.level, entry.title) for entry in EXTRACTOR.scan(file).toc] == [(1, "Costs")]
    text = said(file)
    for words in ("Heating", "They fell", "By a third.", "Figure 1: The house", "| 1 | 2 |"):
        assert words in text, words
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert [name for name in archive.namelist() if name.startswith("word/media/")]
    tree = await room.use(Finder).tree(room.principal, room.instance_id)
    assert tree.find("Reports") is not None
    assert "words" not in result.message
    again = await room.call(generate_document, name="heating.docx", folder="Reports", markdown="New")
    assert again.files[0].version == 2


@pytest.mark.requirement("I7")
async def test_a_pdf_says_what_is_missing_and_opens_nothing_from_outside(room: Room) -> None:
    await make(room.world, "alice", "private.png", png(30, 20))
    markdown = MARKDOWN + "\n![x](https://tracker.example/pixel.png)\n\n![y](private.png)\n\n![z](../../etc/passwd)\n"
    result = await room.call(generate_document, name="heating.pdf", markdown=markdown, title="Heizung", titlePage=True)
    assert "house.png, https://tracker.example/pixel.png, private.png, ../../etc/passwd" in result.message
    text = pdf_text(await made(room, result))
    assert "Heizung" in text
    assert "[Bild fehlt: The house]" in text, "in the language of the person"


async def test_markdown_gets_its_title_and_keeps_its_pictures(room: Room) -> None:
    result = await room.call(
        generate_document, name="a.md", markdown="## One\n\n![p](p.png)", title="T *x*", subtitle="by me"
    )
    assert await made(room, result) == b"# T \\*x\\*\n\nby me\n\n## One\n\n![p](p.png)\n"


@pytest.mark.parametrize("name", ["report", "report.doc", ".", "a/b/", "report.docx.exe"])
async def test_a_name_says_the_format(room: Room, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"\.docx"):
        await room.call(generate_document, name=name, markdown="x")


async def test_a_template_of_the_workspace_gives_the_look(room: Room) -> None:
    await make(room.world, "bob", "house style.dotx", template(paragraph("{{content}}"), main="template.main+xml"))
    result = await room.call(generate_document, name="a.docx", markdown="# T\n\n## Costs", template="house style.dotx")
    assert ("berschrift1", "Costs") in paragraphs(await made(room, result))
    await make(room.world, "bob", "bad.docx", b"no document")
    for name, error in (("bad.docx", InvalidInput), ("nowhere.docx", NotFound)):
        with pytest.raises(error):
            await room.call(generate_document, name="b.docx", markdown="x", template=name)
    with pytest.raises(InvalidInput, match="take a template"):
        await room.call(generate_document, name="b.pdf", markdown="x", template="house style.dotx")


async def test_a_long_table_is_refused_before_anything_is_stored(room: Room) -> None:
    table = "| a |\n|---|\n" + "| 1 |\n" * 10_001
    with pytest.raises(InvalidInput, match="10,002 rows"):
        await room.call(generate_document, name="a.pdf", markdown=table)
    wide = "|a" * 64 + "|\n" + "|-" * 64 + "|\n"
    with pytest.raises(InvalidInput, match="64 columns"):
        await room.call(generate_document, name="a.docx", markdown=wide)
    assert room.committed is None


async def test_slides_begin_with_their_title(room: Room, tmp_path: Path) -> None:
    result = await room.call(generate_document, name="visit.pptx", markdown="# Visit\n\n## Plan\n\n- one")
    file = stored(tmp_path, await made(room, result), MEDIA_TYPES[DocumentFormat.PPTX], "visit.pptx")
    assert [slide.title for slide in SLIDES.scan(file).slides] == ["Visit", "Plan"]


@pytest.mark.requirement("I7")
async def test_slides_become_a_word_document_beside_them(room: Room, tmp_path: Path) -> None:
    folder = await room.world.services.folders.create(room.principal, room.instance_id, "Decks")
    deck = pptx([slide(shape("Heating", placeholder="title"), shape("Costs *fell*"))])
    file = await make(room.world, "bob", "deck.pptx", deck, folder_id=folder.id)
    result = await room.call(convert_document, fileId="deck.pptx", format="docx")
    assert result.files[0].name == "deck.docx"
    converted = await room.world.services.files.get(room.principal, result.files[0].file_id)
    assert converted.folder_id == file.folder_id
    text = said(stored(tmp_path, await made(room, result), DOCX, "deck.docx"))
    assert "Heating" in text
    assert "Costs *fell*" in text, "a star is a star"


@pytest.mark.requirement("I7")
async def test_files_of_many_kinds_become_a_pdf(room: Room) -> None:
    files = {
        "a.md": (b"# A\n\n- item[^1]\n\n[^1]: note\n", "note"),
        "b.csv": (b"name;sum\nRent;1200\n", "Rent"),
        "c.py": (b"def f():\n    return '```'\n", "return '```'"),
        "d.html": (b"<h1>Hello</h1><p>you &amp; me</p><script>alert(1)</script>", "you & me"),
        "e.pdf": (PdfMaker([Page().lines(50, 80, ["On paper"])]).data(), "On paper"),
        "f.txt": ("Muster *AG*\n1. Zürich".encode("latin-1"), "Muster *AG*\r\n1. Zürich"),
    }
    for name, (data, words) in files.items():
        await make(room.world, "bob", name, data)
        result = await room.call(convert_document, fileId=name, format="pdf", name=f"{name}.pdf")
        text = pdf_text(await made(room, result))
        assert words in text, name
        assert "alert" not in text


async def test_what_a_format_cannot_show_is_said(room: Room) -> None:
    await make(room.world, "bob", "house.png", png(30, 20))
    await room.call(generate_document, name="a.docx", markdown="# T\n\ntext\n\n![The house](house.png)")
    result = await room.call(convert_document, fileId="a.docx", format="md")
    assert "1 of its pictures could not be taken over" in result.message
    assert b"picture-" not in await made(room, result)


async def test_signs_of_office_texts_are_no_markup(room: Room) -> None:
    words = ["\\\\server\\share\\(old)", "[1]: Smith", "AT&amp;T ~~x~~", "---", "\\pagebreak"]
    await make(room.world, "bob", "deck.pptx", pptx([slide(shape("T", placeholder="title"), *map(shape, words))]))
    await room.call(convert_document, fileId="deck.pptx", format="docx")
    result = await room.call(convert_document, fileId="deck.docx", format="pdf")
    text = pdf_text(await made(room, result))
    for line in ("\\\\server\\share\\(old)", "[1]: Smith", "AT&T ~~x~~", "---", "\\pagebreak"):
        assert line in text, text


async def test_what_cannot_be_converted_says_why(room: Room) -> None:
    await make(room.world, "bob", "empty.pdf", PdfMaker([Page()]).data())
    await make(room.world, "bob", "broken.docx", b"PK\x03\x04 no")
    await make(room.world, "alice", "hers.md", b"secret")
    with pytest.raises(InvalidInput, match="Nothing is written"):
        await room.call(convert_document, fileId="empty.pdf", format="docx")
    with pytest.raises(DocumentError):
        await room.call(convert_document, fileId="broken.docx", format="md")
    with pytest.raises(NotFound):
        await room.call(convert_document, fileId="hers.md", format="pdf")
    with pytest.raises(InvalidInput, match="Say one of them"):
        await room.call(convert_document, fileId="empty.pdf", format="docx", name="x.pdf")
    with pytest.raises(Forbidden):
        await room.as_("rita").call(generate_document, name="a.pdf", markdown="x")
    assert room.committed is None
