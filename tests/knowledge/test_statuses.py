"""How far files have come, told to those who may read them, from wherever they look."""

from __future__ import annotations

import pytest

from tests.knowledge.room import Library
from workroom.identity.sharing import Visibility


@pytest.mark.requirement("H1")
async def test_what_everybody_shares_is_told_of_in_every_workspace_and_nothing_else(shelf: Library) -> None:
    world, services, alice = shelf.world, shelf.world.services, shelf.world["alice"].principal
    attic = await services.instances.create(alice, "Attic")
    await services.instances.put_member(alice, attic.id, world["bob"].user.id, None)
    bob = await services.sign_in.as_user(alice.mandate_id, world["bob"].user.id)
    assert bob is not None
    own = await shelf.put("own.txt", "Rules of bob.", visibility=Visibility.MY)
    ours = await shelf.put("ours.txt", "Rules of the laboratory.", visibility=Visibility.GROUP)
    everybodys = await shelf.put("all.txt", "Rules of the company.", person="alice", visibility=Visibility.ALL)

    names = {file.id: file.name for file in (own, ours, everybodys)}
    here = await services.knowledge.statuses(bob, world.instances["lab"].id, list(names))
    there = await services.knowledge.statuses(bob, attic.id, list(names))
    assert {names[status.file_id] for status in here} == {"own.txt", "ours.txt", "all.txt"}
    assert {names[status.file_id] for status in there} == {"all.txt"}
