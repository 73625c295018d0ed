"""Requests made from the published description of the API, and a running server to send them to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import httpx2
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema

from tests.faults.process import Workroom
from workroom.api.openapi import description

Case = Any  # schemathesis.Case, of whatever its pieces are
Operation = APIOperation[Any, Any, Any, Any]
ENDLESS = ("/api/events", "/api/runs/{runId}/events")
FAREWELL = ("/api/auth/logout",)  # nobody could ask anything after it


def published() -> BaseSchema:
    """The description, without streams that never end and without signing out."""
    schema = schemathesis.openapi.from_dict(deepcopy(description()))
    return schema.exclude(path=[*ENDLESS, *FAREWELL])


def operations() -> Iterator[Operation]:
    for found in published().get_all_operations():
        assert isinstance(found, Ok), found
        yield found.ok()


def examples(number: int) -> settings:
    quiet = list(HealthCheck)
    return settings(max_examples=number, deadline=None, derandomize=True, database=None, suppress_health_check=quiet)


@dataclass
class Door:
    """A server, the token of an administrator, and ids of things that exist."""

    base_url: str
    headers: dict[str, str]
    known: dict[str, str]


@contextmanager
def open_door(running: Workroom) -> Iterator[Door]:
    """Fails in the end unless the server still answers and logged no traceback."""
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


def try_both_ways(door: Door, case: Case) -> None:
    """With ids out of the air, and with ids of what exists."""
    assert_answered(door, case, {})
    if real := {name: value for name, value in door.known.items() if name in case.path_parameters}:
        assert_answered(door, case, real)


def assert_answered(door: Door, case: Case, ids: dict[str, str]) -> None:
    case.path_parameters = {**case.path_parameters, **ids}
    answer = case.call(base_url=door.base_url, headers=door.headers, timeout=20)
    assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.status_code} {answer.text[:500]}"
