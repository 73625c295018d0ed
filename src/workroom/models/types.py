"""Values of the gateway: who offers models, for what kind of work they are asked, and what a mandate has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
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
class OwnModel:
    """A model the catalogue does not know, as it was described when added; `vectors` is what we found out ourselves."""

    name: str
    context_tokens: int = 128_000
    output_tokens: int = 8_192
    tools: bool = True
    images: bool = False
    vectors: OwnVectors | None = None


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
