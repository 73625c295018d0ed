"""A PDF with one text per page. The font is not embedded and its characters are their own Unicode numbers, which is enough for
reading text out of it in any language; it is not meant to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SIZE, LEADING, LEFT, TOP = 11, 16, 60, 780
_TO_UNICODE = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def "
    "1 begincodespacerange <0000> <FFFF> endcodespacerange {ranges} endcmap end end"
)


def pdf_of_pages(pages: Sequence[str]) -> bytes:
    objects = list(_objects(pages))
    body, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, entries)
    return (
        body + table + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    )


def _objects(pages: Sequence[str]) -> Iterator[bytes]:
    """Catalogue, list of pages, three of the font, then each page and its content."""
    first = 6
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    yield b"<< /Type /Catalog /Pages 2 0 R >>"
    yield f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    yield (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H /DescendantFonts [4 0 R] "
        b"/ToUnicode 5 0 R >>"
    )
    yield (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica /DW 600 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
    )
    yield _stream(_TO_UNICODE.format(ranges=_ranges("".join(pages))))
    for number, text in enumerate(pages):
        yield (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {first + 2 * number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        ).encode()
        lines = [f"<{line.encode('utf-16-be').hex()}> Tj T*" for line in text.strip().splitlines()]
        yield _stream(f"BT /F1 {SIZE} Tf {LEADING} TL {LEFT} {TOP} Td {' '.join(lines)} ET")


def _ranges(text: str) -> str:
    """At most a hundred entries stand in one list."""
    codes = sorted({ord(char) for char in text if char != "\n"})
    lists = [codes[start : start + 100] for start in range(0, len(codes), 100)]
    return " ".join(
        f"{len(part)} beginbfchar {' '.join(f'<{code:04x}> <{code:04x}>' for code in part)} endbfchar" for part in lists
    )


def _stream(text: str) -> bytes:
    data = text.encode("ascii")
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
