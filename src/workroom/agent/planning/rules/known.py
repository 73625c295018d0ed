"""Names that stand in no phrase: of places, and of what layers are about. Those that come with the product, so that the same
words mean the same with and without a network; what else there is, a service finds."""

from __future__ import annotations

from functools import lru_cache

from workroom.geo.geocoding import embedded as places
from workroom.geo.layers import embedded as layers


@lru_cache(maxsize=2_000)
def is_place(name: str) -> bool:
    return places.knows(name)


@lru_cache(maxsize=2_000)
def is_theme(name: str) -> bool:
    return layers.knows(name)


@lru_cache(maxsize=2_000)
def is_of_a_place(word: str) -> bool:
    """Whether some name has this word in it: where none has, nothing longer has to be looked up."""
    return places.knows_word(word)


@lru_cache(maxsize=2_000)
def is_of_a_theme(word: str) -> bool:
    return layers.knows_word(word)
