"""Loads where a run stands from what is stored: every session of a run begins with it."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.pause_answers import holds_for_run
from workroom.agent.ports import OpenCall, Progress
from workroom.agent.tool_step import results_message
from workroom.conversations import store as conversations
from workroom.conversations import summary_store
from workroom.conversations.types import StoredMessage
from workroom.core.messages import Message, ResultPart, TextPart
from workroom.db import UnitOfWork
from workroom.runs import call_store, store
from workroom.runs.previous_agents import past_of
from workroom.runs.reader_redaction import redacted_message, redacted_result
from workroom.runs.types import Claim


async def load_progress(uow: UnitOfWork, claim: Claim) -> Progress:
    """The branch the run belongs to, with the results of its calls; the calls of the newest message that have none are
    open. What is open in earlier messages stays so: they were stopped, and are not carried out any more."""
    stored = await conversations.branch(uow, claim.key.mandate_id, claim.last_message_id)
    since = await conversations.audience_since(uow, claim.key.mandate_id, claim.conversation_id)
    calls = await call_store.of_messages(uow, claim.key.mandate_id, [item.message.id for item in stored])
    asked_by = await store.asked_by(uow, claim.key.mandate_id, [item.run_id for item in stored if item.run_id])
    summaries = await summary_store.of_conversation(uow, claim.key.mandate_id, claim.conversation_id, claim.user_id)
    read = {call_id for call_id, known in calls.items() if known.read_for_facts}
    progress = Progress(
        [], audience_since=since, rounds=claim.rounds, ending=claim.ending, summaries=summaries, read_for_facts=read
    )
    for item in stored:
        if item.message.id == claim.message_id:
            progress.begins = len(progress.messages)
        # What was read for one person alone, before others joined, is not read to them now: the tool can be called again.
        reader = claim.user_id if since is None or item.created_at >= since else None
        theirs = item.run_id is not None and asked_by.get(item.run_id) != reader
        progress.others_wrote |= item.author_id not in (None, claim.user_id)
        message = _with_author(redacted_message(item.message) if theirs else item.message, item, claim)
        progress.messages.append(_for_reader(message, reader))
        results = [
            ResultPart(
                call_id=part.call_id, tool=part.tool, result=redacted_result(known.result, known.user_id, reader)
            )
            for part in item.message.calls
            if (known := calls.get(part.call_id)) is not None and known.result is not None
        ]
        if results:
            progress.messages.append(results_message(item.message, results))
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


def _for_reader(message: Message, reader: UUID | None) -> Message:
    """Without what was read for another person: each question in a shared conversation is answered with the rights of who
    asks."""
    return message.as_last_read(lambda part: part.read_for == reader).for_reader(reader)


def _with_author(message: Message, stored: StoredMessage, claim: Claim) -> Message:
    """With the author's name, where that is not the person the model answers."""
    if stored.author_name is None or stored.author_id == claim.user_id:
        return message
    author = TextPart(text=f"[{stored.author_name} wrote:]\n")
    return message.model_copy(update={"parts": [author, *message.parts]})


def _belongs(message: Message, claim: Claim) -> bool:
    """Whether this run wrote it: only its own calls are carried out."""
    return message.id != claim.message_id
