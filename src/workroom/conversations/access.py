"""Who may do what with a conversation: its owner, the persons and the workspace it was shared with, to read or to write.
Sharing and deleting are the owner's. `identity.access` decides what a role allows at all."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from workroom.conversations import store
from workroom.conversations.types import Conversation
from workroom.core.changes import Change, ChangeKind
from workroom.core.errors import Forbidden, NotFound
from workroom.db import UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, blind_to, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, Visibility, may_inspect
from workroom.identity.store import roles as roles_store
from workroom.identity.types import Action, Audience, Principal

KEY = "data.conversation"
NO_CONVERSATION = "There is no such conversation here, or it is not yours to see."


def may(principal: Principal, action: Action, conversation: Conversation) -> bool:
    """One in the trash can be restored or deleted for good, and nothing else."""
    if conversation.deleted_at is not None and action is not Action.DELETE:
        return False
    if not decide(principal, action, Target(KEY, principal.user_id, frozenset({conversation.instance_id}))):
        return False
    if conversation.owner_id == principal.user_id:
        return True
    if conversation.instance_id not in principal.memberships:
        return False
    granted = conversation.grants.get(principal.user_id) if principal.user_id else None
    in_workspace = conversation.visibility is Visibility.GROUP
    if action is Action.READ:
        return in_workspace or granted is not None
    return action is Action.UPDATE and bool(granted or (in_workspace and conversation.group_writes))


async def checked(
    uow: UnitOfWork,
    principal: Principal,
    action: Action,
    instance_id: UUID,
    conversation_id: UUID,
    *,
    lock: bool = False,
    trash: bool = False,
) -> Conversation:
    """A conversation in another workspace than the address says is as good as none, and so is one in the trash without
    `trash`."""
    conversation = await store.get(uow, principal.mandate_id, conversation_id, lock=lock)
    if conversation is None or conversation.instance_id != instance_id:
        raise NotFound(NO_CONVERSATION)
    if conversation.deleted_at is not None and not trash:
        raise NotFound(NO_CONVERSATION)
    await require_instance(uow, principal, instance_id)
    if may(principal, action, conversation):
        return conversation
    if may_inspect(principal, action, conversation.owner_id):
        owner_id = conversation.owner_id
        await audit.record(uow, principal, "inspected", ChangeKind.CONVERSATION, conversation.id, owner_id=owner_id)
        return conversation
    raise Forbidden(NOT_ALLOWED) if may(principal, Action.READ, conversation) else NotFound(NO_CONVERSATION)


def audience_of(conversation: Conversation, asker_id: UUID | None) -> Audience:
    """Who reads the answers beside the person who asks for them."""
    return Audience(
        conversation.instance_id,
        frozenset({conversation.owner_id, *conversation.grants}) - {asker_id},
        conversation.visibility is Visibility.GROUP,
        since=conversation.audience_since,
    )


async def audience_with_rights(uow: UnitOfWork, principal: Principal, conversation: Conversation) -> Audience:
    """As `audience_of`, with what the readers' roles keep from them: for a run, which reads with it."""
    audience = audience_of(conversation, principal.user_id)
    if audience.is_empty:
        return audience
    held = await roles_store.held_in(
        uow, principal.mandate_id, conversation.instance_id, sorted(audience.user_ids), everybody=audience.workspace
    )
    return replace(audience, blind_to=blind_to(principal.mandate_id, conversation.instance_id, held))


def change_of(mandate_id: UUID, kind: ChangeKind, id_: UUID, conversation: Conversation) -> Change:
    """For everybody who reads the conversation."""
    return Change(
        mandate_id=mandate_id,
        kind=kind,
        id=id_,
        owner_id=conversation.owner_id,
        instance_id=conversation.instance_id if conversation.visibility is Visibility.GROUP else None,
        persons=sorted(conversation.grants),
    )


async def announce_to_readers(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> None:
    """Something was said. The one who asked hears every word; this is for the others."""
    conversation = await store.get(uow, mandate_id, conversation_id)
    if conversation is not None and conversation.is_shared:
        await uow.announce(change_of(mandate_id, ChangeKind.CONVERSATION, conversation_id, conversation))
