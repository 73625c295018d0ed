"""What running needs from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from workroom.core.messages import MaterialPart, Message
from workroom.identity.types import Principal
from workroom.models.ports import Model
from workroom.models.types import Operation


class Models(Protocol):
    """Which models this person may ask for this work, best first; never none."""

    async def chain(
        self, who: Principal, operation: Operation, wanted: str | None = None, *, instance_id: UUID | None = None
    ) -> Sequence[Model]: ...


class Materials(Protocol):
    """What a question points at, read with the rights of the person who asks."""

    async def of(self, who: Principal, instance_id: UUID, question: Message, tokens: int) -> Sequence[MaterialPart]: ...
