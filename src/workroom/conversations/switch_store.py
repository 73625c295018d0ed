"""All SQL of switches between agents: the history by which one is noticed, and who shall answer from here on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.conversations.types import AgentSwitch
from workroom.db import UnitOfWork

COLUMNS = """
seq, kind, from_agent_id, from_name, to_agent_id, to_name, reason, by_user_id, at, after_message_id, answered_by"""


async def add(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, switch: AgentSwitch) -> None:
    """The entry, and who is active from here on. The caller holds the conversation's lock."""
    await uow.execute(
        "with added as ("
        " insert into agent_switches (mandate_id, conversation_id, seq, kind, from_agent_id, from_name, to_agent_id, to_name,"
        " reason, by_user_id, at, after_message_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
        ") update conversations set active_agent_id = $7 where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
        switch.seq,
        switch.kind,
        switch.from_agent_id,
        switch.from_name,
        switch.to_agent_id,
        switch.to_name,
        switch.reason,
        switch.by_user_id,
        switch.at,
        switch.after_message_id,
    )


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> Sequence[AgentSwitch]:
    """Oldest first."""
    rows = await uow.fetch(
        f"select {COLUMNS} from agent_switches where mandate_id = $1 and conversation_id = $2 order by seq",
        mandate_id,
        conversation_id,
    )
    return [_switch(row) for row in rows]


async def last_seq(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> int:
    """The number of the newest entry; 0 without a switch."""
    found: int = await uow.fetchval(
        "select coalesce(max(seq), 0) from agent_switches where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
    )
    return found


async def answer(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, seq: int, message_id: UUID
) -> Sequence[AgentSwitch]:
    """This is the first answer made with the entries up to that number; those that had none yet."""
    rows = await uow.fetch(
        "update agent_switches set answered_by = $4 where mandate_id = $1 and conversation_id = $2 and seq <= $3"
        f" and answered_by is null returning {COLUMNS}",
        mandate_id,
        conversation_id,
        seq,
        message_id,
        writes=True,
    )
    return sorted((_switch(row) for row in rows), key=lambda switch: switch.seq)


def _switch(row: Any) -> AgentSwitch:
    return AgentSwitch(**dict(row))
