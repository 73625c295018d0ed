"""Layers of the Swiss geoportal: found by its SearchServer, shown as tiles (WMTS) by their id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from workroom.core.map_actions import LayerSource
from workroom.geo.geoadmin import SearchServer
from workroom.geo.layers.layer_names import layer_name
from workroom.geo.name_matching import NEAR, SURE, folded, likeness, word_coverage
from workroom.geo.plain_text import plain_text
from workroom.geo.types import MapLayer

GEOPORTAL = "https://wmts.geo.admin.ch/1.0.0/{layer}/default/current/2056/{TileMatrix}/{TileCol}/{TileRow}.png"
BASE_MAP = "ch.swisstopo.pixelkarte-farbe"
ATTRIBUTION = "© swisstopo, geo.admin.ch"
MOST = 6
OTHERWISE = "de"  # what most of its users write
LIKELY = 0.85
FOUND = 0.3  # the service had a reason that we do not see
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


class GeoAdminLayers:
    def __init__(self, server: SearchServer, template: str) -> None:
        self._server = server
        self._template = template

    async def search(self, query: str, language: str | None) -> Sequence[MapLayer]:
        theme = layer_name(query)
        if not theme:
            return []
        results = await self._server.search(search_text(query), "layers", language or OTHERWISE)
        if not results and language not in (None, OTHERWISE):
            # The service finds names only in the language of the request.
            results = await self._server.search(search_text(query), "layers", OTHERWISE)
        by_id: dict[str, MapLayer] = {}
        for attrs in results:
            if (layer := self._layer(attrs, theme)) is not None:
                by_id.setdefault(layer.id, layer)
        layers = sorted(by_id.values(), key=lambda layer: -layer.confidence)
        if len(layers) > 1 and layers[0].confidence >= SURE and layers[1].confidence < layers[0].confidence - NEAR:
            return layers[:1]
        return layers[:MOST]

    def _layer(self, attrs: dict[str, Any], theme: str) -> MapLayer | None:
        name = attrs.get("layer")
        if not isinstance(name, str) or not _ID.fullmatch(name):
            return None
        title = plain_text(attrs.get("title") or attrs.get("label") or name)
        source = LayerSource(url=self._template.replace("{layer}", name), format="image/png", attribution=ATTRIBUTION)
        return MapLayer(name, title or name, "wmts", source, _confidence(theme, name, title))


def search_text(query: str) -> str:
    """As it was typed, but without the words around the name: the service looks for all of them."""
    kept = [word for word in re.split(r"[\s,]+", plain_text(query)) if layer_name(word) in layer_name(query)]
    return " ".join(kept) or plain_text(query)


def base_map(template: str) -> str:
    """The national map is a picture without holes, so the geoportal gives it as JPEG."""
    return re.sub(r"\.png$", ".jpeg", template.replace("{layer}", BASE_MAP))


def _confidence(theme: str, name: str, title: str) -> float:
    """Exactly its name: sure. All words in it: likely; what else stands in the title makes it less so."""
    known = folded(title)
    if theme in (known, folded(name)):
        return 1.0
    extra = max(0, len(known.split()) - len(theme.split()))
    words = word_coverage(theme.split(), title) * (LIKELY - 0.03 * min(extra, 8))
    return round(max(FOUND, LIKELY * likeness(theme, known), words), 2)
