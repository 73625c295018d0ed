"""Slides with the look of a template, which is a file like any other and may be hostile."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt

from tests.documents.making import png
from tests.documents.writers.making import report
from workroom.core.errors import InvalidInput
from workroom.documents.errors import DamagedDocument, DocumentError, DocumentTooLarge, UnsupportedDocument
from workroom.documents.writers.files import document_of
from workroom.documents.writers.pptx import template
from workroom.documents.writers.pptx.base import base_presentation
from workroom.documents.writers.pptx.writer import pptx_of
from workroom.documents.writers.report import DocumentFormat

MAIN = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
Parts = dict[str, bytes]


def saved(presentation: object) -> bytes:
    made = io.BytesIO()
    presentation.save(made)  # type: ignore[attr-defined]
    return made.getvalue()


def company() -> bytes:
    """A presentation of somebody's, 4:3, with slides, notes, pictures and comments of their own."""
    presentation: Any = Presentation()
    layout = presentation.slide_layouts[1]
    for number in range(3):
        slide = presentation.slides.add_slide(layout)
        slide.shapes.title.text = f"GEHEIM {number}"
        slide.notes_slide.notes_text_frame.text = "GEHEIME NOTIZ"
        slide.shapes.add_picture(io.BytesIO(png(30 + number)), 0, 0)
        slide.shapes.add_table(2, 2, 0, 0, Inches(3), Inches(1)).table.cell(0, 0).text = "GEHEIME ZELLE"
    presentation.core_properties.author = "GEHEIMER AUTOR"
    return saved(presentation)


def parts_of(data: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: Parts) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_the_look_is_taken_and_nothing_of_its_slides_stays() -> None:
    made = pptx_of(report("# Eins\n\n- a\n\n# Zwei\n\n## Drei\n\nb", template=company()))
    presentation = Presentation(io.BytesIO(made))
    assert (presentation.slide_width, presentation.slide_height) == (Inches(10), Inches(7.5))
    assert [slide.slide_layout.name for slide in presentation.slides] == [
        "Title Slide", "Title and Content", "Section Header", "Title and Content",
    ]  # fmt: skip
    assert [slide.shapes.title.text for slide in presentation.slides] == ["Alpenblick AG", "Eins", "Zwei", "Drei"]
    parts = parts_of(made)
    assert not [name for name, content in parts.items() if b"GEHEIM" in content]
    assert not [name for name in parts if "media" in name or "comments" in name]
    assert len([name for name in parts if name.startswith("ppt/slides/slide")]) == 4
    body = presentation.slides[1].placeholders[1]
    assert body.top >= presentation.slide_layouts[1].placeholders[1].top
    assert body.left + body.width <= presentation.slide_width


def test_a_potx_is_a_template_too() -> None:
    parts = parts_of(company())
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"presentation.main+xml", b"template.main+xml")
    made = pptx_of(report("# Eins\n\na", template=zipped(parts)))
    assert MAIN.encode() in parts_of(made)["[Content_Types].xml"]


def test_text_in_a_template_is_as_large_as_there_within_reason() -> None:
    presentation = base_presentation()
    for size, wanted in ((9, 14), (16, 16), (40, 20)):
        presentation.slide_master._element.find(".//{*}bodyStyle/{*}lvl1pPr/{*}defRPr").set("sz", str(size * 100))
        made = Presentation(io.BytesIO(pptx_of(report("# T\n\ntext", template=saved(presentation)))))
        assert made.slides[1].placeholders[1].text_frame.paragraphs[0].runs[0].font.size == Pt(wanted)


def test_a_template_without_usual_layouts_is_taken_as_well() -> None:
    presentation = Presentation()
    for layout in list(presentation.slide_layouts):
        if layout.name != "Blank":
            presentation.slide_layouts.remove(layout)
    made = Presentation(io.BytesIO(pptx_of(report("# Eins\n\ntext\n\n|a|\n|-|\n|1|", template=saved(presentation)))))
    said = [shape.text_frame.text for slide in made.slides for shape in slide.shapes if shape.has_text_frame]
    assert {"Alpenblick AG", "Eins", "text"} <= set(said)


def related(
    kind: str, target: str, *, mode: str = "", part: str = "ppt/slideMasters/_rels/slideMaster1.xml.rels"
) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        base = (
            "http://schemas.microsoft.com/office/2006/relationships"
            if kind == "vbaProject"
            else ("http://schemas.openxmlformats.org/officeDocument/2006/relationships")
        )
        outside = f' TargetMode="{mode}"' if mode else ""
        added = f'<Relationship Id="rIdX" Type="{base}/{kind}" Target="{target}"{outside}/></Relationships>'
        parts[part] = parts[part].replace(b"</Relationships>", added.encode())
        parts["ppt/embeddings/x.bin"] = b"x"

    return change


def replaced(part: str, old: bytes, new: bytes) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        assert old in parts[part]
        parts[part] = parts[part].replace(old, new, 1)

    return change


MASTER, LAYOUT = "ppt/slideMasters/slideMaster1.xml", "ppt/slideLayouts/_rels/slideLayout2.xml.rels"
HOSTILE: dict[str, Callable[[Parts], object]] = {
    "macros": replaced("[Content_Types].xml", MAIN.encode(), b"application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"),
    "macro part": related("vbaProject", "vbaProject.bin", part="ppt/_rels/presentation.xml.rels"),
    "embedded object": related("oleObject", "../embeddings/x.bin"),
    "embedded workbook": related("package", "../embeddings/x.bin", part=LAYOUT),
    "control": related("control", "../embeddings/x.bin", part=LAYOUT),
    "linked object": related("oleObject", "file:///c:/x.doc", mode="External"),
    "linked picture": related("image", "http://evil.example/x.png", mode="External"),
    "linked picture of a layout": related("image", "\\\\host\\share\\x.png", mode="External", part=LAYOUT),
    "linked film": related("video", "http://evil.example/x.mp4", mode="External"),
    "linked theme": related("theme", "http://evil.example/theme.xml", mode="External", part="ppt/_rels/presentation.xml.rels"),
    "link to a program": related("hyperlink", "file:///c:/windows/system32/calc.exe", mode="External"),
    "link to a share": related("hyperlink", "\\\\host\\share", mode="External"),
    "button": replaced(
        MASTER, b"<p:cNvPr id=\"2\" name=\"Title Placeholder 1\"/>",
        b'<p:cNvPr id="2" name="T"><a:hlinkClick r:id="" action="ppaction://program"/></p:cNvPr>',
    ),
    "entities": replaced(MASTER, b"?>", b'?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    "not well-formed": lambda parts: parts.update({MASTER: parts[MASTER][:500]}),
    "no masters": lambda parts: [parts.pop(name) for name in list(parts) if "slideMaster" in name],
    "no presentation": lambda parts: parts.pop("ppt/presentation.xml"),
    "no relations": lambda parts: parts.pop("_rels/.rels"),
    "no content types": lambda parts: parts.pop("[Content_Types].xml"),
    "no main relations": lambda parts: parts.pop("ppt/_rels/presentation.xml.rels"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_or_broken_is_refused_with_a_sentence(name: str) -> None:
    parts = parts_of(company())
    HOSTILE[name](parts)
    with pytest.raises((UnsupportedDocument, DamagedDocument), match=r"\."):
        pptx_of(report("# Eins\n\na", template=zipped(parts)))


def test_links_to_websites_stay() -> None:
    parts = parts_of(company())
    related("hyperlink", "https://example.com/", mode="External")(parts)
    made = parts_of(pptx_of(report("# Eins\n\na", template=zipped(parts))))
    assert b"https://example.com/" in made["ppt/slideMasters/_rels/slideMaster1.xml.rels"]


@pytest.mark.parametrize(
    "data", [b"", b"x", b"PK\3\4", zipped({"a": b"b"}), zipped({"[Content_Types].xml": b"<Types/>"})]
)
def test_what_is_no_presentation_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(DocumentError, match="template"):
        template.opened(data)


async def test_the_child_says_what_is_wrong_with_a_template() -> None:
    with pytest.raises(InvalidInput, match="cannot be opened"):
        await document_of(report("# Eins\n\na", template=b"x"), DocumentFormat.PPTX)


def test_a_template_that_unpacks_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "MOST_BYTES", 10_000)
    with pytest.raises(DocumentTooLarge, match="too large"):
        template.opened(company())
