"""Leads a conversation with a specialist over HTTP, turn by turn: writes, presses buttons, and follows what is answered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

import httpx2

from evals.figures import is_unanswered
from evals.pause_replies import reply_to
from evals.run_follower import FollowedTurn, RunFollower
from evals.specialists.evidence import TurnEvidence
from evals.specialists.evidence_collector import EvidenceCollector, is_box
from evals.specialists.scenarios import Endpoint, Scenario, ScenarioTurn
from evals.specialists.workspace import ClientWorkspace
from workroom.api.agentic_chat import AgenticChatOutput
from workroom.api.company_documents import DocumentView
from workroom.core.pauses import Choice, Chosen, PauseAnswer
from workroom.core.run_events import PauseChanged
from workroom.skills.confirm import NO, YES

STILL_RUNNING = 504


class SpecialistConversation:
    """`failures` are what went wrong in the last turn beside its checks."""

    def __init__(
        self, workspace: ClientWorkspace, scenario: Scenario, model: str, company_id: UUID, collector: EvidenceCollector
    ) -> None:
        self.scenario = scenario
        self.failures: list[str] = []
        self._workspace = workspace
        self._model = model
        self._company_id = company_id
        self._collector = collector
        self._follower = RunFollower(workspace, self._reply)
        self._attached: Sequence[UUID] = ()
        self._workflow_id: UUID | None = None
        self._following: ScenarioTurn | None = None
        self._waiting: tuple[UUID, PauseChanged] | None = None
        self._next_agent = scenario.slug
        self._suggestions: Sequence[str] = ()

    @classmethod
    async def begin(cls, workspace: ClientWorkspace, scenario: Scenario, model: str) -> SpecialistConversation:
        """The company with its documents and the files are there before anything is asked."""
        company_id = await workspace.create_company(scenario)
        documents = await workspace.documents(company_id)
        collector = EvidenceCollector(workspace, company_id, documents, scenario.language)
        conversation = cls(workspace, scenario, model, company_id, collector)
        conversation._attached = await workspace.upload(scenario.files)
        return conversation

    async def play(self, turn: ScenarioTurn, following: ScenarioTurn | None) -> TurnEvidence:
        """`following` may press a button of this turn: only then a confirmation is left waiting."""
        self._following, self.failures = following, []
        started = time.monotonic()
        pressed = turn.presses is not None and self._is_shown(turn)
        followed, response = await self._send(turn, pressed=pressed)
        await self._follower.follow(followed)
        thread = await self._workspace.thread(self._known_workflow_id)
        seconds = time.monotonic() - started
        evidence = await self._collector.collect(followed, thread, pressed=pressed, seconds=seconds)
        self._waiting = (followed.run_ids[-1], followed.waiting) if followed.waiting else None
        self._suggestions = evidence.suggestions
        self.failures += [*followed.failures, *filter(None, [evidence.error])]
        if response is not None:
            self.failures += _disagreements(response, evidence, self._next_agent)
        self._next_agent = evidence.next_agent
        return evidence

    async def stop(self) -> None:
        """Also what was begun by a turn of which nothing is known yet."""
        if self._workflow_id is not None:
            thread = await self._workspace.thread(self._workflow_id)
            await self._follower.stop([run.id for run in thread.runs])

    async def written_documents(self) -> Sequence[DocumentView]:
        kinds = [kind for kind, document in self._collector.documents.items() if document.version]
        return [await self._workspace.document(self._company_id, kind) for kind in kinds]

    @property
    def is_unanswered(self) -> bool:
        return is_unanswered(list(self._collector.traces.values()))

    @property
    def _known_workflow_id(self) -> UUID:
        assert self._workflow_id is not None, "something was asked"
        return self._workflow_id

    def _is_shown(self, turn: ScenarioTurn) -> bool:
        return self._waiting is not None if turn.answers_confirmation else turn.writes in self._suggestions

    async def _send(self, turn: ScenarioTurn, *, pressed: bool) -> tuple[FollowedTurn, AgenticChatOutput | None]:
        """Presses the button that is shown, or writes."""
        text, waiting = turn.writes, self._waiting if pressed else None
        if waiting is not None:
            run_id, event = waiting
            choice_id = YES if turn.presses == "yes" else NO
            if self.scenario.endpoint is Endpoint.WORKSPACE:
                await self._workspace.answer(run_id, event.call_id, Chosen(choice_id=choice_id))
                return FollowedTurn([run_id]), None
            assert isinstance(event.pause, Choice), "only boxes are left waiting"
            text = next(option.label for option in event.pause.options if option.id == choice_id)
        if self.scenario.endpoint is Endpoint.AGENTIC_CHAT:
            return await self._chat(text, waiting[0] if waiting else None)
        return FollowedTurn([await self._write(text)]), None

    async def _write(self, text: str) -> UUID:
        is_first = self._workflow_id is None
        accepted = await self._workspace.ask(
            text,
            self.scenario.language,
            model=self._model,
            agent=self.scenario.slug if is_first else None,
            workflow_id=self._workflow_id,
            file_ids=self._attached if is_first else (),
        )
        self._workflow_id = accepted.workflow_id
        if is_first:
            await self._workspace.attach_company(accepted.workflow_id, self._company_id)
        return accepted.run_id

    async def _chat(self, text: str, resumed: UUID | None) -> tuple[FollowedTurn, AgenticChatOutput | None]:
        """The run is the one that waited, or the first that is new. An answer that takes longer than a request can wait is
        followed in the workspace."""
        response: AgenticChatOutput | None = None
        try:
            response = await self._workspace.ask_specialist(
                self._next_agent, self.scenario, self._company_id, text, self._workflow_id
            )
            self._workflow_id = response.workflow_id
        except httpx2.HTTPStatusError as error:
            if error.response.status_code != STILL_RUNNING:
                raise
            self._workflow_id = UUID(error.response.json()["details"]["workflowId"])
        runs = (await self._workspace.thread(self._workflow_id)).runs
        new = sorted((run for run in runs if run.id not in self._collector.traces), key=lambda run: run.created_at)
        return FollowedTurn([resumed or new[0].id]), response

    def _reply(self, event: PauseChanged) -> PauseAnswer | None:
        """A confirmation box waits for the turn that presses one of its buttons; to all else the answer is yes."""
        if not is_box(event.pause):
            return reply_to(event.pause, self.scenario.language)
        if self._following is not None and self._following.answers_confirmation:
            return None
        return Chosen(choice_id=YES)


def _disagreements(response: AgenticChatOutput, evidence: TurnEvidence, asked: str) -> list[str]:
    """What agentic-chat says otherwise than the workspace. When it answered, a pause may have been ahead of the rest."""
    if evidence.answered:
        return []
    problems = []
    if (response.next_agent or asked) != evidence.next_agent:
        problems.append(f"agentic-chat says {response.next_agent} goes on, the workspace {evidence.next_agent}")
    unnamed = {call.tool for call in evidence.turn.calls} - {call.name for call in response.tool_calls}
    return [*problems, *(f"agentic-chat does not name the call of {tool}" for tool in sorted(unnamed))]
