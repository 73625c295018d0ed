"""Values of the gateway: who offers models, for what kind of work they are asked, and what a mandate has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from workroom.core.money import Price


class Operation(StrEnum):
    """The kind of work a model is asked for; each has its own chain of models."""

    AGENT = "AGENT"
    DATA_ANALYSE = "DATA_ANALYSE"  # summaries and extraction: cheap first
    EMBEDDING = "EMBEDDING"
    VISION = "VISION"
    SPEECH = "SPEECH"
    RERANK = "RERANK"  # a second look at what search has found


class ProviderKind(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"
    ENDPOINT = "endpoint"  # anything that speaks OpenAI's Chat Completions API


@dataclass(frozen=True)
class OwnVectors:
    """What a server's embedding model was found to give when it was chosen: see `embeddings/vector_probe.py`."""

    dimensions: int
    instance_floor: float
    shared_floor: float
    answer: float | None = None  # none for those chosen before it was measured


@dataclass(frozen=True)
class ModelFacts:
    """What a server says of one of its models: see `server_facts.py`. None: it does not say."""

    context_tokens: int | None = None
    tools: bool | None = None
    images: bool | None = None
    structured: bool | None = None


@dataclass(frozen=True)
class OwnModel:
    """A model the catalogue does not know, as its server or a person describes it; `facts` is what the server said last,
    `vectors` what we found out ourselves."""

    name: str
    context_tokens: int = 128_000
    output_tokens: int = 8_192
    tools: bool = True
    images: bool = False
    structured: bool = False
    vectors: OwnVectors | None = None
    facts: ModelFacts | None = None

    def told(self, facts: ModelFacts) -> OwnModel:
        """With what its server says now, except where a person has entered something else than it said before."""
        usual, before = OwnModel(self.name), self.facts or ModelFacts()
        known: dict[str, Any] = {name: value for name, value in vars(facts).items() if value is not None}
        untouched = {
            name: value
            for name, value in known.items()
            if getattr(self, name) == (getattr(usual, name) if getattr(before, name) is None else getattr(before, name))
        }
        told = replace(self, **untouched, facts=replace(before, **known))
        as_usual = self.output_tokens == min(usual.output_tokens, self.context_tokens)
        most = usual.output_tokens if as_usual else self.output_tokens
        return replace(told, output_tokens=min(most, told.context_tokens))


@dataclass(frozen=True)
class ProviderFailure:
    """Why the last test of a provider failed: what the test raised, and when."""

    code: str
    message: str
    at: datetime
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Provider:
    """A provider of models. `name` is what model names, rules and bills call it: `openai` in `openai/gpt-5`. With a `failure`
    it waits: none of its models is offered until a test succeeds."""

    name: str
    kind: ProviderKind
    label: str
    base_url: str | None = None
    models: Sequence[OwnModel] = ()
    enabled: bool = True
    private: bool = False  # an administrator allowed its address inside the own network
    key_hint: str = ""  # the key's last characters
    has_key: bool = False
    id: UUID | None = None  # None: it comes from the environment
    readable: bool = True  # False: the key is there, but our secret does not open it
    failure: ProviderFailure | None = None

    @property
    def usable(self) -> bool:
        return self.enabled and self.readable and self.failure is None


@dataclass(frozen=True)
class ExchangeRate:
    """What a dollar costs in francs, and since when we think so."""

    chf_per_usd: Decimal
    day: date


SHIPPED_RATE = ExchangeRate(Decimal("0.80"), date(2026, 11, 15))
SHIPPED_ASSUMPTION = Decimal(10)  # CHF per million tokens of a model without a known price


@dataclass(frozen=True)
class Choices:
    """What a mandate has chosen beside its providers. `version` rises with every change, also of a provider."""

    version: int = 0
    chains: Mapping[Operation, Sequence[str]] = field(default_factory=dict)
    rate: ExchangeRate = SHIPPED_RATE
    assumption: Decimal = SHIPPED_ASSUMPTION
    overrides: Mapping[str, Price] = field(default_factory=dict)
