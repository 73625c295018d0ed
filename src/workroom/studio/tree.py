"""The tree of a project's blocks: order, paths, moves, dependencies. Pure: all its blocks in, answers out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from uuid import UUID

from workroom.core.errors import InvalidInput, NotFound
from workroom.studio.errors import DependencyCycle
from workroom.studio.types import DEEPEST, MOST_DEPENDENCIES, Block, BlockStatus, NewBlock


class BlockTree:
    """What is in the trash is not in it."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.by_id: Mapping[UUID, Block] = {block.id: block for block in blocks if block.deleted_at is None}

    @cached_property
    def _children(self) -> Mapping[UUID | None, list[Block]]:
        found: defaultdict[UUID | None, list[Block]] = defaultdict(list)
        for block in sorted(self.by_id.values(), key=lambda block: (block.position, block.id)):
            found[block.parent_id if block.parent_id in self.by_id else None].append(block)
        return found

    def get(self, block_id: UUID) -> Block:
        if (block := self.by_id.get(block_id)) is None:
            raise NotFound("There is no such block in this project.")
        return block

    def siblings(self, parent_id: UUID | None, phase: str) -> list[Block]:
        """Those in a group, or at the top of a phase, in their order."""
        return [block for block in self._children.get(parent_id, ()) if parent_id is not None or block.phase == phase]

    def below(self, block_id: UUID) -> Iterator[Block]:
        """Everything in a group, at any depth."""
        for child in self._children.get(block_id, ()):
            yield child
            yield from self.below(child.id)

    def in_order(self, phases: Sequence[str]) -> list[Block]:
        """As people read it: phase by phase, each group before what is in it."""
        tops = [block for phase in phases for block in self.siblings(None, phase)]
        return [each for top in tops for each in (top, *self.below(top.id))]

    def path(self, block: Block) -> str:
        """`Group/Block`."""
        return "/".join(reversed([block.name, *(group.name for group in self._above(block))]))

    def empty_in(self, phase: str) -> list[Block]:
        blocks = (block for block in self.by_id.values() if block.phase == phase and not block.is_group)
        return [block for block in blocks if block.status is BlockStatus.EMPTY]

    def parent(self, block: Block) -> Block | None:
        """None also while its group is in the trash."""
        return self.by_id.get(block.parent_id) if block.parent_id else None

    def is_too_deep(self, block: Block) -> bool:
        """Whether it, or a group in it, stands in more groups than is allowed."""
        return any(self.depth(one) > DEEPEST for one in (block, *self.below(block.id)) if one.is_group)

    def has_circle(self) -> bool:
        """Whether blocks depend on each other in a circle."""
        try:
            TopologicalSorter({block.id: block.depends_on for block in self.by_id.values()}).prepare()
        except CycleError:
            return True
        return False

    def dependants(self, block_ids: Iterable[UUID]) -> list[Block]:
        """Those that depend on one of these and are not among them."""
        wanted = set(block_ids)
        return [block for block in self.by_id.values() if block.id not in wanted and wanted & set(block.depends_on)]

    def dependencies(self, block: Block) -> list[Block]:
        """Those in the trash do not count."""
        return [self.by_id[id_] for id_ in block.depends_on if id_ in self.by_id]

    def place_of(self, new: NewBlock, phase: str) -> tuple[UUID | None, str]:
        """Parent and phase of a block that is added; without a parent it is at the top of `phase`."""
        if new.parent_id is None:
            return None, phase
        parent = self._require_group(new.parent_id)
        if self.depth(parent) >= DEEPEST:
            raise InvalidInput(f"Groups stand at most {DEEPEST} deep in each other.", field="parentId")
        return parent.id, parent.phase

    def require_movable(self, block: Block, parent_id: UUID | None) -> None:
        if parent_id is None:
            return
        parent = self._require_group(parent_id)
        inside = [one for one in self.below(block.id) if one.is_group]
        if parent.id == block.id or any(one.id == parent.id for one in inside):
            raise InvalidInput("A group cannot be moved into itself.", field="parentId")
        height = max((self.depth(one) for one in (block, *inside) if one.is_group), default=self.depth(block) - 1)
        if self.depth(parent) + height - self.depth(block) + 1 > DEEPEST:
            raise InvalidInput(f"Groups stand at most {DEEPEST} deep in each other.", field="parentId")

    def checked_dependencies(self, block_id: UUID | None, wanted: Sequence[UUID]) -> list[UUID]:
        """What a block is to depend on. Each is a block of the project with a text, and no way leads back."""
        depends_on = list(dict.fromkeys(wanted))
        if len(depends_on) > MOST_DEPENDENCIES:
            raise InvalidInput(f"A block depends on at most {MOST_DEPENDENCIES} others.", field="dependsOn")
        for id_ in depends_on:
            if self.get(id_).is_group:
                raise InvalidInput("Blocks depend on blocks, not on groups.", field="dependsOn")
        if block_id is not None and (way := self._way(depends_on, block_id)):
            raise DependencyCycle([self.by_id[id_].name for id_ in (block_id, *way)])
        return depends_on

    def _way(self, starts: Sequence[UUID], goal: UUID) -> list[UUID] | None:
        """From one of these along dependencies to the goal."""
        before: dict[UUID, UUID | None] = dict.fromkeys(starts)
        pending = list(starts)
        while pending:
            at = pending.pop()
            if at == goal:
                way = [at]
                while (previous := before[way[-1]]) is not None:
                    way.append(previous)
                return way[::-1]
            for further in self.by_id[at].depends_on if at in self.by_id else ():
                if further not in before:
                    before[further] = at
                    pending.append(further)
        return None

    def _require_group(self, block_id: UUID) -> Block:
        group = self.get(block_id)
        if not group.is_group:
            raise InvalidInput("Only groups have something in them.", field="parentId")
        return group

    def depth(self, block: Block) -> int:
        """1 at the top."""
        return 1 + sum(1 for _ in self._above(block))

    def _above(self, block: Block) -> Iterator[Block]:
        """The groups it is in, from the inside out."""
        while block.parent_id is not None and block.parent_id in self.by_id:
            block = self.by_id[block.parent_id]
            yield block
