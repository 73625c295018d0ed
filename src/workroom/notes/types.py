"""Values of notes."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.core.wire import Wire


class Note(Wire):
    id: UUID
    title: str
    text: str
    owner_id: UUID
    created_at: datetime
    # Says which version this is: a change names the version it was made from.
    updated_at: datetime
    deleted_at: datetime | None = None
