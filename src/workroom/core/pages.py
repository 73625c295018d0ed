"""Lists come in pages: what was asked for, and what comes back.

A cursor is opaque to clients: the sort value and the id of the last row, so that rows inserted meanwhile neither
repeat nor skip anything.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from workroom.core.errors import InvalidInput

Order = Literal["asc", "desc"]
T = TypeVar("T")
U = TypeVar("U")

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


@dataclass(frozen=True)
class Cursor:
    """Where the previous page ended."""

    value: str | None
    id: str

    def encode(self) -> str:
        return base64.urlsafe_b64encode(json.dumps([self.value, self.id]).encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> Cursor:
        try:
            value, row_id = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except (ValueError, TypeError, binascii.Error, RecursionError):
            raise InvalidInput(
                "This page link is damaged; load the list again from its start.", field="cursor"
            ) from None
        if not all(isinstance(text, str) and _is_storable(text) for text in (value or "", row_id)):
            raise InvalidInput("This page link is damaged; load the list again from its start.", field="cursor")
        return cls(value, row_id)


def _is_storable(text: str) -> bool:
    """What a database takes as text: no NUL, no half of a character pair."""
    return "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


@dataclass(frozen=True)
class PageRequest:
    """One page of a list, searched and sorted."""

    query: str = ""
    sort: str = ""
    order: Order = "asc"
    limit: int = DEFAULT_LIMIT
    cursor: Cursor | None = None


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page and what is needed to ask for the next; `total` counts every match, not only this page."""

    items: Sequence[T]
    next_cursor: str | None
    total: int

    def map(self, change: Callable[[T], U]) -> Page[U]:
        return Page([change(item) for item in self.items], self.next_cursor, self.total)
