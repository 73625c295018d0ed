"""Makes a project of a file that `exports.py` has made, here or elsewhere. Its texts, description, profile and personas count as
content from outside: the importer has not written them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from uuid import UUID

from workroom.core.errors import InvalidInput
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.studio import blocks_store, personas, profiles, projects, store
from workroom.studio.digests import NewDigest, digest_of
from workroom.studio.errors import DependencyCycle
from workroom.studio.phases import PHASE_ORDER
from workroom.studio.project_file import PortableBlock, PortableProfile, PortableProject, ProjectFile
from workroom.studio.project_phases import arranged
from workroom.studio.texts import new_version
from workroom.studio.tree import BlockTree
from workroom.studio.types import DEEPEST, Block, BlockInput, BlockKind, PhaseStatus, Project

OWN_PHASE = re.compile(r"own_[a-z0-9_]{1,56}")


class ProjectImports:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def import_(self, principal: Principal, instance_id: UUID, file: ProjectFile) -> Project:
        """As a new project of this person. Raises InvalidInput, which says what of the file does not fit."""
        async with self._db.unit_of_work(principal.actor) as uow:
            given = file.project
            profile_id = await _profile(uow, principal, instance_id, file.profile) if file.profile else None
            made = await projects.insert(
                uow, principal, instance_id, given.name, given.description, given.language, profile_id
            )
            project = _standing(made, given)
            await store.update(uow, principal.mandate_id, project)
            await _insert_blocks(uow, principal, project, file.blocks)
            for content in file.personas:
                await personas.add(uow, principal, instance_id, project.id, content, from_outside=True)
            return project


async def _profile(uow: UnitOfWork, principal: Principal, instance_id: UUID, given: PortableProfile) -> UUID:
    """The same one, if the workspace has it already."""
    known = await profiles.same(uow, principal, instance_id, given.name, given.text)
    if known is not None:
        return known
    made = await profiles.create(uow, principal, instance_id, given.name, given.text, from_outside=True)
    return made.id


def _standing(project: Project, given: PortableProject) -> Project:
    """With the phases of the file, and where it stands in them."""
    codes = [phase.code for phase in given.phases]
    for phase in given.phases:
        if phase.code not in PHASE_ORDER and not (OWN_PHASE.fullmatch(phase.code) and phase.name.strip()):
            raise InvalidInput(f"This workspace has no phase “{phase.code}”.", field="project.phases")
    for code in (given.current_phase, *given.phase_status):
        if code not in codes:
            raise InvalidInput(f"The file has no phase “{code}”.", field="project.currentPhase")
    there = project.model_copy(update={"phases": given.phases, "current_phase": given.current_phase})
    status = {given.current_phase: PhaseStatus.IN_PROGRESS, **given.phase_status}
    return there.model_copy(
        update={"phases": arranged(there, given.phases), "phase_status": status, "described_by": None}
    )


async def _insert_blocks(
    uow: UnitOfWork, principal: Principal, project: Project, given: Sequence[PortableBlock]
) -> None:
    blocks = blocks_of(project, given)
    await blocks_store.insert(uow, principal.mandate_id, blocks)
    for block, entry in zip(blocks, given, strict=True):
        if entry.text:
            made = new_version(BlockInput(0, entry.text, entry.status, from_outside=True), principal)
            await blocks_store.add_version(uow, principal.mandate_id, block.id, made, NewDigest(digest_of(made.text)))


def blocks_of(project: Project, given: Sequence[PortableBlock]) -> list[Block]:
    """New blocks without their texts, in the order of the file. Raises InvalidInput and DependencyCycle."""
    codes, by_number = {phase.code for phase in project.phases}, dict[int, Block]()
    for position, entry in enumerate(given):
        parent = by_number.get(entry.parent) if entry.parent is not None else None
        _require(entry, entry.number not in by_number, "has the number of another block")
        _require(entry, entry.phase in codes, f"is in the phase “{entry.phase}”, which the file does not have")
        _require(entry, entry.parent is None or parent is not None, "stands before the group it is in, or without it")
        _require(
            entry, parent is None or (parent.is_group and parent.phase == entry.phase), "is not in a group of its phase"
        )
        _require(
            entry,
            entry.kind is BlockKind.BLOCK or not (entry.text or entry.depends_on),
            "is a group with a text of its own",
        )
        parent_id = parent.id if parent else None
        by_number[entry.number] = projects.new_block(
            project.id, entry.name, entry.phase, position, kind=entry.kind, parent_id=parent_id
        )
    tree = BlockTree(by_number.values())
    for entry in given:
        block = by_number[entry.number]
        _require(entry, not block.is_group or tree.depth(block) <= DEEPEST, f"is more than {DEEPEST} groups deep")
        needed = [by_number.get(number) for number in entry.depends_on]
        _require(
            entry, all(each and not each.is_group for each in needed), "depends on a block that is not in the file"
        )
        depends_on = list(dict.fromkeys(each.id for each in needed if each))
        by_number[entry.number] = block.model_copy(update={"depends_on": depends_on})
    _require_no_circle(by_number)
    return list(by_number.values())


def _require(entry: PortableBlock, fits: bool, problem: str) -> None:
    if not fits:
        raise InvalidInput(f"“{entry.name}” (number {entry.number}) {problem}.", field="blocks")


def _require_no_circle(by_number: dict[int, Block]) -> None:
    names = {block.id: block.name for block in by_number.values()}
    try:
        TopologicalSorter({block.id: block.depends_on for block in by_number.values()}).prepare()
    except CycleError as error:
        raise DependencyCycle([names[id_] for id_ in reversed(error.args[1])]) from None
