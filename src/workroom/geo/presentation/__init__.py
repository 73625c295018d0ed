"""How the results of map tools become sentences, actions on the map and choices, by the names that intents use."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.agent.planning.presentation import Presenter
from workroom.geo.presentation.layers import LAYER, REMOVED_LAYER, REMOVED_LAYERS
from workroom.geo.presentation.oereb import OEREB
from workroom.geo.presentation.places import ADDRESS, CLEARED, COORDINATE, PLACE, ZOOMED

MAP_PRESENTERS: Mapping[str, Presenter] = {
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
