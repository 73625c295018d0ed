"""Drill R1: server, worker and PostgreSQL are killed at random moments of many runs that write, reach outside and ask.

Each run writes a note, sends something outside, does something that a person confirms over HTTP (half of them delete a
note, the others send once more) and writes another note.
Holds when no acknowledged input, answer, event or note is lost, everything of ours happens exactly once, nothing outside
happens twice, every run ends honestly after one answer, and every franc in the ledger belongs to a run that shows it.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.faults.counter import Outside, counting
from tests.faults.process import Workroom, free_port
from tests.faults.provider import scripted_provider
from tests.faults.sender import OVER, SECONDS, Said, Sender, is_gapless, waits_for

Serve = Callable[..., Workroom]
PLUGIN = Path(__file__).with_name("plugin")
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


@pytest.mark.requirement("A12")
@pytest.mark.requirement("A15")
@pytest.mark.requirement("L1")
@pytest.mark.parametrize(
    ("runs", "early", "late"), [(6, 0, 1), pytest.param(200, 20, 20, marks=pytest.mark.drill)], ids=["few", "many"]
)
def test_nothing_is_lost_and_nothing_happens_twice(data: Path, serve: Serve, runs: int, early: int, late: int) -> None:
    """So many strikes while inputs are given, and so many while answers are."""
    dice = random.Random(runs)
    with contextlib.ExitStack() as stack:
        outside = stack.enter_context(counting())
        provider = stack.enter_context(scripted_provider())
        settings = {"PORT": free_port(), "MODEL_URL": provider, "MODEL": "test", "plugins": [PLUGIN]}
        house = House(serve, data, settings, dice)
        token = house.workroom.command("tokens", "create", "admin", "--name", "drill").fine().strip()
        sender = stack.enter_context(Sender(house.workroom.base_url, token))
        doomed = prepare(sender, runs)
        asked = [
            begin(sender, number, outside, doomed[number], house if strike else None)
            for number, strike in enumerate(struck(dice, runs, early))
        ]
        assert len(set(asked)) == runs, "an input that was acknowledged is one run"
        states = see_through(sender, asked, house, struck(dice, runs, late))
        logs = {run_id: sender.log(run_id) for run_id in asked}
        unknown = check_logs(logs, outside)
        check_notes(house, doomed)
        check_ledger(house, runs)
        print(f"runs {runs}, kills {dict(house.kills)}, states {dict(Counter(states.values()))}, unknown {unknown}")


def struck(dice: random.Random, runs: int, strikes: int) -> list[bool]:
    chosen = set(dice.sample(range(runs), strikes))
    return [number in chosen for number in range(runs)]


def prepare(sender: Sender, runs: int) -> list[str | None]:
    """A price, so that there is something to count, and a note to be deleted for every other run."""
    price = {"model": "local/test", "price": {"input": "10", "output": "20", "cached": "1"}}
    sender.until_answered("PUT", "/api/model-prices", json=price)
    sender.until_answered("PUT", "/api/budgets/mandate", json={"limits": [{"scope": "user", "limit": None}]})
    notes = f"/api/workspace/{workspace(sender)}/notes"
    return [
        None if number % 2 else sender.until_answered("POST", notes, json={"title": f"doomed {number}"})["id"]
        for number in range(runs)
    ]


def workspace(sender: Sender) -> str:
    found: str = sender.until_answered("GET", "/api/session")["defaultInstanceId"]
    return found


def begin(sender: Sender, number: int, outside: Outside, doomed: str | None, house: House | None) -> str:
    """Give the input, and strike right after it is acknowledged, if a house is given."""
    prompt = [
        f'writeNote {{"title": "note {number}a", "text": "x"}}',
        f'sendOutside {{"url": "{outside.url}"}}',
        f'deleteNote {{"noteId": "{doomed}"}}' if doomed else f'sendConfirmed {{"url": "{outside.url}"}}',
        f'writeNote {{"title": "note {number}b", "text": "x"}}',
    ]
    body = {"prompt": "\n".join(prompt), "clientId": f"drill-{number}"}
    run_id: str = sender.until_answered("POST", f"/api/workspace/{workspace(sender)}/input", json=body)["runId"]
    if house is not None:
        house.strike()
    return run_id


def see_through(sender: Sender, asked: list[str], house: House, strikes: list[bool]) -> dict[str, str]:
    """Answer what asks, once, striking now and then after an acknowledged answer, until every run has ended."""
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
                sender.consumed(run_id, call_id, {"kind": "confirmation", "accepted": True})
                answered.add(run_id)
                if strikes[len(answered) - 1]:
                    house.strike()
        assert time.monotonic() < give_up, f"{len(asked) - len(states)} runs have not ended"
    assert set(states.values()) == {"completed"}, f"{errors}: {house.workroom.log[-10_000:]}"
    assert answered == set(asked)
    return states


def check_logs(logs: dict[str, list[Said]], outside: Outside) -> int:
    """Answers of how many calls outside nobody knows what became."""
    unknown = 0
    for said in logs.values():
        assert is_gapless(said)
        events = [item["event"] for item in said]
        assert [event["type"] for event in events][-2:] == ["agentSummary", "complete"]
        results = [event for event in events if event["type"] == "toolResult"]
        tools = [result["tool"] for result in results]
        assert tools in [["writeNote", "sendOutside", third, "writeNote"] for third in ("deleteNote", "sendConfirmed")]
        for sent in (result for result in results if result["tool"].startswith("send")):
            if sent["result"]["data"].get("outcome") == "unknown":
                unknown += 1
            else:
                assert outside.calls[sent["callId"]] == 1, "what the model believes to be sent has been sent"
    assert set(outside.calls.values()) <= {1}, "no call reaches outside twice"
    return unknown


def check_notes(house: House, doomed: list[str | None]) -> None:
    notes = house.rows("select title, deleted_at is not null from notes")
    written = [(f"note {number}{part}", "f") for number in range(len(doomed)) for part in "ab"]
    deleted = [(f"doomed {number}", "t") for number, note in enumerate(doomed) if note]
    assert sorted((title, gone) for title, gone in notes) == sorted(written + deleted)


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
