"""Skills that people make: list, make, change, share, throw away and take back, import and export.

`write` and its like are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Forbidden, NotFound
from workroom.core.ids import new_id
from workroom.core.import_conflict import ImportConflict
from workroom.core.messages import SkillPart
from workroom.core.pages import Page, PageRequest
from workroom.custom_skills import folders, store
from workroom.custom_skills.access import SKILL, may, reach, require_skill
from workroom.custom_skills.errors import SkillChanged, SkillExists, SkillPrivate
from workroom.custom_skills.invocation import rendered, typed_skill, typed_values
from workroom.custom_skills.types import (
    LONGEST_NAME,
    ImportedSkill,
    ReadSkill,
    Skill,
    SkillContent,
    SkillEntry,
    SkillVersion,
    SkillVersionContent,
    SkillVisibility,
    is_own,
)
from workroom.custom_skills.validation import cleaned, content_of
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.instances import require_instance
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Audience, Principal

HELP = frozenset({"help", "hilfe", "aide", "ajuda"})


class CustomSkills:
    def __init__(self, db: Database, tools: Collection[str] = ()) -> None:
        """`tools` are those there are: `/name` of one calls it, so no skill takes its name."""
        self._db = db
        self._commands = HELP | {name.lower() for name in tools}

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, *, deleted: bool = False
    ) -> Page[SkillEntry]:
        """`deleted` lists the trash: only what one could have put there oneself."""
        seen = reach(principal, Action.DELETE if deleted else Action.READ, instance_id)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(uow, principal.mandate_id, instance_id, seen, request, deleted=deleted)

    async def get(self, principal: Principal, instance_id: UUID, skill_id: UUID) -> Skill:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await checked(uow, principal, Action.READ, instance_id, skill_id)

    async def named(self, principal: Principal, instance_id: UUID, name: str, action: Action = Action.READ) -> Skill:
        """What `/name` means for this person, if this may be done to it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            found = await by_name(uow, principal, instance_id, name)
            return require_skill(principal, action, instance_id, found)

    async def create(
        self,
        principal: Principal,
        instance_id: UUID,
        content: SkillContent,
        visibility: SkillVisibility = Visibility.MY,
    ) -> Skill:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self.write(uow, principal, instance_id, content, visibility)

    async def write(
        self,
        uow: UnitOfWork,
        principal: Principal,
        instance_id: UUID,
        content: SkillContent,
        visibility: SkillVisibility = Visibility.MY,
    ) -> Skill:
        await require_create(uow, principal, instance_id)
        moment = now()
        skill = Skill(
            **dict(cleaned(content, self._commands)),
            id=new_id(),
            instance_id=instance_id,
            version=1,
            visibility=visibility,
            shared_from=_shared_from(visibility, 1),
            owner_id=principal.user_id,
            created_at=moment,
            updated_at=moment,
        )
        await _require_free_name(uow, principal, skill)
        await store.insert(uow, principal.mandate_id, skill)
        await store.add_version(uow, principal.mandate_id, skill, principal.user_id)
        await _record(uow, principal, "created", skill)
        return skill

    async def change(
        self, principal: Principal, instance_id: UUID, skill_id: UUID, version: int, changes: dict[str, Any]
    ) -> Skill:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self.rewrite(uow, principal, instance_id, skill_id, version, changes)

    async def rewrite(
        self,
        uow: UnitOfWork,
        principal: Principal,
        instance_id: UUID,
        skill_id: UUID,
        version: int,
        changes: dict[str, Any],
    ) -> Skill:
        """`version` is the one the change was made from: when another change was faster, nothing is overwritten."""
        skill = await checked(uow, principal, Action.UPDATE, instance_id, skill_id, lock=True)
        if skill.version != version:
            raise SkillChanged(skill.version)
        return await self._new_version(uow, principal, skill, content_of({**dict(skill.content), **changes}))

    async def versions(
        self, principal: Principal, instance_id: UUID, skill_id: UUID, request: PageRequest
    ) -> Page[SkillVersion]:
        async with self._db.unit_of_work(principal.actor) as uow:
            skill = await checked(uow, principal, Action.READ, instance_id, skill_id)
            first = _first_version(principal, skill)
            return await store.versions(uow, principal.mandate_id, skill_id, first, request)

    async def version(
        self, principal: Principal, instance_id: UUID, skill_id: UUID, number: int
    ) -> SkillVersionContent:
        async with self._db.unit_of_work(principal.actor) as uow:
            skill = await checked(uow, principal, Action.READ, instance_id, skill_id)
            return await _version(uow, principal, skill, number)

    async def restore_version(self, principal: Principal, instance_id: UUID, skill_id: UUID, number: int) -> Skill:
        """As it was then, as a new version: nothing of the history is lost."""
        async with self._db.unit_of_work(principal.actor) as uow:
            skill = await checked(uow, principal, Action.UPDATE, instance_id, skill_id, lock=True)
            earlier = await _version(uow, principal, skill, number)
            return await self._new_version(uow, principal, skill, earlier.content, restored_from=number)

    async def share(
        self, principal: Principal, instance_id: UUID, skill_id: UUID, visibility: SkillVisibility
    ) -> Skill:
        """Only the owner says who sees it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            skill = await checked(uow, principal, Action.UPDATE, instance_id, skill_id, lock=True)
            if skill.owner_id != principal.user_id and not decide(principal, Action.UPDATE, Target(SKILL)):
                raise Forbidden(
                    "Only the owner of a skill says who sees it. Ask them to share it.", code="sharingRefused"
                )
            first = _shared_from(visibility, skill.shared_from or skill.version)
            shared = skill.model_copy(update={"visibility": visibility, "shared_from": first, "updated_at": now()})
            await _require_free_name(uow, principal, shared)
            await store.update(uow, principal.mandate_id, shared)
            await _record(uow, principal, "shared", shared, before=skill.visibility)
            return shared

    async def delete(self, principal: Principal, instance_id: UUID, skill_id: UUID) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await move_to_trash(uow, principal, instance_id, skill_id)

    async def restore(self, principal: Principal, instance_id: UUID, skill_id: UUID) -> Skill:
        """The right to delete is the right to restore; restoring what is not in the trash changes nothing."""
        async with self._db.unit_of_work(principal.actor) as uow:
            skill = await checked(uow, principal, Action.DELETE, instance_id, skill_id, lock=True, trash=True)
            if skill.deleted_at is None:
                return skill
            back = skill.model_copy(update={"deleted_at": None})
            await _require_free_name(uow, principal, back)
            await store.update(uow, principal.mandate_id, back)
            await _record(uow, principal, "restored", back)
            return back

    async def export(self, principal: Principal, instance_id: UUID, skill_id: UUID) -> tuple[str, bytes]:
        """Name and bytes of a ZIP with its folder."""
        skill = await self.get(principal, instance_id, skill_id)
        return f"{skill.name}.zip", await asyncio.to_thread(folders.packed, skill.content)

    async def import_(
        self, principal: Principal, instance_id: UUID, data: bytes, on_conflict: ImportConflict = ImportConflict.FAIL
    ) -> Sequence[ImportedSkill]:
        """All skills of a ZIP, or of one SKILL.md, or none: raises SkillExists when the person has one of that name already."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_create(uow, principal, instance_id)
        found = await asyncio.to_thread(folders.read, data)
        async with self._db.unit_of_work(principal.actor) as uow:
            return [await self._take(uow, principal, instance_id, each, on_conflict) for each in found]

    async def _take(
        self, uow: UnitOfWork, principal: Principal, instance_id: UUID, given: ReadSkill, on_conflict: ImportConflict
    ) -> ImportedSkill:
        content = cleaned(given.content, self._commands)
        before = await by_name(uow, principal, instance_id, content.name)
        if before is None or before.owner_id != principal.user_id:
            skill, replaced = await self.write(uow, principal, instance_id, content), False
        elif on_conflict is ImportConflict.REPLACE:
            locked = await checked(uow, principal, Action.UPDATE, instance_id, before.id, lock=True)
            skill, replaced = await self._new_version(uow, principal, locked, content), True
        elif on_conflict is ImportConflict.KEEP_BOTH:
            name = await self._free_name(uow, principal, instance_id, content.name)
            renamed = content.model_copy(update={"name": name})
            skill, replaced = await self.write(uow, principal, instance_id, renamed), False
        else:
            raise SkillExists(content.name)
        return ImportedSkill(skill=skill, replaced=replaced, left_out=given.left_out)

    async def _free_name(self, uow: UnitOfWork, principal: Principal, instance_id: UUID, name: str) -> str:
        stem, number = name[: LONGEST_NAME - 4].rstrip("-"), 2
        while await by_name(uow, principal, instance_id, f"{stem}-{number}") is not None:
            number += 1
        return f"{stem}-{number}"

    async def _new_version(
        self,
        uow: UnitOfWork,
        principal: Principal,
        skill: Skill,
        content: SkillContent,
        *,
        restored_from: int | None = None,
    ) -> Skill:
        if (content := cleaned(content, self._commands)) == skill.content:
            return skill
        if content.name != skill.name and skill.owner_id not in (None, principal.user_id):
            # A name that is taken would tell of what the owner keeps private.
            raise Forbidden("Only the owner of a skill gives it another name. Ask them to.")
        made = skill.model_copy(update={**dict(content), "version": skill.version + 1, "updated_at": now()})
        await _require_free_name(uow, principal, made)
        await store.update(uow, principal.mandate_id, made)
        await store.add_version(uow, principal.mandate_id, made, principal.user_id, restored_from)
        await _record(uow, principal, "updated", made)
        return made


async def require_create(uow: UnitOfWork, principal: Principal, instance_id: UUID) -> None:
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(SKILL, principal.user_id, frozenset({instance_id})))


async def checked(
    uow: UnitOfWork,
    principal: Principal,
    action: Action,
    instance_id: UUID,
    skill_id: UUID,
    *,
    lock: bool = False,
    trash: bool = False,
) -> Skill:
    """A skill of another workspace, or one in the trash, is as good as none."""
    await require_instance(uow, principal, instance_id)
    found = await store.get(uow, principal.mandate_id, skill_id, lock=lock)
    skill = require_skill(principal, action, instance_id, found)
    if skill.deleted_at is not None and not trash:
        raise NotFound("This skill is in the trash.")
    return skill


async def by_name(uow: UnitOfWork, principal: Principal, instance_id: UUID, name: str) -> Skill | None:
    """What `/name` means for a person who may use it, and for all readers the person answers before."""
    name = name.strip().removeprefix("/").lower()
    return await store.named(uow, principal.mandate_id, instance_id, reach(principal, Action.READ, instance_id), name)


async def called_in(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, text: str, audience: Audience
) -> SkillPart | None:
    """The skill a message calls, with the values it gives: None where it calls none. `/etc/hosts` is no call. Raises SkillPrivate
    where one of those who read along may not see it."""
    typed = typed_skill(text)
    skill = await by_name(uow, principal, instance_id, typed.name) if typed else None
    if typed is None or skill is None:
        return None
    together = replace(principal, audience=audience)
    if not audience.is_empty and (skill.visibility is Visibility.MY or not may(together, Action.READ, skill)):
        raise SkillPrivate(skill.name)
    prompt = rendered(skill.content, typed_values(skill.parameters, typed.rest))
    return SkillPart(
        skill_id=skill.id,
        name=skill.name,
        version=skill.version,
        tools=[*skill.tools, *(["useSkill"] if skill.tools and skill.files else [])],
        text=prompt,
        read_for=principal.user_id,
        untrusted=not is_own(skill, principal.user_id),
    )


async def move_to_trash(uow: UnitOfWork, principal: Principal, instance_id: UUID, skill_id: UUID) -> Skill:
    """It stays there for thirty days (`db/trash.py`). What was called with it before goes on with what it has."""
    skill = await checked(uow, principal, Action.DELETE, instance_id, skill_id, lock=True)
    gone = skill.model_copy(update={"deleted_at": now()})
    await store.update(uow, principal.mandate_id, gone)
    await _record(uow, principal, "deleted", gone)
    return gone


def _shared_from(visibility: Visibility, version: int) -> int | None:
    return version if visibility is Visibility.GROUP else None


def _first_version(principal: Principal, skill: Skill) -> int:
    """What was written while a skill was private stays with its owner."""
    return 1 if skill.owner_id == principal.user_id else (skill.shared_from or 1)


async def _version(uow: UnitOfWork, principal: Principal, skill: Skill, number: int) -> SkillVersionContent:
    found = await store.version(uow, principal.mandate_id, skill.id, number)
    if found is None or number < _first_version(principal, skill):
        raise NotFound("There is no such version of this skill.")
    return found


async def _require_free_name(uow: UnitOfWork, principal: Principal, skill: Skill) -> None:
    if await store.is_taken(uow, principal.mandate_id, skill):
        raise SkillExists(skill.name)


async def _record(
    uow: UnitOfWork, principal: Principal, action: str, skill: Skill, *, before: Visibility | None = None
) -> None:
    """History, and a hint for those who see the skill, or saw it until now. Of a private one history keeps no name."""
    group = skill.instance_id if {skill.visibility, before} - {None, Visibility.MY} else None
    await audit.record(
        uow,
        principal,
        action,
        ChangeKind.SKILL,
        skill.id,
        owner_id=skill.owner_id,
        instance_id=group,
        details={"name": skill.name} if group else {},
        version=skill.version,
        visibility=skill.visibility,
    )
