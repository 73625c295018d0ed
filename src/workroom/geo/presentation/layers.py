"""Presentation of map layers that are added and removed."""

from __future__ import annotations

from workroom.agent.planning.presentation import FinishedStep, Presentation, Presenter
from workroom.core.map_actions import AddLayer, LayerSource, RemoveLayer
from workroom.geo.presentation.places import kept
from workroom.geo.presentation.wording import failed, nothing, say, saying


def _added(step: FinishedStep) -> Presentation:
    item = step.item
    label = str(item.get("label", item["id"]))
    layer = AddLayer(
        id=str(item["id"]),
        type=item["type"],
        source=LayerSource.model_validate(item["source"]),
        title=label,
        sample=True if item.get("sample") else None,
    )
    return Presentation(say("layer", step.language, label=label), [layer.action()])


def _removed(step: FinishedStep) -> Presentation:
    item = step.item
    label = str(item.get("label", item["id"]))
    return Presentation(say("removed", step.language, label=label), [RemoveLayer(id=str(item["id"])).action()])


def _all_removed(step: FinishedStep) -> Presentation:
    """Markers and the view stay as they are."""
    gone = [RemoveLayer(id=str(item["id"])).action() for item in step.results[-1].items]
    return Presentation(say("allRemoved" if gone else "noneShown", step.language), gone)


LAYER = Presenter(_added, keeps=kept, asks=saying("whichLayer"), nothing=nothing("noLayer"), failed=failed)
REMOVED_LAYER = Presenter(_removed, keeps=kept, asks=saying("whichLayer"), nothing=nothing("notShown"), failed=failed)
REMOVED_LAYERS = Presenter(_all_removed, failed=failed, single=False)
