"""Lines of CSV files that spreadsheets open: values are quoted, and none of them is taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

BYTE_ORDER_MARK = "\ufeff"  # without it, Excel does not read UTF-8
# What a spreadsheet calculates, also as East Asian keyboards write it: it gets an apostrophe before it, and is shown. Where
# commas are decimal signs a spreadsheet ends a cell at a semicolon, so what follows one may begin a cell.
NUMBER = re.compile(r"[-+]?[\d.,'’ \u00a0\u202f]{0,40}\d\s?%?")
FORMULA_START = re.compile(r"(?:^|(?<=[;\t\r\n])) *(?=[=+\-@\t\r\n＝＋－＠])")


def csv_line(values: Sequence[str], *, has_numbers: bool = False) -> str:
    """`has_numbers`: a number with a sign before it stays one, because the values are figures and not what people entered."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(
        [value if has_numbers and NUMBER.fullmatch(value) else _harmless(value) for value in values]
    )
    return line.getvalue()


def _harmless(value: str) -> str:
    return FORMULA_START.sub(lambda match: f"'{match[0]}", value)
