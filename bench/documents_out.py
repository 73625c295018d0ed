"""What writing documents costs, beside the same done with the bare libraries.

python -m bench.documents_out
"""

from __future__ import annotations

import asyncio
import io
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from bench.lines import Line, show
from workroom.documents.writers.report import Report, ReportSection

SLIDES, TABLES, PICTURES = 60, 20, 10
ROWS, COLUMNS = 100_000, 10
MB = 1024
SENTENCE = "Die Alpenblick AG führt sieben Häuser in der Region und wächst stetig. "


def main() -> None:
    if len(sys.argv) > 1:
        _child(*sys.argv[1:])
        return
    print(
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name)
        (folder / "deck.json").write_text(deck().model_dump_json())
        (folder / "workbook.json").write_text(workbook().model_dump_json())
        lines: list[Line] = []
        for what, format, file, bare in (
            (f"PPTX, {SLIDES} slides with {TABLES} tables and {PICTURES} pictures", "pptx", "deck", "bare_pptx"),
            (f"XLSX, {ROWS:,} rows of {COLUMNS} cells", "xlsx", "workbook", "bare_xlsx"),
            ("CSV, the same", "csv", "workbook", ""),
            (f"HTML, what stands on {SLIDES} slides", "html", "deck", ""),
        ):
            lines += _both(what, format, folder / f"{file}.json", bare)
    show(lines)


def deck() -> Report:
    parts = []
    for number in range(SLIDES):
        parts.append(f"## Thema {number}\n\n{SENTENCE * 2}\n")
        parts.append("\n".join(f"- Punkt {at}: {SENTENCE}" for at in range(3)) + "\n")
        if number % 3 == 0:
            rows = "\n".join(f"| Haus {row} | {row * 7} | CHF {row * 100}.50 |" for row in range(6))
            parts.append(f"| Haus | Menge | Preis |\n|---|--:|--:|\n{rows}\n")
        if number % 6 == 1:
            parts.append(f"![Bild {number}](picture-{number}.png)\n")
    pictures = {f"picture-{number}.png": _picture(number) for number in range(SLIDES) if number % 6 == 1}
    section = ReportSection(title="", note="", markdown="\n".join(parts))
    return Report(title="Bericht", lines=["2026"], language="de", sections=[section], pictures=pictures)


def cells(row: int) -> list[str]:
    return [
        f"Objekt {row}",
        str(row),
        f"{row % 9_000}.{row % 90 + 10}",
        f"2026-{row % 12 + 1:02}-{row % 28 + 1:02}",
    ] + [f"Wert {row} {column}" for column in range(COLUMNS - 4)]


def workbook() -> Report:
    head = [f"Spalte {column}" for column in range(COLUMNS)]
    rows = "\n".join(f"| {' | '.join(cells(row))} |" for row in range(ROWS))
    markdown = f"# Objekte\n\n| {' | '.join(head)} |\n|{'---|' * COLUMNS}\n{rows}\n"
    section = ReportSection(title="", note="", markdown=markdown)
    return Report(title="Objekte", lines=[], language="de", sections=[section])


def _both(what: str, format: str, file: Path, bare: str) -> list[Line]:
    seconds, megabytes, size = _measured("ours", format, str(file))
    lines = [
        Line(what, seconds, "s", aim=60, note=f"in its child process, {size / 1e6:.1f} MB"),
        Line("  memory of the child at most", megabytes, "MB"),
    ]
    if bare:
        seconds, megabytes, size = _measured(bare)
        lines.append(Line("  the bare library, the same cells and texts", seconds, "s", note=f"{size / 1e6:.1f} MB"))
        lines.append(Line("  its memory at most", megabytes, "MB"))
    return lines


def _measured(*arguments: str) -> tuple[float, float, int]:
    """Seconds, megabytes at most, and bytes of the file, in a process of its own."""
    command = [sys.executable, "-m", "bench.documents_out", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, megabytes, size = done.stdout.split()
    return float(seconds), float(megabytes), int(size)


def _child(what: str, *arguments: str) -> None:
    start = time.perf_counter()
    if what == "ours":
        made = _ours(*arguments)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MB
        start += _loading(arguments[1])
    else:
        made = bare_pptx() if what == "bare_pptx" else bare_xlsx()
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB
    print(time.perf_counter() - start, used, len(made))


def _ours(format: str, file: str) -> bytes:
    from workroom.documents.writers.files import document_of
    from workroom.documents.writers.report import DocumentFormat

    report = Report.model_validate_json(Path(file).read_bytes())
    return asyncio.run(document_of(report, DocumentFormat(format)))


def _loading(file: str) -> float:
    """What this script itself needs to read the report, which the server has in memory."""
    start = time.perf_counter()
    Report.model_validate_json(Path(file).read_bytes())
    return time.perf_counter() - start


def bare_pptx() -> bytes:
    from pptx import Presentation
    from pptx.util import Inches

    presentation = Presentation()
    for number in range(SLIDES):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Thema {number}"
        slide.placeholders[1].text_frame.text = SENTENCE * 2
        for at in range(3):
            slide.placeholders[1].text_frame.add_paragraph().text = f"Punkt {at}: {SENTENCE}"
        if number % 3 == 0:
            table = slide.shapes.add_table(7, 3, Inches(1), Inches(4), Inches(8), Inches(3)).table
            for row in range(7):
                for column, text in enumerate((f"Haus {row}", str(row * 7), f"CHF {row * 100}.50")):
                    table.cell(row, column).text = text
        if number % 6 == 1:
            slide.shapes.add_picture(io.BytesIO(_picture(number)), Inches(1), Inches(4), Inches(4))
    made = io.BytesIO()
    presentation.save(made)
    return made.getvalue()


def bare_xlsx() -> bytes:
    from xlsxwriter import Workbook

    made = io.BytesIO()
    with Workbook(made, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Objekte")
        for row in range(ROWS):
            _write(sheet, row, cells(row))
    return made.getvalue()


def _write(sheet: object, row: int, texts: Sequence[str]) -> None:
    for column, text in enumerate(texts):
        if column in (1, 2):
            sheet.write_number(row, column, float(text))  # type: ignore[attr-defined]
        else:
            sheet.write_string(row, column, text)  # type: ignore[attr-defined]


def _picture(number: int) -> bytes:
    made = io.BytesIO()
    Image.effect_noise((1_200, 800), 20 + number).save(made, "PNG")
    return made.getvalue()


if __name__ == "__main__":
    main()
