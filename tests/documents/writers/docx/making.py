"""Word documents for tests of the writer: templates as Word makes them, and what is inside a file."""

from __future__ import annotations

import io
import zipfile

from lxml import etree

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = f'xmlns:w="{W}" xmlns:r="{OFFICE}"'
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."


def parts(docx: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(docx)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


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


def field(*parts: str, inner: str = "") -> str:
    """As Word writes it, in as many elements as it likes."""
    texts = "".join(f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in parts)
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    return f"<w:p>{mark('begin')}{inner}{texts}{mark('separate')}{mark('end')}</w:p>".replace("<w:p><w:p>", "<w:p>")
