"""Projects made on the services."""

from __future__ import annotations

from uuid import UUID

from tests.world import World
from workroom.studio.types import Block, BlockInput, BlockKind, BlockStatus, BlockText, NewBlock, Project


async def project(world: World, by: str = "bob", name: str = "Velo-Ratgeber") -> Project:
    return await world.services.studio.projects.create(world[by].principal, world.instances["lab"].id, name)


async def block(
    world: World,
    made: Project,
    name: str,
    *,
    by: str = "bob",
    kind: BlockKind = BlockKind.BLOCK,
    phase: str | None = "design_inner",
    parent_id: UUID | None = None,
    depends_on: tuple[UUID, ...] = (),
) -> Block:
    new = NewBlock(name, kind, None if parent_id else phase, parent_id, depends_on)
    return await world.services.studio.blocks.add(world[by].principal, world.instances["lab"].id, made.id, new)


async def write(
    world: World,
    one: Block,
    text: str,
    status: BlockStatus = BlockStatus.DRAFT,
    *,
    by: str = "bob",
    version: int | None = None,
) -> BlockText:
    """From the newest version, if none is named."""
    place = world[by].principal, world.instances["lab"].id, one.project_id, one.id
    known = (await world.services.studio.texts.read(*place)).version if version is None else version
    return await world.services.studio.texts.write(*place, BlockInput(known, text, status))
