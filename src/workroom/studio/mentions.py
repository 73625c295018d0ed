"""Completes `@` mentions of blocks while a person types in the conversation about a project."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from workroom.contents.mentions import Suggestion, written
from workroom.core.errors import InvalidInput, NotFound
from workroom.db import Database
from workroom.files.finder import unquoted
from workroom.identity.types import Principal
from workroom.studio.blocks import read_tree
from workroom.studio.conversations import project_of
from workroom.studio.project_phases import phase_name
from workroom.studio.references import find_block
from workroom.studio.tree import BlockTree
from workroom.studio.types import Block, Project


class BlockMentions:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def suggest(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, text: str, limit: int
    ) -> list[Suggestion]:
        """None where the conversation is about no project, or about one that is not this person's to see."""
        async with self._db.unit_of_work(principal.actor) as uow:
            project = await project_of(uow, principal, instance_id, conversation_id)
            if project is None:
                return []
            _, tree = await read_tree(uow, principal, instance_id, project.id)
        return suggestions(project, tree, text, limit)


def suggestions(project: Project, tree: BlockTree, text: str, limit: int) -> list[Suggestion]:
    """What begins so before what contains it, and of those the current phase before the others."""
    typed = unquoted(text.lstrip("@").lstrip('"')).casefold()
    blocks = [block for block in tree.in_order([phase.code for phase in project.phases]) if not block.is_group]
    fitting = [block for block in blocks if typed in tree.path(block).casefold()]
    fitting.sort(key=lambda block: (_rank(tree, block, typed), block.phase != project.current_phase))
    return [_suggestion(project, tree, block) for block in fitting[:limit]]


def _rank(tree: BlockTree, block: Block, typed: str) -> int:
    names = (block.name, tree.path(block))
    return next((rank for rank, name in enumerate(names) if name.casefold().startswith(typed)), len(names))


def _suggestion(project: Project, tree: BlockTree, block: Block) -> Suggestion:
    return Suggestion(
        kind="block",
        id=block.id,
        name=block.name,
        path=tree.path(block),
        media_type=None,
        insert=written(_reference(tree, block), block.id),
        phase=phase_name(project, block.phase, project.language),
    )


def _reference(tree: BlockTree, block: Block) -> str:
    """The shortest that means this block and no other."""
    for name in (block.name, tree.path(block)):
        with suppress(InvalidInput, NotFound):
            if find_block(tree, name).id == block.id:
                return name
    return str(block.id)
