"""Actions of the user interface that an agent requests, and what their payloads are made of."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field

from workroom.core.wire import Wire


class UiAction(Wire):
    """An action that the user interface carries out, strictly in sequence; `type` finds the panel or widget that does it."""

    type: str
    payload: dict[str, Any] = Field(default_factory=dict)


class OpenFile(Wire):
    """Show a file beside the conversation, at a place of it. `inside` is a path in an archive; `page` and `slide` are as
    people count, from 1; `section` is the id of one; `quote` are words of it to be marked there."""

    name: ClassVar[str] = "openFile"

    file_id: UUID
    inside: str | None = None
    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    section: str | None = None
    quote: str | None = None

    def action(self) -> UiAction:
        return UiAction(type=self.name, payload=self.model_dump(mode="json", exclude_none=True))
