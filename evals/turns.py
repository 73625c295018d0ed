"""What followed one message of a user, as a value: calls with their results, what was asked and answered, what is cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from workroom.core.actions import UiAction
from workroom.core.plans import Plan
from workroom.core.run_events import RunState


@dataclass(frozen=True)
class ToolUse:
    """A call with its result. `ok`: it was carried out and did not end in an error. `message` is what the model was told."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    ok: bool = True
    data: Mapping[str, Any] = field(default_factory=dict)
    message: str = ""
    actions: Sequence[UiAction] = ()


@dataclass(frozen=True)
class Turn:
    """What followed one message of the user. `pauses` are the kinds of what the user was asked; `cited` are file ids."""

    state: RunState = RunState.COMPLETED
    calls: Sequence[ToolUse] = ()
    plans: Sequence[Plan] = ()
    pauses: Sequence[str] = ()
    answer: str = ""
    cited: frozenset[UUID] = frozenset()
