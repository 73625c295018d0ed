"""The calculator: exact where that is possible, bounded everywhere, and no way to run code."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workroom.agent.testing import InMemoryContext, InMemoryJournal
from workroom.core.errors import InvalidInput
from workroom.core.ids import new_id
from workroom.tools.arithmetic.formula import LONGEST, value_of
from workroom.tools.arithmetic.numbers import MOST_DIGITS, shown
from workroom.tools.calculator import calculate


def result(expression: str) -> tuple[str, bool]:
    return shown(value_of(expression))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0.1 + 0.2", "0.3"),
        ("(3.20 + 4.15) * 1.081", "7.94535"),
        ("1/3*3", "1"),
        ("2 ** 200", str(2**200)),
        ("2 ** -3", "0.125"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("-2 ** 2", "-4"),
        ("sqrt(0.25)", "0.5"),
        ("round(2.5)", "3"),
        ("round(-2.345, 2)", "-2.35"),
        ("round(1234, -2)", "1200"),
        ("min(3, 1.5, 2) + max(1, 2) + sum(1, 2, 3)", "9.5"),
        ("abs(-3) + floor(-1.5) + ceil(-1.5)", "0"),
        ("(-1) ** 99999999999999999999", "-1"),
        ("0 ** 0", "1"),
        ("1’000.5 × 2 − 1", "2000"),
        ("2^10", "1024"),
        ("-0.05", "-0.05"),
    ],
)
def test_exact(expression: str, expected: str) -> None:
    assert result(expression) == (expected, True)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1/3", "0.33333333333333333333"),
        ("2/3", "0.66666666666666666667"),
        ("sqrt(2)", "1.4142135623730950488"),
        ("pi", "3.1415926535897932385"),
        ("exp(1) - e", "0"),
        ("sin(pi)", "0"),
        ("sin(pi / 6)", "0.5"),
        ("cos(pi)", "-1"),
        ("tan(pi / 4)", "1"),
        ("cos(100)", "0.8623188722876839341"),
        ("log(8, 2)", "3"),
        ("log(e ** 2)", "2"),
        ("8 ** (1/3)", "2"),
        ("exp(-100)", "3.720075976020835963E-44"),
    ],
)
def test_rounded_and_says_so(expression: str, expected: str) -> None:
    assert result(expression) == (expected, False)


@pytest.mark.requirement("B6")
@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("12.5% * 840", "105"),
        ("840 * 12.5 %", "105"),
        ("200 / 5%", "4000"),
        ("(100 + 8.1%) * 2", "200.162"),
        ("round(8.1%, 2)", "0.08"),
        ("50% - 20%", "0.3"),
        ("7 % 3", "1"),
        ("7%3", "1"),
        ("7 % (1 + 2)", "1"),
        ("7 % -4", "-1"),
    ],
)
def test_percent_is_a_share_where_no_number_follows(expression: str, result: str) -> None:
    assert shown(value_of(expression)) == (result, True)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9", "9**-9**9", "1e999999999", "10**1000 * 10", "exp(10**9)", "exp(3000)", "2**0.5**-9999",
        "((((2**3000)**2)**2)**2)", "sin(10**9)", "round(1, 10**9)", "(2**2000) ** (1/3) ** -90",
    ],
)  # fmt: skip
def test_what_would_grow_without_end_is_refused_at_once(expression: str) -> None:
    with pytest.raises(InvalidInput):
        result(expression)


@pytest.mark.requirement("B6")
@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')", "(1).__class__", "x", "lambda: 1", "[1, 2]", "1 if 1 else 2", "1 < 2", "True", "'a' * 3", "1j",
        "0x10", "f(1)", "sum(*[1])", "max(1, key=2)", "a := 1", "1 and 2", "~1", "1 << 99", "not 1", "1or 2", "", "()", "1,5",
        "sqrt()", "log(1, 2, 3)", "1/0", "1 // 0", "1 % 0", "0 ** -1", "sqrt(-1)", "log(0)", "log(2, 1)", "(-8) ** (1/3)",
        "tan(pi / 2)", "\x00", "１＋１", "(" * 41 + "1" + ")" * 41, "-" * 400 + "1", "1" * (LONGEST + 1),
    ],
)  # fmt: skip
def test_everything_else_is_refused_in_words(expression: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        result(expression)
    assert caught.value.message.endswith(".")


@settings(deadline=None)
@given(st.text(max_size=80))
def test_whatever_is_typed_is_a_number_or_a_sentence(text: str) -> None:
    try:
        said, _ = result(text)
    except InvalidInput as refused:
        said = ""
        message = refused.message
    else:
        message = ""
    assert message.endswith(".") if not said else Decimal(said).is_finite()


@settings(deadline=None)
@given(st.text("0123456789+-*/%.() sincoexplgqrtd,", max_size=60))
def test_whatever_resembles_a_sum_is_a_number_or_a_sentence(text: str) -> None:
    try:
        said, _ = result(text)
    except InvalidInput:
        return
    assert len(said) <= MOST_DIGITS + 110
    Decimal(said)


numbers = st.decimals(-1000, 1000, places=3)


@settings(deadline=None)
@given(numbers, numbers, numbers)
def test_decimals_are_exact(a: Decimal, b: Decimal, c: Decimal) -> None:
    said, exact = result(f"({a}) + ({b}) * ({c})")
    assert exact
    assert Fraction(said) == Fraction(a) + Fraction(b) * Fraction(c)


async def test_the_tool_says_whether_it_had_to_round() -> None:
    context = InMemoryContext(new_id(), InMemoryJournal())
    assert await calculate.run(context, expression="1/8") == {"expression": "1/8", "result": "0.125", "exact": True}
    assert (await calculate.run(context, expression="1/3"))["exact"] is False
