"""What drills that kill parts of a workspace have in common: the house and its strikes, answers that are given while it is
struck, the ledger afterwards."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.process import Workroom
from tests.faults.sender import OVER, SECONDS, Sender, waits_for

Serve = Callable[..., Workroom]
VICTIMS = ("worker", "postgres", "server", "everything")


@dataclass
class House:
    """A workspace whose parts are killed, and come back."""

    serve: Serve
    data: Path
    settings: dict[str, Any]
    dice: random.Random
    kills: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.workroom = self.serve(self.data, **self.settings)

    def strike(self) -> None:
        """`kill -9`, at a random moment."""
        threading.Event().wait(self.dice.uniform(0, 0.4))
        victim = self.dice.choice(VICTIMS)
        self.kills[victim] += 1
        if victim in ("worker", "everything"):
            kill(self.workroom.worker_pid)
        if victim in ("postgres", "everything"):
            kill(self.workroom.postgres_pid)
        if victim in ("server", "everything"):
            self.workroom.kill()
            self.workroom = self.serve(self.data, **self.settings)

    def rows(self, sql: str) -> list[list[str]]:
        given = f"\\pset format unaligned\n\\pset tuples_only on\n{sql};\n"
        said = self.workroom.command("db", "psql", given=given).fine()
        return [line.split("|") for line in said.splitlines() if "|" in line]


def kill(pid: int | None) -> None:
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def struck(dice: random.Random, runs: int, strikes: int) -> list[bool]:
    chosen = set(dice.sample(range(runs), strikes))
    return [number in chosen for number in range(runs)]


def set_up(sender: Sender) -> None:
    """A price, so that there is something to count, and no limit that a drill could reach."""
    price = {"model": "local/test", "price": {"input": "10", "output": "20", "cached": "1"}}
    sender.until_answered("PUT", "/api/model-prices", json=price)
    sender.until_answered("PUT", "/api/budgets/mandate", json={"limits": [{"scope": "user", "limit": None}]})


def workspace(sender: Sender) -> str:
    found: str = sender.until_answered("GET", "/api/session")["defaultInstanceId"]
    return found


def see_through(
    sender: Sender, asked: list[str], house: House, strikes: list[bool], answer: Mapping[str, Any]
) -> dict[str, str]:
    """Give this answer to whatever asks, once, striking now and then when it was acknowledged, until every run has ended."""
    states: dict[str, str] = {}
    errors: list[str] = []
    answered: set[str] = set()
    give_up = time.monotonic() + SECONDS + 3 * len(asked)
    while len(states) < len(asked):
        for run_id in asked:
            if run_id in states:
                continue
            run = sender.until_answered("GET", f"/api/runs/{run_id}")
            if run["state"] in OVER:
                states[run_id] = run["state"]
                errors += [run["error"]] if run["error"] else []
            elif run["state"] == "paused":
                call_id = waits_for(sender.log(run_id))
                if call_id is None:
                    continue  # it has been asked between our two looks
                assert run_id not in answered, "an acknowledged answer is lost"
                sender.consumed(run_id, call_id, dict(answer))
                answered.add(run_id)
                if strikes[len(answered) - 1]:
                    house.strike()
        assert time.monotonic() < give_up, f"{len(asked) - len(states)} runs have not ended"
    assert set(states.values()) == {"completed"}, f"{errors}: {house.workroom.log[-10_000:]}"
    assert answered == set(asked)
    return states


def check_ledger(house: House, runs: int) -> None:
    """What each run shows is what the ledger says, nothing is set aside any more but for titles that were being made when their
    worker was killed, which housekeeping settles later (`usage/jobs.py`), and the accounts agree."""
    per_run = house.rows(
        "select r.run_id, r.cost_chf = sum(b.cost_chf) and r.cost_chf > 0 from runs r join billing b using (run_id)"
        " group by r.run_id, r.cost_chf"
    )
    assert [right for _, right in per_run] == ["t"] * runs
    assert house.rows("select count(*), 'open' from reservations where purpose <> 'summary'") == [["0", "open"]]
    accounts = house.rows(
        "select scope, sum(spent) = (select sum(cost_chf) from billing),"
        " sum(reserved) = (select coalesce(sum(amount), 0) from reservations) from budget_accounts group by 1"
    )
    assert accounts
    assert all(row[1:] == ["t", "t"] for row in accounts)
