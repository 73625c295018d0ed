"""Orders to the user interface: what the payload of each is made of."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from workroom.core.results import Action
from workroom.core.wire import Wire


class OpenFile(Wire):
    """Show a file beside the conversation, at a place of it. `inside` is a path in an archive; `page` and `slide` are as
    people count, from 1; `section` is the id of one."""

    name: ClassVar[str] = "openFile"

    file_id: UUID
    inside: str | None = None
    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    section: str | None = None

    def action(self) -> Action:
        return Action(type=self.name, payload=self.model_dump(mode="json", exclude_none=True))
