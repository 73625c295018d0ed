"""Functions that formulas may call. None of them reaches beyond the workbook, runs anything, or finds cells by a text."""

from __future__ import annotations

MANY = 250
# With how many arguments, from and to.
_TABLE = """
0 0    TODAY NOW PI TRUE FALSE NA
1 1    ABS INT SQRT EXP LN LOG10 SIGN EVEN ODD NOT ISBLANK ISNUMBER ISTEXT ISERROR ISNA RADIANS DEGREES SIN COS TAN
1 1    LEN LOWER UPPER PROPER TRIM VALUE YEAR MONTH DAY HOUR MINUTE SECOND ROWS COLUMNS COUNTBLANK N T
1 2    TRUNC LOG WEEKDAY WEEKNUM LEFT RIGHT IRR
2 2    ROUND ROUNDUP ROUNDDOWN MROUND MOD POWER QUOTIENT CEILING FLOOR EXACT REPT TEXT IFERROR IFNA COUNTIF
2 2    EDATE EOMONTH DAYS LARGE SMALL PERCENTILE.INC QUARTILE.INC
2 3    IF SUMIF AVERAGEIF MATCH INDEX FIND SEARCH NETWORKDAYS WORKDAY RANK.EQ
3 3    DATE TIME MID DATEDIF
3 4    VLOOKUP HLOOKUP SUBSTITUTE
3 5    PMT FV PV NPER
3 6    XLOOKUP
1 many SUM AVERAGE MIN MAX COUNT COUNTA MEDIAN PRODUCT SUMPRODUCT AND OR XOR CONCATENATE CONCAT GCD LCM STDEV VAR
1 many STDEV.S STDEV.P VAR.S VAR.P
2 many NPV CHOOSE
3 many TEXTJOIN
"""
# Pairs of arguments, and how many stand before them.
_PAIRED = {"IFS": 0, "COUNTIFS": 0, "SUMIFS": 1, "AVERAGEIFS": 1, "MINIFS": 1, "MAXIFS": 1}
# Younger than the format: files write them with a prefix.
LATER = frozenset(
    {
        *("CONCAT", "DAYS", "IFNA", "IFS", "MAXIFS", "MINIFS", "TEXTJOIN", "XLOOKUP", "XOR"),
        *("PERCENTILE.INC", "QUARTILE.INC", "RANK.EQ", "STDEV.P", "STDEV.S", "VAR.P", "VAR.S"),
    }
)


def _read() -> dict[str, tuple[int, int]]:
    lines = [line.split() for line in _TABLE.strip().splitlines()]
    return {
        name: (int(least), MANY if most == "many" else int(most)) for least, most, *names in lines for name in names
    }


_ARGUMENTS = _read()


def takes(name: str, count: int) -> bool:
    """Whether there is such a function, and it can be called with so many arguments."""
    if name in _PAIRED:
        in_pairs = count - _PAIRED[name]
        return 2 <= in_pairs <= MANY and in_pairs % 2 == 0
    least, most = _ARGUMENTS.get(name, (1, 0))
    return least <= count <= most
