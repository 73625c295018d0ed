"""Values of usage: who spends on what, what is promised to a call under way, and what it cost in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage

NO_SECTIONS: Mapping[str, int] = {}
LEAST_OUTPUT_TOKENS = 256  # fewer are no answer
LIKELY_OUTPUT_TOKENS = 4_000  # more are rarely written, whatever a model could


class Purpose(StrEnum):
    ROUND = "round"
    SUMMARY = "summary"
    ENTITIES = "entities"
    EMBEDDING = "embedding"
    VISION = "vision"
    SPEECH = "speech"
    RERANK = "rerank"
    EVALUATION = "evaluation"
    SEARCH = "search"  # of the web
    CONTENT = "content"  # texts of the studio


class Outcome(StrEnum):
    ANSWERED = "answered"
    FAILED = "failed"
    LOST = "lost"  # the process died, so its outcome is unknown


@dataclass(frozen=True)
class Spender:
    """For whom a call is made, and for what of theirs; `instance_id` None: it is about no workspace."""

    mandate_id: UUID
    user_id: UUID
    instance_id: UUID | None
    conversation_id: UUID | None = None
    run_id: UUID | None = None


@dataclass(frozen=True)
class Call:
    """Which model is asked for what, at which price. `attempt` and `round` count within a run. `sections`: what the prompt is
    made of, in tokens as estimated, where that is known."""

    provider: str
    model: str
    purpose: Purpose
    price: Price
    round: int | None = None
    attempt: int | None = None
    sections: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class PaidRequest:
    """A request to a service that is no language model, and costs `price` CHF if it is answered."""

    provider: str
    name: str
    purpose: Purpose
    price: Decimal

    def call(self, round: int | None) -> Call:
        return Call(self.provider, self.name, self.purpose, replace(FREE, request=self.price), round)


@dataclass(frozen=True)
class Reservation:
    """A call that may begin: `amount` is set aside for it, and it may write `max_output_tokens` for that."""

    id: UUID
    at: datetime
    spender: Spender
    call: Call
    input_tokens: int
    max_output_tokens: int
    amount: Decimal

    @property
    def most(self) -> Usage:
        """The most the call may use: what `amount` was set aside for."""
        return Usage(self.input_tokens, self.max_output_tokens)

    def guess(self, written_tokens: int = 0) -> Usage:
        """The probable usage of a call without a reported end: all it read, and what is known to be written."""
        least = min(LEAST_OUTPUT_TOKENS, self.max_output_tokens)
        return Usage(self.input_tokens, max(least, written_tokens))


@dataclass(frozen=True)
class BillingTransaction:
    """One line in the ledger: one call. `at` is when it began; `assumed`: price or usage are not known exactly;
    `implausible`: the provider reported far more than was asked, so `usage` is the most that was allowed."""

    id: UUID
    at: datetime
    spender: Spender
    call: Call
    message_id: UUID | None
    usage: Usage
    cost_chf: Decimal
    assumed: bool
    outcome: Outcome
    duration_ms: int
    implausible: bool = False


@dataclass(frozen=True)
class CostFilter:
    """Only what is given narrows; `until` is not included."""

    instance_id: UUID | None = None
    conversation_id: UUID | None = None
    run_id: UUID | None = None
    user_id: UUID | None = None
    purpose: Purpose | None = None
    model: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class GroupBy(StrEnum):
    DAY = "day"
    PURPOSE = "purpose"
    MODEL = "model"
    USER = "user"
    WORKFLOW = "workflow"


@dataclass(frozen=True)
class CostLine:
    """A line of the ledger with the name of who spent it, unless they are gone."""

    billed: BillingTransaction
    user_name: str | None


@dataclass(frozen=True)
class CostSum:
    """`key` is what the lines have in common: a day, a purpose, a model, an id; `label` a name for it, if it has one."""

    key: str | None
    label: str | None
    calls: int
    usage: Usage
    cost_chf: Decimal
    assumed: bool
