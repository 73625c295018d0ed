"""Switches the agent of a conversation: chosen by a person, undone, or handed over by an agent. Every switch is an entry of the
conversation's history, from which the next run learns that its agent is new (`previous_agents.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from workroom.agents import service as agents
from workroom.agents import store as agents_store
from workroom.agents.shipped import ASSISTANT_ID, shipped
from workroom.agents.types import AgentDefinition
from workroom.conversations import access, switch_store
from workroom.conversations import store as conversations_store
from workroom.conversations.types import AgentSwitch, Conversation, SwitchKind
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.names import clean_text
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal
from workroom.runs import store

LONGEST_REASON = 500


class TakesEffect(StrEnum):
    NOW = "now"
    NEXT_ANSWER = "nextAnswer"  # one is under way, or waits for a person; its agent finishes it


@dataclass(frozen=True)
class Switched:
    conversation: Conversation
    takes_effect: TakesEffect
    history: Sequence[AgentSwitch]


class Switching:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def history(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Sequence[AgentSwitch]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.READ, instance_id, conversation_id)
            return await switch_store.of_conversation(uow, principal.mandate_id, conversation_id)

    async def switch(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, agent_id: UUID, reason: str = ""
    ) -> Switched:
        """To the agent that is active already: changes nothing."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
            await switch(uow, principal, instance_id, conversation_id, agent_id, SwitchKind.USER, reason)
            return await self._switched(uow, principal, conversation_id)

    async def undo(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Switched:
        """Back to the agent before the last switch; that is an entry too."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
            history = await switch_store.of_conversation(uow, principal.mandate_id, conversation_id)
            if not history:
                raise Conflict("Nobody has switched here yet, so there is nothing to take back.")
            before = history[-1].from_agent_id
            await switch(uow, principal, instance_id, conversation_id, before, SwitchKind.UNDO)
            return await self._switched(uow, principal, conversation_id)

    async def _switched(self, uow: UnitOfWork, principal: Principal, conversation_id: UUID) -> Switched:
        conversation = await conversations_store.get(uow, principal.mandate_id, conversation_id)
        assert conversation is not None
        history = await switch_store.of_conversation(uow, principal.mandate_id, conversation_id)
        runs = await store.of_conversation(uow, principal.mandate_id, conversation_id)
        busy = any(not run.state.is_over for run in runs)
        return Switched(conversation, TakesEffect.NEXT_ANSWER if busy else TakesEffect.NOW, history)


async def switch(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    conversation_id: UUID,
    agent_id: UUID,
    kind: SwitchKind,
    reason: str = "",
) -> AgentDefinition:
    """Under the conversation's lock. NotFound and AgentGone say why the agent cannot be chosen."""
    chosen = await agents.chosen(uow, principal, instance_id, agent_id)
    conversation = await conversations_store.get(uow, principal.mandate_id, conversation_id)
    assert conversation is not None
    before = conversation.active_agent_id or ASSISTANT_ID
    if before == agent_id:
        return chosen
    if conversation.owner_id != principal.user_id and not chosen.builtin and chosen.visibility is Visibility.MY:
        raise InvalidInput(
            "Only you can use this agent, and others talk in this conversation. Share it with the workspace first.",
            field="agentId",
        )
    entry = AgentSwitch(
        seq=await switch_store.last_seq(uow, principal.mandate_id, conversation_id) + 1,
        kind=kind,
        from_agent_id=before,
        from_name=await _name(uow, principal.mandate_id, before),
        to_agent_id=chosen.id,
        to_name=chosen.name,
        reason=clean_text(reason, "reason", LONGEST_REASON),
        by_user_id=principal.user_id,
        at=now(),
        after_message_id=conversation.leaf_id,
    )
    await switch_store.add(uow, principal.mandate_id, conversation_id, entry)
    await audit.record(
        uow,
        principal,
        "agentSwitched",
        ChangeKind.CONVERSATION,
        conversation_id,
        owner_id=conversation.owner_id,
        details={"kind": kind} | ({} if chosen.visibility is Visibility.MY else {"agent": chosen.name}),
    )
    return chosen


async def _name(uow: UnitOfWork, mandate_id: UUID, agent_id: UUID) -> str:
    """Of an agent that may have been deleted since."""
    if (ours := shipped().get(agent_id)) is not None:
        return ours.name
    agent = await agents_store.get(uow, mandate_id, agent_id)
    return agent.name if agent else ""
