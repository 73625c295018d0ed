"""How what tools find becomes words, orders to the map and choices, by the names that intents use. One file per kind."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.agent.planning.showing import PLAIN, Show
from workroom.tools.showing.layers import LAYER, REMOVED_LAYER, REMOVED_LAYERS
from workroom.tools.showing.oereb import OEREB
from workroom.tools.showing.places import ADDRESS, CLEARED, COORDINATE, PLACE, ZOOMED

SHOWS: Mapping[str, Show] = {
    "plain": PLAIN,
    "address": ADDRESS,
    "coordinate": COORDINATE,
    "place": PLACE,
    "layer": LAYER,
    "removed_layer": REMOVED_LAYER,
    "removed_layers": REMOVED_LAYERS,
    "oereb": OEREB,
    "cleared": CLEARED,
    "zoomed": ZOOMED,
}
