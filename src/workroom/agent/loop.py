"""The ReAct loop of an agent: asks the model, runs its tool calls, repeats. Starting, going on after a
crash and going on after a pause are this one class.

It looks at what is stored, does the next thing, stores it, and so on until the model has nothing left to ask for, a
limit is reached or a person is asked. It knows neither a database nor HTTP; limits and interruptions are in plain sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from workroom.agent.call_executor import tool_asked
from workroom.agent.context import compose
from workroom.agent.entities.types import Entity
from workroom.agent.entity_extraction import EntityExtraction
from workroom.agent.handoff import handoff_result
from workroom.agent.limit_ending import ASKED_TO_SUM_UP, SUMMARY_TOKENS, without_a_model
from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import (
    AgentSpec,
    Emit,
    Ending,
    Journal,
    NewId,
    OpenCall,
    Progress,
    Retrieval,
    WorkspaceOverview,
    WorkspaceState,
)
from workroom.agent.repetition_guard import is_circling
from workroom.agent.tool import Tool
from workroom.agent.tool_offer import offered
from workroom.agent.tool_step import ToolStep
from workroom.agent.truncation_note import parts_of
from workroom.core.errors import BudgetExceeded
from workroom.core.messages import CallPart, Message, Part, Role, TextPart
from workroom.core.run_events import RoundStarted, RunState
from workroom.core.tokens import Usage
from workroom.models.model_names import is_small
from workroom.models.ports import Forcing, Model, ModelFailed, ModelInfo, ModelRequest, ModelResponse

CALL_FIRST = (
    "You answered in words, which the user has not seen. Before you answer you have to call at least one of your tools: "
    "call the one that fits best now, and write nothing beside it. Your answer in words comes after its result."
)


@dataclass
class Loop:
    progress: Progress
    spec: AgentSpec
    models: Sequence[Model]
    tools: Mapping[str, Tool]
    journal: Journal
    emit: Emit
    new_id: NewId
    extractors: Sequence[Model] = ()
    overview: WorkspaceOverview | None = None
    retrieval: Retrieval | None = None
    handoff: CallPart | None = None  # the first thing to do, decided without a model
    ordered: str | None = None  # the tool that the question calls for by rules

    def __post_init__(self) -> None:
        self._model_calls = ModelCalls(self.models, self.journal, self.emit)
        self._tool_step = ToolStep(self.progress, self.spec, self.tools, self.journal, self.emit, self.overview)
        self._entity_extraction = EntityExtraction(self.extractors, self.journal, self.new_id)

    async def advance(self) -> RunState:
        """Go on from wherever the run stands until it ends; answers how. Paused when it waits for a person."""
        while True:
            if self.progress.open_calls:
                if self.spec.return_tool_requests:
                    for asked in self.progress.open_calls:
                        self.emit(tool_asked(asked.part))
                    return RunState.COMPLETED
                await self._tool_step.act()
            elif self.progress.rounds and handoff_result(self.progress.messages[-1]) is not None:
                return RunState.COMPLETED
            elif self.progress.messages[-1].role is Role.ASSISTANT:
                return self.progress.ending.state if self.progress.ending else RunState.COMPLETED
            elif ending := self.progress.ending or self._limit():
                await self._sum_up(ending)
            else:
                try:
                    await self._ask()
                except BudgetExceeded:
                    await self._sum_up(Ending.BUDGET)

    def _limit(self) -> Ending | None:
        if self.progress.rounds >= self.spec.max_rounds:
            return Ending.ROUNDS
        return Ending.CIRCLE if is_circling(self.progress.own, self.tools) else None

    async def _ask(self) -> None:
        """One round: one answer of a model, and what it asks for."""
        progress, spec = self.progress, self.spec
        self.emit(RoundStarted(round=progress.rounds + 1, max_rounds=spec.max_rounds))
        if self.handoff is not None and progress.rounds == 0:
            await self._store([self.handoff], self.models[0].info, Usage(), message_id=self.new_id())
            return
        if self.retrieval is not None:
            await self.retrieval.before_round(progress)
        if spec.asks_for_entities:
            await self._entity_extraction.note(progress)
        known = await self._known()
        workspace = await self.overview.read() if self.overview else WorkspaceState()
        progress.others_wrote |= workspace.untrusted
        order = ""

        def composed(model: ModelInfo) -> ModelRequest:
            forcing, only = self._tool_choice(model, workspace)
            return compose(
                progress,
                spec,
                self.tools,
                model,
                forcing=forcing,
                only=only,
                workspace=workspace,
                known=known,
                order=order,
            )

        response = await self._model_calls.ask(composed, message_id := self.new_id())
        forced = self._tool_choice(response.model, workspace)[0] is Forcing.ANY
        if forced and not response.model.embedded and not _calls_tools(response):
            # Some models answer in words all the same. They are told once more, and then taken at their word.
            await self.journal.attempt_failed(response.model, response.used, assumed=response.assumed)
            order = CALL_FIRST
            response = await self._model_calls.ask(composed, message_id)
        parts = list(parts_of(response.answer, spec.language))
        await self._store(parts, response.model, response.used, message_id=message_id, assumed=response.assumed)

    def _tool_choice(self, model: ModelInfo, workspace: WorkspaceState) -> tuple[Forcing, str | None]:
        """Whether a model has to call a tool in this round, and if so which. A small model often answers out of thin air where a
        question calls for a tool, so it has to fill in the arguments of that one first."""
        if self.spec.forcing is Forcing.NONE:
            return Forcing.NONE, None
        if self.progress.rounds or not self.tools:
            return Forcing.AUTO, None
        if self.ordered and is_small(model) and not self._has_read(self.ordered):
            there = offered(self.tools, workspace.contents, self.progress.messages)
            return (Forcing.ANY, self.ordered) if self.ordered in there else (self.spec.forcing, None)
        return self.spec.forcing, None

    def _has_read(self, name: str) -> bool:
        """Whether what a question names was read for it, so that it needs no tool that reads."""
        question, tool = self.progress.messages[self.progress.begins], self.tools.get(name)
        return tool is not None and tool.effect == "read" and any(not part.found for part in question.materials)

    async def _store(
        self, parts: list[Part], model: ModelInfo, used: Usage, *, message_id: UUID, assumed: bool = False
    ) -> None:
        """The answer of a round, and the calls it asks for."""
        message = Message(id=message_id, role=Role.ASSISTANT, parts=[self._with_privacy(part) for part in parts])
        await self.journal.answered(message, model, used, assumed=assumed)
        self.progress.messages.append(message)
        self.progress.rounds += 1
        self.progress.open_calls = [OpenCall(part) for part in message.calls]

    def _with_privacy(self, part: Part) -> Part:
        tool = self.tools.get(part.tool) if isinstance(part, CallPart) else None
        return part.model_copy(update={"private": True}) if tool is not None and tool.quotes else part

    async def _known(self) -> Sequence[Entity]:
        """Read afresh: what was forgotten meanwhile is not told any more."""
        return await self.journal.known() if self.spec.remembers else ()

    async def _sum_up(self, ending: Ending) -> None:
        """The last words, without tools: never a silent end. If no model can be asked or paid, they are our own."""
        progress, spec = self.progress, self.spec
        if progress.ending is None:
            await self.journal.ending(ending)
            progress.ending = ending
        known = await self._known()

        def composed(model: ModelInfo) -> ModelRequest:
            return compose(
                progress,
                spec,
                {},
                model,
                forcing=Forcing.NONE,
                known=known,
                order=ASKED_TO_SUM_UP[ending],
                output_tokens=SUMMARY_TOKENS,
            )

        message_id = self.new_id()
        try:
            response = await self._model_calls.ask(composed, message_id)
        except (BudgetExceeded, ModelFailed) as failure:
            budget = str(failure.details.get("scope", "")) if isinstance(failure, BudgetExceeded) else ""
            text = without_a_model(ending, progress.own, spec.language, budget, tools=self.tools)
            message, model, used, assumed = _text(message_id, text), None, Usage(), False
        else:
            model, used, assumed = response.model, response.used, response.assumed
            parts = [part for part in parts_of(response.answer, spec.language) if not isinstance(part, CallPart)]
            words = without_a_model(ending, progress.own, spec.language, tools=self.tools)
            message = (
                Message(id=message_id, role=Role.ASSISTANT, parts=parts) if response.text else _text(message_id, words)
            )
        await self.journal.answered(message, model, used, assumed=assumed)
        progress.messages.append(message)


def _calls_tools(response: ModelResponse) -> bool:
    return any(isinstance(part, CallPart) for part in response.answer.parts)


def _text(message_id: UUID, text: str) -> Message:
    return Message(id=message_id, role=Role.ASSISTANT, parts=[TextPart(text=text)])
