"""Blocks of a project on the database: the tree, versions, two who write at once, the trash, other projects."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from uuid import UUID

import pytest

from tests.studio.making import block, project, write
from tests.world import World, some_id
from workroom.core.errors import Forbidden, InvalidInput, NotFound
from workroom.db import UnitOfWork
from workroom.studio import blocks_store
from workroom.studio.errors import BlockChanged, BlockNeeded, DependencyCycle, TooManyBlocks
from workroom.studio.types import DEEPEST, Block, BlockInput, BlockKind, BlockStatus, Project


async def names(world: World, made: Project) -> list[str]:
    """Paths, in reading order."""
    place = world["rita"].principal, world.instances["lab"].id, made.id
    found, tree = await world.services.studio.blocks.tree(*place)
    return [tree.path(one) for one in tree.in_order([phase.code for phase in found.phases])]


@pytest.mark.requirement("F2")
async def test_a_project_begins_with_the_intent_and_grows_a_tree(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    posts = await block(world, made, "Posts", kind=BlockKind.GROUP)
    first = await block(world, made, "First", parent_id=posts.id)
    await block(world, made, "Second", parent_id=posts.id)
    title = await block(world, made, "Title")
    assert first.phase == "design_inner", "that of its group"
    by_name = await block(world, made, "Interviews", phase="Audience research")
    assert by_name.phase == "research", "also by what it is called in a language"
    await blocks.delete(*place, by_name.id)
    assert await names(world, made) == ["Absichtsanalyse", "Posts", "Posts/First", "Posts/Second", "Title"]
    await blocks.move(*place, first.id, None, position=0)
    await blocks.move(*place, posts.id, None, "produce_inner")
    assert await names(world, made) == ["Absichtsanalyse", "First", "Title", "Posts", "Posts/Second"]
    assert (await blocks.tree(*place))[1].get(posts.id).phase == "produce_inner"
    second = next(one for one in (await blocks.tree(*place))[1].below(posts.id))
    assert second.phase == "produce_inner", "what is in a group goes along"
    await blocks.rename(*place, title.id, " Headline ")
    assert "Headline" in await names(world, made)
    for parent in (posts, second):
        with pytest.raises(InvalidInput):
            await blocks.move(*place, posts.id, parent.id)


@pytest.mark.requirement("F2")
async def test_dependencies_cannot_close_a_circle_and_protect_what_others_need(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    a = await block(world, made, "A")
    b = await block(world, made, "B", depends_on=(a.id,))
    c = await block(world, made, "C", depends_on=(b.id,))
    with pytest.raises(DependencyCycle) as circle:
        await blocks.depend(*place, a.id, [c.id])
    assert circle.value.details["names"] == ["A", "C", "B", "A"]
    with pytest.raises(DependencyCycle):
        await blocks.depend(*place, a.id, [a.id])
    with pytest.raises(BlockNeeded) as needed:
        await blocks.delete(*place, a.id)
    assert needed.value.details["names"] == ["B"]
    await blocks.delete(*place, a.id, force=True)
    tree = (await blocks.tree(*place))[1]
    assert tree.dependencies(tree.get(b.id)) == []
    await blocks.restore(*place, a.id)
    tree = (await blocks.tree(*place))[1]
    assert [one.name for one in tree.dependencies(tree.get(b.id))] == ["A"], "it is needed again"


@pytest.mark.requirement("F2")
async def test_a_deleted_group_comes_back_with_what_was_in_it_then(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    group = await block(world, made, "Posts", kind=BlockKind.GROUP)
    early = await block(world, made, "Early", parent_id=group.id)
    late = await block(world, made, "Late", parent_id=group.id)
    await write(world, late, "Text")
    await blocks.delete(*place, early.id)
    await blocks.delete(*place, group.id)
    assert await names(world, made) == ["Absichtsanalyse"]
    assert [one.name for one in await blocks.trash(*place)] == ["Posts", "Early"]
    await blocks.restore(*place, early.id)
    assert await names(world, made) == ["Absichtsanalyse", "Early"], "its group is not there"
    await blocks.restore(*place, group.id)
    assert await names(world, made) == ["Absichtsanalyse", "Posts", "Posts/Late", "Early"]
    assert (await world.services.studio.texts.read(*place, late.id)).text == "Text"
    with pytest.raises(NotFound):
        await blocks.delete(*place, some_id())


@pytest.mark.requirement("F2")
async def test_what_comes_back_closes_no_circle(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    group = await block(world, made, "Group", kind=BlockKind.GROUP)
    base = await block(world, made, "Base")
    first = await block(world, made, "First", parent_id=group.id, depends_on=(base.id,))
    second = await block(world, made, "Second", parent_id=group.id, depends_on=(first.id,))
    needs_it = await block(world, made, "Needs it", depends_on=(second.id,))
    await blocks.delete(*place, group.id, force=True)
    await blocks.depend(*place, base.id, [needs_it.id])
    await blocks.restore(*place, group.id)
    tree = (await blocks.tree(*place))[1]
    assert not tree.has_circle()
    assert {one.name: [needed.name for needed in tree.dependencies(one)] for one in tree.by_id.values()} == {
        "Absichtsanalyse": [],
        "Group": [],
        "Base": ["Needs it"],
        "First": [],
        "Second": ["First"],
        "Needs it": ["Second"],
    }


@pytest.mark.requirement("F2")
async def test_what_comes_back_into_a_group_that_stands_too_deep_by_now_is_at_the_top(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    deep: list[Block] = []
    for number in range(DEEPEST - 1):
        parent_id = deep[-1].id if deep else None
        deep.append(await block(world, made, f"Deep {number}", kind=BlockKind.GROUP, parent_id=parent_id))
    group = await block(world, made, "Group", kind=BlockKind.GROUP)
    inside = await block(world, made, "Inside", kind=BlockKind.GROUP, parent_id=group.id)
    await block(world, made, "Text", parent_id=inside.id)
    await blocks.delete(*place, inside.id)
    await blocks.move(*place, group.id, deep[-1].id)
    assert (await blocks.restore(*place, inside.id)).parent_id is None
    assert "Inside/Text" in await names(world, made)


@pytest.mark.requirement("F2")
async def test_what_was_deleted_makes_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.studio.blocks.MOST_BLOCKS", 2)
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    first = await block(world, made, "First")
    with pytest.raises(TooManyBlocks):
        await block(world, made, "Second")
    await blocks.delete(*place, first.id)
    await block(world, made, "Second")
    with pytest.raises(TooManyBlocks):
        await blocks.restore(*place, first.id)
    assert [one.name for one in await blocks.trash(*place)] == ["First"], "it stays where it was"


@pytest.mark.requirement("F2")
async def test_a_copy_has_the_texts_and_its_own_dependencies(world: World) -> None:
    made = await project(world)
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    group = await block(world, made, "Posts", kind=BlockKind.GROUP)
    a = await block(world, made, "A", parent_id=group.id)
    await block(world, made, "B", parent_id=group.id, depends_on=(a.id,))
    await write(world, a, "Text of A", BlockStatus.FINAL)
    await blocks.copy(*place, group.id)
    twin = await blocks.copy(*place, group.id)
    tree = (await blocks.tree(*place))[1]
    assert [one.name for one in tree.siblings(None, "design_inner")] == ["Posts", "Posts 2", "Posts 3"]
    a2, b2 = tree.below(twin.id)
    assert (a2.status, a2.version, a2.digest) == (BlockStatus.FINAL, 1, "Text of A")
    assert (await world.services.studio.texts.read(*place, a2.id)).text == "Text of A"
    assert b2.depends_on == [a2.id]


async def test_a_copied_group_is_never_in_memory_as_a_whole(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await project(world)
    group = await block(world, made, "Posts", kind=BlockKind.GROUP)
    for name in ("A", "B"):
        await write(world, await block(world, made, name, parent_id=group.id), f"Text of {name}")
    read, asked = blocks_store.texts, list[int]()

    async def counted(uow: UnitOfWork, mandate_id: UUID, block_ids: Collection[UUID]) -> dict[UUID, str]:
        asked.append(len(block_ids))
        return await read(uow, mandate_id, block_ids)

    monkeypatch.setattr(blocks_store, "texts", counted)
    place = world["bob"].principal, world.instances["lab"].id, made.id
    twin = await world.services.studio.blocks.copy(*place, group.id)
    _, tree = await world.services.studio.blocks.tree(*place)
    assert [one.digest for one in tree.below(twin.id)] == ["Text of A", "Text of B"]
    assert max(asked) == 1


@pytest.mark.requirement("F2")
async def test_of_two_who_say_what_a_block_builds_on_the_second_is_told(world: World) -> None:
    made = await project(world)
    a, b, teaser = [await block(world, made, name) for name in ("A", "B", "Teaser")]
    blocks, place = world.services.studio.blocks, (world["bob"].principal, world.instances["lab"].id, made.id)
    await blocks.depend(*place, teaser.id, [a.id], before=[])
    with pytest.raises(BlockChanged):
        await blocks.depend(*place, teaser.id, [b.id], before=[])
    assert (await blocks.depend(*place, teaser.id, [b.id, a.id], before=[a.id])).depends_on == [b.id, a.id]
    assert (await blocks.depend(*place, teaser.id, [])).depends_on == [], "who saw nothing says so by naming nothing"


@pytest.mark.requirement("F2")
async def test_every_change_is_a_version_and_nobody_overwrites_what_they_have_not_seen(world: World) -> None:
    made = await project(world)
    one = await block(world, made, "Title")
    texts, place = world.services.studio.texts, (world["bob"].principal, world.instances["lab"].id, made.id, one.id)
    await write(world, one, "First", by="alice")
    assert (await write(world, one, "First")).version == 1, "the same again is no version"
    outcomes = await asyncio.gather(
        write(world, one, "Bob's", version=1),
        write(world, one, "Alice's", by="alice", version=1),
        return_exceptions=True,
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["BlockChanged", "BlockText"]
    assert next(error for error in outcomes if isinstance(error, BlockChanged)).details["version"] == 2
    emptied = await write(world, one, "  ", BlockStatus.FINAL)
    assert (emptied.status, emptied.version, emptied.digest) == (BlockStatus.EMPTY, 3, "")
    back = await texts.restore_version(*place, 1)
    assert (back.text, back.version, back.restored_from) == ("First", 4, 1)
    assert (await texts.version(*place, 2)).text in ("Bob's", "Alice's")


@pytest.mark.requirement("F2")
async def test_what_came_from_outside_is_marked_until_the_block_is_emptied(world: World) -> None:
    made = await project(world)
    one = await block(world, made, "Report")
    place = world["bob"].principal, world.instances["lab"].id, made.id, one.id
    read = BlockInput(0, "Read elsewhere.", from_outside=True)
    assert (await world.services.studio.texts.write(*place, read)).from_outside
    assert (await write(world, one, "Read elsewhere. And this is mine.")).from_outside
    assert not (await write(world, one, "")).from_outside
    assert not (await write(world, one, "All of it is mine.")).from_outside


@pytest.mark.requirement("N2")
async def test_blocks_are_reached_through_their_own_project_alone(world: World) -> None:
    mine, other = await project(world), await project(world, name="Other")
    lab, one = world.instances["lab"].id, await block(world, mine, "Secret")
    texts, blocks, bob = world.services.studio.texts, world.services.studio.blocks, world["bob"].principal
    with pytest.raises(NotFound):
        await texts.read(bob, lab, other.id, one.id)
    with pytest.raises(NotFound):
        await blocks.move(bob, lab, other.id, one.id, None)
    with pytest.raises(NotFound):
        await blocks.restore(bob, lab, other.id, one.id)
    with pytest.raises(NotFound):
        await block(world, other, "Dependent", depends_on=(one.id,))
    with pytest.raises(Forbidden):
        await write(world, one, "Mine", by="rita")
    with pytest.raises(NotFound):
        await world.services.studio.projects.get(world["zoe"].principal, world.instances["den"].id, mine.id)
    with pytest.raises(NotFound):
        await blocks.tree(world["olaf"].principal, lab, mine.id)


async def test_an_editor_that_is_open_counts_until_it_is_closed(world: World) -> None:
    made = await project(world)
    one: Block = await block(world, made, "Title")
    texts, lab = world.services.studio.texts, world.instances["lab"].id
    bob, alice = ((world[name].principal, lab, made.id, one.id) for name in ("bob", "alice"))
    assert (await texts.edit(*bob)).edited_by == world["bob"].user.id
    assert (await texts.edit(*alice)).edited_by_name == "Bob", "who was first"
    await texts.end_editing(*alice)
    assert (await texts.read(*alice)).edited_by_name == "Bob"
    await texts.end_editing(*bob)
    assert (await texts.read(*alice)).edited_by is None
