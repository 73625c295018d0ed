"""Numbers as a careful person computes them: exact as long as possible, and bounded, so that nothing takes long.

Fractions make + - * / exact. What cannot be exact (roots, logarithms, angles) is computed to sixty digits and shown with
twenty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from workroom.core.errors import InvalidInput

MOST_DIGITS = 1_000
MOST_BITS = MOST_DIGITS * 3322 // 1000
SHOWN_DIGITS = 20
MOST_PLACES = 100
WIDEST_ANGLE = 1_000_000
FINE = Context(prec=60, Emax=100_000, Emin=-100_000)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")
E = Decimal("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138")


@dataclass(frozen=True)
class Number:
    value: Fraction
    exact: bool = True

    def __post_init__(self) -> None:
        """Every number there is has passed here; one that has grown too large never becomes a part of anything."""
        if _bits(self.value) > MOST_BITS:
            raise too_large()


def too_large() -> InvalidInput:
    return InvalidInput(f"The numbers become too large here: more than {MOST_DIGITS} digits. Ask for less.")


def from_decimal(value: Decimal, *, exact: bool = False) -> Number:
    if not value.is_finite() or abs(value.adjusted()) > MOST_DIGITS:
        raise too_large()
    return Number(Fraction(value), exact)


def decimal_of(number: Number) -> Decimal:
    return FINE.divide(Decimal(number.value.numerator), Decimal(number.value.denominator))


def power(base: Number, exponent: Number) -> Number:
    exact = base.exact and exponent.exact
    if base.value == 0 and exponent.value < 0:
        raise InvalidInput("This divides by zero.")
    if exponent.value.denominator == 1:
        times, size = exponent.value.numerator, _bits(base.value)
        if abs(base.value) in (0, 1):  # stays small, whatever the exponent: only whether that is even counts
            times = 0 if times == 0 else 2 - times % 2
        elif size * abs(times) > 2 * MOST_BITS:  # asked before it is computed
            raise too_large()
        return Number(base.value**times, exact)
    if base.value < 0:
        raise InvalidInput("A negative number has no such power: the exponent must be a whole number.")
    if base.value == 0:
        return Number(Fraction(0), exact)
    if exponent.value == Fraction(1, 2):
        return root(base)
    return exponential(Number(exponent.value * Fraction(logarithm(base)), False))


def root(number: Number) -> Number:
    if number.value < 0:
        raise InvalidInput("A negative number has no square root here.")
    above, below = math.isqrt(number.value.numerator), math.isqrt(number.value.denominator)
    if Fraction(above * above, below * below) == number.value:
        return Number(Fraction(above, below), number.exact)
    return from_decimal(FINE.sqrt(decimal_of(number)))


def logarithm(number: Number) -> Decimal:
    if number.value <= 0:
        raise InvalidInput("Only numbers above zero have a logarithm.")
    return FINE.ln(decimal_of(number))


def exponential(number: Number) -> Number:
    if abs(number.value) > 2 * MOST_DIGITS:
        raise too_large()
    return Number(Fraction(1), number.exact) if number.value == 0 else from_decimal(FINE.exp(decimal_of(number)))


def sine(number: Number, shift: Decimal = Decimal(0)) -> Number:
    """By its series, after bringing the angle near zero; rounded where the series is sure, so that sin(pi) is 0."""
    if abs(number.value) > WIDEST_ANGLE:
        raise InvalidInput(f"Angles are in radians and at most {WIDEST_ANGLE:,} here.")
    angle = FINE.remainder_near(FINE.add(decimal_of(number), shift), FINE.multiply(PI, Decimal(2)))
    square, term, total = FINE.multiply(angle, angle), angle, angle
    for step in range(2, 120, 2):
        term = FINE.divide(FINE.multiply(FINE.minus(term), square), Decimal(step * (step + 1)))
        total = FINE.add(total, term)
    return from_decimal(total.quantize(Decimal(1).scaleb(-45), context=FINE))


def cosine(number: Number) -> Number:
    return sine(number, FINE.divide(PI, Decimal(2)))


def tangent(number: Number) -> Number:
    below = cosine(number)
    if below.value == 0:
        raise InvalidInput("The tangent has no value at this angle.")
    return Number(sine(number).value / below.value, False)


def rounded(number: Number, places: int) -> Number:
    """Halves go away from zero, as people round; Python's own `round` takes them to the even neighbour."""
    scale = Fraction(10) ** places
    whole = math.floor(abs(number.value) * scale + Fraction(1, 2))
    return Number(Fraction(whole if number.value >= 0 else -whole) / scale, number.exact)


def shown(number: Number) -> tuple[str, bool]:
    """As text, and whether that is all of it."""
    value = number.value
    if number.exact and value.denominator == 1:
        return str(value.numerator), True
    if number.exact and (places := _decimal_places(value.denominator)):
        digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}d}"
        return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}", True
    short = Context(prec=SHOWN_DIGITS, rounding=ROUND_HALF_UP).plus(decimal_of(number)).normalize()
    plain = -SHOWN_DIGITS <= short.adjusted() <= SHOWN_DIGITS
    return (format(short, "f") if plain else str(short)), False


def _decimal_places(denominator: int) -> int | None:
    """How many decimals a fraction with this denominator has; None if they never end, or there are too many to read."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    places = max(twos, fives)
    return places if denominator == 1 and places <= MOST_PLACES else None


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
