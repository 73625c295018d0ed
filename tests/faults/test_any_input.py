"""S15: whatever is sent to whatever route, the server answers: never with its own failure, and it lives on.

Requests are made from the published description, fitting and not; ids in paths are real every other time, so
that they reach what lies behind the door. Streams without end are left out: other tests read those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import CoveragePhaseConfig

from tests.faults.process import Workroom
from workroom.api.application import describe

Case = Any  # schemathesis.Case, of whatever its pieces are
Test = TypeVar("Test", bound=Callable[..., None])
ENDLESS = ("/api/events", "/api/runs/{runId}/events")
FAREWELL = ("/api/auth/logout",)  # nobody could ask anything after it


def for_every_route(*, thoroughly: bool) -> Callable[[Test], Test]:
    """Thoroughly: also every boundary of every field, one after the other."""
    schema = schemathesis.openapi.from_dict(describe().openapi())
    schema.config.phases.coverage = CoveragePhaseConfig(enabled=thoroughly)
    decorate: Callable[[Test], Test] = schema.exclude(path=[*ENDLESS, *FAREWELL]).parametrize()
    return decorate


def examples(number: int) -> settings:
    quiet = list(HealthCheck)
    return settings(max_examples=number, deadline=None, derandomize=True, database=None, suppress_health_check=quiet)


@dataclass
class Door:
    """A server, somebody who may do everything there, and ids of things that exist."""

    base_url: str
    headers: dict[str, str]
    known: dict[str, str]


@pytest.fixture(scope="module")
def door(running: Workroom) -> Iterator[Door]:
    token = running.command("tokens", "create", "admin", "--name", "fuzzing").fine().strip()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=running.base_url, headers=headers, trust_env=False, timeout=30) as client:
        me = client.get("/api/session").json()
        workspace = f"/api/workspace/{me['defaultInstanceId']}"
        note = client.post(f"{workspace}/notes", json={"title": "note"}).json()
        said = client.post(f"{workspace}/input", json={"prompt": "hello"}).json()
    known = {
        "instanceId": me["defaultInstanceId"],
        "noteId": note["id"],
        "runId": said["runId"],
        "workflowId": said["workflowId"],
        "roleId": me["user"]["roleId"],
    }
    yield Door(running.base_url, headers, known)
    assert running.is_ready(), "it lives on"
    assert "Traceback" not in running.log


@for_every_route(thoroughly=False)
@examples(8)
def test_no_request_makes_the_server_fail(door: Door, case: Case) -> None:
    try_both_ways(door, case)


@pytest.mark.drill
@for_every_route(thoroughly=True)
@examples(50)
def test_very_many_requests_do_not_either(door: Door, case: Case) -> None:
    try_both_ways(door, case)


def try_both_ways(door: Door, case: Case) -> None:
    """With ids out of the air, and with ids of what exists."""
    assert_answered(door, case, {})
    if real := {name: value for name, value in door.known.items() if name in case.path_parameters}:
        assert_answered(door, case, real)


def assert_answered(door: Door, case: Case, ids: dict[str, str]) -> None:
    case.path_parameters = {**case.path_parameters, **ids}
    answer = case.call(base_url=door.base_url, headers=door.headers, timeout=20)
    assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.status_code} {answer.text[:500]}"
