"""Closer, and more of it: from the view that was shown last, as far as the map goes."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tests.interaction.map_edits import Chart, begun
from tests.tools.room import Room
from tests.world import World
from workroom.core.errors import NotFound
from workroom.core.map_actions import ZOOM_CLOSEST, ZOOM_WIDEST, ClearMap, SetView
from workroom.geo.tools.map_view import zoom

BERN = (2600671.0, 1199667.0)


@pytest.fixture
async def chart(world: World) -> Chart:
    return await begun(world)


def room(chart: Chart, who: str = "bob") -> Room:
    return Room(chart.world, who, conversation_id=chart.id)


async def test_from_the_view_that_was_shown_last(chart: Chart) -> None:
    first = SetView(center=(2700000.0, 1200000.0), zoom=10).action()
    await chart.answer(ClearMap().action(), first, SetView(center=BERN, zoom=13).action())
    (item,) = (await room(chart).call(zoom, steps=2)).items
    assert item == {"id": "view", "coord": list(BERN), "zoom": 15, "crs": "EPSG:2056", "closer": True}
    (item,) = (await room(chart).call(zoom, steps=-1)).items
    assert (item["zoom"], item["closer"]) == (12, False)


async def test_not_from_nowhere(chart: Chart) -> None:
    told = await room(chart).call(zoom, steps=1)
    assert (told.items, told.data) == ([], {"why": "noView"})
    await chart.answer(SetView(center=BERN, zoom=13).action(), ClearMap().action())
    told = await room(chart).call(zoom, steps=1)
    assert told.data == {"why": "noView"}, "it shows the whole country again"


@pytest.mark.parametrize(
    ("begins", "steps", "ends"),
    [(ZOOM_CLOSEST - 1, 12, ZOOM_CLOSEST), (ZOOM_WIDEST + 1, -12, ZOOM_WIDEST), (28, -12, 16), (0, 12, 12)],
)
async def test_as_far_as_it_goes(chart: Chart, begins: int, steps: int, ends: int) -> None:
    await chart.answer(SetView(center=BERN, zoom=begins).action())
    assert (await room(chart).call(zoom, steps=steps)).items[0]["zoom"] == ends


@pytest.mark.parametrize(
    ("begins", "steps", "why"),
    [
        (ZOOM_CLOSEST, 1, "closest"),
        (28, 1, "closest"),
        (ZOOM_WIDEST, -1, "widest"),
        (0, -1, "widest"),
        (13, 0, "widest"),
    ],
)
async def test_and_no_further(chart: Chart, begins: int, steps: int, why: str) -> None:
    await chart.answer(SetView(center=BERN, zoom=begins).action())
    told = await room(chart).call(zoom, steps=steps)
    assert (told.items, told.data) == ([], {"why": why})


async def test_only_on_ones_own_map(chart: Chart) -> None:
    await chart.answer(SetView(center=BERN, zoom=13).action())
    with pytest.raises(NotFound):
        await Room(chart.world, "zoe", slug="lab", conversation_id=chart.id).call(zoom, steps=1)


@pytest.mark.parametrize("steps", [13, -13, "far", None])
async def test_what_makes_no_sense_is_refused(chart: Chart, steps: object) -> None:
    with pytest.raises(ValidationError):
        await room(chart).call(zoom, steps=steps)
