"""The agent that writes something in a run, for the person the run acts for."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class WritingAgent:
    """`name` as it was then: what it has written keeps it."""

    id: UUID
    name: str
    run_id: UUID | None = None
