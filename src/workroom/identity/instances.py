"""Workspaces (feature instances) and who belongs to them. Archiving can be undone; deleting asks for it first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, covers, decide, require, scope
from workroom.identity.names import clean_name, clean_slug, slug_of
from workroom.identity.store import instances as store
from workroom.identity.store import roles as roles_store
from workroom.identity.store import users as users_store
from workroom.identity.types import Action, Instance, InstanceMember, InstanceStatus, Principal

MOST_PERSONS = 50  # that one thing is shared with by name


class Instances:
    def __init__(self, db: Database, tool_sets: Collection[str] = ("core",)) -> None:
        self._db = db
        self._tool_sets = tool_sets

    async def list(
        self, principal: Principal, request: PageRequest, status: InstanceStatus | None = None
    ) -> Page[Instance]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(
                uow, principal.mandate_id, scope(principal, Action.READ, "data.instance"), request, status
            )

    async def get(self, principal: Principal, instance_id: UUID) -> Instance:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await require_instance(uow, principal, instance_id)

    async def default(self, principal: Principal) -> Instance:
        """The default workspace of a person: the oldest workspace they belong to."""
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await store.oldest_of(uow, principal.mandate_id, principal.user_id)
            if found is None:
                raise NotFound("You do not belong to any workspace yet. Name one, or ask an administrator.")
            return await require_instance(uow, principal, found)

    async def create(self, principal: Principal, name: str, slug: str | None = None) -> Instance:
        """The maker becomes its first member."""
        require(principal, Action.CREATE, Target("data.instance", principal.user_id))
        cleaned = clean_name(name, "name")
        async with self._db.unit_of_work(principal.actor) as uow:
            chosen = clean_slug(slug) if slug else await _free_slug(uow, principal.mandate_id, slug_of(cleaned))
            instance = Instance(
                new_id(), cleaned, chosen, "workspace", "core", InstanceStatus.ACTIVE, principal.user_id, now()
            )
            if not await store.insert(uow, principal.mandate_id, instance):
                raise Conflict("Another workspace has this address name.", code="slugTaken", field="slug")
            if principal.user_id is not None:
                await store.put_member(uow, principal.mandate_id, instance.id, principal.user_id, None, now())
            await self._record(uow, principal, "created", instance, name=instance.name)
        return replace(instance, member_count=0 if principal.user_id is None else 1)

    async def change(
        self,
        principal: Principal,
        instance_id: UUID,
        name: str | None = None,
        slug: str | None = None,
        status: InstanceStatus | None = None,
        tool_set: str | None = None,
    ) -> Instance:
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, instance_id, Action.UPDATE, lock=True)
            if tool_set is not None and tool_set not in self._tool_sets:
                known = ", ".join(sorted(self._tool_sets))
                raise InvalidInput(f"There is no such tool set. There are: {known}.", field="toolSet")
            changed = replace(
                instance,
                name=instance.name if name is None else clean_name(name, "name"),
                slug=instance.slug if slug is None else clean_slug(slug),
                status=status or instance.status,
                tool_set=tool_set or instance.tool_set,
            )
            if await store.slug_owner(uow, principal.mandate_id, changed.slug) not in (None, instance_id):
                raise Conflict("Another workspace has this address name.", code="slugTaken", field="slug")
            await store.update(uow, principal.mandate_id, changed)
            await self._record(uow, principal, "updated", changed, name=changed.name, status=changed.status)
        return changed

    async def delete(self, principal: Principal, instance_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id, Action.DELETE)
            await users_store.lock_rights(uow, principal.mandate_id)
            instance = await require_instance(uow, principal, instance_id, Action.DELETE, lock=True)
            if instance.status is not InstanceStatus.ARCHIVED:
                raise Conflict("Archive this workspace before you delete it.", code="notArchived")
            await store.delete(uow, principal.mandate_id, instance_id)
            await self._record(uow, principal, "deleted", instance, name=instance.name)

    async def members(self, principal: Principal, instance_id: UUID, request: PageRequest) -> Page[InstanceMember]:
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, instance_id)
            require(principal, Action.READ, _member_target(instance))
            return await store.members(uow, principal.mandate_id, instance_id, request)

    async def put_member(
        self, principal: Principal, instance_id: UUID, user_id: UUID, role_id: UUID | None
    ) -> InstanceMember:
        """Add a person, or change the role they have here."""
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, instance_id)
            await users_store.lock_rights(uow, principal.mandate_id)
            user = await users_store.get(uow, principal.mandate_id, user_id, lock=True)
            shared = await users_store.instances_of(uow, principal.mandate_id, user_id)
            if user is None or not decide(principal, Action.READ, Target("data.user", user_id, shared)):
                raise NotFound("There is no such person here, or they are not yours to see.")
            known = await store.member(uow, principal.mandate_id, instance_id, user_id)
            require(principal, Action.CREATE if known is None else Action.UPDATE, _member_target(instance))
            for given in {role_id, known.role_id if known else None} - {None}:
                await _require_grantable(uow, principal, given, instance_id)
            await store.put_member(uow, principal.mandate_id, instance_id, user_id, role_id, now())
            await audit.record(
                uow,
                principal,
                "put",
                ChangeKind.MEMBER,
                user_id,
                owner_id=user_id,
                instance_id=instance_id,
                login=user.login,
                workspace=instance.name,
            )
            member = await store.member(uow, principal.mandate_id, instance_id, user_id)
            assert member is not None
            return member

    async def remove_member(self, principal: Principal, instance_id: UUID, user_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            instance = await require_instance(uow, principal, instance_id)
            require(principal, Action.DELETE, _member_target(instance))
            await users_store.lock_rights(uow, principal.mandate_id)
            await users_store.get(uow, principal.mandate_id, user_id, lock=True)
            known = await store.member(uow, principal.mandate_id, instance_id, user_id)
            if known is None:
                raise NotFound("This person does not belong to the workspace.")
            if known.role_id is not None:
                await _require_grantable(uow, principal, known.role_id, instance_id)
            await store.remove_member(uow, principal.mandate_id, instance_id, user_id)
            await audit.record(
                uow,
                principal,
                "removed",
                ChangeKind.MEMBER,
                user_id,
                owner_id=user_id,
                instance_id=instance_id,
                login=known.user.login,
                workspace=instance.name,
            )

    async def _record(
        self, uow: UnitOfWork, principal: Principal, action: str, instance: Instance, **details: str
    ) -> None:
        await audit.record(
            uow,
            principal,
            action,
            ChangeKind.INSTANCE,
            instance.id,
            owner_id=instance.created_by,
            instance_id=instance.id,
            details=details,
        )


async def require_instance(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, action: Action = Action.READ, *, lock: bool = False
) -> Instance:
    """Everything that lives in a workspace asks this first. `lock`: no other transaction changes it until this one ends."""
    instance = await store.get(uow, principal.mandate_id, instance_id, lock=lock)
    if instance is None:
        raise NotFound("There is no such workspace here, or it is not yours to see.")
    require(principal, action, instance_target(instance_id, instance.created_by))
    return instance


async def require_members(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_ids: Collection[UUID]) -> None:
    """Things are shared by name only with people who belong to the workspace they are in."""
    if len(user_ids) > MOST_PERSONS:
        raise InvalidInput(f"Share with at most {MOST_PERSONS} persons, or with the workspace.", field="sharedWith")
    if user_ids and await store.count_members(uow, mandate_id, instance_id, list(user_ids)) < len(user_ids):
        raise InvalidInput("Share with people who belong to this workspace.", field="sharedWith")


def instance_target(instance_id: UUID, created_by: UUID | None) -> Target:
    return Target("data.instance", created_by, frozenset({instance_id}))


def _member_target(instance: Instance) -> Target:
    return Target("data.member", instance.created_by, frozenset({instance.id}))


async def _free_slug(uow: UnitOfWork, mandate_id: UUID, slug: str) -> str:
    await store.lock_slugs(uow, mandate_id)
    candidate, number = slug, 1
    while await store.slug_owner(uow, mandate_id, candidate) is not None:
        number += 1
        candidate = f"{slug}-{number}"
    return candidate


async def _require_grantable(uow: UnitOfWork, principal: Principal, role_id: UUID | None, instance_id: UUID) -> None:
    role = await roles_store.get(uow, principal.mandate_id, role_id) if role_id else None
    if role is None:
        raise InvalidInput("There is no such role.", field="roleId")
    if not covers(principal, role.rules, instance_id):
        raise Forbidden("This role may do more than yours; only somebody who has it can give or take it.")
