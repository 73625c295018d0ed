"""What sessions of runs need from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from workroom.core.messages import MaterialPart, Message
from workroom.core.run_events import RunEvent
from workroom.db import UnitOfWork
from workroom.identity.types import Principal

T = TypeVar("T")
TransactionStep = Callable[[UnitOfWork], Awaitable[T]]


class Writing(Protocol):
    """The run's journal, as code that writes beside the loop sees it. `rounds`: answered so far."""

    principal: Principal

    @property
    def rounds(self) -> int: ...

    async def write(self, effect: TransactionStep[T], *, events: Callable[[T], list[RunEvent]] | None = None) -> T:
        """Effect, proof of the lease, everything emitted so far, and the events that tell of the effect: all or nothing.
        LeaseLost."""
        ...


class Materials(Protocol):
    """Reads what a question points at and what the files say to it, with the rights of the person who asks."""

    async def of(
        self,
        principal: Principal,
        instance_id: UUID,
        question: Message,
        tokens: int,
        before: Sequence[str] = (),
        shown: Collection[str] = (),
    ) -> Sequence[MaterialPart]:
        """`before`: what the user said earlier; `shown`: marks of passages the model has before it."""
        ...

    async def more(
        self, principal: Principal, instance_id: UUID, text: str, tokens: int, shown: Collection[str]
    ) -> Sequence[MaterialPart]:
        """What the files say to what an agent is after in a later round."""
        ...


class WorkspaceOverviews(Protocol):
    """What there is in a workspace, for the system prompt; cached for a while, and until a tool writes."""

    async def section(self, principal: Principal, instance_id: UUID) -> str: ...

    def invalidate(self, principal: Principal, instance_id: UUID) -> None: ...
