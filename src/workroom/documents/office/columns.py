"""Columns of a sheet: numbers from 0, letters as people know them."""

from __future__ import annotations


def column_letters(column: int) -> str:
    name = ""
    column += 1
    while column and len(name) < 4:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1
