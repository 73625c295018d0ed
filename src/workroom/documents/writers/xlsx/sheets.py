"""A table as a sheet: a head that stays in sight and filters, columns as wide as their contents, cells of the kind they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from workroom.documents.errors import DocumentTooLarge
from workroom.documents.office.columns import column_letters
from workroom.documents.writers.addresses import web_address
from workroom.documents.writers.markdown_blocks import Block, footnotes_in, plain_text
from workroom.documents.writers.xlsx.columns import Column, Value, column_of
from workroom.documents.writers.xlsx.evaluation import Content, FormulaEvaluation, SheetGrid
from workroom.documents.writers.xlsx.formulas import LAST_COLUMN, LAST_ROW, Formula, formula_of

LONGEST_CELL = 32_767
WIDEST, NARROWEST = 60, 8
LEADING, HIGHEST = 1.36, 409.0  # of a row: not every program finds the height of wrapped texts itself
MEASURED = 2_000  # rows by which columns are made wide
MOST_LINKS = 10_000
LONGEST_LINK = 1_000
TAKEN_FOR_FORMULA = ("=", "+", "-", "@", "\t")
A4 = 9


class WorkbookFormats:
    """Formats of a workbook; the same properties make one format."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._known: dict[tuple[tuple[str, Any], ...], Any] = {}

    def get(self, **properties: Any) -> Any:
        key = tuple(sorted(properties.items()))
        if key not in self._known:
            self._known[key] = self._workbook.add_format({"valign": "top", **properties})
        return self._known[key]


class TableSheet:
    def __init__(self, name: str, table: Block) -> None:
        self.name, self._table = name, table
        self._rows = [[_words(cell) for cell in row] for row in table["rows"]]
        self._width = len(table["align"])
        if len(self._rows) > LAST_ROW or self._width > LAST_COLUMN:
            raise DocumentTooLarge(
                f"The table “{name}” has {len(self._rows):,} rows and {self._width:,} columns, and a sheet has room"
                f" for {LAST_ROW:,} and {LAST_COLUMN:,}. Divide it into several tables."
            )
        self._formulas: dict[tuple[int, int], Formula] = {}
        self._columns: Sequence[Column] = []
        self._links = 0

    def read(self, sheets: Mapping[str, str]) -> SheetGrid:
        """Finds formulas, and what the columns hold; afterwards the sheet can be written. `sheets` are all of the workbook."""
        for at, row in enumerate(self._table["rows"]):
            for column, cell in enumerate(row):
                if at and self._rows[at][column].startswith("=") and (formula := formula_of(_source(cell), sheets)):
                    self._formulas[at, column] = formula
        self._columns = [self._column(column) for column in range(self._width)]
        return SheetGrid(len(self._rows), self._width, self._content)

    def write(self, sheet: Any, formats: WorkbookFormats, evaluation: FormulaEvaluation) -> None:
        bottom, right = len(self._rows) - 1, self._width - 1
        self._set_up(sheet, bottom, right)
        wide = {column for column in range(self._width) if self._set_width(sheet, column)}
        below = [formats.get(**self._look(1, column, (), is_wide=column in wide)) for column in range(self._width)]
        for at, row in enumerate(self._rows):
            if (lines := max((wrapped_lines(row[column], WIDEST) for column in wide), default=1)) > 1:
                sheet.set_row(at, min(lines * 11 * LEADING, HIGHEST))
            for column, words in enumerate(row):
                cell = self._table["rows"][at][column]
                if at == 0 or not _is_plain(cell) or words.startswith(TAKEN_FOR_FORMULA):
                    look = self._look(at, column, cell, is_wide=column in wide)
                    self._write_cell(sheet, formats, evaluation, (at, column), look)
                elif (value := self._columns[column].values.get(words)) is not None:
                    _write_value(sheet, at, column, value, below[column])
                elif words:
                    sheet.write_string(at, column, words, below[column])

    def _write_cell(
        self,
        sheet: Any,
        formats: WorkbookFormats,
        evaluation: FormulaEvaluation,
        place: tuple[int, int],
        look: dict[str, Any],
    ) -> None:
        """One that is more than a plain text, or may be taken for more."""
        at, column = place
        words, cell = self._rows[at][column], self._table["rows"][at][column]
        if (formula := self._formulas.get(place)) is not None:
            known = evaluation.result(self.name, at, column)
            sheet.write_formula(at, column, formula.written, formats.get(**look), "" if known is None else known)
        elif at and (value := self._columns[column].values.get(words)) is not None:
            _write_value(sheet, at, column, value, formats.get(**look))
        elif words and self._links < MOST_LINKS and (address := _address(cell)):
            self._links += 1
            sheet.write_url(at, column, address, formats.get(**look, font_color="#3B4CCA", underline=1), words)
        elif words:
            safe = {"quote_prefix": True} if words.startswith(TAKEN_FOR_FORMULA) else {}
            sheet.write_string(at, column, words, formats.get(**look, **safe))
        self._comment(sheet, at, column, cell)

    def _set_up(self, sheet: Any, bottom: int, right: int) -> None:
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, bottom, right)
        sheet.repeat_rows(0)
        sheet.set_landscape()
        sheet.set_paper(A4)
        sheet.fit_to_pages(1, 0)
        sheet.ignore_errors({"number_stored_as_text": f"A1:{column_letters(right)}{bottom + 1}"})

    def _column(self, column: int) -> Column:
        below = [row[column] for at, row in enumerate(self._rows) if at and (at, column) not in self._formulas]
        return column_of(below)

    def _set_width(self, sheet: Any, column: int) -> bool:
        """Whether its texts have to be wrapped."""
        shown = [
            _wide(row[column]) for at, row in enumerate(self._rows[:MEASURED]) if (at, column) not in self._formulas
        ]
        head = _wide(self._rows[0][column]) + 3 if self._rows else 0  # beside the button of the filter
        needed = max([head, *shown, 12 if any(key[1] == column for key in self._formulas) else 0], default=0) + 2
        sheet.set_column(column, column, min(max(needed, NARROWEST), WIDEST))
        return needed > WIDEST

    def _look(self, row: int, column: int, cell: Sequence[Block], *, is_wide: bool) -> dict[str, Any]:
        kind, aligned = self._columns[column], self._table["align"][column]
        look: dict[str, Any] = {}
        if aligned in ("left", "center", "right"):
            look["align"] = aligned
        elif kind.is_date:
            look["align"] = "left"
        elif row == 0 and not kind.is_text:
            look["align"] = "right"
        if is_wide:
            look["text_wrap"] = True
        if row == 0:
            return look | {
                "bold": True,
                "bg_color": "#EEF0F4",
                "bottom": 1,
                "bottom_color": "#3B4CCA",
                "valign": "vcenter",
            }
        if kind.number_format != "General":
            look["num_format"] = kind.number_format
        if _only(cell, "strong"):
            look["bold"] = True
        return look

    def _comment(self, sheet: Any, row: int, column: int, cell: Sequence[Block]) -> None:
        """Footnotes of a cell: a number stays a number."""
        if notes := [plain_text(note) for note in footnotes_in(cell)]:
            sheet.write_comment(row, column, "\n".join(notes)[:LONGEST_CELL])

    def _content(self, row: int, column: int) -> Content:
        if (formula := self._formulas.get((row, column))) is not None:
            return formula
        words = self._rows[row][column]
        value = self._columns[column].values.get(words) if row else None
        return words or None if value is None else value


def _words(cell: Sequence[Block]) -> str:
    if len(cell) == 1 and cell[0]["kind"] == "text":
        words = str(cell[0]["text"]).strip()
    else:
        words = plain_text(cell).strip()
        if words.startswith("="):
            words = _source(cell) or words
    if len(words) > LONGEST_CELL:
        raise DocumentTooLarge(
            f"A cell has {len(words):,} characters, and a sheet has room for {LONGEST_CELL:,}: “{words[:40]}…”."
            " Shorten it, or write it as text outside of the table."
        )
    return words


def _write_value(sheet: Any, row: int, column: int, value: Value, look: Any) -> None:
    write = sheet.write_number if isinstance(value, int | float) else sheet.write_datetime
    write(row, column, value, look)


def _is_plain(cell: Sequence[Block]) -> bool:
    return not cell or (len(cell) == 1 and cell[0]["kind"] == "text")


def _only(cell: Sequence[Block], *kinds: str) -> Block | None:
    """What the whole cell is, if it is one of these."""
    parts = [part for part in cell if part.get("text") != ""]  # emphasis has empty texts beside it
    return parts[0] if len(parts) == 1 and parts[0]["kind"] in kinds else None


def _source(cell: Sequence[Block]) -> str:
    """A formula as it was written: Markdown takes `=A2*B2*C2` for emphasis. Empty for code, which is only shown."""
    if emphasised := _only(cell, "strong", "em"):
        cell = emphasised["inline"]
    words = ""
    for part in cell:
        match part["kind"]:
            case "text":
                words += part["text"]
            case "em":
                words += f"*{plain_text(part['inline'])}*"
            case "footnote":
                pass
            case _:
                return ""
    return words.strip()


def _address(cell: Sequence[Block]) -> str | None:
    """Where the whole cell is one link."""
    link = _only(cell, "link")
    address = web_address(link["href"]) if link else None
    return address if address and len(address) <= LONGEST_LINK else None


def wrapped_lines(text: str, width: float) -> int:
    """How many lines of so many letters a text needs, about."""
    return sum(1 + int(display_width(line) * 1.05 // width) for line in text.split("\n"))


def display_width(text: str) -> int:
    """In letters; Chinese ones count twice."""
    return len(text) if text.isascii() else sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _wide(text: str) -> int:
    return display_width(max(text.split("\n"), key=len)[: WIDEST + 1])
