"""The texts of blocks: read, write, look at versions, restore one, say that one is being edited. Every change makes a version
with its author.

Functions that take a unit of work are part of their caller's transaction. Writers of one project wait for each other on its row,
so that versions count without gaps and a text that was not seen is never overwritten.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.pages import Page, PageRequest
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.identity.names import clean_text
from workroom.identity.types import Action, Principal
from workroom.studio import blocks_store as store
from workroom.studio.digests import new_digest
from workroom.studio.errors import BlockChanged
from workroom.studio.projects import PROJECTS
from workroom.studio.types import (
    LARGEST_TEXT,
    BlockInput,
    BlockStatus,
    BlockText,
    BlockVersion,
    BlockVersionText,
    Project,
)

EDITING = timedelta(seconds=60)  # how long an open editor counts without a sign of life


class BlockTexts:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def read(self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> BlockText:
        async with self._db.unit_of_work(principal.actor) as uow:
            return (await read(uow, principal, instance_id, project_id, block_id))[1]

    async def write(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, given: BlockInput
    ) -> BlockText:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await write(uow, principal, instance_id, project_id, block_id, given)

    async def versions(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, request: PageRequest
    ) -> Page[BlockVersion]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await read(uow, principal, instance_id, project_id, block_id)
            return await store.versions(uow, principal.mandate_id, block_id, request)

    async def version(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, number: int
    ) -> BlockVersionText:
        async with self._db.unit_of_work(principal.actor) as uow:
            await read(uow, principal, instance_id, project_id, block_id)
            return await _version(uow, principal, block_id, number)

    async def restore_version(
        self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID, number: int
    ) -> BlockText:
        """As it was then, as a new version: nothing of the history is lost."""
        async with self._db.unit_of_work(principal.actor) as uow:
            _, block = await read(uow, principal, instance_id, project_id, block_id, Action.UPDATE)
            earlier = await _version(uow, principal, block_id, number)
            given = BlockInput(block.version, earlier.text, earlier.status, is_by_others(earlier, principal))
            return await write(uow, principal, instance_id, project_id, block_id, given, restored_from=number)

    async def edit(self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> BlockText:
        """The person has changes that are not saved: agents propose meanwhile, and do not write. To be repeated within a
        minute; another person's editor that was first stays the one."""
        assert principal.user_id is not None
        async with self._db.unit_of_work(principal.actor) as uow:
            project, before = await read(uow, principal, instance_id, project_id, block_id, Action.UPDATE, lock=False)
            await store.set_editing(uow, principal.mandate_id, block_id, principal.user_id, now() + EDITING)
            _, after = await read(uow, principal, instance_id, project_id, block_id)
            if after.edited_by != before.edited_by:
                await PROJECTS.announce(uow, principal, instance_id, project)
            return after

    async def end_editing(self, principal: Principal, instance_id: UUID, project_id: UUID, block_id: UUID) -> None:
        assert principal.user_id is not None
        async with self._db.unit_of_work(principal.actor) as uow:
            project, _ = await read(uow, principal, instance_id, project_id, block_id)
            if await store.end_editing(uow, principal.mandate_id, block_id, principal.user_id):
                await PROJECTS.announce(uow, principal, instance_id, project)


async def read(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    block_id: UUID,
    action: Action = Action.READ,
    *,
    lock: bool | None = None,
) -> tuple[Project, BlockText]:
    """The project and the block in its newest version. To change something (`action`), others wait until that is done."""
    locks = action is not Action.READ if lock is None else lock
    project = await PROJECTS.checked(uow, principal, action, instance_id, project_id, lock=locks)
    block = await store.newest(uow, principal.mandate_id, project_id, block_id)
    if block is None:
        raise NotFound("There is no such block in this project.")
    return project, block


async def write(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    block_id: UUID,
    given: BlockInput,
    agent: WritingAgent | None = None,
    *,
    restored_from: int | None = None,
) -> BlockText:
    """Raises BlockChanged when it was not made from the newest version. What is the same already makes no version. `agent`: who
    writes it, when it is not the person. What came from outside stays so until the block is emptied."""
    project, block = await read(uow, principal, instance_id, project_id, block_id, Action.UPDATE)
    if block.is_group:
        raise InvalidInput("A group has no text. Write one of the blocks in it.", field="text")
    if block.version != given.version:
        raise BlockChanged(block.name, block.version)
    made = new_version(given, principal, agent, was_outside=block.from_outside, restored_from=restored_from)
    if (block.text, block.status) == (made.text, made.status):
        return block
    await store.add_version(uow, principal.mandate_id, block_id, made, new_digest(made, block))
    await PROJECTS.announce(uow, principal, instance_id, project)
    return (await read(uow, principal, instance_id, project_id, block_id))[1]


def new_version(
    given: BlockInput,
    principal: Principal,
    agent: WritingAgent | None = None,
    *,
    was_outside: bool = False,
    restored_from: int | None = None,
) -> BlockVersionText:
    text = clean_text(given.text, "text", LARGEST_TEXT)
    if len(text.encode()) > LARGEST_TEXT:
        raise InvalidInput(f"A block has at most {LARGEST_TEXT // 1_000} kB.", field="text")
    written = BlockStatus.DRAFT if given.status is BlockStatus.EMPTY else given.status
    return BlockVersionText(
        version=given.version + 1,
        status=written if text else BlockStatus.EMPTY,
        text=text,
        from_outside=bool(text) and (given.from_outside or was_outside),
        written_by=principal.user_id,
        written_by_name=None,
        agent_id=agent.id if agent else None,
        agent_name=agent.name if agent else "",
        run_id=agent.run_id if agent else None,
        written_at=now(),
        restored_from=restored_from,
        cost_chf=given.cost_chf,
    )


def is_by_others(version: BlockVersion, principal: Principal) -> bool:
    """Whether it was written by another person, or contains what was read elsewhere: information, never an instruction."""
    return version.version > 0 and (version.from_outside or version.written_by != principal.user_id)


async def _version(uow: UnitOfWork, principal: Principal, block_id: UUID, number: int) -> BlockVersionText:
    found = await store.version(uow, principal.mandate_id, block_id, number)
    if found is None:
        raise NotFound("There is no such version of this block.")
    return found
