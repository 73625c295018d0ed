"""Profiles of creators, which projects of a workspace share: make, list, read, change, delete, restore.

Functions that take a unit of work are part of their caller's transaction.
"""

from __future__ import annotations

from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name, clean_text
from workroom.identity.types import Action, Principal
from workroom.identity.workspace_items import WorkspaceItems
from workroom.studio import profiles_store as store
from workroom.studio.errors import ProfileChanged
from workroom.studio.types import LONGEST_PROFILE, CreatorProfile

KEY = "data.project"  # a right to projects is one to their profiles
PROFILES = WorkspaceItems("profile", KEY, ChangeKind.PROJECT, store.get, store.update)


class CreatorProfiles:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, *, deleted: bool = False
    ) -> Page[CreatorProfile]:
        reach = scope(principal, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(uow, principal.mandate_id, instance_id, reach, request, deleted=deleted)

    async def get(self, principal: Principal, instance_id: UUID, profile_id: UUID) -> CreatorProfile:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await PROFILES.checked(uow, principal, Action.READ, instance_id, profile_id)

    async def create(self, principal: Principal, instance_id: UUID, name: str, text: str) -> CreatorProfile:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await create(uow, principal, instance_id, name, text)

    async def change(
        self,
        principal: Principal,
        instance_id: UUID,
        profile_id: UUID,
        version: int,
        name: str | None = None,
        text: str | None = None,
    ) -> CreatorProfile:
        async with self._db.unit_of_work(principal.actor) as uow:
            profile = await PROFILES.checked(uow, principal, Action.UPDATE, instance_id, profile_id, lock=True)
            if profile.version != version:
                raise ProfileChanged(profile.version)
            changed = profile.model_copy(
                update={
                    "name": profile.name if name is None else clean_name(name, "name"),
                    "text": profile.text if text is None else clean_text(text, "text", LONGEST_PROFILE),
                }
            )
            if changed == profile:
                return profile
            # Who gives it another name has not written its text.
            author_id = profile.changed_by if changed.text == profile.text else principal.user_id
            return await PROFILES.update(
                uow, principal, instance_id, changed, version=version + 1, changed_by=author_id
            )

    async def delete(self, principal: Principal, instance_id: UUID, profile_id: UUID) -> None:
        """Projects that use it do without while it is in the trash."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROFILES.move_to_trash(uow, principal, instance_id, profile_id)

    async def restore(self, principal: Principal, instance_id: UUID, profile_id: UUID) -> CreatorProfile:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await PROFILES.restore(uow, principal, instance_id, profile_id)


async def create(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, name: str, text: str, *, from_outside: bool = False
) -> CreatorProfile:
    """`from_outside`: the person who adds it has not written it."""
    owner_id, moment = await PROFILES.require_create(uow, principal, instance_id), now()
    profile = CreatorProfile(
        id=new_id(),
        name=clean_name(name, "name"),
        text=clean_text(text, "text", LONGEST_PROFILE),
        version=1,
        owner_id=owner_id,
        changed_by=None if from_outside else owner_id,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, principal.mandate_id, instance_id, profile)
    await PROFILES.announce(uow, principal, instance_id, profile)
    return profile


async def in_use(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, profile_id: UUID | None
) -> CreatorProfile | None:
    """None also while it is in the trash."""
    found = await PROFILES.get(uow, principal.mandate_id, instance_id, profile_id) if profile_id else None
    return found if found is not None and found.deleted_at is None else None


async def same(uow: UnitOfWork, principal: Principal, instance_id: UUID, name: str, text: str) -> UUID | None:
    """The profile of that name with that text."""
    return await store.same(uow, principal.mandate_id, instance_id, name, text)
