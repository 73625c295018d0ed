"""Follows the runs that answer a message, over hand-overs and pauses, and answers where they wait for the user."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import UUID

from evals.workspace import Workspace
from workroom.core.pauses import PauseAnswer, PauseState
from workroom.core.results import ToolResult
from workroom.core.run_events import AgentSwitched, PauseChanged, ToolFinished

STOP_SECONDS = 60.0
MOST_PAUSES = 20  # of one message; an agent that asks for ever is stopped like one that hangs

Reply = Callable[[PauseChanged], PauseAnswer | None]
"""What the user answers; None leaves the run waiting."""


@dataclass
class FollowedTurn:
    """What is known of a message while its answer is being made. `waiting`: what a run was left waiting with."""

    run_ids: list[UUID]
    pauses: list[PauseChanged] = field(default_factory=list)
    answers: dict[UUID, PauseAnswer] = field(default_factory=dict)
    results: dict[UUID, ToolResult] = field(default_factory=dict)
    waiting: PauseChanged | None = None
    failures: list[str] = field(default_factory=list)


class RunFollower:
    """Of one conversation. A run that goes on after it waited is followed again: what an earlier turn has of it stays there."""

    def __init__(self, workspace: Workspace, reply: Reply) -> None:
        self._workspace = workspace
        self._reply = reply
        self._known: set[UUID] = set()

    async def follow(self, turn: FollowedTurn) -> None:
        """Until the runs are over, or one is left waiting."""
        earlier = frozenset(self._known)
        for run_id in turn.run_ids:  # grows when an agent hands the message over to another
            await self._follow(run_id, turn, earlier)
            if turn.waiting is not None:
                return

    async def stop(self, run_ids: Sequence[UUID]) -> None:
        """Stops what is still running and waits for its end, so that the model is free for the next task."""
        for run_id in run_ids:
            if not (await self._workspace.run(run_id)).state.is_over:
                await self._workspace.stop(run_id)
                async with asyncio.timeout(STOP_SECONDS):
                    async for _ in self._workspace.events(run_id):
                        pass

    async def _follow(self, run_id: UUID, turn: FollowedTurn, earlier: Set[UUID]) -> None:
        """`earlier` are calls that earlier turns have the results of, or were asked with."""
        async with aclosing(self._workspace.events(run_id)) as events:
            async for event in events:
                match event:
                    case PauseChanged(state=PauseState.WAITING) if event.call_id not in earlier:
                        self._known.add(event.call_id)
                        turn.pauses.append(event)
                        await self._answer(run_id, event, turn)
                        if turn.waiting is not None:
                            return
                    case ToolFinished() if event.call_id not in earlier:
                        self._known.add(event.call_id)
                        turn.results[event.call_id] = event.result
                    case AgentSwitched(next_run_id=UUID() as next_run_id) if next_run_id not in turn.run_ids:
                        turn.run_ids.append(next_run_id)

    async def _answer(self, run_id: UUID, event: PauseChanged, turn: FollowedTurn) -> None:
        if len(turn.pauses) > MOST_PAUSES:
            turn.failures.append(f"the user was asked more than {MOST_PAUSES} times")
            await self._workspace.stop(run_id)
            return
        answer = self._reply(event)
        if answer is None:
            turn.waiting = event
            return
        turn.answers[event.call_id] = answer
        await self._workspace.answer(run_id, event.call_id, answer)
