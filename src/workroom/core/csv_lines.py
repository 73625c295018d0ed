"""Lines of CSV files that spreadsheets open: values are quoted, and none of them is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

BYTE_ORDER_MARK = "\ufeff"  # without it, Excel does not read UTF-8
# What a spreadsheet calculates, also as East Asian keyboards write it. A value that begins so gets an apostrophe, and is shown.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_line(values: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_harmless(value) for value in values])
    return line.getvalue()


def _harmless(value: str) -> str:
    return f"'{value}" if value.lstrip(" ").startswith(FORMULA_STARTS) else value
