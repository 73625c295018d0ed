"""Values of conversations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.core.messages import Message


@dataclass(frozen=True)
class Conversation:
    id: UUID
    instance_id: UUID
    owner_id: UUID
    title: str
    leaf_id: UUID | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class StoredMessage:
    message: Message
    parent_id: UUID | None
    run_id: UUID | None
    created_at: datetime
