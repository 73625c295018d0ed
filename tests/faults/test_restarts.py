"""Parts that die under a running server are started again, and nothing that was committed is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.leftovers import wait_until_gone
from tests.faults.process import Workroom, killed
from workroom.db.embedded.cluster import cluster_path

Serve = Callable[..., Workroom]


def test_a_killed_worker_is_started_again(running: Workroom) -> None:
    before = killed(running.worker_pid)
    running.wait_until(lambda: running.worker_pid not in (None, before), "running another worker")
    running.wait_ready()


def test_a_killed_postgres_is_started_again_and_requests_work(running: Workroom) -> None:
    with running.signed_in() as client:
        me = client.get("/api/session").json()
        role = me["user"]["roleId"]
        body = {"login": "kept@example.org", "displayName": "Kept", "roleId": role}
        assert client.post("/api/users", json=body).status_code == 201
        before = killed(running.postgres_pid)
        running.wait_until(lambda: running.postgres_pid not in (None, before), "running another PostgreSQL")
        running.wait_ready()
        assert client.get("/api/session").json() == me, "the same session, without signing in again"
        found = client.get("/api/users", params={"q": "kept@example.org"}).json()["items"]
    assert [user["login"] for user in found] == ["kept@example.org"]


def test_while_postgres_is_away_the_answer_is_503_and_it_is_tried_again(running: Workroom) -> None:
    """The first restart fails here, as with a full disk: it must not be the last one."""
    control = cluster_path(running.data / "postgres") / "global" / "pg_control"
    away = control.with_name("pg_control.away")
    with running.signed_in() as client:
        control.rename(away)
        try:
            killed(running.postgres_pid)
            running.wait_until(lambda: "did not start" in running.log, "failing to restart PostgreSQL")
            answer = client.get("/api/users")
            assert (answer.status_code, answer.json()["code"]) == (503, "databaseUnavailable")
            assert running.get("/ready").json()["checks"]["database"] is False
        finally:
            away.rename(control)
        running.wait_ready()
        assert client.get("/api/users").status_code == 200


@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.drill)])
def test_killed_in_any_order_and_started_again(data: Path, serve: Serve, times: int) -> None:
    """kill -9 of server, worker and PostgreSQL, then a new start; whoever was added before is still there."""
    dice = random.Random(8420)
    added = []
    for number in range(times):
        workroom = serve(data)
        added.append(f"person-{number}@example.org")
        workroom.command("users", "add", added[-1]).fine()
        victims = [workroom.pid, workroom.worker_pid, workroom.postgres_pid]
        dice.shuffle(victims)
        for victim in victims[: dice.randint(1, 3)] if number % 2 else victims:
            killed(victim)
        workroom.kill()
    workroom = serve(data)
    listed = workroom.command("users", "list").fine()
    assert [login for login in added if login not in listed] == []
    assert workroom.stop() == 0
    assert wait_until_gone(data) == []
