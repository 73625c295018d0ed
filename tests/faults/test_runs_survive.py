"""Drill R1: server, worker and PostgreSQL are killed at random moments of many runs with a writing tool.

Holds when no acknowledged input is lost, every note is written exactly once, every run ends honestly, and every run's
events are gapless, whoever wrote them.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import httpx2
import pytest

from tests.faults.process import Workroom, free_port
from tests.faults.provider import scripted_provider

Serve = Callable[..., Workroom]
SECONDS = 120.0
OVER = {"completed", "maxRoundsReached", "budgetExceeded", "stopped", "error"}


def kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Sender:
    """Gives input until it is acknowledged, as a good client does: the same input, with the same client id."""

    def __init__(self, base_url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._client = httpx2.Client(base_url=base_url, headers=headers, trust_env=False, timeout=15)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def until_answered(self, method: str, path: str, **more: Any) -> Any:
        give_up = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(httpx2.TransportError):
                answer = self._client.request(method, path, **more)
                if answer.status_code < 500 and answer.status_code not in (409, 429):
                    answer.raise_for_status()
                    return answer.json()
            assert time.monotonic() < give_up, f"{method} {path} is not answered"
            time.sleep(0.05)  # nobody can tell us when a killed server is back

    def log(self, run_id: str) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = []
        while items := self.until_answered("GET", f"/api/runs/{run_id}/log?after={len(said)}")["items"]:
            said += items
        return said


@pytest.mark.requirement("A12")
@pytest.mark.requirement("L1")
@pytest.mark.parametrize("runs", [8, pytest.param(200, marks=pytest.mark.drill)])
def test_nothing_is_lost_and_nothing_happens_twice(data: Path, serve: Serve, runs: int) -> None:
    dice, port = random.Random(runs), free_port()
    with contextlib.ExitStack() as stack, scripted_provider() as provider:
        settings = {"PORT": port, "MODEL_URL": provider, "MODEL": "test"}
        workroom = serve(data, **settings)
        token = workroom.command("tokens", "create", "admin", "--name", "drill").fine().strip()
        sender = stack.enter_context(Sender(workroom.base_url, token))
        instance = sender.until_answered("GET", "/api/session")["defaultInstanceId"]
        accepted, kills = [], Counter[str]()
        for number in range(runs):
            prompt = "\n".join(f'writeNote {{"title": "note {number}{part}", "text": "x"}}' for part in "ab")
            body = {"prompt": prompt, "clientId": f"drill-{number}"}
            accepted.append(sender.until_answered("POST", f"/api/workspace/{instance}/input", json=body)["runId"])
            victim = (
                dice.choice(["nobody", "nobody", "worker", "postgres", "everything"]) if number % 4 == 3 else "nobody"
            )
            kills[victim] += 1
            if victim == "worker":
                kill(workroom.worker_pid)
            elif victim == "postgres":
                kill(workroom.postgres_pid)
            elif victim == "everything":
                for pid in (workroom.worker_pid, workroom.postgres_pid):
                    kill(pid)
                workroom.kill()
                workroom = serve(data, **settings)
        states = wait_for_all(sender, accepted)
        print(f"runs {runs}, kills {dict(kills)}, states {dict(Counter(states))}")
        assert len(set(accepted)) == runs
        assert set(states) == {"completed"}
        for run_id in accepted:
            said = sender.log(run_id)
            assert [item["seq"] for item in said] == list(range(1, len(said) + 1)), "gapless"
            assert [item["event"]["type"] for item in said][-2:] == ["agentSummary", "complete"]
        titles = workroom.command(
            "db", "psql", given="\\pset format unaligned\n\\pset tuples_only on\nselect title from notes order by 1;\n"
        ).fine()
        written = [line for line in titles.splitlines() if line.startswith("note ")]
        assert sorted(written) == sorted(f"note {number}{part}" for number in range(runs) for part in "ab")


def wait_for_all(sender: Sender, accepted: list[str]) -> list[str]:
    """Leases of killed workers lapse after ten seconds, then others go on."""
    give_up = time.monotonic() + SECONDS
    states: dict[str, str] = {}
    while len(states) < len(accepted):
        for run_id in accepted:
            if run_id not in states and (run := sender.until_answered("GET", f"/api/runs/{run_id}"))["state"] in OVER:
                states[run_id] = run["state"]
        assert time.monotonic() < give_up, f"{len(accepted) - len(states)} runs have not ended"
    return list(states.values())
