"""Which of the tasks or scenarios are carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from workroom.core.errors import InvalidInput

Item = TypeVar("Item")


def selected(
    items: Sequence[Item],
    selectors: Sequence[str],
    sorts: Sequence[Callable[[Item], str]],
    noun: str,
    known: Sequence[str],
    limit: int | None = None,
) -> Sequence[Item]:
    """Each of the `sorts` tells what an item answers to, such as its language. Selectors of one sort are alternatives; of
    different sorts, all must hold. `known` are named where a selector fits nothing."""
    wanted = [set(selectors) & {sort(item) for item in items} for sort in sorts]
    if unknown := set(selectors).difference(*wanted):
        raise InvalidInput(f"There is no {noun} for {', '.join(sorted(unknown))}. There are {', '.join(known)}.")
    pairs = list(zip(sorts, wanted, strict=True))
    chosen = [item for item in items if all(not names or sort(item) in names for sort, names in pairs)]
    return chosen[:limit]
