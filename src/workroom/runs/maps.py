"""The map of a conversation: what the orders that were given in it come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from workroom.conversations.service import Conversations
from workroom.core.map_actions import layers_after
from workroom.db import Database
from workroom.identity.types import Principal


class Maps:
    def __init__(self, db: Database) -> None:
        self._conversations = Conversations(db)

    async def layers(self, who: Principal, instance_id: UUID, conversation_id: UUID) -> Mapping[str, Mapping[str, Any]]:
        """Those that are on it now, by id."""
        said = await self._conversations.messages(who, instance_id, conversation_id)
        return layers_after([action for one in said for step in one.message.steps for action in step.actions])
