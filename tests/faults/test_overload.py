"""Drill R8: many followed runs on two workers of a busy machine, and one of the workers stops for a while.

Holds when every round is asked of the model once, except those of the stopped worker, which move to the other; when that one
wakes it writes nothing; and afterwards nothing is left over.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

import psutil
import pytest

from tests.faults.process import Workroom
from tests.faults.sender import Said
from tests.faults.two_houses import LOOK_AGAIN, TwoHouses
from workroom.models.testing import Drip, ReceivedRequest, Reply
from workroom.models.testing import ScriptedAnswer as Told

SECONDS = 300.0
LOST = "the run has gone to another worker"  # what the stopped one says of each when it wakes


@pytest.mark.requirement("A12")
@pytest.mark.parametrize(
    ("runs", "busy", "stopped"),
    [(12, 0, 0.0), pytest.param(300, 2, 30.0, marks=pytest.mark.drill)],
    ids=["small", "whole"],
)
async def test_a_model_is_asked_once_by_workers_that_live(
    houses: TwoHouses, runs: int, busy: int, stopped: float
) -> None:
    gate, asked = asyncio.Event(), Counter[str]()

    def behaviour(request: ReceivedRequest) -> Told:
        asked[request.question] += 1
        return Drip(Reply(f"This is the answer to {request.question}", chunk=5), gate, after=3)

    houses.provider.behaviour = behaviour
    questions = [f"question {number}" for number in range(runs)]
    async with followed(houses) as heard:
        with busy_loops(busy):
            begun = [await houses.ask(question, number) for number, question in enumerate(questions)]
            await until(lambda: len(asked) == runs)
            with stopped_worker(houses) as (house, worker):
                moved, lost = calls_of(worker, houses), house.log.count(LOST)
                gate.set()
                states, _ = await asyncio.gather(ended(houses, begun), asyncio.sleep(stopped))
            await until(lambda: house.log.count(LOST) == lost + moved)
        assert set(states.values()) == {"completed"}
        await until(lambda: all(is_over(heard[run_id]) for run_id in begun))
    assert asked.total() == runs + moved, "only what the stopped worker had is asked again"
    assert max(asked.values()) <= 2
    for run_id, question in zip(begun, questions, strict=True):
        log = await houses.log(run_id)
        assert [said["seq"] for said in log] == list(range(1, len(log) + 1))
        attempts = [said["attempt"] for said in log]
        assert attempts == sorted(attempts), "the first of two workers says nothing after the second has begun"
        words = [said["event"]["text"] for said in log if said["event"]["type"] == "message"]
        assert words == [f"This is the answer to {question}"]
        assert {said["seq"] for said in heard[run_id]} <= {said["seq"] for said in log}
    left = (
        "select (select count(*) from reservations), (select count(*) from runs where state in ('queued', 'running'))"
    )
    assert tuple((await houses.rows(left))[0]) == (0, 0)
    print(f"runs {runs}, moved {moved}, model calls {asked.total()}")


@asynccontextmanager
async def followed(houses: TwoHouses) -> AsyncIterator[dict[str, list[Said]]]:
    """What a browser at each server hears of all runs."""
    heard: dict[str, list[Said]] = defaultdict(list)
    open_, places = [asyncio.Event() for _ in houses.clients], range(len(houses.clients))

    async def follow(place: int) -> None:
        async with houses.clients[place].stream("GET", "/api/events", timeout=None) as stream:
            open_[place].set()
            async for line in stream.aiter_lines():
                if line.startswith("data: ") and "seq" in (said := json.loads(line[6:])):
                    heard[said["runId"]].append(said)

    following = [asyncio.create_task(follow(place)) for place in places]
    try:
        await asyncio.wait_for(asyncio.gather(*[event.wait() for event in open_]), SECONDS)
        yield heard
    finally:
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)


@contextmanager
def busy_loops(number: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def stopped_worker(houses: TwoHouses) -> Iterator[tuple[Workroom, psutil.Process]]:
    """One that has calls under way."""
    workers = [(workroom, psutil.Process(pid)) for workroom in houses.workrooms if (pid := workroom.worker_pid)]
    house, worker = next((workroom, worker) for workroom, worker in workers if calls_of(worker, houses))
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        yield house, worker
    finally:
        os.kill(worker.pid, signal.SIGCONT)


def calls_of(worker: psutil.Process, houses: TwoHouses) -> int:
    """Model calls it has under way, seen from outside."""
    port = houses.provider.origin.port
    return sum(bool(one.raddr) and one.raddr.port == port for one in worker.net_connections("tcp"))


def is_over(said: list[Said]) -> bool:
    return any(one["event"]["type"] == "complete" for one in said)


async def until(condition: Callable[[], bool]) -> None:
    """There is no event across processes."""
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(LOOK_AGAIN)


async def ended(houses: TwoHouses, runs: list[str]) -> dict[str, str]:
    async with asyncio.timeout(SECONDS):
        while True:
            rows = await houses.rows("select run_id::text, state from runs where run_id = any($1::uuid[])", runs)
            if not {row[1] for row in rows} & {"queued", "running"}:
                return {row[0]: row[1] for row in rows}
            await asyncio.sleep(LOOK_AGAIN)
