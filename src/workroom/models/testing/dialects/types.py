"""What the API of a provider has to say, so that one script serves for all of them. Each is a module of pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from workroom.models.testing.replies import Reply, Status


class Kind(StrEnum):
    USER = "user"
    RESULT = "result"


@dataclass(frozen=True)
class Heard:
    """What a user said or a tool answered, in the order of the conversation."""

    kind: Kind
    text: str


class Dialect(Protocol):
    def model_of(self, path: str, body: Mapping[str, Any]) -> str | None:
        """The model that is asked for; nothing if the path is not of this API."""
        ...

    def streams(self, path: str, body: Mapping[str, Any]) -> bool:
        """Whether the answer is wanted in pieces."""
        ...

    def tools(self, body: Mapping[str, Any]) -> list[str]:
        """The names of the tools on offer."""
        ...

    def heard(self, body: Mapping[str, Any]) -> Iterator[Heard]: ...

    def whole(self, reply: Reply, model: str) -> dict[str, Any]:
        """The answer in one piece."""
        ...

    def pieces(self, reply: Reply, model: str, body: Mapping[str, Any]) -> Iterator[str]:
        """The answer as it goes over the line in pieces; the first one says nothing yet, whatever the API."""
        ...

    def event(self, line: str) -> str:
        """A line of data, right or wrong, where an event is expected."""
        ...

    def failure(self, status: Status) -> tuple[dict[str, Any], dict[str, str]]:
        """An error: body and headers."""
        ...


def slices(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def texts(content: str | list[dict[str, Any]]) -> str:
    """The text of a content, images left out."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if "text" in part)
