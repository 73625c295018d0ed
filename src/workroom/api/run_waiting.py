"""Waits for a run on behalf of a request: until it is over, or waits for a person."""

from __future__ import annotations

import asyncio
from uuid import UUID

from workroom.agent.planning.wording import say
from workroom.api.run_reader import RunReader
from workroom.core.errors import WorkroomError
from workroom.core.pauses import Pause
from workroom.runs.chat_sessions import PauseWatch

PATIENCE = 110.0  # seconds; what is between us and the caller rarely waits longer than two minutes


class StillRunning(WorkroomError):
    """The answer takes longer than a request can wait. It goes on: the conversation is in the workspace."""

    code = "stillRunning"
    status = 504


async def until_settled(
    reader: RunReader, conversation_id: UUID, language: str, seconds: float | None = None
) -> Pause | None:
    """What the run waits for; None once it is over."""
    watch = PauseWatch()
    try:
        async with asyncio.timeout(PATIENCE if seconds is None else seconds):
            async for event in reader.services.tail.follow(reader.run_id, reader.read):
                if event is not None:
                    watch.observe(event)
                elif watch.waiting is not None:
                    return watch.waiting
    except TimeoutError:
        raise StillRunning(say("stillRunning", language), workflowId=str(conversation_id)) from None
    return None
