"""Formulas that a workbook may calculate: references within the workbook, numbers, texts, operators, and functions that compute.
Anything else that begins like a formula is a text. Read by a grammar: a spreadsheet refuses a file with a broken formula."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workroom.documents.office.columns import column_number
from workroom.documents.writers.xlsx.functions import LATER, takes

LONGEST = 2_000
LONGEST_TEXT = 255
DEEPEST = 40
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
FUTURE = "_xlfn."  # how files write functions that are younger than the format
CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}"
TOKEN = re.compile(
    rf"""
    (?P<space>[ ]+)
  | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{{1,3}})?(?![\w.(!]))
  | (?P<text>"(?:[^"]|"")*")
  | (?P<sheet>(?:'(?:[^'\[\]|]|'')+'|[^\W\d][\w.]*)!)
  | (?P<cell>{CELL}(?![\w.(!]))
  | (?P<column>\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}(?![\w.(!]))
  | (?P<function>[A-Za-z][A-Za-z0-9.]*)\(
  | (?P<logical>(?:TRUE|FALSE)(?![\w.(!]))
  | (?P<sign><>|<=|>=|[=<>&+\-*/^%(),:])
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class Range:
    """Rows and columns from 0, the last ones included. `sheet` is None on the sheet of the formula itself."""

    sheet: str | None
    top: int
    left: int
    bottom: int
    right: int

    @property
    def is_cell(self) -> bool:
        return self.top == self.bottom and self.left == self.right


@dataclass(frozen=True)
class FunctionCall:
    """A function, or an operator by its sign, of what it is applied to."""

    name: str
    arguments: Sequence[Node]


Node = Range | FunctionCall | float | str | bool


@dataclass(frozen=True)
class Formula:
    """`written` is what the file says, with the `=`."""

    written: str
    root: Node


def formula_of(text: str, sheets: Mapping[str, str]) -> Formula | None:
    """None: not one that may be calculated. `sheets`: the names of those in the workbook, by themselves in small letters."""
    if not text.startswith("=") or len(text) > LONGEST:
        return None
    try:
        parser = _Parser(text[1:].strip(" "), sheets)
        root = parser.whole()
    except _NotAllowed:
        return None
    return Formula("=" + "".join(parser.written), root)


class _NotAllowed(Exception):
    pass


class _Parser:
    """By recursive descent, no deeper than DEEPEST. `written` collects what was read, as files write it."""

    def __init__(self, text: str, sheets: Mapping[str, str]) -> None:
        self._sheets = sheets
        self._tokens = list(_tokens(text))
        self._at = 0
        self._depth = 0
        self.written: list[str] = []

    def whole(self) -> Node:
        root = self._comparison()
        if self._at < len(self._tokens):
            raise _NotAllowed
        return root

    def _comparison(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _NotAllowed
        root = self._binary(0)
        self._depth -= 1
        return root

    def _binary(self, level: int) -> Node:
        """Operators by how strongly they bind, the weakest first."""
        if level == len(_OPERATORS):
            return self._signed()
        left = self._binary(level + 1)
        while (sign := self._sign(*_OPERATORS[level])) is not None:
            left = FunctionCall(sign, [left, self._binary(level + 1)])
        return left

    def _signed(self) -> Node:
        signs = []
        while (sign := self._sign("+", "-")) is not None:
            signs.append(sign)
        value = self._primary()
        while self._sign("%") is not None:
            value = FunctionCall("%", [value])
        for _ in range(signs.count("-") % 2):
            value = FunctionCall("negative", [value])
        return value

    def _primary(self) -> Node:
        kind, text = self._next()
        match kind:
            case "number":
                self.written.append(text)
                return float(text)
            case "text" if len(text) <= LONGEST_TEXT:
                self.written.append(text)
                return text[1:-1].replace('""', '"')
            case "logical":
                self.written.append(text.upper())
                return text.upper() == "TRUE"
            case "function":
                return self._call(text.upper())
            case "cell" | "column":
                return self._range(None, kind, text)
            case "sheet":
                return self._elsewhere(text)
            case "sign" if text == "(":
                self.written.append(text)
                inner = self._comparison()
                self._expect(")")
                return FunctionCall("()", [inner])
        raise _NotAllowed

    def _call(self, name: str) -> Node:
        self.written.append(f"{FUTURE if name in LATER else ''}{name}(")
        arguments: list[Node] = []
        if self._sign(")") is None:
            arguments.append(self._comparison())
            while self._sign(",") is not None:
                arguments.append(self._comparison())
            self._expect(")")
        if not takes(name, len(arguments)):
            raise _NotAllowed
        return FunctionCall(name, arguments)

    def _elsewhere(self, text: str) -> Node:
        name = text[:-1]
        name = name[1:-1].replace("''", "'") if name.startswith("'") else name
        sheet = self._sheets.get(name.casefold())
        kind, reference = self._next()
        if sheet is None or kind not in ("cell", "column"):
            raise _NotAllowed
        quoted = sheet.replace("'", "''")
        self.written.append(f"'{quoted}'!")
        return self._range(sheet, kind, reference)

    def _range(self, sheet: str | None, kind: str, text: str) -> Range:
        text = text.upper()
        self.written.append(text)
        if kind == "column":
            first, last = (_column(part) for part in text.split(":"))
            return Range(sheet, 0, min(first, last), LAST_ROW - 1, max(first, last))
        row, column = _row(text), _column(text)
        if self._sign(":") is None:
            return Range(sheet, row, column, row, column)
        kind, text = self._next()
        if kind != "cell":
            raise _NotAllowed
        self.written.append(text.upper())
        other_row, other_column = _row(text), _column(text)
        rows, columns = sorted((row, other_row)), sorted((column, other_column))
        return Range(sheet, rows[0], columns[0], rows[1], columns[1])

    def _next(self) -> tuple[str, str]:
        if self._at == len(self._tokens):
            raise _NotAllowed
        self._at += 1
        return self._tokens[self._at - 1]

    def _sign(self, *signs: str) -> str | None:
        """The next token, if it is one of these."""
        if self._at == len(self._tokens) or self._tokens[self._at] not in [("sign", sign) for sign in signs]:
            return None
        self._at += 1
        self.written.append(self._tokens[self._at - 1][1])
        return self.written[-1]

    def _expect(self, sign: str) -> None:
        if self._sign(sign) is None:
            raise _NotAllowed


_OPERATORS = (("=", "<>", "<=", ">=", "<", ">"), ("&",), ("+", "-"), ("*", "/"), ("^",))


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise _NotAllowed
        if match.lastgroup != "space":
            found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


def _row(cell: str) -> int:
    row = int(re.sub(r"\D", "", cell))
    if row > LAST_ROW:
        raise _NotAllowed
    return row - 1


def _column(cell: str) -> int:
    column = column_number(re.sub(r"[^A-Z]", "", cell.upper()))
    if column >= LAST_COLUMN:
        raise _NotAllowed
    return column
