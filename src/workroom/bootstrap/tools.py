"""What agents get from all parts of the product: tools, presentations of their results, and known names."""

from __future__ import annotations

from collections.abc import Mapping

import workroom.geo.tools
import workroom.skills
import workroom.studio_tools
import workroom.tools
from workroom.agent.planning.ports import KnownNames
from workroom.agent.planning.presentation import PLAIN, Presenter
from workroom.geo.geocoding.embedded import PlaceNames
from workroom.geo.layers.embedded import LayerThemes
from workroom.geo.presentation import MAP_PRESENTERS

TOOL_PACKAGES = (workroom.tools, workroom.geo.tools, workroom.skills, workroom.studio_tools)
PRESENTERS: Mapping[str, Presenter] = {"plain": PLAIN, **MAP_PRESENTERS}
KNOWN_NAMES = KnownNames(places=PlaceNames(), themes=LayerThemes())
