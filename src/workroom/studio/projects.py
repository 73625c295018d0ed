"""Projects: make, list, read, change, advance, delete, restore. The members of a workspace read them, and work on them.

Functions that take a unit of work are part of their caller's transaction: a tool stores its result in the same one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.languages import Language
from workroom.core.money import ZERO
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity.access import scope
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_name, clean_text
from workroom.identity.store import users
from workroom.identity.types import Action, Principal
from workroom.identity.workspace_items import WorkspaceItems
from workroom.studio import blocks_store, store
from workroom.studio.errors import PhaseIncomplete, ProjectChanged
from workroom.studio.phases import FIRST_PHASE, PHASES
from workroom.studio.profiles import PROFILES
from workroom.studio.project_phases import ALL_PHASES, arranged, completed, find_phase, is_forward, moved_to, next_phase
from workroom.studio.tree import BlockTree
from workroom.studio.types import (
    LONGEST_DESCRIPTION,
    Block,
    BlockKind,
    BlockStatus,
    PhaseStatus,
    Project,
    ProjectChange,
)

KEY = "data.project"
PROJECTS = WorkspaceItems("project", KEY, ChangeKind.PROJECT, store.get, store.update)


class Projects:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, *, deleted: bool = False
    ) -> Page[Project]:
        """`deleted` lists the trash: only what one could have put there oneself."""
        reach = scope(principal, Action.DELETE if deleted else Action.READ, KEY)
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await store.listed(uow, principal.mandate_id, instance_id, reach, request, deleted=deleted)

    async def progress(
        self, principal: Principal, projects: Collection[Project]
    ) -> Mapping[UUID, Mapping[BlockStatus, int]]:
        """How many blocks of these projects, which the person has listed, have which status."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.progress(uow, principal.mandate_id, [project.id for project in projects])

    async def require_working(self, principal: Principal, instance_id: UUID) -> None:
        """Raises unless the person may work on projects here."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.require_create(uow, principal, instance_id)

    async def have_other_readers(self, principal: Principal) -> bool:
        """Whether anyone but this person could read projects: in a mandate of one they are theirs alone."""
        if principal.user_id is None:
            return True
        async with self._db.unit_of_work(principal.actor) as uow:
            return await users.has_others(uow, principal.mandate_id, principal.user_id)

    async def get(self, principal: Principal, instance_id: UUID, project_id: UUID) -> Project:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)

    async def create(
        self,
        principal: Principal,
        instance_id: UUID,
        name: str,
        description: str = "",
        language: Language = "de",
        profile_id: UUID | None = None,
    ) -> Project:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await create(uow, principal, instance_id, name, description, language, profile_id)

    async def change(
        self, principal: Principal, instance_id: UUID, project_id: UUID, version: int, change: ProjectChange
    ) -> Project:
        """`version` is the one the change was made from: when another change was faster, nothing is overwritten."""
        async with self._db.unit_of_work(principal.actor) as uow:
            project = await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
            if project.version != version:
                raise ProjectChanged(project.version)
            changed = await _changed(uow, principal, instance_id, project, change)
            return project if changed == project else await _saved(uow, principal, instance_id, changed)

    async def advance(
        self, principal: Principal, instance_id: UUID, project_id: UUID, target: str | None, *, force: bool = False
    ) -> Project:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await advance(uow, principal, instance_id, project_id, target, force=force)

    async def delete(self, principal: Principal, instance_id: UUID, project_id: UUID) -> None:
        """With its blocks and everything else in it, which come back with it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.move_to_trash(uow, principal, instance_id, project_id)

    async def restore(self, principal: Principal, instance_id: UUID, project_id: UUID) -> Project:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await PROJECTS.restore(uow, principal, instance_id, project_id)


async def create(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    name: str,
    description: str = "",
    language: Language = "de",
    profile_id: UUID | None = None,
) -> Project:
    """With the blocks that its phases begin with."""
    project = await insert(uow, principal, instance_id, name, description, language, profile_id)
    blocks = [
        new_block(project.id, names[language], phase.code, position)
        for phase in PHASES.values()
        for position, names in enumerate(phase.blocks)
    ]
    await blocks_store.insert(uow, principal.mandate_id, blocks)
    return project


async def insert(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    name: str,
    description: str = "",
    language: Language = "de",
    profile_id: UUID | None = None,
) -> Project:
    """Without blocks."""
    owner_id, moment = await PROJECTS.require_create(uow, principal, instance_id), now()
    if profile_id is not None:
        await PROFILES.checked(uow, principal, Action.READ, instance_id, profile_id)
    project = Project(
        id=new_id(),
        name=clean_name(name, "name"),
        description=clean_text(description, "description", LONGEST_DESCRIPTION),
        described_by=owner_id,
        language=language,
        profile_id=profile_id,
        phases=list(ALL_PHASES),
        current_phase=FIRST_PHASE,
        phase_status={FIRST_PHASE: PhaseStatus.IN_PROGRESS},
        version=1,
        owner_id=owner_id,
        changed_by=owner_id,
        created_at=moment,
        updated_at=moment,
    )
    await store.insert(uow, principal.mandate_id, instance_id, project)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return project


async def advance(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    target: str | None,
    *,
    force: bool = False,
) -> Project:
    """To the next phase, or to that of `target`, by its code or any of its names; the last one is completed. Raises
    PhaseIncomplete when blocks of a phase that is left forward are empty, unless `force`."""
    project = await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
    wanted = find_phase(project, target) if target else next_phase(project)
    changed = moved_to(project, wanted) if wanted else completed(project)
    if changed == project:
        return project
    if is_forward(project, wanted) and not force and (empty := await empty_blocks(uow, principal, project)):
        raise PhaseIncomplete([block.name for block in empty])
    return await _saved(uow, principal, instance_id, changed)


async def empty_blocks(uow: UnitOfWork, principal: Principal, project: Project) -> list[Block]:
    """Of its current phase."""
    tree = BlockTree(await blocks_store.of_project(uow, principal.mandate_id, project.id))
    return tree.empty_in(project.current_phase)


def new_block(
    project_id: UUID,
    name: str,
    phase: str,
    position: int,
    *,
    kind: BlockKind = BlockKind.BLOCK,
    parent_id: UUID | None = None,
    depends_on: Collection[UUID] = (),
) -> Block:
    moment = now()
    return Block(
        id=new_id(),
        project_id=project_id,
        parent_id=parent_id,
        kind=kind,
        phase=phase,
        name=clean_name(name, "name"),
        position=position,
        depends_on=list(depends_on),
        digest="",
        digest_by_model=False,
        edited_by=None,
        edited_by_name=None,
        version=0,
        status=BlockStatus.EMPTY,
        from_outside=False,
        written_by=None,
        written_by_name=None,
        agent_id=None,
        agent_name="",
        run_id=None,
        written_at=None,
        restored_from=None,
        cost_chf=ZERO,
        total_chf=ZERO,
        created_at=moment,
        updated_at=moment,
    )


async def _changed(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, project: Project, change: ProjectChange
) -> Project:
    wanted: dict[str, object] = {
        "name": None if change.name is None else clean_name(change.name, "name"),
        "description": None
        if change.description is None
        else clean_text(change.description, "description", LONGEST_DESCRIPTION),
        "language": change.language,
        "profile_id": change.profile_id,
    }
    if wanted["description"] not in (None, project.description):
        wanted["described_by"] = principal.user_id
    if change.profile_id is not None:
        await PROFILES.checked(uow, principal, Action.READ, instance_id, change.profile_id)
    if change.phases is not None:
        blocks = await blocks_store.of_project(uow, principal.mandate_id, project.id, deleted=True)
        phases = arranged(project, change.phases, frozenset(block.phase for block in blocks))
        codes = {phase.code for phase in phases}
        wanted["phases"] = phases
        wanted["phase_status"] = {code: status for code, status in project.phase_status.items() if code in codes}
    changes = {name: value for name, value in wanted.items() if value is not None}
    return project.model_copy(update={**changes, **({"profile_id": None} if change.without_profile else {})})


async def _saved(uow: UnitOfWork, principal: Principal, instance_id: UUID, project: Project) -> Project:
    return await PROJECTS.update(
        uow, principal, instance_id, project, version=project.version + 1, changed_by=principal.user_id
    )
