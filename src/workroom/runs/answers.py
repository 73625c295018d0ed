"""What was said and called in answer to a question: for software that wants an answer whole and does not read events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import Field

from workroom.agents.shipped import shipped
from workroom.conversations.service import Conversations
from workroom.core.actions import UiAction
from workroom.core.messages import Message, Role
from workroom.core.pauses import Pause
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.wire import Wire
from workroom.db import Database
from workroom.identity.types import Principal
from workroom.runs import call_store
from workroom.runs.service import Accepted, Runs
from workroom.runs.types import Run


class AnswerCall(Wire):
    """A call of a tool. Without `status` it has no result: it waits for the client, or was only requested."""

    id: UUID
    name: str
    arguments: dict[str, Any]
    status: ResultStatus | None = None
    message: str = ""
    data: dict[str, Any] = Field(default_factory=dict)
    actions: list[UiAction] = Field(default_factory=list)


@dataclass(frozen=True)
class RunAnswer:
    """`agent`: the slug of the shipped agent that answers next."""

    text: str
    calls: tuple[AnswerCall, ...]
    agent: str | None


class RunAnswers:
    def __init__(self, db: Database, runs: Runs, conversations: Conversations) -> None:
        self._db = db
        self._runs = runs
        self._conversations = conversations

    async def newest_run(self, principal: Principal, instance_id: UUID, asked: Accepted) -> Run:
        """The one that answers the question by now: another agent may have taken over."""
        return (await self._answering(principal, instance_id, asked))[-1]

    async def of(self, principal: Principal, instance_id: UUID, asked: Accepted, waiting: Pause | None) -> RunAnswer:
        """A question to the client comes last."""
        conversation = await self._conversations.get(principal, instance_id, asked.conversation_id)
        branch = await self._conversations.messages(principal, instance_id, asked.conversation_id)
        runs = await self._answering(principal, instance_id, asked)
        own = {run.id for run in runs}
        said = [stored.message for stored in branch if stored.run_id in own]
        texts = [message.text.strip() for message in said if message.role is Role.ASSISTANT]
        calls = _calls(said, await self._results(principal, said))
        slug = next((one.slug for one in shipped().values() if one.id == conversation.active_agent_id), None)
        last = [waiting.text if waiting else "", runs[-1].error or ""]
        return RunAnswer("\n\n".join(filter(None, [*texts, *last])), calls, slug)

    async def _answering(self, principal: Principal, instance_id: UUID, asked: Accepted) -> list[Run]:
        """The person's own runs for this question, in the order in which agents took over; calls of others may be for those
        alone."""
        runs = await self._runs.of_conversation(principal, instance_id, asked.conversation_id)
        own = [run for run in runs if run.message_id == asked.message_id and run.user_id == principal.user_id]
        return sorted(own, key=lambda run: (run.switch_seq, run.created_at, run.id))

    async def _results(self, principal: Principal, messages: Sequence[Message]) -> Mapping[UUID, ToolResult]:
        async with self._db.unit_of_work(principal.actor) as uow:
            known = await call_store.of_messages(uow, principal.mandate_id, [message.id for message in messages])
        return {id: call.result for id, call in known.items() if call.result is not None}


def _calls(messages: Sequence[Message], results: Mapping[UUID, ToolResult]) -> tuple[AnswerCall, ...]:
    """In the order in which they were asked for."""
    calls: list[AnswerCall] = []
    for part in (part for message in messages for part in message.calls):
        asked = AnswerCall(id=part.call_id, name=part.tool, arguments=part.arguments)
        if (result := results.get(part.call_id)) is not None:
            came = {"status": result.status, "message": result.message, "data": result.data, "actions": result.actions}
            asked = asked.model_copy(update=came)
        calls.append(asked)
    return tuple(calls)
