"""Asks a specialist: for software that shows the conversation itself. What is asked becomes a conversation of the workspace,
about the company, with a run like any other."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.agent.config import AgentWishes
from workroom.agents.shipped import shipped, shipped_id
from workroom.companies.conversations import assign, of_conversation
from workroom.companies.service import COMPANIES
from workroom.conversations import store as conversations_store
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.runs.service import Accepted, Input, Runs
from workroom.specialists.types import PastMessage, SpecialistRequest

TEAM = "specialists"
SPECIALISTS = tuple(sorted(agent.slug for agent in shipped().values() if agent.team == TEAM))


class SpecialistChats:
    def __init__(self, db: Database, runs: Runs) -> None:
        self._db = db
        self._runs = runs

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
