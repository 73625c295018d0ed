"""What a language model is to us: messages and tool schemas in, pieces of text and one whole answer out."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol
from uuid import UUID

from workroom.core.errors import WorkroomError
from workroom.core.messages import Message, Part, TextPart
from workroom.core.money import Price
from workroom.core.tokens import TokenCount, Usage, estimate
from workroom.core.tool_texts import LocalizedToolTexts
from workroom.identity.types import Principal
from workroom.models.catalogue.strategies import UNKNOWN, SwitchStrategy
from workroom.models.types import Operation

NO_DETAILS: Mapping[str, str] = {}
RETRY_PAUSES = (1.0, 2.0, 4.0)  # seconds before the second, third and fourth try of a call to a provider


class Forcing(StrEnum):
    """Whether the model may (`auto`), must (`any`) or must not (`none`) call tools."""

    AUTO = "auto"
    ANY = "any"
    NONE = "none"


@dataclass(frozen=True)
class ToolSchema:
    """What a model is told of a tool. `texts` is for people: the embedded default speaks with them, no provider is sent them."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    texts: LocalizedToolTexts = field(default_factory=dict)

    @cached_property
    def tokens(self) -> int:
        """About how many it takes in a prompt. JSON has more of them than words have: 3.5 characters each, as counted for 21
        tools in Qwen's template."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return estimate(json.dumps({"type": "function", "function": function}, default=dict)) * 8 // 7


@dataclass(frozen=True)
class ModelRequest:
    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSchema] = ()
    forcing: Forcing = Forcing.AUTO
    temperature: float | None = None
    max_output_tokens: int | None = None
    language: str = "en"  # the user's, for a model that cannot tell from their words
    team: str = ""  # of the agent that answers; only for the embedded default
    answer_schema: Mapping[str, Any] | None = None  # the answer is JSON that fits it; only for models with `structured`
    sections: Mapping[str, int] = field(
        default_factory=dict
    )  # what it is made of, in tokens (`core.traces.PromptSection`)

    def limited(self, output_tokens: int) -> ModelRequest:
        return replace(self, max_output_tokens=output_tokens)


@dataclass(frozen=True)
class TextDelta:
    text: str


@dataclass(frozen=True)
class HiddenDelta:
    """Written by the model and not shown as its answer: reasoning, and names and arguments of tool calls. Billed like text."""

    text: str


@dataclass(frozen=True)
class ThoughtDelta(HiddenDelta):
    """Reasoning, which people can unfold beside the answer."""


@dataclass(frozen=True)
class Answer:
    """The whole answer, after its deltas; always the last thing a stream says. `requests`: how many it took at the
    provider. `cut`: it is not whole, for it had reached the granted length or, with `repeats`, went on repeating itself."""

    parts: Sequence[Part]
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    requests: int = 1
    cut: bool = False
    repeats: bool = False


StreamItem = TextDelta | HiddenDelta | Answer


@dataclass(frozen=True)
class ModelInfo:
    """What is known of a model before it is asked. `provider` and `id` are what rules, bills and traces call it."""

    provider: str
    id: str
    price: Price
    context_tokens: int = 128_000
    output_tokens: int = 8_192  # the most it may write in one answer
    tools: bool = True  # understands function calling; without it the text protocol stands in
    images: bool = False
    structured: bool = False  # its server keeps an answer to a JSON schema
    embedded: bool = False  # no language model: the labelled default that is always there
    strategy: SwitchStrategy = UNKNOWN  # how it is told that it is another agent from now on
    own_server: bool = False  # in the own network: it may need minutes to read a long question


@dataclass(frozen=True)
class ModelResponse:
    """A whole answer, and who gave it. `assumed`: the provider did not say what it used, so that is an estimate."""

    answer: Answer
    model: ModelInfo
    used: Usage
    assumed: bool

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.answer.parts if isinstance(part, TextPart)).strip()


@dataclass(frozen=True)
class Attempt:
    """A model call that may begin: its number, and how much it may write for the money that is left. `written` counts what
    it has written so far, shown or not: that is paid, however the call ends."""

    number: int
    max_output_tokens: int
    written: TokenCount = field(default_factory=TokenCount)


# The question, made for the model that will answer it: how much it can read differs.
Compose = Callable[[ModelInfo], ModelRequest]


class Model(Protocol):
    @property
    def info(self) -> ModelInfo: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Raises ModelFailed; closing the iterator cancels the call."""
        ...


class Models(Protocol):
    """The models a person may use for an operation, best first; never none."""

    async def chain(
        self,
        principal: Principal,
        operation: Operation,
        reference: str | None = None,
        *,
        instance_id: UUID | None = None,
    ) -> Sequence[Model]: ...


class ModelFailed(WorkroomError):
    """The provider did not answer, or not with anything usable. `again` says whether another try may help.

    `used` is what the provider reported of the call before it failed; `billed` counts the tries that were paid for. The code
    says which advice fits; `details` name the provider and the model, and quote the provider's own words without secrets."""

    code = "modelFailed"
    status = 502

    def __init__(
        self,
        message: str,
        *,
        again: bool,
        after: float | None = None,
        used: Usage | None = None,
        code: str | None = None,
        details: Mapping[str, str] = NO_DETAILS,
    ) -> None:
        super().__init__(message, code=code, **details)
        self.again = again
        self.after = after
        self.used = used or Usage()
        self.billed = 0


class PrivateForbidden(ModelFailed):
    """A server in the operator's own network, which organisations may not reach here."""

    code = "privateForbidden"
    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Model servers in the own network of this installation are not open to organisations. Ask its operator to set"
            " WORKROOM_PRIVATE_ADDRESSES=true, or use a server with a public address.",
            again=False,
        )


class NoModel(WorkroomError):
    """What is wanted takes a language model, or one with an ability, and none is set up for this person."""

    code = "noModel"
    status = 409
