"""Where a run stands, read from what is stored: starting, going on after a crash and after a pause begin here."""

from __future__ import annotations

from workroom.agent.acting import results_message
from workroom.agent.answers import holds_for_run
from workroom.agent.ports import OpenCall, Progress
from workroom.conversations import store as conversations
from workroom.conversations import summary_store
from workroom.core.messages import Message, ResultPart
from workroom.db import UnitOfWork
from workroom.runs import call_store
from workroom.runs.others import seen, without_words
from workroom.runs.past import past_of
from workroom.runs.types import Claim


async def load(uow: UnitOfWork, claim: Claim) -> Progress:
    """The branch the run belongs to, with the results of its calls; the calls of the newest message that have none are
    open. What is open in earlier messages stays so: they were stopped, and nobody will carry them out."""
    stored = await conversations.branch(uow, claim.key.mandate_id, claim.last_message_id)
    calls = await call_store.of_messages(uow, claim.key.mandate_id, [item.message.id for item in stored])
    summaries = await summary_store.of_conversation(uow, claim.key.mandate_id, claim.conversation_id, claim.user_id)
    read = {call_id for call_id, known in calls.items() if known.read_for_facts}
    progress = Progress([], rounds=claim.rounds, ending=claim.ending, summaries=summaries, read_for_facts=read)
    for item in stored:
        if item.message.id == claim.message_id:
            progress.begins = len(progress.messages)
        theirs = any(
            known.user_id != claim.user_id for part in item.message.calls if (known := calls.get(part.call_id))
        )
        progress.messages.append(_readable(without_words(item.message) if theirs else item.message, claim))
        done = [
            ResultPart(call_id=part.call_id, tool=part.tool, result=seen(known.result, known.user_id, claim.user_id))
            for part in item.message.calls
            if (known := calls.get(part.call_id)) is not None and known.result is not None
        ]
        if done:
            progress.messages.append(results_message(item.message, done))
        progress.allowed_tools |= {
            part.tool
            for part in item.message.calls
            if (known := calls.get(part.call_id)) is not None
            and known.run_id == claim.key.run_id
            and holds_for_run(known.pause, known.answer)
        }
    progress.past = await past_of(uow, claim, stored, progress.messages)
    last = stored[-1].message
    progress.open_calls = [
        OpenCall(part, known.state, known.pause, known.answer)
        for part in (last.calls if _belongs(last, claim) else [])
        if (known := calls.get(part.call_id)) is not None and known.state is not None
    ]
    return progress


def _readable(message: Message, claim: Claim) -> Message:
    """Without what was read for somebody else: who answers a colleague's conversation has their own rights."""
    return message.as_last_read(lambda part: part.read_for == claim.user_id)


def _belongs(message: Message, claim: Claim) -> bool:
    """Only what this run has asked for is its to carry out."""
    return message.id != claim.message_id
