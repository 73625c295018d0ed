"""Traces: what a run did, round by round, as people and programs read it afterwards. Names as the specification has them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from workroom.core.money import CHF
from workroom.core.run_events import RunState
from workroom.core.wire import Wire


class ToolCallLog(Wire):
    """`success` is null while the call is not finished. Secrets in `args` are hidden, long texts are cut. `asText`: the model
    wrote the call as text, and it was read out of its answer."""

    call_id: UUID
    tool_name: str
    args: dict[str, Any]
    success: bool | None
    duration_ms: int | None
    error: str | None
    as_text: bool = False


class ModelCallLog(Wire):
    """One call of a model, whatever came of it: `answered`, `failed` or `lost` with the process that made it. `implausible`:
    the provider reported far more than was asked; billed is the most that was allowed. `sections`: what the prompt was made of,
    in tokens as estimated before it was sent (`instructions`, `tools`, `workspace`, `facts`, `materials`, `results`,
    `conversation`)."""

    purpose: str
    attempt: int | None
    provider: str
    ai_model: str
    outcome: str
    started_at: datetime
    duration_ms: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    sections: dict[str, int]
    cost_chf: CHF = Field(alias="costCHF")
    assumed: bool
    implausible: bool


class AgentRoundLog(Wire):
    """`aiModel` is the one that answered, or else the last that was asked. Tokens, cost and time are those of all attempts:
    a call that failed was paid as well. The time of tools is theirs."""

    round_number: int
    ai_model: str
    input_tokens: int
    output_tokens: int
    cost_chf: CHF = Field(alias="costCHF")
    duration_ms: int
    attempts: list[ModelCallLog]
    tool_calls: list[ToolCallLog]


class AgentTrace(Wire):
    """`otherCalls` are models asked beside the rounds, such as for a summary; `totalCostCHF` includes them."""

    run_id: UUID
    workflow_id: UUID
    user_id: UUID
    feature_instance_id: UUID
    started_at: datetime
    completed_at: datetime | None
    status: RunState
    total_rounds: int
    total_tool_calls: int
    total_cost_chf: CHF = Field(alias="totalCostCHF")
    cost_assumed: bool
    abort_reason: str | None
    rounds: list[AgentRoundLog]
    other_calls: list[ModelCallLog]
