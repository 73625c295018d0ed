"""One task from set-up to outcome: in a workspace of its own, within a time limit. A task that fails, for whatever reason, is an
outcome, too; only a server that is gone ends the evaluation."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

import httpx2

from evals.tools.checks import problems
from evals.tools.evidence import Contents, Evidence, Turn
from evals.tools.pause_replies import reply_to
from evals.tools.tasks import Task
from evals.tools.thread_evidence import turn_of
from evals.tools.workspace import Workspace
from workroom.core.pauses import PauseState
from workroom.core.results import ToolResult
from workroom.core.run_events import AgentSwitched, PauseChanged, RunState, ToolFinished
from workroom.core.traces import AgentTrace, ModelCallLog

STOP_SECONDS = 60.0
MOST_PAUSES = 20  # of one message; an agent that asks for ever is stopped like one that hangs


@dataclass(frozen=True)
class Outcome:
    """`problems` is empty for a success. `unanswered`: no call of the model succeeded, so the address, the key or the name is
    probably wrong; a model that is merely too slow has not failed in this sense."""

    task: Task
    problems: tuple[str, ...] = ()
    rounds: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: Decimal = Decimal(0)
    unanswered: bool = False
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def success(self) -> bool:
        return not self.problems


@dataclass
class _Turn:
    """What is known of a message while its answer is being made."""

    run_ids: list[UUID]
    pauses: list[str] = field(default_factory=list)
    results: dict[UUID, ToolResult] = field(default_factory=dict)


@dataclass
class TaskRunner:
    client: httpx2.AsyncClient
    model: str
    limit_seconds: float

    async def run(self, task: Task) -> Outcome:
        workspace = await Workspace.create(self.client, task.id)
        try:
            return await TaskExecution(workspace, task, self.model).run(self.limit_seconds)
        except (httpx2.HTTPStatusError, TimeoutError) as error:
            return Outcome(task, (f"the server did not do what the task needs: {error or type(error).__name__}",))


class TaskExecution:
    def __init__(self, workspace: Workspace, task: Task, model: str) -> None:
        self._workspace = workspace
        self._task = task
        self._model = model
        self._workflow_id: UUID | None = None
        self._turns: list[_Turn] = []
        self._failures: list[str] = []

    async def run(self, limit_seconds: float) -> Outcome:
        attached = await self._workspace.set_up(self._task)
        before = await self._workspace.contents()
        started = time.monotonic()
        try:
            async with asyncio.timeout(limit_seconds):
                await self._converse(attached)
        except TimeoutError:
            self._failures.append(f"not done after {limit_seconds:g} s")
            await self._stop()
        seconds = time.monotonic() - started
        return await self._outcome(before, seconds)

    async def _converse(self, attached: Sequence[UUID]) -> None:
        for number, message in enumerate(self._task.messages):
            files = attached if number == 0 else ()
            accepted = await self._workspace.ask(self._task, message, self._model, self._workflow_id, files)
            self._workflow_id = accepted.workflow_id
            turn = _Turn([accepted.run_id])
            self._turns.append(turn)
            for run_id in turn.run_ids:  # grows when an agent hands the message over to another
                await self._follow(run_id, turn)
            run = await self._workspace.run(turn.run_ids[-1])
            if run.state is not RunState.COMPLETED:
                reason = f": {run.error}" if run.error else ""
                self._failures.append(f"the run ended as {run.state}{reason}")
                return

    async def _follow(self, run_id: UUID, turn: _Turn) -> None:
        async for event in self._workspace.events(run_id):
            match event:
                case PauseChanged(state=PauseState.WAITING):
                    turn.pauses.append(event.pause.kind)
                    await self._answer(run_id, event, len(turn.pauses))
                case ToolFinished():
                    turn.results[event.call_id] = event.result
                case AgentSwitched(next_run_id=UUID() as next_run_id):
                    turn.run_ids.append(next_run_id)

    async def _answer(self, run_id: UUID, event: PauseChanged, number: int) -> None:
        if number <= MOST_PAUSES:
            await self._workspace.answer(run_id, event.call_id, reply_to(event.pause, self._task))
        else:
            self._failures.append(f"the user was asked more than {MOST_PAUSES} times")
            await self._workspace.stop(run_id)

    async def _stop(self) -> None:
        """Stops what is still running and waits for its end, so that the model is free for the next task."""
        for run_id in self._turns[-1].run_ids if self._turns else ():
            if not (await self._workspace.run(run_id)).state.is_over:
                await self._workspace.stop(run_id)
                async with asyncio.timeout(STOP_SECONDS):
                    async for _ in self._workspace.events(run_id):
                        pass

    async def _outcome(self, before: Contents, seconds: float) -> Outcome:
        traces = [await self._workspace.trace(run_id) for turn in self._turns for run_id in turn.run_ids]
        turns = await self._evidence_of_turns()
        evidence = Evidence(before, await self._workspace.contents(), turns)
        calls = [call for trace in traces for call in _model_calls(trace)]
        return Outcome(
            task=self._task,
            problems=(*self._failures, *problems(self._task.checks, evidence)),
            rounds=sum(trace.total_rounds for trace in traces),
            input_tokens=sum(call.input_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            seconds=seconds,
            cost=sum((trace.total_cost_chf for trace in traces), Decimal(0)),
            unanswered=_failed(traces) and not any(call.outcome == "answered" for call in calls),
            evidence=evidence,
        )

    async def _evidence_of_turns(self) -> list[Turn]:
        if self._workflow_id is None:
            return []
        thread = await self._workspace.thread(self._workflow_id)
        states = {run.id: run.state for run in thread.runs}
        results = {call_id: result for turn in self._turns for call_id, result in turn.results.items()}
        return [
            turn_of(thread.messages, results, turn.run_ids, states[turn.run_ids[-1]], turn.pauses)
            for turn in self._turns
        ]


def _model_calls(trace: AgentTrace) -> list[ModelCallLog]:
    return [*(attempt for entry in trace.rounds for attempt in entry.attempts), *trace.other_calls]


def _failed(traces: Sequence[AgentTrace]) -> bool:
    return any(trace.status is RunState.ERROR for trace in traces)
