"""Outlines of projects for the system prompt of every round: where a project stands, and its blocks with their digests.

Kept for half a minute, because rounds follow each other quickly; forgotten at once when a tool of this process, or anybody
anywhere, changes the project.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pydantic import ValidationError

from workroom.core.changes import Change, ChangeKind
from workroom.core.errors import NotFound
from workroom.core.short_cache import ShortCache
from workroom.db import Database
from workroom.identity.access import ListScope, scope
from workroom.identity.types import Action, Principal
from workroom.studio import blocks_store, personas_store
from workroom.studio.profiles import in_use
from workroom.studio.projects import KEY, PROJECTS
from workroom.studio.tree import BlockTree
from workroom.studio.types import CreatorProfile, Project

KEPT = timedelta(seconds=30)
MOST_KEPT = 200  # of one mandate


@dataclass(frozen=True)
class ProjectOutline:
    """A project, who speaks in it, its blocks without their texts, and the names of its personas."""

    project: Project
    tree: BlockTree
    profile: CreatorProfile | None = None
    personas: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Key:
    """Rights are part of it: with others, a person may not see the project."""

    instance_id: UUID
    project_id: UUID
    scope: ListScope


class ProjectOutlines:
    """One per process. `reads` counts how often the database was asked."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._cache: ShortCache[_Key, ProjectOutline | None] = ShortCache(KEPT, MOST_KEPT)
        self.reads = 0

    async def of(self, principal: Principal, instance_id: UUID, project_id: UUID) -> ProjectOutline | None:
        """None when it is in the trash, or not this person's to see."""
        key = _Key(instance_id, project_id, scope(principal, Action.READ, KEY))
        return await self._cache.get(principal.mandate_id, key, lambda: self._read(principal, instance_id, project_id))

    def invalidate(self, mandate_id: UUID, project_id: UUID) -> None:
        """A tool has changed something in it."""
        self._cache.forget(mandate_id, lambda key: key.project_id == project_id)

    def on_change(self, payload: str) -> None:
        """A notification of the database: something was changed by some process. Profiles belong to many projects."""
        try:
            change = Change.model_validate_json(payload)
        except ValidationError:
            self.on_missed()
            return
        if change.kind is ChangeKind.PROJECT:
            self._cache.forget(change.mandate_id, lambda key: key.instance_id == change.instance_id)

    def on_missed(self) -> None:
        """Notifications were missed for a while."""
        self._cache.forget_all()

    async def _read(self, principal: Principal, instance_id: UUID, project_id: UUID) -> ProjectOutline | None:
        self.reads += 1
        async with self._db.unit_of_work(principal.actor) as uow:
            try:
                project = await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
            except NotFound:
                return None
            blocks = await blocks_store.of_project(uow, principal.mandate_id, project.id)
            known = await personas_store.of_project(uow, principal.mandate_id, project.id)
            profile = await in_use(uow, principal, instance_id, project.profile_id)
        personas = tuple(persona.name for persona in known if persona.deleted_at is None)
        return ProjectOutline(project, BlockTree(blocks), profile, personas)
