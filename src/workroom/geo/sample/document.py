"""The extract of a sample parcel as a PDF of a page or two: text in Helvetica, and on every page that it is a sample."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.geo.types import Extract

WIDTH, HEIGHT = 595, 842  # A4 in points
MARGIN, LEADING = 56, 16
LINES = (HEIGHT - 2 * MARGIN) // LEADING - 4
BANNER = "MUSTER - SAMPLE - EXEMPLE - EXEMPLO"
ABOUT = "Erfundene Daten zum Ausprobieren, kein amtlicher Auszug. / Made-up data, not an official extract."
LONGEST = 92


def pdf_of(extract: Extract) -> bytes:
    lines = [line[:LONGEST] for line in _lines(extract)]
    pages = [lines[start : start + LINES] for start in range(0, len(lines), LINES)]
    return _written([_content(page) for page in pages])


def _lines(extract: Extract) -> Iterator[str]:
    yield "Auszug aus dem Kataster der öffentlich-rechtlichen Eigentumsbeschränkungen"
    yield ""
    yield f"Grundstück {extract.number}, {extract.municipality} ({extract.canton})"
    yield f"EGRID {extract.egrid}"
    yield f"Fläche {extract.area:.0f} m²"
    for concerned, heading in ((True, "Betroffene Themen"), (False, "Nicht betroffene Themen")):
        yield ""
        yield heading
        yield from (f"- {theme.title}" for theme in extract.themes if theme.concerned is concerned)
    for restriction in extract.restrictions:
        yield ""
        yield restriction.title
        yield f"{restriction.legend}: {restriction.area_share:.0f} m² ({restriction.percent:.1f} %), {restriction.law_status}"
        for document in restriction.documents:
            yield "  " + " ".join(filter(None, [document.title, document.abbreviation, document.number]))


def _content(lines: list[str]) -> bytes:
    """`Td` moves down by a line, `Tj` writes one; the first is the banner, in red."""
    parts = ["BT", "/F1 12 Tf", f"{LEADING} TL", f"{MARGIN} {HEIGHT - MARGIN} Td", "0.8 0 0 rg"]
    parts += [f"({_escaped(BANNER)}) Tj T*", "/F1 9 Tf", f"({_escaped(ABOUT)}) Tj T* T*", "0 0 0 rg", "/F1 11 Tf"]
    parts += [f"({_escaped(line)}) Tj T*" for line in lines]
    return "\n".join([*parts, "ET"]).encode("cp1252", "replace")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _written(contents: list[bytes]) -> bytes:
    """Objects one after the other, then the table of where each begins."""
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for place, content in enumerate(contents):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {5 + 2 * place} 0 R"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
    body = b"%PDF-1.4\n"
    starts = []
    for number, each in enumerate(objects, 1):
        starts.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    count = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + trailer
