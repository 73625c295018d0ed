"""The context of a tool call: the person it acts for, the services, a transaction for its effect, and models to ask."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from uuid import UUID

from workroom.agent.tool import Tool
from workroom.core.messages import CallPart
from workroom.core.pauses import FileEdits
from workroom.core.results import ToolResult, result_of
from workroom.core.run_events import RunState, StatusChanged
from workroom.db import UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import Compose, ModelInfo, ModelResponse
from workroom.models.types import Operation
from workroom.runs import call_results, facts
from workroom.runs.paid_requests import PaidRequests
from workroom.runs.ports import Writing
from workroom.runs.step_events import events_for_result
from workroom.runs.tool_model_calls import ToolModelCalls
from workroom.runs.types import Claim
from workroom.usage.types import PaidRequest, Purpose

T = TypeVar("T")


class ContextJournal(Writing, Protocol):
    """The run's journal, as far as the context of a tool call needs it."""

    services: Mapping[type, object]
    tool_model_calls: ToolModelCalls
    paid_requests: PaidRequests
    tools: Mapping[str, Tool]


@dataclass
class DatabaseContext:
    """A tool sees its caller's rows and no others: every transaction acts for that person."""

    call: CallPart
    journal: ContextJournal
    claim: Claim
    follows_untrusted: bool
    untrusted: bool = False
    committed: ToolResult | None = None
    began: float = field(default_factory=time.monotonic)

    @property
    def call_id(self) -> UUID:
        return self.call.call_id

    @property
    def principal(self) -> Principal:
        return self.journal.principal

    @property
    def instance_id(self) -> UUID:
        return self.claim.instance_id

    @property
    def conversation_id(self) -> UUID:
        return self.claim.conversation_id

    @property
    def message_id(self) -> UUID:
        return self.claim.last_message_id

    @property
    def language(self) -> str:
        """As the run began with it: a change counts from the next question on."""
        return self.claim.agent.language

    @property
    def file_edits(self) -> FileEdits:
        return self.claim.agent.file_edits

    @property
    def tools(self) -> Mapping[str, Tool]:
        return self.journal.tools

    def use(self, service: type[T]) -> T:
        used = self.journal.services[service]
        assert isinstance(used, service)
        return used

    async def models(self, operation: Operation) -> Sequence[ModelInfo]:
        return [model.info for model in await self.journal.tool_model_calls.models(operation)]

    async def ask_model(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        return await self.journal.tool_model_calls.ask(operation, compose, purpose)

    async def pay(self, request: PaidRequest, send: Callable[[], Awaitable[T]]) -> T:
        return await self.journal.paid_requests.send(request, send)

    def report_progress(self, text: str) -> None:
        self.journal.tool_model_calls.emit(StatusChanged(state=RunState.RUNNING, text=text))

    async def commit(self, effect: Callable[[Any], Awaitable[T]]) -> T:
        async def with_result(uow: UnitOfWork) -> tuple[T, ToolResult, int]:
            value = await effect(uow)
            result = result_of(value).marked(untrusted=self.untrusted)
            duration_ms = round((time.monotonic() - self.began) * 1000)
            entities = await facts.entities_in(self.claim, result)
            await call_results.finish(uow, self.claim, self.call_id, result, duration_ms, entities)
            return value, result, duration_ms

        value, result, _ = await self.journal.write(
            with_result, events=lambda done: events_for_result(self.call, done[1], done[2])
        )
        self.committed = result
        return value
