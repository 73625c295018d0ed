"""What running needs from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar
from uuid import UUID

from workroom.core.messages import MaterialPart, Message
from workroom.core.run_events import RunEvent
from workroom.db import UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import Model
from workroom.models.types import Operation

T = TypeVar("T")
Effect = Callable[[UnitOfWork], Awaitable[T]]


class Writing(Protocol):
    """The run's journal, for those who write beside the loop. `rounds`: answered so far."""

    who: Principal

    @property
    def rounds(self) -> int: ...

    async def write(
        self, effect: Effect[T], changes: str = "", *args: Any, more: Callable[[T], list[RunEvent]] | None = None
    ) -> T:
        """Effect, proof of the lease and everything said so far: all or nothing. LeaseLost."""
        ...


class Models(Protocol):
    """Which models this person may ask for this work, best first; never none."""

    async def chain(
        self, who: Principal, operation: Operation, wanted: str | None = None, *, instance_id: UUID | None = None
    ) -> Sequence[Model]: ...


class Materials(Protocol):
    """What a question points at, read with the rights of the person who asks."""

    async def of(self, who: Principal, instance_id: UUID, question: Message, tokens: int) -> Sequence[MaterialPart]: ...


class Contents(Protocol):
    """What there is in a workspace, for the system prompt; kept for a while, and forgotten when a tool has written."""

    async def told(self, who: Principal, instance_id: UUID) -> str: ...

    def changed(self, who: Principal, instance_id: UUID) -> None: ...
