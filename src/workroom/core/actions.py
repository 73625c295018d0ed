"""Orders to the user interface: what the payload of each is made of."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field

from workroom.core.wire import Wire


class Action(Wire):
    """An order to the user interface, applied strictly in order; `type` finds the panel or widget that obeys it."""

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

    def action(self) -> Action:
        return Action(type=self.name, payload=self.model_dump(mode="json", exclude_none=True))
