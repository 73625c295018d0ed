"""DOCX files made for tests: a few letters for each thing that Word writes at length."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.documents.making import OFFICE, package, png, relations, stored
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.documents.types import ContentObject, ExtractionScope, SourceFile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_NAMES = (
    f'xmlns:r="{OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/></w:style>'
    for level in (1, 2, 3)
)


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(text: str = "", style: str = "", properties: str = "", inside: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{run(text) if text else ''}{inside}</w:p>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"


def table(*rows: list[str]) -> str:
    made = "".join(f"<w:tr>{''.join(one if one.startswith('<') else cell(one) for one in row)}</w:tr>" for row in rows)
    return f"<w:tbl>{made}</w:tbl>"


def picture(id_: str = "rPic", description: str = "") -> str:
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="{description}"/><a:graphic><a:graphicData>'
        f'<a:blip r:embed="{id_}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )


def docx(
    folder: Path,
    body: str,
    *,
    styles: str = STYLES,
    parts: Mapping[str, bytes | str] | None = None,
    word: str = WORD,
    prolog: str = "",
    **relation: tuple[str, str],
) -> SourceFile:
    def part(root: str, content: str) -> str:
        return f'<w:{root} xmlns:w="{word}" {_NAMES}>{content}</w:{root}>'

    made: dict[str, bytes | str] = {
        "_rels/.rels": relations(r1=("officeDocument", "word/document.xml")),
        "word/document.xml": prolog + part("document", f"<w:body>{body}</w:body>"),
        "word/styles.xml": part("styles", styles),
        "word/media/picture.png": png(),
        "word/_rels/document.xml.rels": relations(
            rStyles=("styles", "styles.xml"), rPic=("image", "media/picture.png"), **relation
        ),
    }
    for name, content in (parts or {}).items():
        made[name] = part(*content.split("|", 1)) if isinstance(content, str) else content
    return stored(folder, package(made), MEDIA_TYPE, "letter.docx")


def read(source: SourceFile, **wanted: frozenset[int] | frozenset[str]) -> list[ContentObject]:
    return list(EXTRACTOR.extract(source, ExtractionScope(**wanted)))  # type: ignore[arg-type]


def said(source: SourceFile) -> str:
    return "\n\n".join(found.text for found in read(source) if found.text)
