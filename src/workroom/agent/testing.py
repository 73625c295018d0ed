"""Fakes that ship: a model that says what it is told to, and a memory that can lose its lease at any step."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from workroom.agent.entities.rules import find
from workroom.agent.entities.types import Entity
from workroom.agent.model_calls import ModelCalls
from workroom.agent.ports import Ending, LeaseLost
from workroom.agent.summaries import Summary
from workroom.agent.tool import Tool
from workroom.core.errors import BudgetExceeded
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Part, TextPart
from workroom.core.money import FREE
from workroom.core.pauses import FileEdits, Pause, PauseAnswer
from workroom.core.results import ToolResult, result_of
from workroom.core.tokens import Usage
from workroom.models.ports import (
    Answer,
    Attempt,
    Compose,
    Model,
    ModelFailed,
    ModelInfo,
    ModelRequest,
    ModelResponse,
    NoModel,
    TextDelta,
)
from workroom.models.types import Operation
from workroom.usage.types import NO_SECTIONS, PaidRequest, Purpose

T = TypeVar("T")
SCRIPTED = ModelInfo("scripted", "scripted", FREE)
Said = Sequence[Part] | Exception


def say(text: str) -> list[Part]:
    return [TextPart(text=text)]


def call(tool: str, **arguments: Any) -> CallPart:
    return CallPart(call_id=new_id(), tool=tool, arguments=arguments)


class ScriptedModel:
    """Answers one item of the script per request, and remembers the requests."""

    def __init__(self, *script: Said, info: ModelInfo = SCRIPTED) -> None:
        self.info = info
        self._script = list(script)
        self.requests: list[ModelRequest] = []
        self.used = Usage(input_tokens=10, output_tokens=5)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        self.requests.append(request)
        if not self._script:
            raise ModelFailed("the script is over", again=False)
        said = self._script.pop(0)
        if isinstance(said, Exception):
            raise said
        for part in said:
            if isinstance(part, TextPart):
                for word in part.text.split(" "):
                    yield TextDelta(word + " ")
        yield Answer(said, self.used, self.info.id)


@dataclass
class InMemoryContext:
    call_id: UUID
    journal: InMemoryJournal
    principal: Any = None
    instance_id: UUID = field(default_factory=new_id)
    conversation_id: UUID = field(default_factory=new_id)
    message_id: UUID | None = None
    language: str = "en"
    follows_untrusted: bool = False
    file_edits: FileEdits = "ask"
    committed: ToolResult | None = None

    @property
    def tools(self) -> Mapping[str, Tool]:
        return self.journal.tools

    def use(self, service: type[T]) -> T:
        instance = self.journal.services[service]
        assert isinstance(instance, service)
        return instance

    async def models(self, operation: Operation) -> Sequence[ModelInfo]:
        return [model.info for model in self.journal.models_by_operation.get(operation, ())]

    async def ask_model(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        models = self.journal.models_by_operation.get(operation, ())
        if not models:
            raise NoModel("There is no model for this.")
        heard = await ModelCalls(models, self.journal, lambda _: None, purpose).ask(compose, new_id())
        self.journal.pay(heard.model, heard.used)
        return heard

    async def pay(self, request: PaidRequest, send: Callable[[], Awaitable[T]]) -> T:
        self.journal.paid_requests.append(request)
        return await send()

    def report_progress(self, text: str) -> None:
        self.journal.progress_reports.append(text)

    async def commit(self, effect: Callable[[Any], Awaitable[T]]) -> T:
        self.journal.step(f"commit {self.call_id}")
        value = await effect(None)
        self.committed = result_of(value)
        self.journal.results[self.call_id] = self.committed
        return value


@dataclass
class InMemoryJournal:
    """`lose_at=n` takes the lease away before the n-th step, as a crash would."""

    lose_at: int | None = None
    services: dict[type, Any] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    models_by_operation: dict[Operation, Sequence[Model]] = field(default_factory=dict)  # whom tools may ask
    progress_reports: list[str] = field(default_factory=list)  # by tools, while they work
    paid_requests: list[PaidRequest] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    answers: list[Message] = field(default_factory=list)
    started: list[UUID] = field(default_factory=list)
    results: dict[UUID, ToolResult] = field(default_factory=dict)
    pauses: dict[UUID, Pause] = field(default_factory=dict)
    replies: dict[UUID, PauseAnswer] = field(default_factory=dict)  # given by a test, as a person would
    endings: list[Ending] = field(default_factory=list)
    bills: list[tuple[str, Usage]] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    facts: list[Entity] = field(default_factory=list)  # newest first
    money: Decimal | None = None
    attempts: int = 0

    def step(self, what: str) -> None:
        if self.lose_at is not None and len(self.steps) >= self.lose_at:
            raise LeaseLost
        self.steps.append(what)

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.ROUND,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        self.step("attempt")
        wanted = model.price.of(Usage(input_tokens, output_tokens))
        if self.money is not None and wanted > self.money:
            raise BudgetExceeded("The budget is used up.", scope="run")
        self.attempts += 1
        return Attempt(self.attempts, output_tokens)

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        self.step("failed")
        self.pay(model, used)

    async def answered(self, message: Message, model: ModelInfo | None, used: Usage, *, assumed: bool = False) -> None:
        self.step("answered")
        self.answers.append(message)
        if model is not None:
            self.pay(model, used)

    async def summarised(self, summary: Summary, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        self.step(f"summarised {summary.first}-{summary.last}")
        self.summaries.append(summary)
        self.pay(model, used)

    async def noted(
        self, facts: Mapping[UUID, Sequence[Entity]], model: ModelInfo, used: Usage, *, assumed: bool = False
    ) -> None:
        self.step(f"noted {len(facts)}")
        for entities in facts.values():
            self.facts[:0] = entities
        self.pay(model, used)

    async def known(self) -> Sequence[Entity]:
        return self.facts

    async def ending(self, ending: Ending) -> None:
        self.step(f"ending {ending}")
        self.endings.append(ending)

    async def rights_asked(self) -> None:
        return None

    async def call_started(self, call: CallPart) -> None:
        self.step(f"started {call.tool}")
        self.started.append(call.call_id)

    async def call_paused(self, call: CallPart, pause: Pause) -> None:
        self.step(f"paused {call.tool}")
        self.pauses[call.call_id] = pause

    async def call_finished(self, call: CallPart, result: ToolResult, duration_ms: int) -> None:
        self.step(f"finished {call.tool}")
        self.results[call.call_id] = result
        self.facts[:0] = find(result)

    def context(self, call: CallPart, tool: Tool, follows_untrusted: bool) -> InMemoryContext:
        return InMemoryContext(call.call_id, self, follows_untrusted=follows_untrusted)

    def pay(self, model: ModelInfo, used: Usage) -> None:
        self.bills.append((model.id, used))
        if self.money is not None:
            self.money -= model.price.of(used)
