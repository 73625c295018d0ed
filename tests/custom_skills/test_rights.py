"""What other people learn of a person's skills, and what they can fill a workspace with."""

from __future__ import annotations

import pytest

from tests.custom_skills.making import create, path
from tests.world import World
from workroom.custom_skills import store
from workroom.custom_skills.access import reach
from workroom.custom_skills.prompt_section import MOST_LISTED, skill_list
from workroom.identity.types import Action


async def test_a_conflict_does_not_tell_of_an_owners_private_skills(world: World) -> None:
    """Alice may change what Bob shares, and may not know what else he has."""
    await create(world, name="dismissals-2027")
    shared = await create(world, visibility="GROUP")
    answer = await world.call("alice", "PATCH", path(world, shared["id"]), {"version": 1, "name": "dismissals-2027"})
    assert "dismissals-2027" not in answer.text or answer.status_code == 200


async def test_sharing_does_not_show_what_was_written_while_it_was_private(world: World) -> None:
    skill = await create(world, instructions="Canary-4711: she gets 180,000.")
    await world.call("bob", "PATCH", path(world, skill["id"]), {"version": 1, "instructions": "Write it."})
    await world.call("bob", "PUT", path(world, skill["id"], "visibility"), {"visibility": "GROUP"})
    history = await world.call("rita", "GET", path(world, skill["id"], "versions"))
    assert [version["version"] for version in history.json()["items"]] == [2]
    for number, status in ((1, 404), (2, 200)):
        answer = await world.call("rita", "GET", path(world, skill["id"], "versions", number))
        assert answer.status_code == status
    restored = await world.call("alice", "POST", path(world, skill["id"], "versions", 1, "restore"))
    assert restored.status_code == 404
    assert len((await world.call("bob", "GET", path(world, skill["id"], "versions"))).json()["items"]) == 2


async def test_ones_own_skills_are_listed_though_others_have_many(world: World) -> None:
    await create(world, name="my-own-report")
    for number in range(MOST_LISTED + 1):
        await create(world, by="alice", name=f"aaa-{number}", visibility="GROUP")
    principal, lab = world["bob"].principal, world.instances["lab"].id
    async with world.services.db.unit_of_work(principal.actor) as uow:
        seen = reach(principal, Action.READ, lab)
        found = await store.automatic(uow, principal.mandate_id, lab, seen, MOST_LISTED)
    assert "my-own-report" in skill_list(found, principal.user_id)


async def test_small_requests_do_not_fill_the_disk(world: World) -> None:
    """Turning one switch stores 300,000 characters again, and a page of versions carries them all."""
    files = [{"path": f"{number}.md", "text": "ü" * 100_000} for number in range(3)]
    skill = await create(world, files=files)
    for version in range(1, 12):
        answer = await world.call(
            "bob", "PATCH", path(world, skill["id"]), {"version": version, "automatic": version % 2 == 0}
        )
        assert answer.status_code == 200
    history = await world.call("bob", "GET", path(world, skill["id"], "versions"))
    assert len(history.content) < 2_000_000, f"{len(history.content):,} bytes for 12 versions, of up to 200 a page"


async def test_private_skills_go_with_their_owner(world: World) -> None:
    skill = await create(world)
    assert (await world.call("alice", "DELETE", f"/api/users/{world['bob'].user.id}")).status_code == 204
    principal = world["alice"].principal
    async with world.services.db.unit_of_work(principal.actor) as uow:
        left = await uow.fetchval("select count(*) from skills where skill_id = $1::text::uuid", skill["id"])
    assert left == 0, "nobody can see it, nobody can delete it, and no sweep takes it"


async def test_what_is_shared_stays_when_its_owner_goes(world: World) -> None:
    skill = await create(world, visibility="GROUP")
    assert (await world.call("alice", "DELETE", f"/api/users/{world['bob'].user.id}")).status_code == 204
    stays = await world.call("alice", "GET", path(world, skill["id"]))
    assert (stays.status_code, stays.json()["ownerId"]) == (200, None)


@pytest.mark.parametrize("what", ["name", "twice"])
async def test_keeping_both_works_each_time(world: World, what: str) -> None:
    from tests.custom_skills.making import skill_md, take

    name = "weekly" if what == "twice" else "a" * 59 + "-bcde"
    for _ in range(3):
        answer = await take(world, skill_md(name).encode(), on_conflict="keepBoth")
        assert answer.status_code == 201, answer.text
