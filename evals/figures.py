"""What it cost to answer: tokens and money of all model calls, failed ones included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal

from workroom.core.run_events import RunState
from workroom.core.traces import AgentTrace, ModelCallLog


@dataclass(frozen=True)
class Figures:
    rounds: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: Decimal = Decimal(0)

    @classmethod
    def of(cls, traces: Sequence[AgentTrace], seconds: float) -> Figures:
        calls = model_calls(traces)
        return cls(
            rounds=sum(trace.total_rounds for trace in traces),
            model_calls=len(calls),
            input_tokens=sum(call.input_tokens for call in calls),
            output_tokens=sum(call.output_tokens for call in calls),
            seconds=seconds,
            cost=sum((trace.total_cost_chf for trace in traces), Decimal(0)),
        )

    @classmethod
    def total(cls, figures: Iterable[Figures]) -> Figures:
        return sum(figures, cls())

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))

    def __sub__(self, other: Figures) -> Figures:
        return Figures(*(getattr(self, item.name) - getattr(other, item.name) for item in fields(self)))


NO_FIGURES = Figures()


def model_calls(traces: Sequence[AgentTrace]) -> list[ModelCallLog]:
    return [
        call
        for trace in traces
        for call in (*(attempt for entry in trace.rounds for attempt in entry.attempts), *trace.other_calls)
    ]


def is_unanswered(traces: Sequence[AgentTrace]) -> bool:
    """No call of the model succeeded, so the address, the key or the name is probably wrong; a model that is merely too slow has
    not failed in this sense."""
    failed = any(trace.status is RunState.ERROR for trace in traces)
    return failed and not any(call.outcome == "answered" for call in model_calls(traces))
