"""Numbers as lists show them: 3, c, iii."""

from __future__ import annotations

_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix", 5: "v"}
_ROMAN |= {4: "iv", 1: "i"}
_LARGEST_ROMAN = 3_999
_LARGEST_LETTERS = 26 * 20


def numeral(value: int, format_: str) -> str:
    """`format_` as Word names it: lowerLetter, upperRoman, decimalZero; what is unknown is decimal."""
    if format_ in ("lowerLetter", "upperLetter") and 0 < value <= _LARGEST_LETTERS:
        letters = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letters.upper() if format_ == "upperLetter" else letters
    if format_ in ("lowerRoman", "upperRoman") and 0 < value <= _LARGEST_ROMAN:
        roman = ""
        for worth, letters in _ROMAN.items():
            while value >= worth:
                roman += letters
                value -= worth
        return roman.upper() if format_ == "upperRoman" else roman
    return f"{value:02}" if format_ == "decimalZero" else str(value)
