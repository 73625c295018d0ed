"""Collects what a turn left behind. A run that waited and goes on belongs to two turns: each has what is new in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from evals.figures import NO_FIGURES, Figures, model_calls
from evals.run_follower import FollowedTurn
from evals.specialists.evidence import CONFIRMATION, AnsweredPause, ShownWidget, TurnEvidence
from evals.specialists.workspace import ClientWorkspace
from evals.thread_evidence import calls_in, texts, tool_use
from evals.turns import ToolUse, Turn
from workroom.agents.shipped import shipped
from workroom.api.company_documents import DocumentState
from workroom.api.conversations import Thread
from workroom.core.messages import CallPart
from workroom.core.pauses import Choice, Pause
from workroom.core.run_events import RunState
from workroom.core.traces import AgentTrace


class EvidenceCollector:
    """Of one conversation about a company whose documents are in `language`. `traces` are those of all its runs, `documents` as
    they were after the last turn."""

    def __init__(
        self, workspace: ClientWorkspace, company_id: UUID, documents: Mapping[str, DocumentState], language: str
    ) -> None:
        self.traces: dict[UUID, AgentTrace] = {}
        self.documents = documents
        self._workspace = workspace
        self._company_id = company_id
        self._language = language
        self._spent = NO_FIGURES
        self._messages: set[UUID] = set()
        self._calls: set[UUID] = set()

    async def collect(self, followed: FollowedTurn, thread: Thread, *, pressed: bool, seconds: float) -> TurnEvidence:
        before, self.documents = self.documents, await self._workspace.documents(self._company_id)
        own = {run_id: await self._workspace.trace(run_id) for run_id in followed.run_ids}
        self.traces |= own
        spent, self._spent = self._spent, Figures.of(list(self.traces.values()), 0.0)
        slugs = {agent.id: agent.slug for agent in shipped().values()}
        runs = {run.id: run for run in thread.runs}
        last = runs[followed.run_ids[-1]]
        return TurnEvidence(
            turn=self._turn(followed, thread, last.state),
            agents=[slugs.get(agent_id, "") for run_id in followed.run_ids if (agent_id := runs[run_id].agent_id)],
            next_agent=slugs.get(thread.conversation.active_agent_id, ""),
            before=before,
            after=self.documents,
            language=self._language,
            pressed=pressed,
            confirmations=[_widget(event.pause) for event in followed.pauses if is_box(event.pause)],
            answered=[
                AnsweredPause(event.pause, followed.answers[event.call_id])
                for event in followed.pauses
                if event.call_id in followed.answers
            ],
            error=last.error or "",
            models=_models(list(own.values())),
            figures=replace(self._spent, seconds=seconds) - spent,
        )

    def _turn(self, followed: FollowedTurn, thread: Thread, state: RunState) -> Turn:
        own = [message for message in thread.messages if message.run_id in followed.run_ids]
        new = [message for message in own if message.id not in self._messages]
        self._messages |= {message.id for message in new}
        return Turn(
            state,
            self._new_calls(calls_in(own), followed, waits=state is RunState.PAUSED),
            pauses=[event.pause.kind for event in followed.pauses],
            answer="\n\n".join(text.strip() for text in texts(new) if text.strip()),
        )

    def _new_calls(self, calls: Sequence[CallPart], followed: FollowedTurn, *, waits: bool) -> list[ToolUse]:
        """What a run asked for behind the call that waits is carried out later, and belongs to the turn in which that happens."""
        waiting = followed.waiting.call_id if followed.waiting else None
        new = []
        for call in calls:
            result = followed.results.get(call.call_id)
            if call.call_id in self._calls or (waits and result is None and call.call_id != waiting):
                continue
            self._calls.add(call.call_id)
            new.append(ToolUse(call.tool, call.arguments) if call.call_id == waiting else tool_use(call, result))
        return new


def is_box(pause: Pause) -> bool:
    return isinstance(pause, Choice) and pause.box


def _widget(pause: Pause) -> ShownWidget:
    return ShownWidget(CONFIRMATION, pause.model_dump(mode="json"))


def _models(traces: Sequence[AgentTrace]) -> list[str]:
    """Those that answered."""
    return sorted({f"{call.provider}/{call.ai_model}" for call in model_calls(traces) if call.outcome == "answered"})
