"""Layers that come onto the map, and go."""

from __future__ import annotations

from workroom.agent.planning.showing import Done, Show, Shown
from workroom.core.map_actions import AddLayer, LayerSource, RemoveLayer
from workroom.tools.showing.places import kept
from workroom.tools.showing.wording import failed, nothing, say, saying


def _added(found: Done) -> Shown:
    item = found.item
    label = str(item.get("label", item["id"]))
    layer = AddLayer(
        id=str(item["id"]),
        type=item["type"],
        source=LayerSource.model_validate(item["source"]),
        title=label,
        sample=True if item.get("sample") else None,
    )
    return Shown(say("layer", found.language, label=label), [layer.action()])


def _removed(found: Done) -> Shown:
    item = found.item
    label = str(item.get("label", item["id"]))
    return Shown(say("removed", found.language, label=label), [RemoveLayer(id=str(item["id"])).action()])


LAYER = Show(_added, keeps=kept, asks=saying("whichLayer"), nothing=nothing("noLayer"), failed=failed)
REMOVED_LAYER = Show(_removed, keeps=kept, asks=saying("whichLayer"), nothing=nothing("notShown"), failed=failed)
