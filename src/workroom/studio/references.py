"""Which block a reference such as `@Headline` or `Posts/Headline` means. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from workroom.core.errors import InvalidInput, NotFound
from workroom.studio.tree import BlockTree
from workroom.studio.types import Block

MOST_NAMED = 8
COMPARED = 24  # characters


def find_block(tree: BlockTree, reference: str, *, groups: bool = False) -> Block:
    """By id, name, or path. NotFound and InvalidInput say what could be meant. `groups`: a group can be meant as well."""
    wanted = _wanted(reference)
    blocks = [block for block in tree.by_id.values() if groups or not block.is_group]
    hits = _meant(tree, blocks, wanted)
    if len(hits) == 1:
        return hits[0]
    if hits:
        paths = [f"“{tree.path(block)}” in {block.phase} (id {block.id})" for block in hits[:MOST_NAMED]]
        raise InvalidInput(
            f"Several blocks are called so: {'; '.join(paths)}. Which one is meant? Give its path or its id.",
            field="field_name",
        )
    if any(_comparable(block.name) == wanted for block in tree.by_id.values()):
        raise InvalidInput("This is a group. Name one of the blocks in it.", field="field_name")
    raise NotFound(f"This project has no such block.{_like(blocks, wanted)}")


def names_of_blocks(tree: BlockTree) -> Callable[[str], bool]:
    """Tells of a reference whether one or several blocks are called so. A message may have thousands: the tree is read once."""
    known = set[str]()
    for block in tree.by_id.values():
        if not block.is_group:
            path = _comparable(tree.path(block))
            ends = (path[at + 1 :] for at, char in enumerate(path) if char == "/")
            known |= {str(block.id), _comparable(block.name), path, *(end for end in ends if "/" in end)}
    return lambda reference: _wanted(reference) in known


def _wanted(reference: str) -> str:
    return _comparable(reference.strip().removeprefix("@"))


def _meant(tree: BlockTree, blocks: Sequence[Block], wanted: str) -> list[Block]:
    return [block for block in blocks if str(block.id) == wanted] or _named(tree, blocks, wanted)


def _named(tree: BlockTree, blocks: Sequence[Block], wanted: str) -> list[Block]:
    if "/" in wanted:
        path = [block for block in blocks if _comparable(tree.path(block)) == wanted]
        return (
            path
            or [block for block in blocks if _comparable(tree.path(block)).endswith(f"/{wanted}")]
            or [block for block in blocks if _comparable(block.name) == wanted]
        )
    return [block for block in blocks if _comparable(block.name) == wanted]


def _like(blocks: Sequence[Block], wanted: str) -> str:
    names = {_comparable(block.name): block.name for block in blocks}
    # How alike two texts are takes the square of their lengths: their beginnings are enough.
    beginnings = {name[:COMPARED]: name for name in names}
    alike = get_close_matches(wanted[:COMPARED], beginnings, MOST_NAMED, 0.6)
    close = [beginnings[name] for name in alike] or [name for name in names if wanted and wanted in name]
    named = [names[name] for name in close] or [block.name for block in blocks]
    if not named:
        return " It has no blocks yet."
    more = "" if len(named) <= MOST_NAMED else " and more"
    return f" There is {', '.join(f'“{name}”' for name in named[:MOST_NAMED])}{more}."


def _comparable(text: str) -> str:
    """Without the quotation marks around it."""
    return " ".join(text.strip('"“”„«» ').split()).casefold()
