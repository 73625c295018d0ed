"""Workbooks of all formats, opened by calamine: sheets, rows as displayed, and errors of files."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workroom.documents.errors import DamagedDocument, DocumentError, DocumentTooLarge
from workroom.documents.office.formats import CellFormatter
from workroom.documents.office.merged_cells import MergedCells
from workroom.documents.office.package import encrypted
from workroom.documents.office.passwords import wants_password
from workroom.documents.types import SourceFile

_MIDNIGHT = datetime.time(0, 0)
_DIGITS = 15  # what a spreadsheet itself computes with; the rest is noise of binary fractions


@dataclass(frozen=True)
class SheetRows:
    """`rows` come with their numbers, from 1; empty ones are left out."""

    height: int
    width: int
    columns: Sequence[int]  # which of the sheet its cells are in, from 0
    rows: Iterator[tuple[int, list[str]]]


class Workbook:
    def __init__(self, source: SourceFile, opened: Any) -> None:
        self._source = source
        self._opened = opened
        self._kinds = {sheet.name: sheet for sheet in opened.sheets_metadata}

    @property
    def path(self) -> Path:
        return self._source.path

    @property
    def names(self) -> list[str]:
        return list(self._opened.sheet_names)

    def hidden(self, name: str) -> bool:
        return not str(self._kinds[name].visible).endswith(".Visible")

    def sheet(self, name: str, formats: CellFormatter | None = None, part: str = "") -> SheetRows:
        """`formats` show the values; `part` is what they call the sheet."""
        with _explained(self._source):
            sheet = self._opened.get_sheet_by_index(self.names.index(name))
            start, end = sheet.start, sheet.end
        if start is None or end is None:
            return SheetRows(0, 0, (), iter(()))
        merged = MergedCells(sheet.merged_cell_ranges or [], first_column=start[1])
        rows = self._rows(sheet, formats, part, start[1])
        filled = ((number, texts) for number, row in rows if any(texts := merged.fill(number - 1, row)))
        return SheetRows(end[0] + 1, end[1] - start[1] + 1, range(start[1], end[1] + 1), filled)

    def _rows(self, sheet: Any, formats: CellFormatter | None, part: str, left: int) -> Iterator[tuple[int, list[str]]]:
        formatted_rows = iter(()) if formats is None else formats.row_formats(part)
        none: tuple[int, Mapping[int, Any]] = (0, {})
        number, styles = next(formatted_rows, none)
        with _explained(self._source):
            for row, values in enumerate(sheet.iter_rows(), start=1):
                texts = [shown(value) for value in values]
                while 0 < number < row:
                    number, styles = next(formatted_rows, none)
                if number == row and formats is not None:
                    for column, style in styles.items():
                        if left <= column < left + len(values):
                            shown_text = formats.show(values[column - left], style)
                            texts[column - left] = texts[column - left] if shown_text is None else shown_text
                yield row, texts


@contextmanager
def open_workbook(source: SourceFile) -> Iterator[Workbook]:
    import python_calamine

    if not source.path.stat().st_size:
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    with _explained(source), source.path.open("rb") as file:
        opened = python_calamine.CalamineWorkbook.from_filelike(file)
        yield Workbook(source, opened)


def shown(value: Any) -> str:
    """As people see it in a cell, without the decoration of number formats."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.{_DIGITS}g}"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == _MIDNIGHT else value.isoformat(" ", "seconds")
    if isinstance(value, datetime.timedelta):
        seconds = int(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if isinstance(value, datetime.time):
        return value.isoformat("seconds")
    return str(value)


@contextmanager
def _explained(source: SourceFile) -> Iterator[None]:
    """What calamine says, for people. It panics on some broken files, and a panic is no ordinary exception."""
    import python_calamine

    try:
        yield
    except (DocumentError, GeneratorExit, KeyboardInterrupt, SystemExit):
        raise
    except python_calamine.PasswordError:
        raise encrypted(source) from None
    except MemoryError:
        raise _too_large(source) from None
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        if "limit exceeded" in str(error):
            raise _too_large(source) from None
        raise (encrypted(source) if wants_password(source.path) else _damaged(source, error)) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(source, "its content contradicts itself") from None


def _too_large(source: SourceFile) -> DocumentTooLarge:
    return DocumentTooLarge(
        f"{source.name} has sheets that spread over more cells than can be read. Delete what lies far outside, or split it."
    )


def _damaged(source: SourceFile, why: object) -> DamagedDocument:
    return DamagedDocument(
        f"{source.name} is damaged or no workbook ({str(why)[:200]}). Send it again, or save it anew where it opens."
    )
