"""Who reads and writes in a conversation. Its owner says so; from then on answers use only what all readers may see."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from workroom.conversations import store
from workroom.conversations.access import audience_of, change_of, checked
from workroom.conversations.types import Conversation
from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, InvalidInput
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.instances import require_members
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal


class ConversationSharing:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def share(
        self,
        principal: Principal,
        instance_id: UUID,
        conversation_id: UUID,
        visibility: Visibility,
        group_writes: bool,
        grants: Mapping[UUID, bool],
    ) -> Conversation:
        """`grants`: persons, and whether they may write. What is not named any more is taken back."""
        if visibility is Visibility.ALL:
            raise InvalidInput("A conversation is shared with persons or with its workspace.", field="visibility")
        async with self._db.unit_of_work(principal.actor) as uow:
            before = await checked(uow, principal, Action.READ, instance_id, conversation_id, lock=True)
            if before.owner_id != principal.user_id:
                raise Forbidden(
                    "Only the owner of a conversation says who reads it. Ask them to share it.", code="sharingRefused"
                )
            await checked(uow, principal, Action.UPDATE, instance_id, conversation_id)
            wanted = {user_id: writes for user_id, writes in grants.items() if user_id != before.owner_id}
            await require_members(uow, principal.mandate_id, instance_id, set(wanted) - set(before.grants))
            shared = before.shared(visibility, group_writes and visibility is Visibility.GROUP, wanted)
            old, new = audience_of(before, None), audience_of(shared, None)
            if new.user_ids - old.user_ids or (new.workspace and not old.workspace):
                shared = shared.heard_since(now())
            elif not shared.is_shared:
                shared = shared.heard_since(None)
            await store.set_sharing(uow, principal.mandate_id, shared)
            await audit.record(
                uow,
                principal,
                "shared",
                ChangeKind.CONVERSATION,
                conversation_id,
                owner_id=before.owner_id,
                details={"visibility": visibility, "persons": len(wanted)},
            )
            for known in (before, shared):
                await uow.announce(change_of(principal.mandate_id, ChangeKind.CONVERSATION, conversation_id, known))
            return shared
