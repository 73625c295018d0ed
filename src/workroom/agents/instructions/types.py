"""Values of instructions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from workroom.core.wire import Wire

LONGEST = 8_000


class InstructionLevel(StrEnum):
    """Who says it; the order in which they count."""

    PLATFORM = "platform"
    MANDATE = "mandate"
    INSTANCE = "instance"
    USER = "user"


class Instruction(Wire):
    """`version` 0: nothing has been said yet. A change names the version it was made from."""

    scope: InstructionLevel
    text: str = ""
    version: int = 0
    updated_at: datetime | None = None
    updated_by_name: str | None = None
    may_change: bool = False


class InstructionVersion(Wire):
    version: int
    text: str
    made_by_name: str | None
    made_at: datetime
