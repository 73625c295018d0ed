"""A conversation as rounds: what a model was asked with, what it answered, and what its tools found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.core.messages import Message, Role


@dataclass(frozen=True)
class Round:
    """Ends with an answer, and the results of what the answer asked for."""

    messages: tuple[Message, ...]
    answer_id: UUID


def rounds_of(messages: Sequence[Message]) -> tuple[list[Round], list[Message]]:
    """The finished rounds, oldest first, and what has been said since."""
    rounds: list[Round] = []
    since: list[Message] = []
    for message in messages:
        if message.role is Role.TOOL and rounds and not since:
            last = rounds.pop()
            rounds.append(Round((*last.messages, message), last.answer_id))
            continue
        since.append(message)
        if message.role is Role.ASSISTANT:
            rounds.append(Round(tuple(since), message.id))
            since = []
    return rounds, since
