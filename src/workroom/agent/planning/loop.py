"""The loop of agents that plan: asks for a plan once and stores it, runs its calls, answers. Calls go the way all calls go,
pauses included.

What is stored is read like any conversation: the plan stands in the first answer beside its first call; each further call, and
what became of the step before it, is an answer of its own; the last has the words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workroom.agent.handoff import handoff_result
from workroom.agent.limit_ending import without_a_model
from workroom.agent.model_calls import ModelCalls
from workroom.agent.planning.intents import QUESTION, named
from workroom.agent.planning.model_planner import ModelPlanner, asks_back
from workroom.agent.planning.ports import NO_NAMES, KnownNames
from workroom.agent.planning.presentation import Presenter, choice
from workroom.agent.planning.progress import PlanPosition, PlanProgress
from workroom.agent.planning.rules.planner import plan_by_rules, understands_nothing
from workroom.agent.planning.validation import problems, usable
from workroom.agent.planning.wording import say
from workroom.agent.ports import AgentSpec, Emit, Ending, Journal, NewId, OpenCall, Progress, WorkspaceOverview
from workroom.agent.registry import HAND_OFF
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
    presenters: Mapping[str, Presenter] = field(default_factory=dict)
    overview: WorkspaceOverview | None = None
    names: KnownNames = NO_NAMES

    def __post_init__(self) -> None:
        usual = usable(self.spec.intents, self.tools)
        self._intents = usual if named(usual, QUESTION.name) else (*usual, QUESTION)
        self._tool_step = ToolStep(self.progress, self.spec, self.tools, self.journal, self.emit, self.overview)
        question = self.progress.messages[self.progress.begins].text
        phrases = phrases_by_language(tool.texts for tool in self.tools.values())
        self._language = language_of([question], self.spec.language, phrases).code

    async def advance(self) -> RunState:
        """Go on from wherever the plan stands until it is carried out. Paused when it waits for a person."""
        progress = self.progress
        while True:
            if progress.open_calls:
                await self._tool_step.act(self._choice, guarded=False)
            elif progress.ending is not None:
                return progress.ending.state
            elif progress.rounds and handoff_result(progress.messages[-1]) is not None:
                return RunState.COMPLETED
            elif (plan := self._plan()) is None:
                await self._make_plan()
            elif _is_answer(progress.messages[-1]):
                return RunState.COMPLETED
            else:
                await self._store(self._next(plan), None)

    async def _make_plan(self) -> None:
        self.emit(RoundStarted(round=1, max_rounds=1))
        language_models = [model for model in self.models if not model.info.embedded]
        embedded_model = next((model.info for model in self.models if model.info.embedded), None)
        try:
            if language_models:
                await self._ask(language_models)
            else:
                await self._by_rules(embedded_model)
        except BudgetExceeded as failure:
            await self._end(Ending.BUDGET, str(failure.details.get("scope", "")))
        except ModelFailed:
            if embedded_model is None:
                raise
            await self._by_rules(embedded_model)

    async def _ask(self, models: Sequence[Model]) -> None:
        message_id = self.new_id()
        model_calls = ModelCalls(models, self.journal, self.emit)
        planner = ModelPlanner(
            self.progress, self.spec, self.tools, self._intents, model_calls, self.journal, self._rule_plan
        )
        planned = await planner.ask(self.request_id, message_id)
        parts = [PlanPart(plan=planned.plan), *self._next(planned.plan)]
        message = Message(id=message_id, role=Role.ASSISTANT, parts=parts)
        await self._stored(message, planned.response.model, planned.response.used, assumed=planned.response.assumed)

    async def _by_rules(self, model: ModelInfo | None) -> None:
        is_for_another = await self._is_for_another()
        if is_for_another and self.spec.colleagues and HAND_OFF in self.tools:
            await self._store([self._handoff_back()], model)
            return
        plan = await self._rule_plan()
        if is_for_another:
            plan = asks_back(self.request_id, f"{plan.steps[0].result.message} {say('goBack', self._language)}")
        await self._store([PlanPart(plan=plan), *self._next(plan)], model)

    async def _is_for_another(self) -> bool:
        """Whether the rules know nothing of the question, in a conversation that was handed to this agent."""
        text = self.progress.messages[self.progress.begins].text
        return self._was_handed_over() and await asyncio.to_thread(
            understands_nothing, text, self._intents, self._language, self.names
        )

    def _handoff_back(self) -> CallPart:
        arguments = {"agent": self.spec.colleagues[0].key, "reason": say("handsBack", self._language)}
        return CallPart(call_id=self.new_id(), tool=HAND_OFF, arguments=arguments)

    def _was_handed_over(self) -> bool:
        """Whether the last handoff before this question was to this agent."""
        before = self.progress.messages[: self.progress.begins]
        results = [result for message in before if (result := handoff_result(message)) is not None]
        return bool(results) and results[-1].data.get("agentId") == str(self.spec.id)

    async def _rule_plan(self) -> Plan:
        question = self.progress.messages[self.progress.begins]
        before = self.progress.messages[: self.progress.begins]
        # In a thread: reading the phrases of an agent for the first time takes a moment.
        plan = await asyncio.to_thread(
            plan_by_rules, question.text, self._intents, self.request_id, self._language, before, self.names
        )
        if problems(plan, self._intents, self.tools):  # phrases are data: those of an agent may lead anywhere
            return asks_back(self.request_id, say("noPlan", self._language))
        return plan

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
        reported_steps = {step.index for message in self.progress.own for step in message.steps}
        ended: list[Part] = [StepPart(step=step) for step in standing.done if step.index not in reported_steps]
        if (call := standing.next) is not None:
            quotes = call.tool in self.tools and self.tools[call.tool].quotes
            is_private = call.private or quotes
            call_part = CallPart(call_id=self.new_id(), tool=call.tool, arguments=call.arguments, private=is_private)
            return [*ended, call_part]
        # What quotes what was read is in its step, for the one who asked; the words are for everybody here.
        words = "\n\n".join(step.message for step in standing.done if step.message and not step.private)
        return [*ended, TextPart(text=words or say("done", self._language))]

    def _choice(self, call: CallPart, result: ToolResult) -> Choice | None:
        """What the user has to choose before the plan goes on."""
        plan = self._plan()
        standing = self._standing(plan) if plan is not None else None
        if plan is None or standing is None or standing.next is None:
            return None
        return choice(self._following(plan).presenter(standing.next.step), result, self._language)

    def _plan(self) -> Plan | None:
        return next((plan for message in self.progress.own if (plan := message.plan) is not None), None)

    def _standing(self, plan: Plan) -> PlanPosition:
        own = self.progress.own
        begin = next((at for at, message in enumerate(own) if message.plan is not None), len(own))
        # Since the plan was made: another agent may have called tools before it handed the question over.
        results = [part.result for message in own[begin:] for part in message.parts if isinstance(part, ResultPart)]
        return self._following(plan).standing(results)

    def _following(self, plan: Plan) -> PlanProgress:
        return PlanProgress(plan, self._intents, self.presenters, self.tools, self._language)


def _is_answer(message: Message) -> bool:
    return message.role is Role.ASSISTANT and not message.calls
