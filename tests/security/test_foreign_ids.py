"""S4, generated: every route × every id in it × another user and another mandate → 404."""

from __future__ import annotations

import pytest

from tests.security.ids import (
    MAKERS,
    _administrator,
    make_ids,
)
from tests.security.routes import Route, all_routes, private_routes
from tests.world import World, some_id

# What people make and keep to themselves at first. Notes and todos are for the members of their workspace.
PRIVATE_AT_FIRST = {
    "workflowId",
    "runId",
    "fileId",
    "folderId",
    "uploadId",
    "memoryId",
    "messageId",
    "agentId",
    "skillId",
}
# Kinds everyone of the same mandate may read; changing them is refused openly.
READABLE_BY_COLLEAGUES = {"roleId", "providerId", "evaluationId"}
# What is said of such a thing for administrators alone: to others it is as good as not there.
HIDDEN_FROM_COLLEAGUES = ("/api/budgets/",)

WITH_IDS = [route for route in private_routes() if route.parameters]
# A stream that is let in does not end by itself, and branches and maps need a message in the body: tests/runs and
# tests/interaction let owners in there.
# Pages, pictures and archives need files that have them: tests/contents does. Agents need words: tests/agents has some.
ELSEWHERE = (
    "/agents",
    "/agents/import",
    "/switchAgent",
    "/events",
    "/branch",
    "/map/edits",
    "/element",
    "/image",
    "/text",
    "/members/extract",
    "/ocr",
    "/skills/import",  # the body is a folder: tests/custom_skills
    "/projects/import",  # the body is a whole project: tests/studio/test_project_files.py
    "/company",  # the body names one: tests/companies
    "/inspections",  # nobody has the right to begin one by default: tests/identity/test_inspections.py
)


def test_there_is_a_maker_for_every_kind_of_id() -> None:
    assert {name for route in all_routes() for name in route.parameters} == set(MAKERS)


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_another_mandate_finds_nothing(shared_world: World, route: Route) -> None:
    """Even its administrator: the answer is the one for an id that never existed, to the letter."""
    ids = await make_ids(shared_world, route)
    foreign = await shared_world.call("zoe", route.method, route.at(**ids), route.body)
    unknown = await shared_world.call("zoe", route.method, route.at(**dict.fromkeys(ids, some_id())), route.body)
    assert foreign.status_code == 404, foreign.text
    assert _without_trace(foreign.json()) == _without_trace(unknown.json())


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_a_colleague_without_the_right_finds_nothing(shared_world: World, route: Route) -> None:
    """Olaf is a member of Acme, but belongs to no workspace and owns none of these things."""
    ids = await make_ids(shared_world, route)
    answer = await shared_world.call("olaf", route.method, route.at(**ids), route.body)
    if set(route.parameters) <= READABLE_BY_COLLEAGUES and not route.path.startswith(HIDDEN_FROM_COLLEAGUES):
        assert answer.status_code == (200 if route.method == "get" else 403), answer.text
    else:
        assert answer.status_code == 404, answer.text


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("route", [r for r in WITH_IDS if PRIVATE_AT_FIRST & set(r.parameters)], ids=str)
async def test_an_administrator_finds_nothing_private(shared_world: World, route: Route) -> None:
    """Adam has the same role as Alice and is in the same workspace: to the letter, her private things are not there."""
    await _administrator(shared_world)
    ids = await make_ids(shared_world, route)
    unknown_ids = {name: some_id() if name in PRIVATE_AT_FIRST else id_ for name, id_ in ids.items()}
    foreign = await shared_world.call("adam", route.method, route.at(**ids), route.body)
    unknown = await shared_world.call("adam", route.method, route.at(**unknown_ids), route.body)
    assert foreign.status_code == 404, foreign.text
    assert _without_trace(foreign.json()) == _without_trace(unknown.json())


@pytest.mark.parametrize("route", WITH_IDS, ids=str)
async def test_what_is_no_id_at_all_is_not_found_either(shared_world: World, route: Route) -> None:
    for text in ("x", "0", "%00", "%2e%2e", "null", "01920000-0000-7000-8000-00000000000g"):
        path = route.at(**dict.fromkeys(route.parameters, text))
        answer = await shared_world.call("alice", route.method, path, route.body)
        assert answer.status_code == 404, f"{text}: {answer.text}"


@pytest.mark.parametrize("route", [route for route in WITH_IDS if not route.path.endswith(ELSEWHERE)], ids=str)
async def test_the_owner_is_not_kept_out(world: World, route: Route) -> None:
    """The suite above would also pass if everything answered 404."""
    ids = await make_ids(world, route)
    answer = await world.call("alice", route.method, route.at(**ids), route.body)
    assert answer.status_code in (200, 201, 202, 204, 409), f"{answer.status_code} {answer.text}"


def _without_trace(body: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in body.items() if name != "traceId"}
