"""What prompts say of a project is read at most every half minute, and at once after a change."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from tests.studio.making import block, project, write
from tests.world import World
from workroom.core import short_cache
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.identity.types import Principal
from workroom.studio.outlines import KEPT, ProjectOutlines
from workroom.studio.types import Project


def announced(world: World, instance_id: UUID, mandate_id: UUID) -> str:
    change = Change(kind=ChangeKind.PROJECT, id=instance_id, mandate_id=mandate_id, instance_id=instance_id)
    return change.model_dump_json(by_alias=True)


@pytest.mark.requirement("D2")
async def test_an_outline_is_read_every_half_minute_and_after_every_change(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, outlines = await project(world), ProjectOutlines(world.services.db)
    bob, lab = world["bob"].principal, world.instances["lab"].id
    moment = now()
    monkeypatch.setattr(short_cache, "now", lambda: moment)

    async def names(principal: Principal = bob, about: Project = made) -> list[str]:
        outline = await outlines.of(principal, lab, about.id)
        return [] if outline is None else sorted(one.name for one in outline.tree.by_id.values())

    assert await names() == await names() == ["Absichtsanalyse"]
    assert outlines.reads == 1
    added = await block(world, made, "Light")
    assert "Light" not in await names(), "kept: nothing has told this process"
    outlines.invalidate(world.acme.id, made.id)
    assert "Light" in await names()
    await write(world, added, "See and be seen.")
    outlines.on_change(announced(world, lab, world.acme.id))
    outline = await outlines.of(bob, lab, made.id)
    assert outline is not None
    assert outline.tree.get(added.id).digest == "See and be seen."
    read = outlines.reads
    outlines.on_change(announced(world, lab, world.zeta.id))
    outlines.invalidate(world.acme.id, lab)
    await names()
    assert outlines.reads == read, "changes of others concern them alone"
    moment += KEPT
    await names()
    assert outlines.reads == read + 1
    outlines.on_change("no change")
    await names()
    assert outlines.reads == read + 2
    moment -= timedelta(hours=1)
    await names()
    assert outlines.reads == read + 3, "a clock that was set back keeps nothing for ever"


@pytest.mark.requirement("N2")
async def test_who_may_not_see_a_project_gets_no_outline_of_it_also_when_it_is_kept(world: World) -> None:
    made, outlines = await project(world), ProjectOutlines(world.services.db)
    lab = world.instances["lab"].id
    for name, is_seen in (("bob", True), ("rita", True), ("olaf", False), ("zoe", False), ("bob", True)):
        assert (await outlines.of(world[name].principal, lab, made.id) is not None) is is_seen, name
