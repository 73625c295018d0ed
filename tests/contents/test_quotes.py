"""A text quoted from a document: in bits, so that little is read for little, but its structure is loaded once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.contents.room import numbered_pdf
from tests.files.sending import make
from tests.world import World
from workroom.contents import store
from workroom.contents.materials import QuestionMaterials
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import AT_A_TIME, quote
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.db import UnitOfWork


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the database was asked for the structure of a document, and for objects of it."""
    counts: Counter[str] = Counter()
    for name in ("find", "objects"):
        real = getattr(store, name)

        async def counted(uow: UnitOfWork, *rest: Any, _name: str = name, _real: Any = real, **more: Any) -> Any:
            counts[_name] += 1
            return await _real(uow, *rest, **more)

        monkeypatch.setattr(store, name, counted)
    return counts


@pytest.mark.requirement("I3")
async def test_a_long_quote_loads_the_structure_once(world: World, asked: Counter[str]) -> None:
    pages = 6 * AT_A_TIME
    file = await make(world, "bob", "report.pdf", numbered_pdf(pages))
    reader, bob = world.services.reader, world["bob"].principal
    place = await reader.place(bob, file.id)
    await reader.read_whole(bob, place)
    asked.clear()
    found = await quote(await reader.document(bob, place), PartSelection(), 1_000_000)
    assert (found.objects, found.more) == (pages, None)
    assert "This is page number 1\n" in found.text
    assert found.text.endswith(f"This is page number {pages}")
    assert asked["find"] == 1
    assert asked["objects"] >= pages / AT_A_TIME


async def test_a_quote_goes_on_where_it_was_cut(world: World) -> None:
    file = await make(world, "bob", "report.pdf", numbered_pdf(25))
    reader, bob = world.services.reader, world["bob"].principal
    place = await reader.place(bob, file.id)
    texts, after = list[str](), (0, 0)
    while True:
        found = await quote(await reader.document(bob, place), PartSelection(), 600, after=after)
        texts.append(found.text)
        if found.more is None:
            break
        after = found.more
    assert len(texts) > 2
    said = "\n".join(texts)
    assert [said.count(f"This is page number {number}\n") for number in range(1, 25)] == [1] * 24


@pytest.mark.requirement("I3")
async def test_a_question_about_a_page_and_a_chapter_loads_the_structure_once(
    world: World, asked: Counter[str]
) -> None:
    services, bob = world.services, world["bob"].principal
    file = await make(world, "bob", "report.pdf", numbered_pdf(50, ("Alpha", 0), ("Beta", 10), ("Gamma", 13)))
    place = await services.reader.place(bob, file.id)
    await services.reader.read_whole(bob, place)
    materials = QuestionMaterials(services.files, services.finder, services.reader)
    said = [TextPart(text="Compare page 30 and chapter 2 of @report.pdf")]
    asked.clear()
    found = await materials.of(bob, file.instance_id, Message(id=new_id(), role=Role.USER, parts=said), 10_000)
    assert len(found) == 2
    text = "\n".join(part.text for part in found)
    assert all(f"page number {number}" in text for number in (30, 11, 12, 13))
    assert asked["find"] == 1
