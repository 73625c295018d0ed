"""Small documents made in memory, for tests that are about one thing each; the real ones are in the corpus."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

from workroom.documents.ports import Extractor
from workroom.documents.types import ContentObject, ExtractionScope, SourceFile

RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def stored(folder: Path, content: bytes | str, media_type: str = "", name: str = "file") -> SourceFile:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return SourceFile(path=path, name=name, media_type=media_type, container_path=name)


def read(extractor: Extractor, source: SourceFile, wanted: ExtractionScope | None = None) -> list[ContentObject]:
    return list(extractor.extract(source, wanted or ExtractionScope()))


def text_of(objects: list[ContentObject]) -> str:
    return "\n\n".join(found.text for found in objects if found.text)


def package(parts: dict[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def relations(**targets: tuple[str, str]) -> str:
    """`r1=("slide", "slides/slide1.xml")`; a target with `://` is outside."""
    items = "".join(
        f'<Relationship Id="{id_}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target else "/>")
        for id_, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{items}</Relationships>'


def png(width: int = 3, height: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = (b"\0" + b"\0" * ((min(width, 8_000) + 7) // 8)) * min(height, 1_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def shape(text: str, *, top: int = 0, left: int = 0, placeholder: str = "", properties: str = "") -> str:
    """A text box on a slide; each line of `text` is a paragraph with the same `properties`."""
    paragraphs = "".join(f"<a:p>{properties}<a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    place = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"/><p:cNvSpPr/><p:nvPr>{place}</p:nvPr></p:nvSpPr>'
        f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="1" cy="1"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    )


def slide(*shapes: str, attributes: str = "") -> str:
    return (
        f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{OFFICE}" {attributes}><p:cSld><p:spTree>'
        f"{''.join(shapes)}</p:spTree></p:cSld></p:sld>"
    )


def pptx(slides: list[str], more: dict[str, bytes | str] | None = None) -> bytes:
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    main = f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{OFFICE}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>'
    parts: dict[str, bytes | str] = {
        "_rels/.rels": relations(r1=("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": main,
        "ppt/_rels/presentation.xml.rels": relations(
            **{f"r{n}": ("slide", f"slides/slide{n + 1}.xml") for n in range(len(slides))}
        ),
    }
    parts |= {f"ppt/slides/slide{n + 1}.xml": content for n, content in enumerate(slides)}
    return package(parts | (more or {}))


def sheet(rows: dict[str, str], more: str = "") -> str:
    """Cells by address; a value in `<…>` is taken as it is."""
    by_row: dict[int, str] = {}
    for address, value in rows.items():
        number = int("".join(char for char in address if char.isdigit()))
        inner = value if value.startswith("<") else f"<is><t>{value}</t></is>"
        kind = "" if value.startswith("<v>") else ' t="inlineStr"'
        by_row[number] = by_row.get(number, "") + f'<c r="{address}"{kind}>{inner}</c>'
    lines = "".join(f'<row r="{number}">{cells}</row>' for number, cells in sorted(by_row.items()))
    return f'<worksheet xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheetData>{lines}</sheetData>{more}</worksheet>'


def xlsx(sheets: dict[str, str], more: dict[str, bytes | str] | None = None, hidden: str = "") -> bytes:
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"{chr(32) + hidden if hidden and name == "Hidden" else ""}/>'
        for n, name in enumerate(sheets, start=1)
    )
    parts: dict[str, bytes | str] = {
        "_rels/.rels": relations(r1=("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            **{f"r{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)}
        ),
    }
    parts |= {f"xl/worksheets/sheet{n}.xml": content for n, content in enumerate(sheets.values(), start=1)}
    return package(parts | (more or {}))
