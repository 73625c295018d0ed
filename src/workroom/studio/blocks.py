"""The structure of a project: add, move, rename, copy, delete and restore blocks and groups, and say what depends on what.

Functions that take a unit of work are part of their caller's transaction. Writers of one project wait for each other on its row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.identity.names import clean_name
from workroom.identity.types import Action, Principal
from workroom.studio import blocks_store as store
from workroom.studio.digests import new_digest
from workroom.studio.errors import BlockChanged, BlockNeeded, TooManyBlocks
from workroom.studio.project_phases import find_phase
from workroom.studio.projects import PROJECTS, new_block
from workroom.studio.texts import is_by_others, new_version
from workroom.studio.tree import BlockTree
from workroom.studio.types import LONGEST_NAME, MOST_BLOCKS, Block, BlockInput, BlockText, NewBlock, Project


class Blocks:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def tree(self, principal: Principal, instance_id: UUID, project_id: UUID) -> tuple[Project, BlockTree]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await read_tree(uow, principal, instance_id, project_id)

    async def trash(self, principal: Principal, instance_id: UUID, project_id: UUID) -> list[Block]:
        """What was deleted, without what went along with it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
            return await store.thrown_away(uow, principal.mandate_id, project_id)

    async def add(self, principal: Principal, instance_id: UUID, project_id: UUID, new: NewBlock) -> Block:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await add(uow, principal, instance_id, project_id, new)

    async def rename(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, name: str
    ) -> Block:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await rename(uow, principal, instance_id, project_id, block_id, name)

    async def move(
        self,
        principal: Principal,
        instance_id: UUID,
        project_id: UUID,
        block_id: UUID,
        parent_id: UUID | None,
        phase: str | None = None,
        position: int | None = None,
    ) -> Block:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await move(uow, principal, instance_id, project_id, block_id, parent_id, phase, position)

    async def depend(
        self,
        principal: Principal,
        instance_id: UUID,
        project_id: UUID,
        block_id: UUID,
        depends_on: Sequence[UUID],
        before: Sequence[UUID] | None = None,
    ) -> Block:
        """Raises BlockChanged when it does not depend any more on those it did when the change was made (`before`)."""
        async with self._db.unit_of_work(principal.actor) as uow:
            _, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
            block = tree.get(block_id)
            if before is not None and set(before) != set(block.depends_on):
                raise BlockChanged(block.name, block.version)
            return await depend(uow, principal, instance_id, project_id, block_id, depends_on)

    async def copy(self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> Block:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await copy(uow, principal, instance_id, project_id, block_id)

    async def delete(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, *, force: bool = False
    ) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await delete(uow, principal, instance_id, project_id, block_id, force=force)

    async def restore(self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> Block:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await restore(uow, principal, instance_id, project_id, block_id)


async def read_tree(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    action: Action = Action.READ,
) -> tuple[Project, BlockTree]:
    """To change something (`action`), others wait until that is done."""
    lock = action is not Action.READ
    project = await PROJECTS.checked(uow, principal, action, instance_id, project_id, lock=lock)
    return project, BlockTree(await store.of_project(uow, principal.mandate_id, project_id, lock=lock))


async def add(uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, new: NewBlock) -> Block:
    """At the end of its group or phase."""
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    await _require_room(uow, principal, project, 1)
    phase = find_phase(project, new.phase) if new.phase else project.current_phase
    parent_id, phase = tree.place_of(new, phase)
    block = new_block(
        project.id,
        new.name,
        phase,
        _end(tree.siblings(parent_id, phase)),
        kind=new.kind,
        parent_id=parent_id,
        depends_on=tree.checked_dependencies(None, new.depends_on),
    )
    if block.is_group and block.depends_on:
        raise InvalidInput("Blocks depend on blocks; a group has no text.", field="dependsOn")
    await store.insert(uow, principal.mandate_id, [block])
    await PROJECTS.announce(uow, principal, instance_id, project)
    return block


async def rename(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, name: str
) -> Block:
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    changed = tree.get(block_id).model_copy(update={"name": clean_name(name, "name")})
    return await _save(uow, principal, instance_id, project, changed)


async def move(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    block_id: UUID,
    parent_id: UUID | None,
    phase: str | None = None,
    position: int | None = None,
) -> Block:
    """Into a group, or to the top of a phase (its own when none is named), among the siblings there; None: at their end. What is
    in a group goes along."""
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    block = tree.get(block_id)
    tree.require_movable(block, parent_id)
    stays = phase is None or phase == block.phase  # also where that is hidden
    target = tree.get(parent_id).phase if parent_id else block.phase if stays else find_phase(project, phase or "")
    siblings = [one for one in tree.siblings(parent_id, target) if one.id != block.id]
    at = len(siblings) if position is None else min(position, len(siblings))
    moved = block.model_copy(update={"parent_id": parent_id, "phase": target})
    ordered = [one.model_copy(update={"position": i}) for i, one in enumerate([*siblings[:at], moved, *siblings[at:]])]
    along = [one.model_copy(update={"phase": target}) for one in tree.below(block.id)]
    changed = [one for one in (*ordered, *along) if one != tree.by_id[one.id]]
    await store.update(uow, principal.mandate_id, [one.model_copy(update={"updated_at": now()}) for one in changed])
    await PROJECTS.announce(uow, principal, instance_id, project)
    return ordered[at]


async def depend(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    block_id: UUID,
    depends_on: Sequence[UUID],
) -> Block:
    """On these from now on, and on no others."""
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    block = tree.get(block_id)
    if block.is_group:
        raise InvalidInput("Blocks depend on blocks; a group has no text.", field="dependsOn")
    changed = block.model_copy(update={"depends_on": tree.checked_dependencies(block.id, depends_on)})
    return await _save(uow, principal, instance_id, project, changed)


async def copy(uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> Block:
    """With its text, as its first version, and with what is in it, behind the original. Dependencies among what is copied are
    among the copies; what another person wrote does not become the copier's words."""
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    block = tree.get(block_id)
    originals = [block, *tree.below(block.id)]
    await _require_room(uow, principal, project, len(originals))
    new_ids = {one.id: new_id() for one in originals}
    moment = now()
    copies = [
        one.model_copy(
            update={
                "id": new_ids[one.id],
                "parent_id": new_ids.get(one.parent_id, one.parent_id) if one.parent_id else None,
                "depends_on": [new_ids.get(id_, id_) for id_ in one.depends_on],
                "created_at": moment,
                "updated_at": moment,
            }
        )
        for one in originals
    ]
    siblings = tree.siblings(block.parent_id, block.phase)
    copies[0] = copies[0].model_copy(update={"name": _free_name(block.name, siblings), "position": _end(siblings)})
    await store.insert(uow, principal.mandate_id, copies)
    for original in originals:
        # One after the other: all the texts of a large group would be hundreds of megabytes at once.
        if text := (await store.texts(uow, principal.mandate_id, [original.id])).get(original.id, ""):
            made = new_version(BlockInput(0, text, original.status, is_by_others(original, principal)), principal)
            digest = new_digest(made, BlockText(**original.model_dump(), text=text))
            await store.add_version(uow, principal.mandate_id, new_ids[original.id], made, digest)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return (await read_tree(uow, principal, instance_id, project_id))[1].get(copies[0].id)


async def delete(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    block_id: UUID,
    *,
    force: bool = False,
) -> Block:
    """Into the trash, with what is in it. Raises BlockNeeded when blocks that stay depend on it, unless `force`."""
    project, tree = await read_tree(uow, principal, instance_id, project_id, Action.UPDATE)
    block = tree.get(block_id)
    gone = [block.id, *(one.id for one in tree.below(block.id))]
    if not force and (needing := tree.dependants(gone)):
        raise BlockNeeded(block.name, [one.name for one in needing])
    await store.move_to_trash(uow, principal.mandate_id, gone, block.id)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return block


async def restore(uow: UnitOfWork, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> Block:
    """With what went into the trash together with it; at the top of its phase if its group is gone, or too deep in others by
    now. Restoring what is not in the trash changes nothing."""
    project = await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
    stored = await store.of_project(uow, principal.mandate_id, project_id, deleted=True, lock=True)
    known = {block.id: block for block in stored}
    if (block := known.get(block_id)) is None:
        raise NotFound("There is no such block in this project.")
    if block.deleted_at is None:
        return block
    if not (restored := await store.restore(uow, principal.mandate_id, block.id)):
        raise NotFound("This went into the trash with its group. Restore the group.")
    if sum(one.deleted_at is None for one in stored) + restored > MOST_BLOCKS:
        raise TooManyBlocks
    tree = BlockTree(await store.of_project(uow, principal.mandate_id, project_id))
    back, parent = tree.get(block.id), tree.parent(block)
    if parent is not None and not tree.is_too_deep(block):
        back = back.model_copy(update={"phase": parent.phase})
    elif block.parent_id is not None:
        back = back.model_copy(update={"parent_id": None, "position": _end(tree.siblings(None, back.phase))})
    together = {one.id: one.model_copy(update={"phase": back.phase}) for one in tree.below(back.id)} | {back.id: back}
    if tree.has_circle():  # blocks that stayed have come to depend on each other meanwhile
        together = {id_: _without_others(one, together.keys()) for id_, one in together.items()}
    await store.update(uow, principal.mandate_id, [one for one in together.values() if one != tree.by_id[one.id]])
    return await _save(uow, principal, instance_id, project, together[back.id])


async def _save(uow: UnitOfWork, principal: Principal, instance_id: UUID, project: Project, block: Block) -> Block:
    changed = block.model_copy(update={"updated_at": now()})
    await store.update(uow, principal.mandate_id, [changed])
    await PROJECTS.announce(uow, principal, instance_id, project)
    return changed


def _without_others(block: Block, ids: Collection[UUID]) -> Block:
    """It depends on these alone."""
    return block.model_copy(update={"depends_on": [id_ for id_ in block.depends_on if id_ in ids]})


async def _require_room(uow: UnitOfWork, principal: Principal, project: Project, more: int) -> None:
    if await store.count(uow, principal.mandate_id, project.id) + more > MOST_BLOCKS:
        raise TooManyBlocks


def _end(siblings: Sequence[Block]) -> int:
    return siblings[-1].position + 1 if siblings else 0


def _free_name(name: str, siblings: Iterable[Block]) -> str:
    """`Name 2`, or the first number that is free."""
    taken = {one.name.casefold() for one in siblings}
    numbered = (f"{name[: LONGEST_NAME - 5]} {number}" for number in range(2, MOST_BLOCKS + 2))
    return next(one for one in numbered if one.casefold() not in taken)
