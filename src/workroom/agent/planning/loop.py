"""Plan, act, answer. The plan is asked for once and stored; every call of it goes the way all calls go, pauses included.

What is stored is read like any conversation: the plan stands in the first answer beside its first call; each further call, and
what became of the step before it, is an answer of its own; the last has the words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workroom.agent.limit_ending import without_a_model
from workroom.agent.model_calls import ModelCalls
from workroom.agent.planning.intents import QUESTION, named
from workroom.agent.planning.model_planner import ModelPlanner, asks_back
from workroom.agent.planning.ports import NO_NAMES, KnownNames
from workroom.agent.planning.presentation import Presenter, choice
from workroom.agent.planning.progress import PlanPosition, PlanProgress
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.validation import problems, usable
from workroom.agent.planning.wording import say
from workroom.agent.ports import AgentSpec, ContentIndex, Emit, Ending, Journal, NewId, OpenCall, Progress
from workroom.agent.tool import Tool
from workroom.agent.tool_step import ToolStep
from workroom.core.errors import BudgetExceeded
from workroom.core.messages import CallPart, Message, Part, PlanPart, ResultPart, Role, StepPart, TextPart
from workroom.core.pauses import Choice
from workroom.core.plans import Plan
from workroom.core.results import ToolResult
from workroom.core.run_events import RoundStarted, RunState
from workroom.core.tokens import Usage
from workroom.core.tool_texts import phrases_by_language
from workroom.models.embedded.language import language_of
from workroom.models.ports import Model, ModelFailed, ModelInfo


@dataclass
class PlanLoop:
    progress: Progress
    spec: AgentSpec
    models: Sequence[Model]
    tools: Mapping[str, Tool]
    journal: Journal
    emit: Emit
    new_id: NewId
    request_id: str
    shows: Mapping[str, Presenter] = field(default_factory=dict)
    contents: ContentIndex | None = None
    names: KnownNames = NO_NAMES

    def __post_init__(self) -> None:
        usual = usable(self.spec.intents, self.tools)
        self._intents = usual if named(usual, QUESTION.name) else (*usual, QUESTION)
        acting = ToolStep(self.progress, self.spec, self.tools, self.journal, self.emit, self.contents)
        self._acting = acting
        question = self.progress.messages[self.progress.begins].text
        phrases = phrases_by_language(tool.texts for tool in self.tools.values())
        self._language = language_of([question], self.spec.language, phrases).code

    async def advance(self) -> RunState:
        """Go on from wherever the plan stands until it is carried out. Paused when it waits for a person."""
        progress = self.progress
        while True:
            if progress.open_calls:
                await self._acting.act(self._choice, guarded=False)
            elif progress.ending is not None:
                return progress.ending.state
            elif (plan := self._plan()) is None:
                await self._make_plan()
            elif _is_answer(progress.messages[-1]):
                return RunState.COMPLETED
            else:
                await self._store(self._next(plan), None)

    async def _make_plan(self) -> None:
        self.emit(RoundStarted(round=1, max_rounds=1))
        speaking = [model for model in self.models if not model.info.embedded]
        silent = next((model.info for model in self.models if model.info.embedded), None)
        try:
            if speaking:
                await self._ask(speaking)
            else:
                await self._by_rules(silent)
        except BudgetExceeded as failure:
            await self._end(Ending.BUDGET, str(failure.details.get("scope", "")))
        except ModelFailed:
            if silent is None:
                raise
            await self._by_rules(silent)

    async def _ask(self, models: Sequence[Model]) -> None:
        message_id = self.new_id()
        asking = ModelCalls(models, self.journal, self.emit)
        wanted = ModelPlanner(self.progress, self.spec, self.tools, self._intents, asking, self.journal)
        made = await wanted.ask(self.request_id, message_id)
        parts = [PlanPart(plan=made.plan), *self._next(made.plan)]
        message = Message(id=message_id, role=Role.ASSISTANT, parts=parts)
        await self._stored(message, made.response.model, made.response.used, assumed=made.response.assumed)

    async def _by_rules(self, model: ModelInfo | None) -> None:
        question = self.progress.messages[self.progress.begins]
        before = self.progress.messages[: self.progress.begins]
        # In a thread: reading the phrases of an agent for the first time takes a moment.
        plan = await asyncio.to_thread(
            plan_by_rules, question.text, self._intents, self.request_id, self._language, before, self.names
        )
        if problems(plan, self._intents, self.tools):  # phrases are data: those of an agent may lead anywhere
            plan = asks_back(self.request_id, say("noPlan", self._language))
        await self._store([PlanPart(plan=plan), *self._next(plan)], model)

    async def _end(self, ending: Ending, budget: str) -> None:
        await self.journal.ending(ending)
        self.progress.ending = ending
        words = without_a_model(ending, self.progress.own, self._language, budget, tools=self.tools)
        await self._store([TextPart(text=words)], None)

    async def _store(self, parts: Sequence[Part], model: ModelInfo | None) -> None:
        await self._stored(Message(id=self.new_id(), role=Role.ASSISTANT, parts=list(parts)), model, Usage())

    async def _stored(self, message: Message, model: ModelInfo | None, used: Usage, *, assumed: bool = False) -> None:
        await self.journal.answered(message, model, used, assumed=assumed)
        self.progress.messages.append(message)
        self.progress.rounds += 1 if model is not None else 0
        self.progress.open_calls = [OpenCall(part) for part in message.calls]

    def _next(self, plan: Plan) -> list[Part]:
        """What became of the steps since the last answer, and the next call; after the last one, the words."""
        standing = self._standing(plan)
        told = {step.index for message in self.progress.own for step in message.steps}
        ended: list[Part] = [StepPart(step=step) for step in standing.done if step.index not in told]
        if (call := standing.next) is not None:
            asked = CallPart(call_id=self.new_id(), tool=call.tool, arguments=call.arguments, private=call.private)
            return [*ended, asked]
        # What quotes what was read is in its step, for the one who asked; the words are for everybody here.
        words = "\n\n".join(step.message for step in standing.done if step.message and not step.private)
        return [*ended, TextPart(text=words or say("done", self._language))]

    def _choice(self, call: CallPart, result: ToolResult) -> Choice | None:
        """What the user has to choose before the plan goes on."""
        plan = self._plan()
        standing = self._standing(plan) if plan is not None else None
        if plan is None or standing is None or standing.next is None:
            return None
        return choice(self._following(plan).show(standing.next.step), result, self._language)

    def _plan(self) -> Plan | None:
        return next((plan for message in self.progress.own if (plan := message.plan) is not None), None)

    def _standing(self, plan: Plan) -> PlanPosition:
        found = [part.result for message in self.progress.own for part in message.parts if isinstance(part, ResultPart)]
        return self._following(plan).standing(found)

    def _following(self, plan: Plan) -> PlanProgress:
        return PlanProgress(plan, self._intents, self.shows, self.tools, self._language)


def _is_answer(message: Message) -> bool:
    return message.role is Role.ASSISTANT and not message.calls
