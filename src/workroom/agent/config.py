"""How an agent works: shipped values, changed per workspace, narrowed per request."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from workroom.agent.ports import MOST_ROUNDS, AgentSpec
from workroom.agent.tool_sets import TOOL_SETS
from workroom.core.errors import Forbidden
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.models.types import Operation


def _known(name: str) -> str:
    if name not in TOOL_SETS:
        raise ValueError(f"there are these tool sets: {', '.join(sorted(TOOL_SETS))}")
    return name


Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
Chatting = Literal[Operation.AGENT, Operation.DATA_ANALYSE, Operation.VISION]
ToolSetName = Annotated[str, Field(max_length=60), AfterValidator(_known)]
Cost = Annotated[CHF, Field(ge=0, le=10_000, decimal_places=4)]


class AgentConfig(Wire):
    """`maxCostCHF` is for a whole conversation; budgets hold besides. `entityCacheEnabled`: facts in results of tools are
    remembered, by rules; `entityCacheByModel`: the cheap model is asked for them as well. `defaultAgentId`: whom conversations
    begin with; the shipped assistant by default. `confirmUntrustedWrites`: an answer that has read what others wrote asks
    before it writes what other people can read, or replaces or moves something."""

    max_rounds: Rounds = 25
    max_cost_chf: Cost | None = None
    entity_cache_enabled: bool = False
    entity_cache_by_model: bool = False
    tool_set: ToolSetName = "core"
    operation_type: Chatting = Operation.AGENT
    default_agent_id: UUID | None = None
    confirm_untrusted_writes: bool = True


class AgentWishes(Wire):
    """What one request wants otherwise."""

    max_rounds: Rounds | None = None
    max_cost_chf: Cost | None = None
    entity_cache_enabled: bool | None = None
    entity_cache_by_model: bool | None = None
    tool_set: ToolSetName | None = None
    operation_type: Chatting | None = None


def wished(config: AgentConfig, wishes: AgentWishes, *, may_exceed: bool) -> AgentConfig:
    """What is asked for, as far as it is less than the workspace has; more only for those who may change the workspace."""
    said = {name: value for name in AgentWishes.model_fields if (value := getattr(wishes, name)) is not None}
    requested = config.model_copy(update=said)
    if not may_exceed:
        _require_less(config, requested)
    return requested


def applied(spec: AgentSpec, config: AgentConfig) -> AgentSpec:
    """Of two caps on money the lower one holds."""
    return replace(
        spec,
        tool_sets=frozenset({config.tool_set}),
        max_rounds=config.max_rounds,
        max_cost_chf=min((cost for cost in (spec.max_cost_chf, config.max_cost_chf) if cost is not None), default=None),
        operation=config.operation_type,
        remembers=config.entity_cache_enabled,
        asks_for_entities=config.entity_cache_enabled and config.entity_cache_by_model,
        confirm_untrusted_writes=config.confirm_untrusted_writes,
    )


def _require_less(config: AgentConfig, requested: AgentConfig) -> None:
    over = {
        "maxRounds": requested.max_rounds > config.max_rounds,
        "maxCostCHF": config.max_cost_chf is not None
        and (requested.max_cost_chf is None or requested.max_cost_chf > config.max_cost_chf),
        "entityCacheEnabled": requested.entity_cache_enabled and not config.entity_cache_enabled,
        "entityCacheByModel": requested.entity_cache_by_model and not config.entity_cache_by_model,
        "toolSet": requested.tool_set not in (config.tool_set, "core"),
        "operationType": requested.operation_type not in (config.operation_type, Operation.DATA_ANALYSE),
    }
    if exceeded := [name for name, is_over in over.items() if is_over]:
        raise Forbidden(
            f"This workspace does not allow that much: {', '.join(exceeded)}. Ask for less, or ask an administrator.",
            code="beyondWorkspace",
            fields=exceeded,
        )
