"""Drill R3: a provider on the worst of days, a healthy one behind it in the chain.

Holds when every run ends with an answer or with one clear sentence, the ledger has exactly what the providers reported
(what nobody reported is estimated and marked as such), and the trace tells which of the two answered.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.world import World
from workroom.agent import model_calls
from workroom.bootstrap.worker import open_worker_services
from workroom.core.tokens import Usage
from workroom.db import DatabaseAddress
from workroom.models import model_factory
from workroom.models.testing import (
    Cut,
    Garbage,
    Nothing,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    ScriptedProvider,
    Status,
)
from workroom.settings import Settings

SECONDS = 120.0
HALF = Reply("This is half of an answer, and the rest never")
FAULTS: dict[str, Callable[[], ScriptedAnswer]] = {
    "busy": lambda: Status(429, retry_after=0),
    "busy for a second": lambda: Status(429, retry_after=1),
    "busy for long": lambda: Status(429, retry_after=600),
    "broken": lambda: Status(500),
    "cut": lambda: Cut(HALF, after=4),
    "ended": lambda: Cut(HALF, after=4, how="ended"),
    "garbage": lambda: Garbage(HALF, after=4),
    "silence": Nothing,
    "dropped": lambda: Nothing(dropped=True),
    "empty": lambda: Reply(""),
    "uncounted": lambda: Reply("bad: nobody counted this", usage=None),
    "fine": lambda: Reply("bad: better now", usage=Usage(30, 7)),
}


@dataclass
class Unreliable:
    """Says something else each time, and keeps a list."""

    dice: random.Random
    said: Counter[str] = field(default_factory=Counter)

    def __call__(self, _: ReceivedRequest) -> ScriptedAnswer:
        kind = self.dice.choice(list(FAULTS))
        self.said[kind] += 1
        return FAULTS[kind]()


@dataclass
class Providers:
    world: World
    bad: ScriptedProvider
    good: ScriptedProvider


def healthy(_: ReceivedRequest) -> ScriptedAnswer:
    return Reply("good: as always", usage=Usage(20, 9))


@pytest.fixture
async def providers(
    world: World, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Providers]:
    """Both are set up as an administrator does it, with prices; a worker takes runs, and waits little."""
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.05))
    limits = replace(model_factory.OWN_SERVER_LIMITS, read_seconds=1.0)
    monkeypatch.setattr(model_factory, "OWN_SERVER_LIMITS", limits)
    async with ScriptedProvider() as bad, ScriptedProvider(behaviour=healthy) as good:
        for name, provider in (("bad", bad), ("good", good)):
            body = {"kind": "endpoint", "name": name, "baseUrl": provider.base_url, "allowPrivate": True}
            await ordered(world, "POST", "/api/model-providers", body | {"models": [{"name": "m"}]})
            price = {"input": "10", "output": "20", "cached": "1"}
            await ordered(world, "PUT", "/api/model-prices", {"model": f"{name}/m", "price": price})
        chain = {"operation": "AGENT", "models": ["bad/m", "good/m"]}
        await ordered(world, "PUT", "/api/model-chains", chain)
        settings = Settings(private_addresses=True)  # the world has two organisations
        async with open_worker_services(settings, address.application, world.services.db):
            yield Providers(world, bad, good)


async def ordered(world: World, method: str, path: str, body: dict[str, Any]) -> None:
    answer = await world.call("alice", method, path, body)
    assert answer.status_code < 300, answer.text


@pytest.mark.requirement("A8", "C4")
@pytest.mark.parametrize("runs", [12, pytest.param(100, marks=pytest.mark.drill)])
async def test_every_run_ends_and_the_bill_is_right(providers: Providers, runs: int) -> None:
    world, unreliable = providers.world, Unreliable(random.Random(runs))
    providers.bad.behaviour = unreliable
    path = f"/api/workspace/{world.instances['lab'].id}/input"
    answers = [await world.call("bob", "POST", path, {"prompt": f"question {number}"}) for number in range(runs)]
    ended = await all_over(world, [answer.json()["runId"] for answer in answers])
    for run in ended:
        assert run["state"] == "completed", run
        await check_trace(world, run)
    await check_ledger(world, unreliable.said, len(providers.good.requests))
    print(f"runs {runs}, {Counter(run['state'] for run in ended)}, said {dict(unreliable.said)}")


async def all_over(world: World, runs: list[str]) -> list[dict[str, Any]]:
    async with asyncio.timeout(SECONDS), world.client("bob") as client:
        ended: dict[str, dict[str, Any]] = {}
        while len(ended) < len(runs):
            for run_id in runs:
                run = (await client.get(f"/api/runs/{run_id}")).json()
                if run["state"] not in ("queued", "running"):
                    ended[run_id] = run
            await asyncio.sleep(0.05)  # over HTTP there is no event to wait for but streams, which R2 is about
    return list(ended.values())


async def check_trace(world: World, run: dict[str, Any]) -> None:
    """Whoever answered stands in the trace, and what the run shows is the sum of its attempts."""
    trace = (await world.call("bob", "GET", f"/api/runs/{run['id']}/trace")).json()
    attempts = [attempt for turn in trace["rounds"] for attempt in turn["attempts"]]
    assert trace["totalCostCHF"] == run["costCHF"]
    answered = [attempt for attempt in attempts if attempt["outcome"] == "answered"]
    if run["state"] == "error":
        assert answered == []
        return
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{run['workflowId']}"
    said = (await world.call("bob", "GET", path)).json()["messages"][-1]["parts"][0]["text"]
    assert [f"{attempt['provider']}:" for attempt in answered] == [said.split()[0]]
    assert trace["rounds"][-1]["aiModel"] == answered[0]["aiModel"]


async def check_ledger(world: World, said: Counter[str], asked_good: int) -> None:
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        rows = await uow.fetch(
            "select provider, outcome, assumed, input_tokens as read, output_tokens as written, cost_chf > 0 as paid"
            " from billing"
        )
        wrong = await uow.fetchval(
            "select count(*) from runs r where cost_chf <> (select sum(cost_chf) from billing b where b.run_id = r.run_id)"
        )
        assert (wrong, await uow.fetchval("select count(*) from reservations")) == (0, 0)
    reported = Counter(
        (row["provider"], row["outcome"], row["read"], row["written"])
        for row in rows
        if row["paid"] and not row["assumed"]
    )
    assert reported == +Counter(
        {
            ("bad", "answered", 30, 7): said["fine"],
            ("bad", "failed", 10, 5): said["empty"],
            ("good", "answered", 20, 9): asked_good,
        }
    )
    guessed = Counter((row["provider"], row["outcome"]) for row in rows if row["paid"] and row["assumed"])
    halves = said["cut"] + said["ended"] + said["garbage"]
    assert guessed == +Counter({("bad", "answered"): said["uncounted"], ("bad", "failed"): halves})
    assert sum(not row["paid"] for row in rows) == sum(
        said[kind] for kind in ("busy", "busy for a second", "busy for long", "broken", "silence", "dropped")
    )
