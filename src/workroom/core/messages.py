"""The conversation as a pure value: messages made of parts. This is what is stored; libraries of providers change weekly.

Stored JSON carries a version; adding an optional field is fine, changing one is a new version.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from workroom.core.results import ToolResult
from workroom.core.wire import Wire

VERSION: Literal[1] = 1


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class TextPart(Wire):
    type: Literal["text"] = "text"
    text: str


class ImagePart(Wire):
    """`data` is base64."""

    type: Literal["image"] = "image"
    media_type: str
    data: str


class CallPart(Wire):
    """The model asks for a tool. `call_id` is ours; providers see it and give it back."""

    type: Literal["toolCall"] = "toolCall"
    call_id: UUID
    tool: str
    arguments: dict[str, Any]
    # What the model wrote, when it could not be read as arguments; the call then fails and the model is told why.
    unreadable: str | None = None


class ResultPart(Wire):
    type: Literal["toolResult"] = "toolResult"
    call_id: UUID
    tool: str
    result: ToolResult


class OpaquePart(Wire):
    """Something only its provider understands (reasoning, signatures): given back to that model only, else dropped."""

    type: Literal["opaque"] = "opaque"
    provider: str
    model: str
    data: dict[str, Any]


Part = Annotated[TextPart | ImagePart | CallPart | ResultPart | OpaquePart, Field(discriminator="type")]
PARTS: TypeAdapter[list[Part]] = TypeAdapter(list[Part])


class Message(Wire):
    id: UUID
    role: Role
    parts: list[Part]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def readable(self) -> str:
        """Everything in it that a model reads as text."""
        return "\n".join(_readable(part) for part in self.parts)

    @property
    def calls(self) -> list[CallPart]:
        return [part for part in self.parts if isinstance(part, CallPart)]


def _readable(part: Part) -> str:
    match part:
        case TextPart(text=text):
            return text
        case CallPart():
            return part.unreadable or f"{part.tool} {part.arguments}"
        case ResultPart(result=result):
            return result.text()
        case _:
            return ""


class StoredParts(Wire):
    """The parts of a message as a row keeps them."""

    version: Literal[1] = VERSION
    parts: list[Part]
