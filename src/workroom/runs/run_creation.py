"""Creates runs: chooses the agent, bounds it to what the workspace allows, pins it, and queues the run. What is changed later
does not change an answer under way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from workroom.agent.config import AgentConfig, AgentWishes, applied
from workroom.agent.ports import MOST_ROUNDS, AgentSpec, Colleague
from workroom.agents import service as agents
from workroom.agents.errors import AgentGone
from workroom.agents.shipped import ASSISTANT_ID
from workroom.agents.types import AgentDefinition, spec
from workroom.conversations import switch_store
from workroom.conversations.access import announce_to_readers
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.run_events import RunState
from workroom.db import UnitOfWork
from workroom.identity.instances import require_instance
from workroom.identity.types import Principal
from workroom.models.ports import Forcing
from workroom.runs import configs, store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.types import Run, RunKey

MOST_HANDOFFS = 3  # per question
NO_WISHES = AgentWishes()


@dataclass(frozen=True)
class AnswerOptions:
    """Options of one answer, beside its agent. `forcing`: instead of the agent's. `handed`: the agents that have handed the
    question over so far."""

    language: str = "en"
    model: str | None = None
    wishes: AgentWishes = NO_WISHES
    handed: tuple[UUID, ...] = ()
    forcing: Forcing | None = None
    return_tool_requests: bool = False


@dataclass(frozen=True)
class RunTarget:
    """The conversation and the question a run answers; `after`: the message its answer follows, if not the question itself."""

    conversation_id: UUID
    instance_id: UUID
    message_id: UUID
    after: UUID | None = None


async def first_agent(uow: UnitOfWork, principal: Principal, instance_id: UUID, wanted: UUID | None) -> UUID:
    """The agent a conversation begins with: the one that is wanted, else the default of the workspace as long as it exists."""
    if wanted is not None:
        return (await agents.chosen(uow, principal, instance_id, wanted)).id
    config = await configs.of_instance(uow, principal, await require_instance(uow, principal, instance_id))
    if config.default_agent_id is None:
        return ASSISTANT_ID
    try:
        return (await agents.chosen(uow, principal, instance_id, config.default_agent_id)).id
    except (NotFound, AgentGone):
        return ASSISTANT_ID


async def agent_for(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    agent_id: UUID | None,
    options: AnswerOptions,
    assistant: AgentSpec | None = None,
) -> AgentSpec:
    """The agent as it is pinned to a run. AgentGone when the person may not use it any more. `assistant` stands in for the
    shipped one."""
    agent_id = agent_id or ASSISTANT_ID
    config = await configs.for_request(uow, principal, instance_id, options.wishes)
    try:
        definition = await agents.chosen(uow, principal, instance_id, agent_id, options.language)
    except NotFound:
        raise AgentGone(agent_id) from None
    own = spec(definition, options.language)
    if assistant is not None and agent_id == ASSISTANT_ID:
        own = replace(assistant, id=own.id, name=own.name, language=options.language)
    colleagues = await _colleagues(uow, principal, instance_id, definition, options)
    bounded = _bounded(own, definition, config, options.wishes)
    return replace(
        bounded,
        model=options.model,
        colleagues=colleagues,
        handed=options.handed,
        forcing=options.forcing or bounded.forcing,
        return_tool_requests=options.return_tool_requests,
    )


def _bounded(own: AgentSpec, definition: AgentDefinition, config: AgentConfig, wishes: AgentWishes) -> AgentSpec:
    """The workspace says how far an agent may go; within that, the agent says what it uses."""
    bounded = applied(own, config)
    picks = bool(definition.tool_sets or definition.tool_names)
    return replace(
        bounded,
        tool_sets=own.tool_sets if picks else bounded.tool_sets,
        within=frozenset({config.tool_set}) if picks else frozenset(),
        max_rounds=min(config.max_rounds, definition.max_rounds or MOST_ROUNDS),
        operation=wishes.operation_type or definition.operation or config.operation_type,
    )


def as_before(agent: AgentSpec, before: AgentSpec) -> AgentSpec:
    """With the limits of the earlier answer, if they were tighter."""
    return replace(
        agent,
        max_rounds=min(agent.max_rounds, before.max_rounds),
        max_cost_chf=before.max_cost_chf if before.max_cost_chf is not None else agent.max_cost_chf,
        remembers=agent.remembers and before.remembers,
        asks_for_entities=agent.asks_for_entities and before.asks_for_entities,
    )


async def queue_run(
    uow: UnitOfWork, principal: Principal, target: RunTarget, agent: AgentSpec, created_at: datetime | None = None
) -> UUID:
    """Store the run and wake a worker. Questions are answered in the order of `created_at`, by default now."""
    assert principal.user_id is not None
    key = RunKey(principal.mandate_id, new_id())
    run = Run(
        key.run_id,
        target.conversation_id,
        target.instance_id,
        principal.user_id,
        target.message_id,
        RunState.QUEUED,
        created_at or now(),
        switch_seq=await switch_store.last_seq(uow, principal.mandate_id, target.conversation_id),
    )
    await store.insert(uow, key, run, agent, target.after)
    await uow.wake(RUN_JOB)
    await uow.announce(
        Change(mandate_id=principal.mandate_id, kind=ChangeKind.RUN, id=key.run_id, owner_id=principal.user_id)
    )
    await announce_to_readers(uow, principal.mandate_id, target.conversation_id)
    return key.run_id


async def _colleagues(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, definition: AgentDefinition, options: AnswerOptions
) -> tuple[Colleague, ...]:
    """The agents it may hand this question to: none that handed it over already, and none after some handoffs."""
    if not definition.hands_to or len(options.handed) >= MOST_HANDOFFS:
        return ()
    known = await agents.usable(uow, principal, instance_id, options.language)
    away = {*options.handed, definition.id}
    colleagues: list[Colleague] = []
    for agent in [known[agent_id] for agent_id in definition.hands_to if agent_id in known and agent_id not in away]:
        same = sum(other.key == agent.slug or other.key.startswith(f"{agent.slug}-") for other in colleagues)
        key = f"{agent.slug}-{same + 1}" if same else agent.slug
        colleagues.append(Colleague(agent.id, key, agent.name, agent.description))
    return tuple(colleagues)
