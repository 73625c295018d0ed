"""Companies over HTTP and on the database: who sees and changes them, versions, the trash and its end, conversations."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.companies.making import create, path, write
from tests.world import World, some_id
from workroom.companies import store
from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.db.trash import empty_trash
from workroom.runs.service import Input


async def test_made_read_changed_listed(world: World) -> None:
    company = await create(world, website="alpenblick.example", description="Hotel in the mountains")
    assert (company["website"], company["language"], company["version"]) == ("https://alpenblick.example", "de", 1)
    await create(world, "alice", name="Zoo Zürich", language="en")
    assert (await world.call("rita", "GET", path(world, company["id"]))).json() == company
    changed = await world.call("alice", "PATCH", path(world, company["id"]), {"version": 1, "name": "Alpenblick"})
    assert (changed.json()["name"], changed.json()["version"]) == ("Alpenblick", 2)
    same = await world.call("bob", "PATCH", path(world, company["id"]), {"version": 2, "name": "Alpenblick"})
    assert same.json() == changed.json(), "nothing was changed, so there is no new version"
    listed = (await world.call("rita", "GET", path(world) + "?sort=name&order=desc&limit=1")).json()
    assert ([item["name"] for item in listed["items"]], listed["total"]) == (["Zoo Zürich"], 2)
    assert listed["nextCursor"]
    found = (await world.call("bob", "GET", path(world) + "?q=MOUNTAINS")).json()
    assert [item["name"] for item in found["items"]] == ["Alpenblick"]


async def test_the_list_says_how_far_the_documents_are(world: World) -> None:
    company = await create(world)
    await write(world, company, "briefing", 0, "A text.", "final")
    await write(world, company, "swot", 0, "A text.")
    await write(world, company, "goals", 0, "A text.", "final")
    await write(world, company, "goals", 1, "")
    (listed,) = (await world.call("rita", "GET", path(world))).json()["items"]
    assert (listed["finals"], listed["drafts"]) == (["briefing"], ["swot"])


async def test_a_change_made_from_an_older_version_overwrites_nothing(world: World) -> None:
    company = await create(world)
    await world.call("bob", "PATCH", path(world, company["id"]), {"version": 1, "description": "First"})
    late = await world.call("alice", "PATCH", path(world, company["id"]), {"version": 1, "description": "Late"})
    assert (late.status_code, late.json()["code"], late.json()["details"]["version"]) == (409, "companyChanged", 2)
    assert (await world.call("bob", "GET", path(world, company["id"]))).json()["description"] == "First"


@pytest.mark.requirement("N1")
async def test_a_team_writes_and_only_who_made_it_deletes(world: World) -> None:
    """Bob is a member as Alice is; Rita only reads."""
    company = await create(world, "alice")
    change = {"version": 1, "name": "Other"}
    assert (await world.call("bob", "PATCH", path(world, company["id"]), change)).status_code == 200
    assert (await world.call("bob", "DELETE", path(world, company["id"]))).status_code == 403
    document = path(world, company["id"], "documents", "briefing")
    for method, at, body in (
        ("POST", path(world), {"name": "Own"}),
        ("PATCH", path(world, company["id"]), {"version": 2, "name": "Mine"}),
        ("PUT", document, {"version": 0, "text": "Mine"}),
        ("DELETE", path(world, company["id"]), None),
    ):
        assert (await world.call("rita", method, at, body)).status_code == 403, (method, at)
    assert (await world.call("rita", "GET", document)).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "a\x00b"},
        {"name": "x", "language": "it"},
        {"name": "x", "website": "javascript:alert(1)"},
        {"name": "x", "website": "https://user@example.com"},
        {"name": "x", "website": "http://exam ple.com"},
        {"name": "x", "website": "localhost"},
        {"name": "x", "description": "x" * 2_001},
    ],
)
async def test_what_does_not_fit_is_refused(world: World, body: dict[str, str]) -> None:
    assert (await world.call("bob", "POST", path(world), body)).status_code == 422


async def test_a_name_with_markup_is_a_text(world: World) -> None:
    name = "<img src=x onerror=alert(1)> {{7*7}} **AG**"
    assert (await create(world, name=name))["name"] == name


async def test_the_trash_gives_everything_back_until_it_is_emptied(world: World) -> None:
    services, bob, lab = world.services, world["bob"].principal, world.instances["lab"].id
    fresh, old = await create(world, name="Fresh"), await create(world, name="Old")
    await write(world, fresh, "briefing", 0, "A text.")
    for company, days in ((fresh, 29), (old, 31)):
        assert (await world.call("bob", "DELETE", path(world, company["id"]))).status_code == 204
        async with services.db.unit_of_work(bob.actor) as uow:
            gone = now() - timedelta(days=days)
            await uow.execute("update companies set deleted_at = $2 where company_id = $1", company["id"], gone)
    assert (await world.call("bob", "GET", path(world, fresh["id"]))).status_code == 404
    assert (await world.call("bob", "GET", path(world, fresh["id"], "documents"))).status_code == 404
    trash = (await world.call("bob", "GET", path(world) + "?deleted=true")).json()
    assert {item["name"] for item in trash["items"]} == {"Fresh", "Old"}
    assert await empty_trash(services.db, "companies", store.sweep) == 1
    assert (await world.call("bob", "POST", path(world, fresh["id"], "restore"))).json()["deletedAt"] is None
    document = await world.call("bob", "GET", path(world, fresh["id"], "documents", "briefing"))
    assert document.json()["text"] == "A text."
    with pytest.raises(NotFound):
        await services.companies.restore(bob, lab, old["id"])


async def test_a_company_outlives_who_made_it(world: World) -> None:
    company = await create(world)
    await write(world, company, "briefing", 0, "A text.")
    await world.services.users.delete(world["alice"].principal, world["bob"].user.id)
    left = (await world.call("alice", "GET", path(world, company["id"]))).json()
    assert (left["ownerId"], left["changedBy"]) == (None, None)
    document = (await world.call("alice", "GET", path(world, company["id"], "documents", "briefing"))).json()
    assert (document["text"], document["writtenBy"]) == ("A text.", None)


async def test_a_conversation_is_about_one_company_and_its_writer_says_which(world: World) -> None:
    lab, bob = world.instances["lab"].id, world["bob"].principal
    conversation = (await world.services.runs.input(bob, lab, Input("Hello"))).conversation_id
    at = f"/api/workspace/{lab}/conversations/{conversation}/company"
    first, second = await create(world), await create(world, name="Second")
    assert (await world.call("bob", "GET", at)).json() == {"company": None}
    for company in (first, second):
        assert (await world.call("bob", "PUT", at, {"companyId": company["id"]})).status_code == 200
        assert (await world.call("bob", "GET", at)).json()["company"]["id"] == company["id"]
    for name, wanted, status in (("alice", first["id"], 404), ("bob", str(some_id()), 404)):
        assert (await world.call(name, "PUT", at, {"companyId": wanted})).status_code == status
    await world.call("bob", "DELETE", path(world, second["id"]))
    assert (await world.call("bob", "GET", at)).json() == {"company": None}, "it is in the trash"
    await world.call("bob", "POST", path(world, second["id"], "restore"))
    assert (await world.call("bob", "GET", at)).json()["company"]["id"] == second["id"]
    assert (await world.call("bob", "PUT", at, {"companyId": None})).json() == {"company": None}


@pytest.mark.requirement("N2")
async def test_a_company_of_another_workspace_is_not_found_through_ones_own(world: World) -> None:
    company = await create(world)
    for name, slug in (("zoe", "den"), ("zoe", "lab"), ("bob", "den"), ("olaf", "lab")):
        for at in (path(world, company["id"], slug=slug), path(world, company["id"], "documents", "swot", slug=slug)):
            assert (await world.call(name, "GET", at)).status_code == 404, (name, slug)
