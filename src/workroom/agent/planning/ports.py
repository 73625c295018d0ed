"""What the rules of the planner ask for names that stand in no phrase: of places, and of what map layers are about.

Implementations answer from data that ship with the product, so that the same words mean the same with and without a network.
They are asked for every word of a request and must be fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


class NameCatalogue(Protocol):
    def has(self, name: str) -> bool:
        """Whether an entry is called exactly this."""
        ...

    def has_word(self, word: str) -> bool:
        """Whether the word occurs in the name of some entry: where it does not, no longer name has to be looked up."""
        ...


@dataclass(frozen=True)
class InMemoryNames:
    """A catalogue of the names it is given; without any, it knows none."""

    names: frozenset[str] = frozenset()

    def has(self, name: str) -> bool:
        return name in self.names

    def has_word(self, word: str) -> bool:
        return any(word in name.split() for name in self.names)


@dataclass(frozen=True)
class KnownNames:
    """`themes` are what map layers are about: `forest`."""

    places: NameCatalogue = field(default_factory=InMemoryNames)
    themes: NameCatalogue = field(default_factory=InMemoryNames)


NO_NAMES = KnownNames()
