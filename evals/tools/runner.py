"""One task from set-up to outcome: in a workspace of its own, within a time limit. A task that fails, for whatever reason, is an
outcome, too; only a server that is gone ends the evaluation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import httpx2

from evals.checks import problems
from evals.figures import NO_FIGURES, Figures, is_unanswered
from evals.pause_replies import reply_to
from evals.run_follower import FollowedTurn, RunFollower
from evals.thread_evidence import turn_of
from evals.tools.evidence import Contents, Evidence
from evals.tools.tasks import Task
from evals.tools.workspace import TaskWorkspace
from evals.turns import Turn
from workroom.core.pauses import PauseAnswer
from workroom.core.run_events import PauseChanged, RunState


@dataclass(frozen=True)
class TaskOutcome:
    """`problems` is empty for a success. `unanswered`: no call of the model succeeded."""

    task: Task
    problems: tuple[str, ...] = ()
    figures: Figures = NO_FIGURES
    unanswered: bool = False
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def id(self) -> str:
        return self.task.id

    @property
    def language(self) -> str:
        return self.task.language

    @property
    def success(self) -> bool:
        return not self.problems


@dataclass
class TaskRunner:
    client: httpx2.AsyncClient
    model: str
    limit_seconds: float

    async def run(self, task: Task) -> TaskOutcome:
        try:
            workspace = await TaskWorkspace.create(self.client, task.id)
            return await TaskExecution(workspace, task, self.model).run(self.limit_seconds)
        except (httpx2.HTTPStatusError, TimeoutError) as error:
            return TaskOutcome(task, (f"the server did not do what the task needs: {error or type(error).__name__}",))


class TaskExecution:
    def __init__(self, workspace: TaskWorkspace, task: Task, model: str) -> None:
        self._workspace = workspace
        self._task = task
        self._model = model
        self._follower = RunFollower(workspace, self._reply)
        self._workflow_id: UUID | None = None
        self._turns: list[FollowedTurn] = []
        self._failures: list[str] = []

    async def run(self, limit_seconds: float) -> TaskOutcome:
        attached = await self._workspace.set_up(self._task)
        before = await self._workspace.contents()
        started = time.monotonic()
        try:
            async with asyncio.timeout(limit_seconds):
                await self._converse(attached)
        except TimeoutError:
            self._failures.append(f"not done after {limit_seconds:g} s")
            await self._follower.stop(self._turns[-1].run_ids if self._turns else ())
        seconds = time.monotonic() - started
        return await self._outcome(before, seconds)

    def _reply(self, event: PauseChanged) -> PauseAnswer:
        return reply_to(event.pause, self._task.language, confirms=self._task.confirms, reply=self._task.reply)

    async def _converse(self, attached: Sequence[UUID]) -> None:
        for number, message in enumerate(self._task.messages):
            files = attached if number == 0 else ()
            accepted = await self._workspace.ask(
                message,
                self._task.language,
                model=self._model,
                agent=self._task.agent,
                workflow_id=self._workflow_id,
                file_ids=files,
            )
            self._workflow_id = accepted.workflow_id
            turn = FollowedTurn([accepted.run_id])
            self._turns.append(turn)
            await self._follower.follow(turn)
            self._failures += turn.failures
            run = await self._workspace.run(turn.run_ids[-1])
            if run.state is not RunState.COMPLETED:
                reason = f": {run.error}" if run.error else ""
                self._failures.append(f"the run ended as {run.state}{reason}")
                return

    async def _outcome(self, before: Contents, seconds: float) -> TaskOutcome:
        traces = [await self._workspace.trace(run_id) for turn in self._turns for run_id in turn.run_ids]
        turns = await self._evidence_of_turns()
        evidence = Evidence(before, await self._workspace.contents(), turns)
        return TaskOutcome(
            task=self._task,
            problems=(*self._failures, *problems(self._task.checks, evidence)),
            figures=Figures.of(traces, seconds),
            unanswered=is_unanswered(traces),
            evidence=evidence,
        )

    async def _evidence_of_turns(self) -> list[Turn]:
        if self._workflow_id is None:
            return []
        thread = await self._workspace.thread(self._workflow_id)
        states = {run.id: run.state for run in thread.runs}
        results = {call_id: result for turn in self._turns for call_id, result in turn.results.items()}
        return [
            turn_of(
                thread.messages,
                results,
                turn.run_ids,
                states[turn.run_ids[-1]],
                [event.pause.kind for event in turn.pauses],
            )
            for turn in self._turns
        ]
