"""How a run begins: with which agent, as far as the workspace allows, and pinned. What is changed later does not change an
answer under way."""

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
from workroom.runs import configs, store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.types import Run, RunKey

MOST_HANDOFFS = 3  # per question
NO_WISHES = AgentWishes()


@dataclass(frozen=True)
class Wanted:
    """What one answer shall be made with, beside its agent. `handed`: who has handed the question over so far."""

    language: str = "en"
    model: str | None = None
    wishes: AgentWishes = NO_WISHES
    handed: tuple[UUID, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where an answer belongs: in which conversation, to which question, and behind which message if not behind that."""

    conversation_id: UUID
    instance_id: UUID
    message_id: UUID
    after: UUID | None = None


async def first_agent(uow: UnitOfWork, who: Principal, instance_id: UUID, wanted: UUID | None) -> UUID:
    """Whom a conversation begins with: whoever is wanted, else the workspace's choice as long as it is there."""
    if wanted is not None:
        return (await agents.chosen(uow, who, instance_id, wanted)).id
    config = await configs.of_instance(uow, who, await require_instance(uow, who, instance_id))
    if config.default_agent_id is None:
        return ASSISTANT_ID
    try:
        return (await agents.chosen(uow, who, instance_id, config.default_agent_id)).id
    except (NotFound, AgentGone):
        return ASSISTANT_ID


async def agent_for(
    uow: UnitOfWork,
    who: Principal,
    instance_id: UUID,
    agent_id: UUID | None,
    wanted: Wanted,
    assistant: AgentSpec | None = None,
) -> AgentSpec:
    """AgentGone when the one who shall answer is not this person's to use any more. `assistant` stands in for the shipped
    one."""
    agent_id = agent_id or ASSISTANT_ID
    config = await configs.for_request(uow, who, instance_id, wanted.wishes)
    try:
        definition = await agents.chosen(uow, who, instance_id, agent_id, wanted.language)
    except NotFound:
        raise AgentGone(agent_id) from None
    own = spec(definition, wanted.language)
    if assistant is not None and agent_id == ASSISTANT_ID:
        own = replace(assistant, id=own.id, name=own.name, language=wanted.language)
    colleagues = await _colleagues(uow, who, instance_id, definition, wanted)
    bounded = _bounded(own, definition, config, wanted.wishes)
    return replace(bounded, model=wanted.model, colleagues=colleagues, handed=wanted.handed)


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
    """What was asked for then holds for the new answer too."""
    return replace(
        agent,
        max_rounds=min(agent.max_rounds, before.max_rounds),
        max_cost_chf=before.max_cost_chf if before.max_cost_chf is not None else agent.max_cost_chf,
        remembers=agent.remembers and before.remembers,
        asks_for_entities=agent.asks_for_entities and before.asks_for_entities,
    )


async def queue(
    uow: UnitOfWork, who: Principal, place: Place, agent: AgentSpec, created_at: datetime | None = None
) -> UUID:
    """The run, and the bell. Whoever was asked first is answered first: `created_at` keeps a place in that order."""
    assert who.user_id is not None
    key = RunKey(who.mandate_id, new_id())
    run = Run(
        key.run_id,
        place.conversation_id,
        place.instance_id,
        who.user_id,
        place.message_id,
        RunState.QUEUED,
        created_at or now(),
        switch_seq=await switch_store.last_seq(uow, who.mandate_id, place.conversation_id),
    )
    await store.insert(uow, key, run, agent, place.after)
    await uow.wake(RUN_JOB)
    await uow.announce(Change(mandate_id=who.mandate_id, kind=ChangeKind.RUN, id=key.run_id, owner_id=who.user_id))
    await announce_to_readers(uow, who.mandate_id, place.conversation_id)
    return key.run_id


async def _colleagues(
    uow: UnitOfWork, who: Principal, instance_id: UUID, definition: AgentDefinition, wanted: Wanted
) -> tuple[Colleague, ...]:
    """Those it may hand this question to: never somebody who handed it over already, and not for ever."""
    if not definition.hands_to or len(wanted.handed) >= MOST_HANDOFFS:
        return ()
    known = await agents.usable(uow, who, instance_id, wanted.language)
    away = {*wanted.handed, definition.id}
    found = [known[one] for one in definition.hands_to if one in known and one not in away]
    named: list[Colleague] = []
    for one in found:
        twice = sum(other.key == one.slug or other.key.startswith(f"{one.slug}-") for other in named)
        key = f"{one.slug}-{twice + 1}" if twice else one.slug
        named.append(Colleague(one.id, key, one.name, one.description))
    return tuple(named)
