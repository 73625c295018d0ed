"""Skills people make: versions, names, sharing, trash, folders over HTTP; and who may do what with them."""

from __future__ import annotations

import asyncio
import io
import zipfile
from datetime import timedelta

import pytest

from tests.custom_skills.making import CONTENT, create, packed, path, skill_md, take
from tests.world import World
from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.custom_skills import store
from workroom.custom_skills.types import LONGEST_INSTRUCTIONS
from workroom.db import trash


@pytest.mark.requirement("B8")
async def test_a_skill_is_made_found_and_described(world: World) -> None:
    skill = await create(world, name=" Weekly  Report ")
    assert (skill["name"], skill["version"], skill["visibility"], skill["automatic"]) == (
        "weekly-report",
        1,
        "MY",
        True,
    )
    assert (await world.call("bob", "GET", path(world, skill["id"]))).json() == skill
    await create(world, name="minutes", description="Writes minutes.")
    listed = (await world.call("bob", "GET", path(world))).json()
    assert [item["name"] for item in listed["items"]] == ["minutes", "weekly-report"]
    assert "instructions" not in listed["items"][0], "lists stay light"
    found = (await world.call("bob", "GET", path(world) + "?q=REPORT&limit=1&sort=updatedAt")).json()
    assert [(item["name"], item["ownerName"]) for item in found["items"]] == [("weekly-report", "Bob")]


@pytest.mark.requirement("B8")
async def test_every_change_is_a_version_and_old_ones_come_back(world: World) -> None:
    one = path(world, (await create(world))["id"])
    second = (await world.call("bob", "PATCH", one, {"version": 1, "name": "Report", "parameters": []})).json()
    assert (second["version"], second["name"], second["parameters"]) == (2, "report", [])
    assert second["instructions"] == CONTENT["instructions"], "what is not named stays"
    same = (await world.call("bob", "PATCH", one, {"version": 2, "name": " report "})).json()
    assert same["version"] == 2, "nothing new is no version"
    late = await world.call("bob", "PATCH", one, {"version": 1, "instructions": "Too late"})
    assert (late.status_code, late.json()["code"], late.json()["details"]["version"]) == (409, "skillChanged", 2)
    third = (await world.call("bob", "POST", f"{one}/versions/1/restore")).json()
    assert (third["version"], third["name"], len(third["parameters"])) == (3, "weekly-report", 2)
    history = (await world.call("bob", "GET", f"{one}/versions?order=desc")).json()["items"]
    assert [(each["version"], each["restoredFrom"], each["madeByName"]) for each in history] == [
        (3, 1, "Bob"),
        (2, None, "Bob"),
        (1, None, "Bob"),
    ]
    assert all("content" not in each for each in history), "lists stay light"
    whole = [(await world.call("bob", "GET", f"{one}/versions/{number}")).json() for number in (3, 2, 1)]
    assert [{name: value for name, value in each.items() if name != "content"} for each in whole] == history
    assert [each["content"]["name"] for each in whole] == ["weekly-report", "report", "weekly-report"]
    assert (await world.call("bob", "GET", f"{one}/versions/9")).status_code == 404
    assert (await world.call("bob", "POST", f"{one}/versions/9/restore")).status_code == 404


async def test_each_name_means_one_skill_for_a_person(world: World) -> None:
    mine = await create(world)
    again = await world.call("bob", "POST", path(world), CONTENT)
    assert (again.status_code, again.json()["code"]) == (409, "skillExists")
    hers = await create(world, by="alice", visibility="GROUP")
    refused = await world.call("bob", "PUT", path(world, mine["id"], "visibility"), {"visibility": "GROUP"})
    assert (refused.status_code, refused.json()["code"]) == (409, "skillExists"), "one shared skill has the name"
    skills = world.services.custom_skills
    lab = world.instances["lab"].id
    for name, meant in (("bob", mine), ("alice", hers), ("rita", hers)):
        assert str((await skills.named(world[name].principal, lab, " /Weekly-report")).id) == meant["id"]


async def test_a_deleted_skill_is_in_the_trash_and_comes_back_or_goes_after_thirty_days(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = await create(world)
    one = path(world, skill["id"])
    assert (await world.call("bob", "DELETE", one)).status_code == 204
    assert (await world.call("bob", "GET", one)).status_code == 404
    assert (await world.call("bob", "GET", path(world))).json()["items"] == []
    thrown = (await world.call("bob", "GET", path(world) + "?deleted=true")).json()["items"]
    assert [item["id"] for item in thrown] == [skill["id"]]
    other = await create(world)
    taken = await world.call("bob", "POST", f"{one}/restore")
    assert (taken.status_code, taken.json()["code"]) == (409, "skillExists"), "its name was given away meanwhile"
    await world.call("bob", "DELETE", path(world, other["id"]))
    assert (await world.call("bob", "POST", f"{one}/restore")).json()["deletedAt"] is None
    assert (await world.call("bob", "GET", one)).status_code == 200
    monkeypatch.setattr(trash, "now", lambda: now() + timedelta(days=31))
    assert await trash.empty_trash(world.services.db, "skills", store.sweep) == 1
    assert (await world.call("bob", "POST", path(world, other["id"], "restore"))).status_code == 404


async def test_who_sees_and_changes_a_skill(world: World) -> None:
    one = path(world, (await create(world))["id"])
    people = ("alice", "bob", "rita", "olaf", "zoe")

    async def readers() -> set[str]:
        return {name for name in people if (await world.call(name, "GET", one)).status_code == 200}

    assert await readers() == {"bob"}, "private: its owner's, whatever others' roles say"
    assert (await world.call("bob", "PUT", f"{one}/visibility", {"visibility": "GROUP"})).status_code == 200
    assert await readers() == {"alice", "bob", "rita"}
    for name in ("rita", "olaf", "zoe"):
        for method, more, body in (
            ("PATCH", "", {"version": 1, "name": "x"}),
            ("DELETE", "", None),
            ("PUT", "/visibility", {"visibility": "MY"}),
            ("POST", "/versions/1/restore", None),
        ):
            refused = await world.call(name, method, one + more, body)
            assert refused.status_code == (403 if name == "rita" else 404)
    assert (await world.call("rita", "GET", f"{one}/export")).status_code == 200
    assert (await world.call("rita", "POST", path(world), CONTENT)).status_code == 403, "readers make none"
    assert (await take(world, skill_md().encode(), by="rita")).status_code == 403
    audited = (await world.call("alice", "GET", "/api/audit?order=desc&q=skill")).json()["items"]
    assert {"skill.created", "skill.shared"} <= {entry["action"] for entry in audited}


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "a/b"}, "name"),
        ({"name": "---"}, "name"),
        ({"name": "help"}, "name"),
        ({"name": "WriteNote"}, "name"),
        ({"description": "  "}, "description"),
        ({"instructions": "\x00"}, "instructions"),
        ({"instructions": "x" * (LONGEST_INSTRUCTIONS + 1)}, "instructions"),
        ({"parameters": [{"name": "a b"}]}, "parameters"),
        ({"parameters": [{"name": "a"}, {"name": "a"}]}, "parameters"),
        ({"files": [{"path": "../x.md", "text": "x"}]}, "path"),
        ({"files": [{"path": "a.md", "text": "x"}, {"path": "./a.md", "text": "y"}]}, "files"),
        ({"files": [{"path": "run.py", "text": "x"}]}, "files"),
        ({"files": [{"path": "inner/SKILL.md", "text": "x"}]}, "files"),
        ({"tools": ["two words"]}, "tools"),
        ({"examples": [{"request": "x" * 4_000, "answer": "y" * 4_000}] * 8}, "skillTooLong"),
        ({"files": [{"path": f"{number}.md", "text": "x" * 90_000} for number in range(4)]}, "files"),
    ],
)
async def test_what_cannot_be_a_skill_is_refused_and_its_field_named(
    world: World, wrong: dict[str, object], field: str
) -> None:
    answer = await world.call("bob", "POST", path(world), {**CONTENT, **wrong})
    assert answer.status_code == 422
    assert field in answer.text
    assert (await world.call("bob", "GET", path(world))).json()["items"] == []


@pytest.mark.requirement("B8")
async def test_a_folder_leaves_and_comes_back(world: World) -> None:
    skill = await create(world, tools=["readFile"], files=[{"path": "style/tone.md", "text": "Short."}])
    exported = await world.call("bob", "GET", path(world, skill["id"], "export"))
    assert "weekly-report.zip" in exported.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert archive.namelist() == ["weekly-report/SKILL.md", "weekly-report/style/tone.md"]
    refused = await take(world, exported.content)
    assert (refused.status_code, refused.json()["code"]) == (409, "skillExists")
    (both,) = (await take(world, exported.content, on_conflict="keepBoth")).json()
    assert (both["skill"]["name"], both["replaced"]) == ("weekly-report-2", False)
    await world.call("bob", "PATCH", path(world, skill["id"]), {"version": 1, "instructions": "Changed."})
    (again,) = (await take(world, exported.content, on_conflict="replace")).json()
    assert (again["replaced"], again["skill"]["id"], again["skill"]["version"]) == (True, skill["id"], 3)
    content = {name: again["skill"][name] for name in CONTENT}
    assert content == {name: skill[name] for name in CONTENT}
    (theirs,) = (await take(world, exported.content, by="alice")).json()
    assert theirs["skill"]["visibility"] == "MY", "what is imported is private at first"


async def test_of_an_archive_all_skills_are_taken_or_none(world: World) -> None:
    await create(world, name="second")
    archive = packed({"1/SKILL.md": skill_md("first"), "1/run.sh": "rm", "2/SKILL.md": skill_md("second")})
    assert (await take(world, archive)).status_code == 409
    assert [item["name"] for item in (await world.call("bob", "GET", path(world))).json()["items"]] == ["second"]
    taken = (await take(world, archive, on_conflict="keepBoth")).json()
    assert [(each["skill"]["name"], each["leftOut"]) for each in taken] == [("first", ["run.sh"]), ("second-2", [])]


async def test_only_those_who_may_see_a_skill_hear_of_its_changes(world: World) -> None:
    with world.services.changes.subscribe() as inbox:
        skill = await create(world)
        await world.call("bob", "PUT", path(world, skill["id"], "visibility"), {"visibility": "GROUP"})
        heard: list[Change] = []
        async with asyncio.timeout(60):
            while len(heard) < 2:
                heard += [change for change in await inbox.take(5) if change.kind is ChangeKind.SKILL]
    assert {str(change.id) for change in heard} == {skill["id"]}
    assert [change.instance_id for change in heard] == [None, world.instances["lab"].id], (
        "private, then the workspace's"
    )
    assert {change.owner_id for change in heard} == {world["bob"].user.id}
