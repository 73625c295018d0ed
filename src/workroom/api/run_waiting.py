"""Waits for a run on behalf of a request: until it is over, or waits for a person."""

from __future__ import annotations

import asyncio
import time
from uuid import UUID

from fastapi import Request

from workroom.agent.planning.wording import say
from workroom.api.run_reader import RunReader
from workroom.api.services import Services
from workroom.core.errors import WorkroomError
from workroom.core.pauses import Pause
from workroom.identity.types import Principal
from workroom.runs.answers import RunAnswer
from workroom.runs.chat_sessions import PauseWatch
from workroom.runs.run_creation import MOST_HANDOFFS
from workroom.runs.service import Accepted

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


async def whole_answer(
    request: Request, principal: Principal, services: Services, instance_id: UUID, asked: Accepted, language: str
) -> RunAnswer:
    """When the agent, and those it hands over to, have answered, or wait for the person."""
    run_id, waiting, ends = asked.run_id, None, time.monotonic() + PATIENCE
    for _ in range(MOST_HANDOFFS + 1):
        reader = RunReader(request, principal, services, run_id)
        waiting = await until_settled(reader, asked.conversation_id, language, max(0.0, ends - time.monotonic()))
        principal = reader.principal
        newest = await services.answers.newest_run(principal, instance_id, asked)
        if waiting is not None or newest.id == run_id:
            break
        run_id = newest.id
    return await services.answers.of(principal, instance_id, asked, waiting)
