"""Values of todos."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from workroom.core.wire import Wire


class Todo(Wire):
    id: UUID
    title: str
    done: bool
    position: int
    due: date | None
    owner_id: UUID
    conversation_id: UUID | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


@dataclass(frozen=True)
class TodoChange:
    """None leaves a field as it is; `no_due` takes the date away."""

    title: str | None = None
    done: bool | None = None
    position: int | None = None
    due: date | None = None
    no_due: bool = False
