"""OpenDocument presentations and workbooks made in memory, small ones for tests that are about one thing each."""

from __future__ import annotations

from tests.documents.making import package, png

SLIDES = """
<draw:page draw:name="1"><draw:frame svg:y="9cm" svg:x="1cm"><draw:text-box><text:p>below</text:p></draw:text-box></draw:frame>
<draw:frame svg:y="2cm" svg:x="1cm"><draw:text-box><text:list><text:list-item><text:p>one<text:s/>item</text:p>
<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list></draw:text-box>
</draw:frame>
<draw:frame presentation:class="title" svg:y="20cm"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:frame><draw:text-box><text:p>remember</text:p></draw:text-box></draw:frame></presentation:notes>
</draw:page>
<draw:page><draw:frame><table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p>
</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p>
</table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<draw:frame><draw:image xlink:href="Pictures/a.png" xmlns:xlink="http://www.w3.org/1999/xlink"/></draw:frame></draw:page>
"""


CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="book/content.opf"/></rootfiles></container>'
)
BOOK = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Ducks</dc:title><dc:creator>Ann</dc:creator></metadata><manifest>
<item id="two" href="two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="a%20b/one.xhtml" media-type="application/xhtml+xml"/>
<item id="pic" href="pic.png" media-type="image/png"/></manifest>
<spine><itemref idref="one"/><itemref idref="two"/></spine></package>"""


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


def book() -> bytes:
    return package(
        {
            "META-INF/container.xml": CONTAINER,
            "book/content.opf": BOOK,
            "book/a b/one.xhtml": '<html><body><h1>One</h1><p>First.</p><img src="../pic.png" alt="A duck"/></body></html>',
            "book/two.xhtml": "<html><body><h1>Two</h1><p>Second.</p></body></html>",
            "book/pic.png": png(),
        }
    )


def presentation(slides: str = SLIDES, manifest: str = "<manifest/>") -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:body><office:presentation>{slides}</office:presentation>"
        "</office:body></office:document-content>"
    )
    return package({"content.xml": content, "META-INF/manifest.xml": manifest, "Pictures/a.png": png()})
