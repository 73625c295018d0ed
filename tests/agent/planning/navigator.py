"""The phrases of the shipped guide to the map, the names it knows, and plans made of them."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.agent.planning.intents import Intent
from workroom.agent.planning.ports import KnownNames
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agents.shipped import shipped, shipped_id
from workroom.core.messages import Message
from workroom.core.plans import Plan
from workroom.geo.geocoding.embedded import PlaceNames
from workroom.geo.layers.embedded import LayerThemes

INTENTS: tuple[Intent, ...] = tuple(shipped()[shipped_id("navigator")].intents)
NAMES = KnownNames(PlaceNames(), LayerThemes())


def planned(text: str, language: str = "de", history: Sequence[Message] = ()) -> Plan:
    return plan_by_rules(text, INTENTS, "req-1", language, history, NAMES)
