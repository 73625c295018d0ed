"""OpenDocument presentations and workbooks made in memory, small ones for tests that are about one thing each."""

from __future__ import annotations

from tests.documents.making import package, png

ODP = "application/vnd.oasis.opendocument.presentation"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = (
    " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"'
        for name, kind in [
            ("office", "office"),
            ("draw", "drawing"),
            ("text", "text"),
            ("table", "table"),
            ("style", "style"),
            ("number", "datastyle"),
            ("presentation", "presentation"),
            ("svg", "svg-compatible"),
            ("fo", "xsl-fo-compatible"),
        ]
    )
    + ' xmlns:xlink="http://www.w3.org/1999/xlink"'
)
PICTURE = (
    '<draw:frame svg:x="1cm" svg:y="1cm" svg:width="8cm" svg:height="6cm"><draw:image xlink:href="Pictures/a.png"/>'
    "</draw:frame>"
)


def frame(text: str, *, at: str = "1cm", more: str = "", kind: str = "") -> str:
    said = f' presentation:class="{kind}"' if kind else ""
    paragraphs = "".join(f"<text:p>{line}</text:p>" for line in text.split("\n"))
    return (
        f'<draw:frame{said} svg:x="1cm" svg:y="{at}" svg:width="20cm" svg:height="3cm"{more}>'
        f"<draw:text-box>{paragraphs}</draw:text-box></draw:frame>"
    )


def page(*shapes: str, more: str = "", notes: str = "") -> str:
    told = f"<presentation:notes>{frame(notes)}</presentation:notes>" if notes else ""
    return f"<draw:page{more}>{''.join(shapes)}{told}</draw:page>"


def odp(*pages: str, automatic: str = "", styles: str = "", more: dict[str, bytes | str] | None = None) -> bytes:
    """`automatic` are styles of the content; `styles` is what stands in the part of that name."""
    content = f"<office:automatic-styles>{automatic}</office:automatic-styles>"
    parts = {"Pictures/a.png": png(), **(more or {})}
    return _document(ODP, f"<office:presentation>{''.join(pages)}</office:presentation>", content, styles, parts)


def ods(tables: dict[str, str], automatic: str = "", styles: str = "") -> bytes:
    """Rows of each sheet, as they are."""
    listed = "".join(f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in tables.items())
    content = f"<office:automatic-styles>{automatic}</office:automatic-styles>"
    return _document(ODS, f"<office:spreadsheet>{listed}</office:spreadsheet>", content, styles, {})


def _document(kind: str, body: str, automatic: str, styles: str, more: dict[str, bytes | str]) -> bytes:
    parts: dict[str, bytes | str] = {
        "mimetype": kind,
        "content.xml": f"<office:document-content {NAMES}>{automatic}<office:body>{body}</office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {NAMES}>{styles}</office:document-styles>",
        "META-INF/manifest.xml": "<manifest/>",
    }
    return package(parts | more)
