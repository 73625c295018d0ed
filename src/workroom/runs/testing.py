"""Fakes that ship."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.messages import MaterialPart, Message
from workroom.identity.types import Principal
from workroom.models.ports import Model
from workroom.models.types import Operation


class FixedModels:
    """The same models for everybody and everything."""

    def __init__(self, *models: Model) -> None:
        self.models = models
        self.asked: list[tuple[Operation, str | None]] = []

    async def chain(
        self, principal: Principal, operation: Operation, wanted: str | None = None, *, instance_id: UUID | None = None
    ) -> Sequence[Model]:
        self.asked.append((operation, wanted))
        return self.models


class NoMaterials:
    """Questions point at nothing."""

    async def of(
        self, principal: Principal, instance_id: UUID, question: Message, tokens: int
    ) -> Sequence[MaterialPart]:
        return []
