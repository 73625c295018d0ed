"""ODT files made for tests."""

from __future__ import annotations

from pathlib import Path

from tests.documents.making import package, png, stored
from workroom.documents.extractors.odt import EXTRACTOR
from workroom.documents.types import ContentObject, ExtractionScope, SourceFile

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(
    f'xmlns:{short}="{_OASIS}:{long}:1.0"'
    for short, long in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "chart": "chart",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
    }.items()
)
_OTHERS = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'


def part(root: str, content: str) -> str:
    return f"<office:{root} {_NAMES} {_OTHERS}>{content}</office:{root}>"


def odt(
    folder: Path, body: str, *, styles: str = "", common: str = "", parts: dict[str, bytes | str] | None = None
) -> SourceFile:
    content = (
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>{body}</office:text>"
    )
    made: dict[str, bytes | str] = {
        "mimetype": MEDIA_TYPE,
        "content.xml": part("document-content", f"{content}</office:body>"),
        "styles.xml": part("document-styles", common),
        "Pictures/cat.png": png(),
        **(parts or {}),
    }
    return stored(folder, package(made), MEDIA_TYPE, "letter.odt")


def p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int = 1) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def read(source: SourceFile, **wanted: frozenset[int] | frozenset[str]) -> list[ContentObject]:
    return list(EXTRACTOR.extract(source, ExtractionScope(**wanted)))  # type: ignore[arg-type]


def said(source: SourceFile) -> str:
    return "\n\n".join(found.text for found in read(source) if found.text)
