"""What a specialist is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from workroom.models.ports import Forcing


@dataclass(frozen=True)
class PastMessage:
    """`user` is the client, `assistant` any of the specialists."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True)
class SpecialistRequest:
    """`history` is what was said before `prompt`; with `conversation_id` the conversation knows it already."""

    specialist: str
    company_id: UUID
    prompt: str
    history: tuple[PastMessage, ...] = ()
    conversation_id: UUID | None = None
    client_id: str | None = None
    language: str = "de"
    forcing: Forcing | None = None
    return_tool_requests: bool = False
    max_turns: int | None = None
