"""How far files have come, told to those who may read them, from wherever they look."""

from __future__ import annotations

import pytest

from tests.knowledge.room import Library, status
from workroom.identity.sharing import Visibility
from workroom.knowledge.types import IndexState


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


@pytest.mark.parametrize("name", ["minutes.docx", "scan.pdf", "talk.mp3", "list.txt"])
async def test_an_empty_file_is_indexed_as_one_without_passages_and_not_as_a_failure(shelf: Library, name: str) -> None:
    file = await shelf.put(name, b"")
    found = await status(shelf, file.id)
    assert (found.state, found.chunks, found.problem_code) == (IndexState.INDEXED, 0, None)
