"""What a specialist is asked, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from workroom.core.actions import UiAction
from workroom.core.results import ResultStatus
from workroom.core.wire import Wire
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


class SpecialistCall(Wire):
    """A call of a tool. Without `status` it has no result: it waits for the client, or was only requested."""

    id: UUID
    name: str
    arguments: dict[str, Any]
    status: ResultStatus | None = None
    message: str = ""
    data: dict[str, Any] = Field(default_factory=dict)
    actions: list[UiAction] = Field(default_factory=list)


@dataclass(frozen=True)
class SpecialistAnswer:
    """`next_agent`: the slug of the agent that goes on, when the one asked has handed over."""

    text: str
    calls: tuple[SpecialistCall, ...]
    next_agent: str | None
