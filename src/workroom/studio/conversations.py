"""The conversation in which a person works on a project. It is made when the project is first opened.

Functions that take a unit of work are part of their caller's transaction.
"""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from workroom.agents.shipped import shipped_id
from workroom.conversations import store as conversations_store
from workroom.conversations.access import change_of, checked
from workroom.conversations.types import Conversation, TitleSource
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.studio import conversations_store as store
from workroom.studio.projects import PROJECTS
from workroom.studio.types import Project

STUDIO_AGENT_ID = shipped_id("studio")


class ProjectConversations:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def open(self, principal: Principal, instance_id: UUID, project_id: UUID) -> UUID:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await open_conversation(uow, principal, instance_id, project_id)

    async def project_of(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Project | None:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await project_of(uow, principal, instance_id, conversation_id)

    async def costs(self, principal: Principal, instance_id: UUID, project_id: UUID) -> Decimal:
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
            return await store.costs(uow, principal.mandate_id, project_id)


async def open_conversation(uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID) -> UUID:
    """The person's own about this project; a new one if there is none, or it is in the trash."""
    assert principal.user_id is not None
    project = await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id, lock=True)
    known = await store.conversation_of(uow, principal.mandate_id, project.id, principal.user_id)
    if known is not None:
        return known
    require(principal, Action.CREATE, Target("data.conversation", principal.user_id, frozenset({instance_id})))
    moment = now()
    conversation = Conversation(
        id=new_id(),
        instance_id=instance_id,
        owner_id=principal.user_id,
        title=project.name,
        leaf_id=None,
        created_at=moment,
        updated_at=moment,
        active_agent_id=STUDIO_AGENT_ID,
        titled_by=TitleSource.PERSON,
    )
    await conversations_store.insert(uow, principal.mandate_id, conversation)
    await store.assign(uow, principal.mandate_id, project.id, principal.user_id, conversation.id)
    change = change_of(principal.mandate_id, ChangeKind.CONVERSATION, conversation.id, conversation)
    await uow.announce(change)
    return conversation.id


async def project_of(uow: UnitOfWork, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Project | None:
    """None also when the project is in the trash, or not this person's to see."""
    await checked(uow, principal, Action.READ, instance_id, conversation_id)
    project_id = await store.project_of(uow, principal.mandate_id, conversation_id)
    if project_id is None:
        return None
    try:
        return await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
    except NotFound:
        return None
