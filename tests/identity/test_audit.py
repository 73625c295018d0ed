"""The audit log, narrowed down by who, what and when, and taken along as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.files.sending import make
from tests.world import World
from workroom.core.csv_lines import csv_line
from workroom.identity import audit_export
from workroom.identity.users import UserChange


async def entries(world: World, **query: Any) -> list[dict[str, Any]]:
    answer = await world.call("alice", "GET", f"/api/audit?{urlencode({'limit': 200, **query})}")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


async def exported(world: World, **query: Any) -> list[dict[str, str]]:
    answer = await world.call("alice", "GET", f"/api/audit/csv?{urlencode(query)}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))


async def test_entries_are_those_of_a_person_about_a_kind_in_a_time(world: World) -> None:
    file = await make(world, "bob", "plan.txt")
    await world.call("bob", "DELETE", f"/api/files/{file.id}")
    await world.call("alice", "PATCH", f"/api/users/{world['bob'].user.id}", {"status": "suspended"})
    bob, alice = str(world["bob"].user.id), str(world["alice"].user.id)

    assert {entry["userId"] for entry in await entries(world, userId=bob)} == {bob}
    assert {entry["userId"] for entry in await entries(world, system="true")} == {None}
    assert {entry["objectKind"] for entry in await entries(world, kind="file")} == {"file"}
    (deleted,) = await entries(world, action="file.deleted")
    assert deleted["objectId"] == str(file.id)
    assert await entries(world, action="file.deleted", userId=alice) == []
    since = await entries(world, **{"from": deleted["at"]})
    before = await entries(world, to=deleted["at"])
    assert (deleted in since, deleted in before) == (True, False)
    assert len(since) + len(before) == len(await entries(world))


async def test_all_matches_are_exported_in_batches_with_times_of_the_zone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        file = await make(world, "alice", f"{number}.txt")
        await world.call("alice", "DELETE", f"/api/files/{file.id}")
    monkeypatch.setattr(audit_export, "AT_ONCE", 3)
    rows = await exported(world, kind="file", timeZone="Asia/Kolkata", limit=1)
    assert [row["name"] for row in rows] == [f"{number}.txt" for number in range(7)]
    assert all(row["time"].endswith("+05:30") for row in rows)
    refused = await world.call("alice", "GET", "/api/audit/csv?timeZone=Atlantis/Poseidonis")
    assert (refused.status_code, refused.json()["details"]["field"]) == (422, "timeZone")


async def test_only_those_who_may_read_the_log_take_it_along(world: World) -> None:
    assert (await world.call("bob", "GET", "/api/audit/csv")).status_code == 404


async def test_nothing_exported_is_a_formula(world: World) -> None:
    alice = world["alice"]
    await world.services.users.change(alice.principal, alice.user.id, UserChange(display_name='=HYPERLINK("x")'))
    await world.call("alice", "PATCH", f"/api/users/{world['bob'].user.id}", {"status": "suspended"})
    assert (await exported(world, action="user.updated"))[-1]["userName"] == '\'=HYPERLINK("x")'


@pytest.mark.parametrize("value", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])
def test_a_value_that_a_spreadsheet_would_calculate_is_text(value: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_line(["plain", value]), newline=""))
    assert row[1].startswith("'")
    assert [row[0], row[1].replace("'", "")] == ["plain", value]


@pytest.mark.parametrize("value", ['x;=HYPERLINK("http://e.org")', 'x"; @SUM(A1)', "x\t=1", "x\n-1", "x;;+1"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_nor_does_one_calculate_where_a_cell_ends_at_another_sign(value: str, separator: str) -> None:
    line = csv_line(["plain", value, "plain"]).strip()
    cells = [cell for row in line.splitlines() for cell in row.split(separator)]
    assert not [cell for cell in cells if cell.lstrip(" ").startswith(("=", "+", "-", "@"))]
