"""Sample layers, drawn by ourselves (`geo/sample/tiles.py`). What only resembles a name is offered with its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from workroom.core.map_actions import LayerSource
from workroom.geo.layers.layer_names import is_generic_word, layer_name
from workroom.geo.name_matching import best_matches, folded, likeness
from workroom.geo.sample.data import SampleLayer, sample, translated
from workroom.geo.types import MapLayer

TILES = "/api/geo/tiles/{layer}/{{TileMatrix}}/{{TileRow}}/{{TileCol}}.svg"
LEGEND = "/api/geo/legend/{layer}.svg?language={language}"
ATTRIBUTION = "Sample data"
PART = 0.92  # a word of its name
RESEMBLES = 0.85  # at most, for a misspelt name: the user should confirm it
OFFERED = 3
FAINTEST = 0.3
OTHERWISE = "de"
NAMES_CACHED = 2_000


class LayerThemes:
    """The catalogue of layer names that the planner asks (`agent/planning/ports.py`)."""

    def has(self, name: str) -> bool:
        return _is_theme(name)

    def has_word(self, word: str) -> bool:
        return _is_word(word)


@lru_cache(maxsize=NAMES_CACHED)
def _is_theme(theme: str) -> bool:
    """Whether a layer is called exactly this in any language."""
    return layer_name(theme) in _themes()


@lru_cache(maxsize=NAMES_CACHED)
def _is_word(word: str) -> bool:
    """Whether it stands in the name of some layer, or only says that it is one."""
    return folded(word) in _words() or is_generic_word(word)


class EmbeddedLayers:
    async def search(self, query: str, language: str | None) -> Sequence[MapLayer]:
        theme = layer_name(query)
        if not theme:
            return []
        sure = [(score, (layer, spoken)) for layer in sample().layers.values() for score, spoken in _fits(theme, layer)]
        picked = best_matches(_best(sure)) or _resembling(theme)
        return [_layer(layer, language or spoken, score) for score, (layer, spoken) in picked]


Scored = tuple[float, tuple[SampleLayer, str]]


def _fits(theme: str, layer: SampleLayer) -> Iterator[tuple[float, str]]:
    """Its id, one of its names, or whole words of one."""
    if theme == folded(layer.id):
        yield 1.0, OTHERWISE
    for name, spoken in _names(layer):
        if theme == name:
            yield 1.0, spoken
        elif len(theme) > 2 and f" {theme} " in f" {name} ":
            yield PART, spoken


def _resembling(theme: str) -> list[Scored]:
    """The nearest few, for the user to choose from: a typo in a name is no reason to show another layer."""
    scored = [
        (round(RESEMBLES * max(likeness(theme, name), _shared(theme, name)), 3), (layer, spoken))
        for layer in sample().layers.values()
        for name, spoken in _names(layer)
    ]
    ranked = sorted(_best(scored), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < 2 * FAINTEST:
        return []
    return [pair for place, pair in enumerate(ranked[:OFFERED]) if place < 2 or pair[0] >= FAINTEST]


def _shared(theme: str, name: str) -> float:
    """How much of the two texts is the same, in groups of three letters."""
    first, second = ({text[place : place + 3] for place in range(len(text) - 2)} for text in (theme, name))
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


def _best(scored: list[Scored]) -> list[Scored]:
    """Every layer once, under the name that fits it best."""
    best: dict[str, Scored] = {}
    for score, (layer, spoken) in scored:
        if layer.id not in best or best[layer.id][0] < score:
            best[layer.id] = score, (layer, spoken)
    return list(best.values())


@cache
def _themes() -> frozenset[str]:
    return frozenset(name for layer in sample().layers.values() for name, _ in _names(layer))


@cache
def _words() -> frozenset[str]:
    """Signs of Chinese are words of their own."""
    titles = (text for layer in sample().layers.values() for text in layer.title.values())
    names = (name for layer in sample().layers.values() for several in layer.names.values() for name in several)
    parts = (part for name in (*titles, *names) for part in (*folded(name).split(), *layer_name(name).split()))
    return frozenset(word for part in parts for word in (part, *(() if part.isascii() else part)))


def _names(layer: SampleLayer) -> Iterator[tuple[str, str]]:
    for spoken, names in layer.names.items():
        for name in (layer.title[spoken], *names):
            yield layer_name(name), spoken


def _layer(layer: SampleLayer, language: str, score: float) -> MapLayer:
    source = LayerSource(
        url=TILES.format(layer=layer.id),
        format="image/svg+xml",
        legend=LEGEND.format(layer=layer.id, language=language if language in layer.title else "en"),
        attribution=ATTRIBUTION,
    )
    return MapLayer(layer.id, translated(layer.title, language), "wmts", source, round(score, 2), sample=True)
