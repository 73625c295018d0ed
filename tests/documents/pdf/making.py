"""PDF files made for tests, object by object: just enough of the format to say what a test needs."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.documents.corpus import source
from workroom.documents.types import SourceFile

WIDTH, HEIGHT = 595, 842
REGULAR, BOLD = "F1", "F2"


@dataclass
class Page:
    """Places are from the upper left corner, in points, as people see a page."""

    commands: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    pictures: int = 0
    rotate: int = 0

    def text(self, x: float, y: float, text: str, size: float = 11, font: str = REGULAR) -> Page:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.commands.append(f"BT /{font} {size} Tf {x} {HEIGHT - y} Td ({escaped}) Tj ET")
        return self

    def lines(self, x: float, y: float, lines: Sequence[str], size: float = 11, font: str = REGULAR) -> Page:
        for number, line in enumerate(lines):
            self.text(x, y + number * size * 1.2, line, size, font)
        return self

    def rule(self, x: float, y: float, to_x: float, to_y: float) -> Page:
        self.commands.append(f"{x} {HEIGHT - y} m {to_x} {HEIGHT - to_y} l S")
        return self

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> Page:
        for x in xs:
            self.rule(x, ys[0], x, ys[-1])
        for y in ys:
            self.rule(xs[0], y, xs[-1], y)
        return self

    def picture(self, x: float, y: float, width: float, height: float) -> Page:
        self.pictures += 1
        self.commands.append(f"q {width} 0 0 {height} {x} {HEIGHT - y - height} cm /Im Do Q")
        return self

    def link(self, x: float, y: float, width: float, address: str) -> Page:
        rect = f"[{x} {HEIGHT - y - 2} {x + width} {HEIGHT - y + 10}]"
        self.annotations.append(
            f"<< /Type /Annot /Subtype /Link /Rect {rect} /A << /S /URI /URI ({address}) >> /Border [0 0 0] >>"
        )
        return self

    def jump(self, x: float, y: float, width: float, page: int, by_action: bool = False) -> Page:
        """To a page of the same file, counted from 0: said by the link itself, or by its action."""
        rect = f"[{x} {HEIGHT - y - 2} {x + width} {HEIGHT - y + 10}]"
        goal = f"[{page} /Fit]"
        said = f"/A << /S /GoTo /D {goal} >>" if by_action else f"/Dest {goal}"
        self.annotations.append(f"<< /Type /Annot /Subtype /Link /Rect {rect} {said} >>")
        return self

    def field(self, name: str, value: str) -> Page:
        self.annotations.append(
            f"<< /Type /Annot /Subtype /Widget /FT /Tx /T ({name}) /V ({value}) /Rect [50 50 200 70] >>"
        )
        return self

    def remark(self, author: str, text: str) -> Page:
        self.annotations.append(
            f"<< /Type /Annot /Subtype /Text /T ({author}) /Contents ({text}) /Rect [10 10 20 20] >>"
        )
        return self


@dataclass
class Bookmark:
    title: str
    page: int
    y: float = 0.0
    children: list[Bookmark] = field(default_factory=list)


class PdfMaker:
    def __init__(self, pages: Sequence[Page]) -> None:
        self._objects: list[bytes] = []
        self._pages = pages
        self.bookmarks: list[Bookmark] = []
        self.attachments: dict[str, bytes] = {}
        self.information: dict[str, str] = {}

    def save(self, path: Path) -> SourceFile:
        path.write_bytes(self.data())
        return source(path, "application/pdf")

    def data(self) -> bytes:
        self._objects = []
        catalog, tree = self._reserve(), self._reserve()
        regular = self._add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        bold = self._add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
        image = self._add_stream(
            "/Type /XObject /Subtype /Image /Width 8 /Height 4 /ColorSpace /DeviceRGB /BitsPerComponent 8",
            bytes([200, 30, 30]) * 32,
        )
        resources = f"<< /Font << /F1 {regular} 0 R /F2 {bold} 0 R >> /XObject << /Im {image} 0 R >> >>"
        pages = [self._page(page, tree, resources) for page in self._pages]
        kids = " ".join(f"{page} 0 R" for page in pages)
        self._set(tree, f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
        more = self._outline(pages) + self._files()
        self._set(catalog, f"<< /Type /Catalog /Pages {tree} 0 R {more} >>")
        said = "".join(f"/{key} ({value}) " for key, value in self.information.items())
        return self._written(catalog, self._add(f"<< {said} >>"))

    def _page(self, page: Page, tree: int, resources: str) -> int:
        content = self._add_stream("", "\n".join(page.commands).encode("cp1252"))
        annotations = " ".join(f"{self._add(annotation)} 0 R" for annotation in page.annotations)
        return self._add(
            f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Rotate {page.rotate} "
            f"/Resources {resources} /Contents {content} 0 R /Annots [{annotations}] >>"
        )

    def _outline(self, pages: Sequence[int]) -> str:
        if not self.bookmarks:
            return ""
        root = self._reserve()
        first, last = self._siblings(self.bookmarks, root, pages)
        self._set(root, f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R >>")
        return f"/Outlines {root} 0 R "

    def _siblings(self, marks: Sequence[Bookmark], parent: int, pages: Sequence[int]) -> tuple[int, int]:
        numbers = [self._reserve() for _ in marks]
        for place, mark in enumerate(marks):
            parts = [f"/Title ({mark.title}) /Parent {parent} 0 R"]
            parts.append(f"/Dest [{pages[mark.page]} 0 R /XYZ 0 {HEIGHT - mark.y} 0]")
            if place:
                parts.append(f"/Prev {numbers[place - 1]} 0 R")
            if place + 1 < len(numbers):
                parts.append(f"/Next {numbers[place + 1]} 0 R")
            if mark.children:
                first, last = self._siblings(mark.children, numbers[place], pages)
                parts.append(f"/First {first} 0 R /Last {last} 0 R /Count {len(mark.children)}")
            self._set(numbers[place], f"<< {' '.join(parts)} >>")
        return numbers[0], numbers[-1]

    def _files(self) -> str:
        if not self.attachments:
            return ""
        names = []
        for name, data in self.attachments.items():
            stream = self._add_stream("/Type /EmbeddedFile", data)
            names.append(f"({name}) << /Type /Filespec /F ({name}) /UF ({name}) /EF << /F {stream} 0 R >> >>")
        return f"/Names << /EmbeddedFiles << /Names [{' '.join(names)}] >> >> "

    def _reserve(self) -> int:
        return self._add("null")

    def _add(self, body: str) -> int:
        self._objects.append(body.encode("cp1252"))
        return len(self._objects)

    def _set(self, number: int, body: str) -> None:
        self._objects[number - 1] = body.encode("cp1252")

    def _add_stream(self, entries: str, data: bytes) -> int:
        packed = zlib.compress(data)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        self._objects.append(head.encode() + packed + b"\nendstream")
        return len(self._objects)

    def _written(self, catalog: int, information: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, body in enumerate(self._objects, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
        out += f"trailer << /Size {len(places) + 1} /Root {catalog} 0 R /Info {information} 0 R >>\n".encode()
        return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def one_page(path: Path, page: Page) -> SourceFile:
    return PdfMaker([page]).save(path)
