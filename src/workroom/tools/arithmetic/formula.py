"""Reads an arithmetic expression and works it out.

Python's own parser makes the tree, and nothing else of Python is used: every kind of node that is not named here is
refused, so there are no names, attributes, calls or values but the ones below.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from workroom.core.errors import InvalidInput
from workroom.tools.arithmetic import numbers
from workroom.tools.arithmetic.numbers import Number

LONGEST = 500
DEEPEST = 40  # parentheses
MOST_STEPS = 260  # from the outermost operation to the innermost; a sum of many numbers is a long way
MOST_PLACES = 100
SPELLINGS = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "’": "'", "π": "pi"})
# As in `12.5% * 840`. With a number behind it, it is the remainder: `7 % 3`.
PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*%(?=\s*(?:[+*/),]|-\s|$))")
THOUSANDS = re.compile(r"(?<=\d)'(?=\d)")  # as the Swiss write them: 1'000


def value_of(expression: str) -> Number:
    text = THOUSANDS.sub("", expression.translate(SPELLINGS)).strip()
    if len(text) > LONGEST or not text.isascii():
        raise InvalidInput(f"An expression has at most {LONGEST} characters: digits, operators and names of functions.")
    text = PERCENT.sub(r"(\1/100)", text)
    if _depth(text) > DEEPEST:
        raise InvalidInput(f"Parentheses are nested more than {DEEPEST} deep.")
    try:
        with warnings.catch_warnings():  # the parser comments on odd spellings; we judge the tree ourselves
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InvalidInput("This is not an arithmetic expression. Write it like (3.2 + 4) * 2.") from None
    return _Reading(text).value(tree.body, 0)


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, node: ast.expr, depth: int) -> Number:
        if depth > MOST_STEPS:
            raise InvalidInput("This expression is too long. Work it out in parts.")
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return self._literal(node)
            case ast.Name(id=name) if name in CONSTANTS:
                return CONSTANTS[name]
            case ast.UnaryOp(op=ast.USub()):
                inner = self.value(node.operand, depth + 1)
                return Number(-inner.value, inner.exact)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.value(node.operand, depth + 1)
            case ast.BinOp(op=op) if type(op) in OPERATORS:
                return OPERATORS[type(op)](self.value(node.left, depth + 1), self.value(node.right, depth + 1))
            case ast.Call(func=ast.Name(id=name), keywords=[]) if name in FUNCTIONS:
                return _call(name, [self.value(argument, depth + 1) for argument in node.args])
        raise InvalidInput(
            f"Only numbers, + - * / // % ** and parentheses can be used, the functions {', '.join(FUNCTIONS)},"
            " and the constants pi and e."
        )

    def _literal(self, node: ast.Constant) -> Number:
        """As it was written: as a float, 0.1 would not be 0.1 any more."""
        try:
            return numbers.from_decimal(Decimal(self._text[node.col_offset : node.end_col_offset]), exact=True)
        except InvalidOperation:
            raise InvalidInput("Write numbers with decimal digits, such as 1024 or 0.25.") from None


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return deepest


def _exactly(compute: Callable[[Fraction, Fraction], Fraction | int]) -> Callable[[Number, Number], Number]:
    def both(left: Number, right: Number) -> Number:
        try:
            return Number(Fraction(compute(left.value, right.value)), left.exact and right.exact)
        except ZeroDivisionError:
            raise InvalidInput("This divides by zero.") from None

    return both


def _call(name: str, given: list[Number]) -> Number:
    least, most, function = FUNCTIONS[name]
    if not least <= len(given) <= most:
        wanted = f"{least}" if least == most else f"{least} or more" if most > 2 else f"{least} or {most}"
        raise InvalidInput(f"{name} takes {wanted} number(s), not {len(given)}.")
    return function(*given)


def _log(number: Number, base: Number | None = None) -> Number:
    if number.value == 1:
        return Number(Fraction(0), number.exact)
    if base is None:
        return numbers.from_decimal(numbers.logarithm(number))
    if base.value == 1:
        raise InvalidInput("There is no logarithm to the base 1.")
    return numbers.from_decimal(numbers.FINE.divide(numbers.logarithm(number), numbers.logarithm(base)))


def _round(number: Number, places: Number | None = None) -> Number:
    wanted = places.value if places else Fraction(0)
    if wanted.denominator != 1 or abs(wanted) > MOST_PLACES:
        raise InvalidInput(f"Round to a whole number of places, at most {MOST_PLACES}.")
    return numbers.rounded(number, int(wanted))


def _sum(*given: Number) -> Number:
    return Number(sum((number.value for number in given), Fraction(0)), all(number.exact for number in given))


CONSTANTS: Mapping[str, Number] = {
    "pi": numbers.from_decimal(numbers.FINE.plus(numbers.PI)),
    "e": numbers.from_decimal(numbers.FINE.plus(numbers.E)),
}
OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: _exactly(lambda left, right: left + right),
    ast.Sub: _exactly(lambda left, right: left - right),
    ast.Mult: _exactly(lambda left, right: left * right),
    ast.Div: _exactly(lambda left, right: left / right),
    ast.FloorDiv: _exactly(lambda left, right: left // right),
    ast.Mod: _exactly(lambda left, right: left % right),
    ast.Pow: numbers.power,
}
# Name: how few and how many numbers it takes, and what it does with them.
FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Number]]] = {
    "sqrt": (1, 1, numbers.root),
    "abs": (1, 1, lambda number: Number(abs(number.value), number.exact)),
    "round": (1, 2, _round),
    "min": (1, 100, lambda *given: min(given, key=lambda number: number.value)),
    "max": (1, 100, lambda *given: max(given, key=lambda number: number.value)),
    "sum": (1, 100, _sum),
    "log": (1, 2, _log),
    "exp": (1, 1, numbers.exponential),
    "sin": (1, 1, numbers.sine),
    "cos": (1, 1, numbers.cosine),
    "tan": (1, 1, numbers.tangent),
    "floor": (1, 1, lambda number: Number(Fraction(math.floor(number.value)), number.exact)),
    "ceil": (1, 1, lambda number: Number(Fraction(math.ceil(number.value)), number.exact)),
}
