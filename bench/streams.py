"""The whole way of an answer: model server → worker → database → server → client, in a workspace as people run it.

Every process of ours counts, PostgreSQL's too; the model server and the reading client do not.
"""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvloop
from tests.faults.command import PROGRAM, environment
from tests.faults.process import Workroom

from bench import cpu, people
from bench.following import Follower, Heard, follow
from bench.people import Person

GRACE_SECONDS = 60.0


@dataclass(frozen=True)
class Load:
    streams: int
    tokens: int
    rate: int

    @property
    def prompt(self) -> str:
        return f"tokens={self.tokens} rate={self.rate}"

    @property
    def seconds(self) -> float:
        return GRACE_SECONDS + (self.tokens / self.rate if self.rate else self.streams * self.tokens / 1000)


@dataclass(frozen=True)
class Outcome:
    cpu: float
    memory: int
    heard: Sequence[Heard]
    stored: Sequence[list[int]]
    """The numbers of the events in the database, for the same runs."""

    @property
    def tokens(self) -> int:
        return sum(len(heard.ages) for heard in self.heard)

    @property
    def rate(self) -> float:
        """Tokens per CPU second."""
        return self.tokens / self.cpu

    @property
    def lost(self) -> int:
        """Clients with a gap, a repetition, or something that is not stored."""
        pairs = zip(self.heard, self.stored, strict=True)
        return sum(not heard.is_gapless or heard.numbers != stored[: len(heard.numbers)] for heard, stored in pairs)

    @property
    def unfinished(self) -> int:
        """Clients that had not heard the end, or another end than the good one, when time was up."""
        pairs = zip(self.heard, self.stored, strict=True)
        return sum(heard.over != "completed" or len(heard.numbers) != len(stored) for heard, stored in pairs)

    def age(self, share: float) -> float:
        ages = sorted(age for heard in self.heard for age in heard.ages) or [math.nan]
        return ages[min(int(len(ages) * share), len(ages) - 1)]


class Site:
    """A workspace whose model is the dripping provider, with people in it, and more workers if they are wanted."""

    def __init__(self, workroom: Workroom, crowd: Sequence[Person], model: str) -> None:
        self.workroom = workroom
        self.crowd = crowd
        self.model = model

    @classmethod
    @contextmanager
    def open(cls, data: Path, many: int, workers: int = 1) -> Iterator[Site]:
        with ExitStack() as stack:
            model = stack.enter_context(provider())
            settings: dict[str, Any] = {"MODEL_URL": model, "MODEL": "bench", "LOG_LEVEL": "warning"}
            workroom = stack.enter_context(Workroom(data, **settings))
            for _ in range(workers - 1):
                stack.enter_context(_worker(data, settings))
            yield cls(workroom, people.make(data, many), model)

    def measure(self, load: Load, *, by_run: bool = False) -> Outcome:
        """With `by_run` everybody follows the one run, as software does; else all that is theirs, as a browser does."""
        return uvloop.run(self._measure(load, by_run))

    async def _measure(self, load: Load, by_run: bool) -> Outcome:
        base = self.workroom.base_url
        async with httpx2.AsyncClient(base_url=base, trust_env=False, timeout=60) as client:
            crowd = self.crowd[: load.streams]
            before = cpu.seconds(self.workroom.processes)
            followers = [] if by_run else [await self._follow(person, "/api/events") for person in crowd]
            runs = [await _ask(client, person, load.prompt) for person in crowd]
            if by_run:
                pairs = zip(crowd, runs, strict=True)
                followers = [await self._follow(person, f"/api/runs/{run}/events") for person, run in pairs]
            await asyncio.wait(  # whoever has not heard the end by then is unfinished
                [asyncio.create_task(follower.finished.wait()) for follower in followers], timeout=load.seconds
            )
            processes = self.workroom.processes
            spent, memory = cpu.seconds(processes) - before, cpu.memory(processes)
            for follower in followers:
                follower.transport.close()
            stored = [await _log(client, person, run) for person, run in zip(crowd, runs, strict=True)]
        return Outcome(spent, memory, [follower.heard for follower in followers], stored)

    async def _follow(self, person: Person, path: str) -> Follower:
        follower = await follow(self.workroom.port, path, person)
        if path == "/api/events":
            await follower.opened.wait()
        return follower


async def _ask(client: httpx2.AsyncClient, person: Person, prompt: str) -> str:
    path, body = f"/api/workspace/{person.instance}/input", {"prompt": prompt}
    answer = await client.post(path, json=body, headers=_headers(person))
    answer.raise_for_status()
    return str(answer.json()["runId"])


async def _log(client: httpx2.AsyncClient, person: Person, run: str) -> list[int]:
    numbers: list[int] = []
    while True:
        path = f"/api/runs/{run}/log?after={len(numbers)}"
        items = (await client.get(path, headers=_headers(person))).raise_for_status().json()["items"]
        if not items:
            return numbers
        numbers += [item["seq"] for item in items]


def _headers(person: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.token}"}


def sdk_alone(model: str, load: Load) -> float:
    """Tokens per CPU second of the openai SDK reading the same streams, in a process of its own."""
    words = [sys.executable, "-m", "bench.sdk_reader", model, *map(str, (load.streams, load.tokens, load.rate))]
    return float(json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)["rate"])


@contextmanager
def provider() -> Iterator[str]:
    with subprocess.Popen([sys.executable, "-m", "bench.dripping_provider"], stdout=subprocess.PIPE, text=True) as made:
        assert made.stdout is not None
        try:
            yield made.stdout.readline().strip()
        finally:
            made.kill()


@contextmanager
def _worker(data: Path, settings: dict[str, Any]) -> Iterator[None]:
    """One more than `serve` has; it joins the same data folder and counts with it."""
    with subprocess.Popen([*PROGRAM, "worker"], env=environment({"DATA": data, **settings})) as made:
        try:
            yield
        finally:
            made.terminate()
