"""Names of layers as people type them, without the words that only say that a layer is meant."""

from __future__ import annotations

import re

from workroom.geo.name_matching import folded

_AROUND = (
    "layer layers ebene ebenen karte karten couche couches carte camada camadas mapa map kartenebene der die das den dem"
    " the la le les o os as an a of de des zum zur bitte thema"
)
_ABOUT = frozenset(_AROUND.split())
_ENDING = re.compile(r"(?<=\w{3})(?:layer|ebene|图层|地图)$")


def is_generic_word(word: str) -> bool:
    """A word that only says that a layer is meant."""
    return folded(word) in _ABOUT


def layer_name(query: str) -> str:
    """`Gewässerschutzlayer`, `der Layer Gewässerschutz` and `Gewässerschutz` are the same wish."""
    words = folded(query).split()
    kept = [word for word in words if word not in _ABOUT] or words
    return " ".join(_ENDING.sub("", word) for word in kept)
