"""Renders a tool's result as lines of text, `field: value`, without the escapes of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workroom.core.results import ToolResult

# Next to these, what is called `name` is a person's.
OF_PERSONS = frozenset(
    {"email", "mail", "phone", "mobile", "birthday", "jobtitle", "firstname", "lastname", "salutation"}
)


def lines(result: ToolResult, longest: int) -> str:
    """At most that many characters."""
    kept: list[str] = []
    room = longest
    for line in _lines("", [result.message, result.items, result.data]):
        kept.append(line[:room])
        room -= len(line) + 1
        if room <= 0:
            break
    return "\n".join(kept)


def _lines(name: str, value: Any) -> Iterator[str]:
    match value:
        case str():
            if value:
                yield f"{name}: {value}" if name else value
        case Mapping():
            of_person = any(str(key).lower().replace("_", "") in OF_PERSONS for key in value)
            for key, item in value.items():
                yield from _lines(_told(str(key), of_person), item)
        case list() | tuple():
            for item in value:
                yield from _lines(name, item)
        case int() | float() if not isinstance(value, bool):
            yield f"{name}: {value}" if name else str(value)
        case _:
            return


def _told(key: str, of_person: bool) -> str:
    """Most things have a name, files above all: that alone does not make it a person."""
    if key.lower() != "name":
        return key
    return "fullName" if of_person else ""
