"""One small document of every kind that is made of XML, as its parts: what tests spoil in every possible place.

`PLACE` stands where a document has text.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from tests.documents.docx import making as word
from tests.documents.making import CHART, DRAWING, SHEETS, png, relations, sheet, xlsx
from tests.documents.odt import making as open_text
from tests.documents.open_making import SLIDES, book, presentation
from tests.documents.slide_pictures.making import BODY, TITLE, box, deck, frame
from workroom.documents.types import SourceFile

Parts = dict[str, bytes]
_WORDS = re.compile(b"First\\.|Ducks")  # of the book

MEDIA_TYPES = {
    "docx": word.MEDIA_TYPE,
    "odt": open_text.MEDIA_TYPE,
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "epub": "application/epub+zip",
    "xml": "application/xml",
    "svg": "image/svg+xml",
    "html": "text/html",
}
_CORE = (
    '<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>PLACE</dc:title></c:coreProperties>'
)
_CHART = (
    f'<c:chartSpace xmlns:c="{CHART}" xmlns:a="{DRAWING}"><c:chart><c:title><a:t>PLACE</a:t></c:title><c:ser><c:val>'
    '<c:pt idx="0"><c:v>5</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>'
)
_ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>PLACE</text:p>'
    "</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
)


def parts_of(kind: str, folder: Path) -> Parts:
    """By name; a document that is one file is the part called `-`."""
    if kind in _SINGLE:
        return {"-": _SINGLE[kind].encode()}
    with zipfile.ZipFile(io.BytesIO(_packages(folder)[kind])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts = {"mimetype": MEDIA_TYPES[kind].encode()} | parts if kind in ("odp", "epub") else parts
    return {name: _WORDS.sub(b"PLACE", content) if kind == "epub" else content for name, content in parts.items()}


def saved(kind: str, parts: Parts, folder: Path) -> SourceFile:
    path = folder / f"sample.{kind}"
    if "-" in parts:
        path.write_bytes(parts["-"])
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
    return SourceFile(path, path.name, MEDIA_TYPES[kind], path.name)


_SINGLE = {
    "xml": "<root><item>PLACE</item></root>",
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>PLACE</text></svg>',
    "html": "<html><body><p>PLACE</p></body></html>",
}


def _packages(folder: Path) -> dict[str, bytes]:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="3"/></w:r>'
    letter = word.docx(
        folder,
        word.p("PLACE", "H1") + word.p("PLACE", inside=note + word.picture()) + word.table(["PLACE", "b"]),
        parts={
            "word/footnotes.xml": f'footnotes|<w:footnote w:id="2">{word.p("PLACE")}</w:footnote>',
            "word/comments.xml": f'comments|<w:comment w:id="3" w:author="A">{word.p("PLACE")}</w:comment>',
            "word/numbering.xml": "numbering|<w:num/>",
            "word/header1.xml": f"hdr|{word.p('PLACE')}",
            "docProps/app.xml": b"<Properties><Pages>1</Pages></Properties>",
            "docProps/core.xml": _CORE.encode(),
        },
        rF=("footnotes", "footnotes.xml"),
        rC=("comments", "comments.xml"),
        rN=("numbering", "numbering.xml"),
        rH=("header", "header1.xml"),
    )
    slide = box("PLACE", placeholder=TITLE) + box("PLACE", place=frame(9, 9, 99, 99)) + _frame("r4")
    slides = deck(
        slide,
        layout=box("PLACE", placeholder=BODY, place=frame(0, 0, 99, 99)),
        master=box("PLACE", placeholder=TITLE, place=frame(0, 0, 99, 99)),
        more={
            "ppt/charts/c.xml": _CHART,
            "ppt/tableStyles.xml": f'<a:tblStyleLst xmlns:a="{DRAWING}"/>',
            "docProps/core.xml": _CORE,
            "ppt/media/picture.png": png(),
            "ppt/slides/_rels/slide1.xml.rels": relations(
                r1=("slideLayout", "../slideLayouts/slideLayout1.xml"), r4=("chart", "../charts/c.xml")
            ),
        },
    )
    workbook = xlsx(
        {"S": sheet({"A1": "PLACE", "B1": "<v>5</v>"})},
        {
            "xl/_rels/workbook.xml.rels": relations(
                r1=("worksheet", "worksheets/sheet1.xml"),
                s1=("styles", "styles.xml"),
                s2=("sharedStrings", "sharedStrings.xml"),
            ),
            "xl/styles.xml": f'<styleSheet xmlns="{SHEETS}"><cellXfs><xf numFmtId="4"/></cellXfs></styleSheet>',
            "xl/sharedStrings.xml": f'<sst xmlns="{SHEETS}"><si><t>PLACE</t></si></sst>',
            "xl/worksheets/_rels/sheet1.xml.rels": relations(r2=("comments", "../comments1.xml")),
            "xl/comments1.xml": f'<comments xmlns="{SHEETS}"><authors><author>A</author></authors><commentList>'
            '<comment ref="B2" authorId="0"><text><t>PLACE</t></text></comment></commentList></comments>',
            "docProps/core.xml": _CORE,
        },
    )
    return {
        "docx": letter.path.read_bytes(),
        "odt": open_text.odt(
            folder, open_text.h("PLACE") + open_text.p("PLACE"), parts={"meta.xml": "<meta>PLACE</meta>"}
        ).path.read_bytes(),
        "pptx": slides,
        "odp": presentation(SLIDES.replace("below", "PLACE")),
        "xlsx": workbook,
        "ods": _zipped({"mimetype": MEDIA_TYPES["ods"], "content.xml": _ODS, "META-INF/manifest.xml": "<manifest/>"}),
        "epub": book(),
    }


def _frame(id_: str) -> str:
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="f"/><p:nvPr/></p:nvGraphicFramePr>'
        f'<p:xfrm><a:off x="9" y="9"/><a:ext cx="99" cy="99"/></p:xfrm><a:graphic><a:graphicData>'
        f'<c:chart xmlns:c="{CHART}" r:id="{id_}"/></a:graphicData></a:graphic></p:graphicFrame>'
    )


def _zipped(parts: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()
