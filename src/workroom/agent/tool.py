"""A tool is a typed function with a docstring: the signature is its schema, the docstring its description.

    @tool("searchNotes", effect="read", sets={"core"})
    async def search_notes(ctx: ToolContext, query: str, limit: int = 8) -> list[Note]:
        \"\"\"Find notes that contain `query`.\"\"\"
        return await ctx.use(Notes).search(ctx.principal, query, limit)

Effects: `read` changes nothing and may run beside other reads; `ours` writes only our own database and does it, with its
result, in one transaction (`ctx.commit`): exactly once, whatever dies meanwhile; `outside` reaches other systems: it is
marked as started first, and when a crash leaves its outcome open the model is told so.

Users are asked in two ways. `confirm` is asked before the call and says what exactly would happen. A tool that `pauses`
may return a question, a choice or a proposal instead of a result: the answer then completes the result, through
`answered` if something has to be done with it. A tool is never entered twice.

Once a run has read what others wrote, that text may be what the model obeys. From then on every write is confirmed, unless
`confirm_untrusted` says of a call that no other person can read what it writes and that it replaces or moves nothing. A tool
with a `confirm` of its own is asked about there; one that has both, by `confirm_untrusted` where the other asks nothing.

What people read about a tool, in five languages, stands beside its module: `notes.json` beside `notes.py`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Unpack
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from workroom.agent.compact_schema import compact
from workroom.agent.requirements import Requirement
from workroom.core.pauses import FileEdits
from workroom.core.tool_texts import LocalizedToolTexts
from workroom.models.ports import Compose, ModelInfo, ModelResponse, ToolSchema
from workroom.models.types import Operation
from workroom.usage.types import PaidRequest, Purpose

ToolEffect = Literal["read", "ours", "outside"]
WorkspaceContent = Literal["files", "notes", "project", "skills", "todos"]
T = TypeVar("T")
Service = TypeVar("Service")


class ToolContext(Protocol):
    """What a tool may use: the principal and place of its run, services, transactions, models. The rest of the run is hidden."""

    @property
    def call_id(self) -> UUID:
        """The idempotency key of an `outside` call."""
        ...

    @property
    def principal(self) -> Any:
        """The principal the run acts for; services take it."""
        ...

    @property
    def instance_id(self) -> UUID:
        """The workspace the run belongs to."""
        ...

    @property
    def conversation_id(self) -> UUID:
        """The conversation the run answers in."""
        ...

    @property
    def message_id(self) -> UUID | None:
        """A message on the branch that the run answers on; a reader's page may show another. None where there is no run."""
        ...

    @property
    def language(self) -> str:
        """Language code of the person who asked, such as `de`, for names and labels that exist in several. An agent with a
        language of its own has that one."""
        ...

    @property
    def follows_untrusted(self) -> bool:
        """Whether the run has read what others wrote: some of it may be in what the call writes."""
        ...

    @property
    def file_edits(self) -> FileEdits:
        """Whether the run waits for the user where a tool proposes to change a file, or goes on."""
        ...

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools the run's agent may use, whether its model is told of them or not."""
        ...

    def use(self, service: type[Service]) -> Service:
        """The service of that type, such as `Notes`."""
        ...

    async def commit(self, effect: Callable[[Any], Awaitable[T]]) -> T:
        """For `ours`: runs the effect in a transaction that also stores its return value as the call's result."""
        ...

    async def models(self, operation: Operation) -> Sequence[ModelInfo]:
        """The models that `ask_model` would ask, in this order; empty when none is available."""
        ...

    async def ask_model(self, operation: Operation, compose: Compose, purpose: Purpose) -> ModelResponse:
        """Asks the first model of the operation's chain that answers, with retries; billed to the run, within its budgets.
        May be called several times at once. Raises NoModel, ModelFailed, BudgetExceeded."""
        ...

    async def pay(self, request: PaidRequest, send: Callable[[], Awaitable[T]]) -> T:
        """Sends a request that costs money: reserved before and billed after, within the budgets of the run; one that is
        refused (`refused` of its error) costs nothing. Raises BudgetExceeded, and whatever `send` raises."""
        ...

    def report_progress(self, text: str) -> None:
        """Reports progress to the people who follow the run."""
        ...


@dataclass(frozen=True)
class ConfirmPrompt:
    """The question before a call: `text` says in English what would be done, `name` what it would be done to. A tool with a
    `confirmation` among its texts is asked about in the reader's language, with that name; `variant` chooses among its
    `confirmations`. `subject`: what it is now, such as an id with its version, where that can change before the answer: a yes is
    to what was asked about."""

    text: str
    name: str = ""
    variant: str = ""
    subject: str = ""


@dataclass(frozen=True)
class Tool:
    """A function that models may call: its schema, its effect, and how people are asked about it."""

    name: str
    description: str
    effect: ToolEffect
    sets: frozenset[str]
    arguments: type[BaseModel]
    run: Callable[..., Awaitable[Any]]
    seconds: float = 60.0
    # Before the call: what exactly would be done, for the user to confirm; None for calls of it that only read. What it raises is
    # the call's error.
    confirm: Callable[..., Awaitable[str | ConfirmPrompt | None]] | None = None
    # For `ours`, after content of others was read: what would be done, for the user to confirm; None when no other person can
    # read what this call writes, and it replaces or moves nothing. Without it every call is asked about.
    confirm_untrusted: Callable[..., Awaitable[ConfirmPrompt | None]] | None = None
    # It opens addresses that models choose, and one could carry away what was read before: after content of others each call is
    # asked about, as are those of `outside` tools.
    opens_addresses: bool = False
    # It may answer with a question, a choice or a proposal to the user; so it is a barrier, like every write.
    pauses: bool = False
    # What the user's answer sets off: (ctx, pause, answer) -> result. Without it the answer is the result.
    answered: Callable[[Any, Any, Any], Awaitable[Any]] | None = None
    # What it returns was written by others: it marks the run. A result can also be marked by itself.
    untrusted: bool = False
    # Its arguments repeat what was read: like that, they are for the person it was read for.
    quotes: bool = False
    # For `outside`, after a crash: (ctx, **arguments) -> the result if it took effect, or None if that cannot be known.
    outcome: Callable[..., Awaitable[Any]] | None = None
    # It is of use only where the workspace has such: models are not told of it elsewhere (`tool_offer.py`).
    needs: WorkspaceContent | None = None
    # A service, by its type, that has to be set up in an organisation: agents elsewhere do not have the tool (`requirements.py`).
    requires: type[Requirement] | None = None
    # Wanted so rarely that models find it by `findTools`.
    rare: bool = False
    # Of rare ones: models are told of it, too, once something of a file was read in the conversation.
    after_reading: bool = False
    # What people read about it, by language: discovery takes it from the sidecar of the tool's module.
    texts: LocalizedToolTexts = field(default_factory=dict)

    @property
    def is_barrier(self) -> bool:
        return self.effect != "read" or self.pauses or self.confirm is not None

    @cached_property
    def schema(self) -> ToolSchema:
        parameters = _untitled(self.arguments.model_json_schema())
        parameters.pop("description", None)
        return ToolSchema(self.name, self.description, parameters, self.texts)

    @cached_property
    def prompt_schema(self) -> ToolSchema:
        """As language models are told it, in few words."""
        return replace(self.schema, parameters=compact(self.schema.parameters))

    def read_arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Validates a model's arguments, which are hostile input, against the signature; unknown ones are refused. Small models
        fill in every parameter: an empty one that does not fit and may be left out counts as left out."""
        try:
            checked = self.arguments.model_validate(values)
        except ValidationError as error:
            unfitting = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
            optional = {name for name, field in self.arguments.model_fields.items() if not field.is_required()}
            empty = {name for name in unfitting & optional if values.get(name) in ("", None)}
            if not empty:
                raise
            given = {name: value for name, value in values.items() if name not in empty}
            checked = self.arguments.model_validate(given)
        return {name: getattr(checked, name) for name in type(checked).model_fields}


def tool(
    name: str, *, effect: ToolEffect, sets: Iterable[str] = (), **options: Unpack[ToolOptions]
) -> Callable[[Callable[..., Awaitable[Any]]], Tool]:
    """Makes a tool of a function. `name` and the parameters are what models see."""

    def make(function: Callable[..., Awaitable[Any]]) -> Tool:
        description = inspect.getdoc(function)
        if not description:
            raise TypeError(f"the tool {name} needs a docstring: it is what the model reads")
        return Tool(name, description, effect, frozenset(sets), _arguments(name, function), function, **options)

    return make


class ToolOptions(TypedDict, total=False):
    """The optional fields of `Tool`."""

    seconds: float
    confirm: Callable[..., Awaitable[str | ConfirmPrompt | None]]
    confirm_untrusted: Callable[..., Awaitable[ConfirmPrompt | None]]
    opens_addresses: bool
    pauses: bool
    answered: Callable[[Any, Any, Any], Awaitable[Any]]
    untrusted: bool
    quotes: bool
    outcome: Callable[..., Awaitable[Any]]
    needs: WorkspaceContent
    requires: type[Requirement]
    rare: bool
    after_reading: bool


def explain(error: ValidationError) -> str:
    """Describes validation errors so that the model can correct its call, without repeating what it sent."""
    problems = [f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in error.errors()[:10]]
    return "The arguments do not fit. " + "; ".join(problems)


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without titles: they only repeat the names, and would cost tokens in every round."""
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "title":
            continue
        if key in ("properties", "$defs"):
            kept[key] = {name: _untitled(inner) for name, inner in value.items()}
        elif key == "anyOf":
            kept[key] = [_untitled(inner) for inner in value]
        else:
            kept[key] = _untitled(value) if key == "items" else value
    return kept


def _arguments(name: str, function: Callable[..., Awaitable[Any]]) -> type[BaseModel]:
    hints = typing.get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    parameters = list(inspect.signature(function).parameters.values())[1:]  # the first is the context
    for parameter in parameters:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    return create_model(f"{name}Arguments", __config__=ConfigDict(extra="forbid", strict=False), **fields)
