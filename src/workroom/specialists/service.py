"""Asks a specialist and gathers its answer: for software that shows the conversation itself. What is asked becomes a conversation
of the workspace, about the company, with a run like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.agent.config import AgentWishes
from workroom.agents.shipped import shipped, shipped_id
from workroom.companies.conversations import assign, of_conversation
from workroom.companies.service import COMPANIES
from workroom.conversations import store as conversations_store
from workroom.conversations.service import Conversations
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.core.pauses import Pause
from workroom.core.results import ToolResult
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.runs import call_store
from workroom.runs.service import Accepted, Input, Runs
from workroom.runs.types import Run
from workroom.specialists.types import PastMessage, SpecialistAnswer, SpecialistCall, SpecialistRequest

TEAM = "specialists"
SPECIALISTS = tuple(sorted(agent.slug for agent in shipped().values() if agent.team == TEAM))


class SpecialistChats:
    def __init__(self, db: Database, runs: Runs, conversations: Conversations) -> None:
        self._db = db
        self._runs = runs
        self._conversations = conversations

    async def ask(self, principal: Principal, instance_id: UUID, request: SpecialistRequest) -> Accepted:
        """Without a conversation a new one begins, with the history in it. The same `client_id` twice is one question."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            company = await COMPANIES.checked(uow, principal, Action.READ, instance_id, request.company_id)
            if request.conversation_id is not None:
                about = await of_conversation(uow, principal, instance_id, request.conversation_id)
                if about is None or about.id != company.id:
                    raise NotFound("There is no such conversation about this company, or it is not yours to see.")

        async def begin(uow: UnitOfWork, conversation_id: UUID) -> None:
            await assign(uow, principal, instance_id, conversation_id, company.id)
            await _remember(uow, principal, conversation_id, request.history)

        given = Input(
            request.prompt,
            request.conversation_id,
            request.client_id,
            language=request.language,
            wishes=AgentWishes(max_rounds=request.max_turns),
            agent_id=shipped_id(request.specialist),
            forcing=request.forcing,
            return_tool_requests=request.return_tool_requests,
            begin=begin,
        )
        return await self._runs.input(principal, instance_id, given)

    async def newest_run(self, principal: Principal, instance_id: UUID, asked: Accepted) -> Run:
        """The one that answers the question by now: another agent may have taken over."""
        return (await self._answering(principal, instance_id, asked))[-1]

    async def answer(
        self, principal: Principal, instance_id: UUID, asked: Accepted, specialist: str, waiting: Pause | None
    ) -> SpecialistAnswer:
        """What was said and called in answer to the question; a question to the client comes last."""
        conversation = await self._conversations.get(principal, instance_id, asked.conversation_id)
        branch = await self._conversations.messages(principal, instance_id, asked.conversation_id)
        runs = await self._answering(principal, instance_id, asked)
        own = {run.id for run in runs}
        said = [stored.message for stored in branch if stored.run_id in own]
        texts = [message.text.strip() for message in said if message.role is Role.ASSISTANT]
        calls = _calls(said, await self._results(principal, said))
        slug = next((one.slug for one in shipped().values() if one.id == conversation.active_agent_id), None)
        last = [waiting.text if waiting else "", runs[-1].error or ""]
        return SpecialistAnswer("\n\n".join(filter(None, [*texts, *last])), calls, None if slug == specialist else slug)

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


async def _remember(
    uow: UnitOfWork, principal: Principal, conversation_id: UUID, history: Sequence[PastMessage]
) -> None:
    parent_id: UUID | None = None
    for past in history:
        role = Role.USER if past.role == "user" else Role.ASSISTANT
        message = Message(id=new_id(), role=role, parts=[TextPart(text=past.text)])
        await conversations_store.add_message(
            uow,
            principal.mandate_id,
            conversation_id,
            message,
            parent_id=parent_id,
            run_id=None,
            client_id=None,
            now=now(),
            author_id=principal.user_id if role is Role.USER else None,
        )
        parent_id = message.id


def _calls(messages: Sequence[Message], results: Mapping[UUID, ToolResult]) -> tuple[SpecialistCall, ...]:
    """In the order in which they were asked for."""
    calls: list[SpecialistCall] = []
    for part in (part for message in messages for part in message.calls):
        asked = SpecialistCall(id=part.call_id, name=part.tool, arguments=part.arguments)
        if (result := results.get(part.call_id)) is not None:
            came = {"status": result.status, "message": result.message, "data": result.data, "actions": result.actions}
            asked = asked.model_copy(update=came)
        calls.append(asked)
    return tuple(calls)
