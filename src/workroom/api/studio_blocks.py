"""Blocks of a project: their tree, their texts in versions, and who is editing one."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire
from workroom.studio.types import (
    LARGEST_TEXT,
    MOST_BLOCKS,
    MOST_DEPENDENCIES,
    Block,
    BlockInput,
    BlockKind,
    BlockStatus,
    BlockText,
    BlockVersion,
    BlockVersionText,
    NewBlock,
)

router = APIRouter(prefix="/api/workspace/{instanceId}/studio/projects/{projectId}/blocks", tags=["studio"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


class BlockNew(Wire):
    """In a group (`parentId`), or at the top of a `phase`; the current one when neither is named."""

    name: str = Field(max_length=200)
    kind: BlockKind = BlockKind.BLOCK
    phase: str | None = Field(None, max_length=200)
    parent_id: UUID | None = None
    depends_on: list[UUID] = Field(default_factory=list, max_length=MOST_DEPENDENCIES)


class BlockName(Wire):
    name: str = Field(max_length=200)


class BlockPlace(Wire):
    """Into a group (`parentId`), or to the top of a `phase`; `position` counts the siblings there from 0, null: at their end."""

    parent_id: UUID | None = None
    phase: str | None = Field(None, max_length=200)
    position: int | None = Field(None, ge=0, le=MOST_BLOCKS)


class BlockDependencies(Wire):
    """On these from now on, and on no others. `before`: on which it depended when the change was made; if that is not so any
    more, nothing is overwritten."""

    depends_on: list[UUID] = Field(max_length=MOST_DEPENDENCIES)
    before: list[UUID] | None = Field(None, max_length=MOST_DEPENDENCIES)


class BlockWrite(Wire):
    """`version` names the one the text was made from, 0 if it was never written; if that is not the newest, nothing is
    overwritten. A block without a text is `empty`, whatever `status` says."""

    version: int = Field(ge=0, le=2**31 - 1)
    text: str = Field(max_length=LARGEST_TEXT)
    status: BlockStatus = BlockStatus.DRAFT


@router.get("")
async def list_blocks(
    instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices, deleted: bool = False
) -> list[Block]:
    """All of them, phase by phase, each group before what is in it. `deleted`: what lies in the trash, newest first."""
    blocks = services.studio.blocks
    if deleted:
        return await blocks.trash(principal, instanceId, projectId)
    project, tree = await blocks.tree(principal, instanceId, projectId)
    return tree.in_order([phase.code for phase in project.phases])


@router.post("", status_code=201)
async def add_block(
    instanceId: UUID, projectId: UUID, body: BlockNew, principal: CurrentPrincipal, services: AppServices
) -> Block:
    new = NewBlock(body.name, body.kind, body.phase, body.parent_id, tuple(body.depends_on))
    return await services.studio.blocks.add(principal, instanceId, projectId, new)


@router.get("/{blockId}")
async def get_block(
    instanceId: UUID, projectId: UUID, blockId: UUID, principal: CurrentPrincipal, services: AppServices
) -> BlockText:
    return await services.studio.texts.read(principal, instanceId, projectId, blockId)


@router.patch("/{blockId}")
async def rename_block(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    body: BlockName,
    principal: CurrentPrincipal,
    services: AppServices,
) -> Block:
    return await services.studio.blocks.rename(principal, instanceId, projectId, blockId, body.name)


@router.post("/{blockId}/move")
async def move_block(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    body: BlockPlace,
    principal: CurrentPrincipal,
    services: AppServices,
) -> Block:
    """What is in a group goes along."""
    return await services.studio.blocks.move(
        principal, instanceId, projectId, blockId, body.parent_id, body.phase, body.position
    )


@router.put("/{blockId}/dependencies")
async def set_block_dependencies(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    body: BlockDependencies,
    principal: CurrentPrincipal,
    services: AppServices,
) -> Block:
    return await services.studio.blocks.depend(principal, instanceId, projectId, blockId, body.depends_on, body.before)


@router.put("/{blockId}/text")
async def write_block(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    body: BlockWrite,
    principal: CurrentPrincipal,
    services: AppServices,
) -> BlockText:
    """Makes a new version, if anything is different."""
    given = BlockInput(body.version, body.text, body.status)
    return await services.studio.texts.write(principal, instanceId, projectId, blockId, given)


@router.post("/{blockId}/copy", status_code=201)
async def copy_block(
    instanceId: UUID, projectId: UUID, blockId: UUID, principal: CurrentPrincipal, services: AppServices
) -> Block:
    """With its text and what is in it."""
    return await services.studio.blocks.copy(principal, instanceId, projectId, blockId)


@router.delete("/{blockId}", status_code=204)
async def delete_block(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    force: bool = False,
) -> None:
    """With what is in it. It can be restored for thirty days. Refused with `blockNeeded` while blocks that stay depend on it,
    unless `force`."""
    await services.studio.blocks.delete(principal, instanceId, projectId, blockId, force=force)


@router.post("/{blockId}/restore")
async def restore_block(
    instanceId: UUID, projectId: UUID, blockId: UUID, principal: CurrentPrincipal, services: AppServices
) -> Block:
    return await services.studio.blocks.restore(principal, instanceId, projectId, blockId)


@router.put("/{blockId}/editing")
async def edit_block(
    instanceId: UUID, projectId: UUID, blockId: UUID, principal: CurrentPrincipal, services: AppServices
) -> BlockText:
    """You have changes that are not saved: agents propose meanwhile, and do not write. Counts for a minute; repeat it."""
    return await services.studio.texts.edit(principal, instanceId, projectId, blockId)


@router.delete("/{blockId}/editing", status_code=204)
async def end_editing_block(
    instanceId: UUID, projectId: UUID, blockId: UUID, principal: CurrentPrincipal, services: AppServices
) -> None:
    await services.studio.texts.end_editing(principal, instanceId, projectId, blockId)


@router.get("/{blockId}/versions")
async def list_block_versions(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    query: Listed,
    principal: CurrentPrincipal,
    services: AppServices,
) -> PageOf[BlockVersion]:
    """Sorted by `version`. The texts are read one by one."""
    found = await services.studio.texts.versions(principal, instanceId, projectId, blockId, query.request())
    return page_of(found, lambda version: version)


@router.get("/{blockId}/versions/{version}")
async def get_block_version(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    version: Number,
    principal: CurrentPrincipal,
    services: AppServices,
) -> BlockVersionText:
    return await services.studio.texts.version(principal, instanceId, projectId, blockId, version)


@router.post("/{blockId}/versions/{version}/restore")
async def restore_block_version(
    instanceId: UUID,
    projectId: UUID,
    blockId: UUID,
    version: Number,
    principal: CurrentPrincipal,
    services: AppServices,
) -> BlockText:
    """As it was then, as a new version."""
    return await services.studio.texts.restore_version(principal, instanceId, projectId, blockId, version)
