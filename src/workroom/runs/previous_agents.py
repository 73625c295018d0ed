"""The agents that answered in a conversation before this one: which messages are theirs, and whether this is the first answer
since a switch.

That follows from the entries of the conversation's history of switches, not from comparing the agents: an entry counts as
answered in a branch when the branch has an answer in words by a run that knew of it. So a crash before the answer resets again,
one after it does not, and a branch that never saw the new agent's first answer gets one of its own. When the last words in the
branch are this agent's own, as after switching away and back with nothing said between, no agent has to be ended, and there is
no reset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.agent.ports import PastConversation
from workroom.agents.shipped import ASSISTANT_ID, shipped
from workroom.conversations.types import StoredMessage
from workroom.core.messages import Message, Role
from workroom.db import UnitOfWork
from workroom.runs import store
from workroom.runs.types import Claim, Speaker


async def past_of(
    uow: UnitOfWork, claim: Claim, stored: Sequence[StoredMessage], messages: Sequence[Message]
) -> PastConversation | None:
    """`messages` are those of the branch, with the results of tools between them."""
    if not claim.switch_seq:
        return None
    runs = {item.message.id: item.run_id for item in stored if item.run_id is not None}
    known = await store.speakers(uow, claim.key.mandate_id, sorted(set(runs.values())))
    said_by = {message_id: known[run_id] for message_id, run_id in runs.items() if run_id in known}
    return find_past(messages, said_by, claim.agent.id or ASSISTANT_ID, claim.switch_seq, claim.agent.language)


def find_past(
    messages: Sequence[Message], said_by: Mapping[UUID, Speaker], me: UUID, switches: int, language: str
) -> PastConversation | None:
    def is_mine(speaker: Speaker) -> bool:
        return (speaker.agent_id or ASSISTANT_ID) == me

    foreign = [place for place, m in enumerate(messages) if m.id in said_by and not is_mine(said_by[m.id])]
    if not foreign:
        return None
    names = {
        message_id: speaker.name or shipped(language)[ASSISTANT_ID].name for message_id, speaker in said_by.items()
    }
    answers = [m for m in messages if m.role is Role.ASSISTANT and m.id in said_by]
    answered = max((said_by[m.id].switch_seq for m in answers if m.text.strip()), default=0)
    last = next(m for m in reversed(answers) if m.text.strip() or not is_mine(said_by[m.id]))
    ended = None if answered >= switches or is_mine(said_by[last.id]) else names[last.id]
    return PastConversation(foreign[-1] + 1, names, ended)
